// The statements that record payments of orders.
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { ORDER_ID, ORDER_UPDATED_AT } from "../events/subject-queries.ts";
import { sendOwedCodes } from "../codes/bind-queries.ts";
import { type Adjustment, bookingOf } from "../credit/adjust-queries.ts";
import { insertInvoiceEntry } from "../credit/invoice-queries.ts";
import { closedUntil } from "../credit/queries.ts";
import { INVITE_AT } from "../schedule/queries.ts";
import type { OrderKey } from "./order-key.ts";

export interface Payment extends OrderKey {
  /** The bank's reference, for the statement. */
  reference: string | null;
  /** What the client must still owe for the order. Null for any amount. */
  owedMinor: number | null;
  nowMs: number;
  /** As for an adjustment. It counts at the earliest in the month of the order. */
  valueAtMs?: number | null;
  /** What becomes credit of the client: what was paid beyond the amount, or all of a further payment. */
  overpaid?: Omit<Adjustment, "nowMs" | "valueAtMs"> | undefined;
  /** The digest of the row of the bank's file. Null without a file. */
  bankLine?: string | null;
  /** Whether another payment must have paid the order. */
  isFurther?: boolean;
}

interface AttemptKey extends Pick<OrderKey, "orderId" | "orderRefId" | "clientId"> {
  nowMs: number;
  /** Unique for each payment of each attempt. */
  attemptId: string;
}
type EntryKey = AttemptKey & Required<Pick<Payment, "reference" | "valueAtMs" | "bankLine">>;

// The guard. If it does not hold, the other statements of the batch match no row.
const PAY_ORDER = sql<AttemptKey & Pick<Payment, "owedMinor">>()`
  UPDATE orders AS o SET status = 'paid', owed_minor = iif(o.owed_minor IS NULL, NULL, 0),
    updated_at_ms = ${ORDER_UPDATED_AT}, attempt_id = ${"attemptId"}
  WHERE o.id = ${ORDER_ID} AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND o.status = 'created' AND ifnull(o.owed_minor = ${"owedMinor"}, 1)`;

// The guard of a further payment: neither has this row of the bank's file paid the order, nor is it booked as credit.
const CLAIM_PAID_ORDER = sql<
  Pick<EntryKey, "orderId" | "attemptId" | "bankLine"> & { booked: string | null }
>()`
  UPDATE orders AS o SET attempt_id = ${"attemptId"}
  WHERE o.id = ${"orderId"} AND o.status = 'paid'
    AND NOT EXISTS (SELECT 1 FROM invoice_entries p WHERE p.order_id = o.id AND p.bank_line = ${"bankLine"})
    AND NOT EXISTS (SELECT 1 FROM credit_entries e
      WHERE e.client_id = o.client_id AND e.currency = o.currency AND e.reference = ${"booked"})`;

/** The order that the guard has changed in this batch. */
const PAID = fragment`o.id = ${ORDER_ID} AND o.attempt_id = ${"attemptId"}`;

/** What was owed for unpaid order `o`: the total without the gifts that have ended. */
const WAS_OWED = fragment`o.order_total_minor - o.refunded_minor`;

const INSERT_INVOICE_ENTRY = sql<EntryKey>()`
  ${insertInvoiceEntry(
    fragment`
    SELECT o.client_id, o.currency, 'payment' AS kind, o.id AS order_id,
      -(${WAS_OWED}) AS amount_minor, ${WAS_OWED} AS owed_minor, ${"reference"} AS reference,
      ${"nowMs"} AS created_at_ms,
      max(${"valueAtMs"}, o.created_at_ms, ${closedUntil(fragment`o`)}) AS value_at_ms,
      ${"bankLine"} AS bank_line
    FROM orders o WHERE ${PAID} AND o.owed_minor IS NOT NULL`,
    fragment`n.value_at_ms, n.bank_line`,
  )}`;

const INSERT_PAID_EVENT = sql<AttemptKey>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'order.paid', o.id, NULL, NULL, ${"nowMs"}
  FROM orders o WHERE ${PAID}`;

// Plans invitations, and the notice of a gift that replaces another one.
const MAIL_RECIPIENTS = sql<AttemptKey>()`
  UPDATE gifts AS s SET next_email_ms = coalesce(${INVITE_AT}, ${"nowMs"})
  FROM orders o WHERE ${PAID} AND s.order_id = o.id AND s.redemption_status IS NULL
    AND coalesce(${INVITE_AT}, s.swapped_from) IS NOT NULL`;

/** The statements that record a payment of one transaction. The first one is the guard. */
export function bindPayment(db: Database, given: Payment) {
  const payment = { valueAtMs: null, bankLine: null, ...given, attemptId: crypto.randomUUID() };
  const { overpaid, isFurther } = payment;
  return {
    guard: isFurther
      ? CLAIM_PAID_ORDER.bind(db, { ...payment, booked: overpaid?.reference ?? null })
      : PAY_ORDER.bind(db, payment),
    ...(overpaid && bookingOf(db, { ...payment, ...overpaid }, payment)),
    ...(!isFurther && {
      payment: INSERT_INVOICE_ENTRY.bind(db, payment),
      event: INSERT_PAID_EVENT.bind(db, payment),
      mail: MAIL_RECIPIENTS.bind(db, payment),
      ...sendOwedCodes(db, { ...payment, sequence: null }),
    }),
  };
}

/** Records payments. Returns for each whether it was recorded. One transaction. */
export async function payOrders(db: Database, payments: readonly Payment[]): Promise<boolean[]> {
  const statements = payments.map((payment) => Object.values(bindPayment(db, payment)));
  const results = await db.batch(statements.flat());
  return statements.map((own) => results.splice(0, own.length)[0]?.meta.changes === 1);
}
