// The statements that book adjustments of credit, and set the alert of an account.
import type { Currency } from "../../core/values/iso.ts";
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import { closedUntil, timeOfEntry } from "./queries.ts";

interface AdjustmentKey {
  clientId: string;
  currency: Currency;
  reference: string;
}

export interface Adjustment extends AdjustmentKey {
  /** Negative to take credit away. */
  amountMinor: number;
  note: string | null;
  nowMs: number;
  /** When the money came or left. In a closed month, it counts from the end of the month on. Null for now. */
  valueAtMs?: number | null;
}

// The statements that book an adjustment contain the guard: the client exists, and the reference is new.

/** The attempt to record a payment of the order, on which a booking may depend. */
interface PaymentAttempt {
  orderId: number | null;
  attemptId: string | null;
}

const IS_RECORDED = fragment`(${"attemptId"} IS NULL OR EXISTS (SELECT 1 FROM orders o
    WHERE o.id = ${"orderId"} AND o.attempt_id = ${"attemptId"}))`;

const OPEN_ACCOUNT = sql<Pick<Adjustment, "clientId" | "currency"> & PaymentAttempt>()`
  INSERT OR IGNORE INTO credit_accounts (client_id, currency, balance_minor, entries)
  SELECT id, ${"currency"}, 0, 0 FROM clients WHERE id = ${"clientId"} AND ${IS_RECORDED}`;

/** The account, unless the reference has been booked in it before. */
const ACCOUNT_WITHOUT_REFERENCE = fragment`
  client_id = ${"clientId"} AND currency = ${"currency"} AND ${IS_RECORDED} AND NOT EXISTS (SELECT 1 FROM credit_entries
    WHERE client_id = ${"clientId"} AND currency = ${"currency"} AND reference = ${"reference"})`;

const UPDATE_BALANCE = sql<AdjustmentKey & Pick<Adjustment, "amountMinor"> & PaymentAttempt>()`
  UPDATE credit_accounts SET balance_minor = balance_minor + ${"amountMinor"}, entries = entries + 1
  WHERE ${ACCOUNT_WITHOUT_REFERENCE}`;

const INSERT_ADJUSTMENT = sql<Required<Adjustment> & PaymentAttempt>()`
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    reference, note, created_at_ms, value_at_ms)
  SELECT client_id, currency, entries, 'adjustment', ${"amountMinor"}, balance_minor,
    ${"reference"}, ${"note"}, ${timeOfEntry(fragment`${"nowMs"}`)},
    max(${"valueAtMs"}, ${closedUntil(fragment`a`)})
  FROM credit_accounts a WHERE ${ACCOUNT_WITHOUT_REFERENCE}`;

/** The statements that book the adjustment, once for each reference. The first one in a currency opens the account. */
export function bookingOf(
  db: Database,
  adjustment: Adjustment,
  { orderId, attemptId }: PaymentAttempt = { orderId: null, attemptId: null },
) {
  const params = { valueAtMs: null, ...adjustment, orderId, attemptId };
  return {
    account: OPEN_ACCOUNT.bind(db, params),
    balance: UPDATE_BALANCE.bind(db, params),
    entry: INSERT_ADJUSTMENT.bind(db, params),
  };
}

/** Books the adjustment. `false` if the reference has been booked before. One transaction, one round trip. */
export async function adjustCredit(db: Database, adjustment: Adjustment): Promise<boolean> {
  const { entry } = await batch(db, bookingOf(db, adjustment));
  return entry.meta.changes === 1;
}

interface Booked {
  bookedMinor: number | null;
  balanceMinor: number;
  /** The end of the last closed month, or 0. */
  closedUntilMs: number;
}

const SELECT_BOOKING = sql<AdjustmentKey, Booked>()`
  SELECT (SELECT amount_minor FROM credit_entries
      WHERE client_id = ${"clientId"} AND currency = ${"currency"} AND reference = ${"reference"}) AS bookedMinor,
    coalesce((SELECT balance_minor FROM credit_accounts
      WHERE client_id = ${"clientId"} AND currency = ${"currency"}), 0) AS balanceMinor,
    ${closedUntil(fragment`a`)} AS closedUntilMs
  FROM (SELECT ${"clientId"} AS client_id, ${"currency"} AS currency) a`;

/** The amount that is booked with the reference, or null, the balance, and the closed months. One round trip. */
export async function readBooking(db: Database, key: AdjustmentKey) {
  return (
    (await SELECT_BOOKING.first(db, key)) ?? {
      bookedMinor: null,
      balanceMinor: 0,
      closedUntilMs: 0,
    }
  );
}

interface CreditAlert {
  clientId: string;
  currency: Currency;
  /** Null for no alert. */
  belowMinor: number | null;
}

const SET_ALERT = sql<CreditAlert>()`
  UPDATE credit_accounts SET alert_below_minor = ${"belowMinor"},
    alerted = CASE WHEN alert_below_minor IS ${"belowMinor"} THEN alerted ELSE 0 END
  WHERE client_id = ${"clientId"} AND currency = ${"currency"}`;

/**
 * Sets or removes the alert of an account. A balance that is already below a new amount is reported once. `false` if
 * there is no such account.
 */
export async function setCreditAlert(db: Database, alert: CreditAlert): Promise<boolean> {
  const { meta } = await SET_ALERT.bind(db, alert).run();
  return meta.changes === 1;
}
