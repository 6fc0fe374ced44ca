// Books credit, or takes it away.
import { refusal } from "../../core/api-error.ts";
import { amountText, MAX_BALANCE_MINOR } from "../../core/values/money.ts";
import { formatDay } from "../../core/values/time.ts";
import {
  type Adjustment,
  adjustCredit,
  readBooking,
} from "../../features/credit/adjust-queries.ts";
import { constraintOf } from "../../platform/db/constraint.ts";
import { requireClient } from "../client/require-client.ts";
import { change } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { accountCurrency, minorOf, VALUE_DATE, valueAtOf } from "./account-input.ts";
import { listSimilarReferences } from "./queries.ts";

type Booking = Required<Omit<Adjustment, "nowMs">>;

/** One transaction. */
export const creditAdd = change({
  name: "credit add",
  title: "Book credit",
  description:
    "A negative amount reduces the credit. The first booking in a currency opens the account.",
  permission: "money",
  input: {
    client: kinds.client("Client"),
    amount: kinds.argument(kinds.amount("Amount", { hint: "Such as 5000.00 or -120.50." })),
    currency: accountCurrency(),
    reference: kinds.text("Reference", {
      max: 100,
      hint: "Such as the invoice. Each reference is booked once.",
    }),
    value_date: VALUE_DATE,
    note: kinds.optional(kinds.lines("Note", { max: 1_000, hint: "The ledger shows it." })),
  },
  examples: [
    'acme 5000.00 --reference INV-2041 --value-date 2026-03-31 --note "Paid by bank transfer"',
    "acme -120.50 --currency USD --reference CORR-7",
  ],
  present: async ({ DB }, { client }) => ({
    currency: client === undefined ? null : (await requireClient(DB, client)).defaultCurrency,
  }),
  result: {
    facts: {
      booked: kinds.flag("Booked by this request"),
      balance: kinds.money("Balance"),
    },
  },
  plan: async (
    { DB, nowMs },
    { client, currency: given, amount, reference, note = null, value_date: day },
  ) => {
    const { name, defaultCurrency } = await requireClient(DB, client);
    const currency = given ?? defaultCurrency;
    const sizeMinor = minorOf("amount", amount.replace("-", ""), currency);
    const amountMinor = amount.startsWith("-") ? -sizeMinor : sizeMinor;
    const valueAtMs = valueAtOf(day, nowMs);
    const key = { clientId: client, currency, amountMinor, reference };
    const booking: Booking = { ...key, note, valueAtMs };
    const [present, similar] = await Promise.all([
      readBooking(DB, booking),
      listSimilarReferences(DB, client, currency, reference),
    ]);
    const isBooked = present.bookedMinor !== null;
    if (isBooked) checkBooked(booking, present.bookedMinor);
    const balanceMinor = present.balanceMinor + amountMinor;
    if (!isBooked && balanceMinor > MAX_BALANCE_MINOR) {
      const maximum = amountText(MAX_BALANCE_MINOR, currency);
      throw refusal(`the balance of ${client} would exceed the maximum of ${maximum}.`);
    }
    if (!isBooked && balanceMinor < 0) throw tooLow(booking);
    const balance = { label: "Balance", before: amountText(present.balanceMinor, currency) };
    return {
      booking,
      will: isBooked ? null : `book ${amountText(amountMinor, currency)} for ${client} (${name})`,
      changes: isBooked ? [] : [{ ...balance, after: amountText(balanceMinor, currency) }],
      subjects: [{ type: "account" as const, keys: [client] }],
      confirms: { booking, similar },
      preview: {
        ...(isBooked && { text: `${reference} is booked already.` }),
        warnings: [
          ...similar.map((other) => `There is a booking with the similar reference ${other}.`),
          ...((valueAtMs ?? Infinity) < present.closedUntilMs
            ? [
                `The month of the value date is closed. It counts on ${formatDay(present.closedUntilMs)}.`,
              ]
            : []),
        ],
      },
    };
  },
  run: async ({ DB, auditing, nowMs }, { booking, subjects }) => {
    const { clientId, currency, reference, note, amountMinor } = booking;
    const db = auditing(subjects, note === null ? reference : `${reference}: ${note}`);
    const booked = await adjustCredit(db, {
      ...booking,
      valueAtMs: booking.valueAtMs && Math.min(booking.valueAtMs, nowMs),
      nowMs,
    }).catch((error: unknown) => {
      if (constraintOf(error) !== "credit_not_negative") throw error;
      throw tooLow(booking);
    });
    const { bookedMinor, balanceMinor } = await readBooking(DB, booking);
    checkBooked(booking, bookedMinor);
    const done = booked
      ? `Booked ${amountText(amountMinor, currency)}.`
      : `${reference} was booked already. Nothing was changed.`;
    return {
      text: `${done} The balance of ${clientId} is ${amountText(balanceMinor, currency)}.`,
      facts: { booked, balance: { minor: balanceMinor, currency } },
    };
  },
});

const tooLow = ({ clientId, currency }: Booking) =>
  refusal(`the balance of ${clientId} in ${currency} is too low.`);

/** Errors: `not_allowed_in_state` if the reference is booked with another amount. */
function checkBooked({ reference, amountMinor, currency }: Booking, bookedMinor: number | null) {
  if (bookedMinor === null || bookedMinor === amountMinor) return;
  const earlier = amountText(bookedMinor, currency);
  throw refusal(`reference ${reference} was already booked with another amount, ${earlier}.`);
}
