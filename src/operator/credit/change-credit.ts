// Books credit, and sets the alert of an account.
import type { Currency } from "../../core/values/iso.ts";
import { amountWithCode, formatAmount, MAX_BALANCE_MINOR } from "../../core/values/money.ts";
import {
  type Adjustment,
  adjustCredit,
  setCreditAlert,
} from "../../features/credit/adjust-queries.ts";
import { readBalance } from "../../features/credit/queries.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import type { Change, PlannedChange } from "../change.ts";
import { requireClient } from "../clients/require-client.ts";
import { Refusal } from "../refusal.ts";
import { findSimilarReferences, listAccounts, listEntries } from "./queries.ts";

/** The amount in minor units of the currency of the account. Errors: the caller's. */
type AmountIn<Minor> = (currency: Currency) => Minor;

interface BookingInput {
  clientId: string;
  /** Null for the client's currency. */
  currency: Currency | null;
  /** Negative to take credit away. */
  amountIn: AmountIn<number>;
  /** Each reference is booked once. */
  reference: string;
  note: string | null;
}

interface BookingPlan extends PlannedChange {
  booking: Omit<Adjustment, "nowMs">;
  /** The references of the account that differ only in case, spaces or punctuation. */
  similar: string[];
}

interface Booked extends Pick<Adjustment, "clientId" | "currency" | "reference" | "amountMinor"> {
  /** False if the reference was booked before. */
  booked: boolean;
  balanceMinor: number;
}

/** Errors of the run: `Refusal` if the balance is too low. One transaction. */
export const ADD_CREDIT: Change<BookingInput, BookingPlan, Booked> = {
  action: "credit add",
  plan: async ({ DB }, { clientId, currency: given, amountIn, reference, note }) => {
    const client = await requireClient(DB, clientId);
    const currency = given ?? client.defaultCurrency;
    const amountMinor = amountIn(currency);
    const booking = { clientId, currency, amountMinor, reference, note };
    const isBooked = await isBookedAlready(DB, booking);
    const balanceMinor = await readBalance(DB, { clientId, currency });
    if (!isBooked && amountMinor > MAX_BALANCE_MINOR - balanceMinor) {
      const maximum = amountWithCode(MAX_BALANCE_MINOR, currency);
      throw new Refusal(`the balance of ${clientId} would exceed the maximum of ${maximum}.`);
    }
    if (!isBooked && balanceMinor + amountMinor < 0) throw tooLow(booking);
    return {
      booking,
      similar: await findSimilarReferences(DB, clientId, currency, reference),
      description: isBooked
        ? null
        : `book ${amountWithCode(amountMinor, currency)} for ${clientId} (${client.name}), ` +
          `whose balance is ${amountWithCode(balanceMinor, currency)}`,
      subjects: accountOf(clientId),
      reason: note === null ? reference : `${reference}: ${note}`,
    };
  },
  run: async ({ DB }, { booking }, nowMs) => {
    const { clientId, currency, reference, amountMinor } = booking;
    const booked = await adjustCredit(DB, { ...booking, nowMs }).catch((error: unknown) => {
      if (constraintOf(error) !== "credit_not_negative") throw error;
      throw tooLow(booking);
    });
    if (!booked) await isBookedAlready(DB, booking);
    const balanceMinor = await readBalance(DB, { clientId, currency });
    return { clientId, currency, reference, amountMinor, booked, balanceMinor };
  },
};

const accountOf = (clientId: string) => [{ type: "account" as const, keys: [clientId] }];

const tooLow = ({ clientId, currency }: Pick<Adjustment, "clientId" | "currency">) =>
  new Refusal(`the balance of ${clientId} in ${currency} is too low.`);

/** Whether the reference is booked with this amount. Errors: `Refusal` if it is booked with another one. */
async function isBookedAlready(
  d1: D1Database,
  { clientId, currency, reference, amountMinor }: BookingPlan["booking"],
): Promise<boolean> {
  const [entry] = await listEntries(d1, clientId, currency, { reference });
  if (!entry || entry.amountMinor === amountMinor) return entry !== undefined;
  const earlier = amountWithCode(entry.amountMinor, currency);
  throw new Refusal(`reference ${reference} was already booked with another amount, ${earlier}.`);
}

interface AlertInput extends Pick<BookingInput, "clientId" | "currency"> {
  /** Null for no alert. */
  belowIn: AmountIn<number | null>;
}

interface Alert {
  clientId: string;
  currency: Currency;
  alertBelowMinor: number | null;
}

/** Reports a low balance to the client with the event credit.low. One transaction. */
export const SET_CREDIT_ALERT: Change<AlertInput, PlannedChange & Alert, Alert> = {
  action: "credit alert",
  plan: async ({ DB }, { clientId, currency: given, belowIn }) => {
    const { name, defaultCurrency } = await requireClient(DB, clientId);
    const currency = given ?? defaultCurrency;
    const alertBelowMinor = belowIn(currency);
    const accounts = await listAccounts(DB, clientId);
    const present = accounts.find((each) => each.currency === currency);
    if (!present) throw noAccount(clientId, currency);
    const account = `the balance of ${clientId} (${name}) in ${currency}`;
    const description =
      alertBelowMinor === null
        ? `stop reporting ${account}`
        : `report ${account} when it is below ${formatAmount(alertBelowMinor, currency)}`;
    return {
      clientId,
      currency,
      alertBelowMinor,
      description: present.alertBelowMinor === alertBelowMinor ? null : description,
      subjects: accountOf(clientId),
    };
  },
  run: async ({ DB }, { clientId, currency, alertBelowMinor }) => {
    if (!(await setCreditAlert(DB, { clientId, currency, belowMinor: alertBelowMinor }))) {
      throw noAccount(clientId, currency);
    }
    return { clientId, currency, alertBelowMinor };
  },
};

const noAccount = (clientId: string, currency: Currency) =>
  new Refusal(`${clientId} has no account in ${currency}.`);
