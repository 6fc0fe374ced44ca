// The statements that set orders to paid.
import { orderNumber } from "../../core/values/ids.ts";
import { batch, type Bound, type Database, fragment, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { ORDER_ID, ORDER_UPDATED_AT } from "../events/subject-queries.ts";
import { sendOwedCodes } from "../codes/bind-queries.ts";
import { type Adjustment, bookingOf } from "../credit/adjust-queries.ts";
import { insertInvoiceEntry } from "../credit/invoice-queries.ts";
import { closedUntil } from "../credit/queries.ts";
import { INVITE_AT } from "../schedule/queries.ts";
import type { OrderKey } from "./order-key.ts";
import { type OrderState, SELECT_STATE, toState } from "./queries.ts";

export interface Payment extends OrderKey {
  /** The bank's reference, for the statement. */
  reference: string | null;
  /** What the client must still owe for the order. Null for any amount. */
  owedMinor: number | null;
  nowMs: number;
  /** As for an adjustment. It counts at the earliest in the month of the order. */
  valueAtMs?: number | null;
  /** What was paid beyond it, which becomes credit of the client. */
  overpaid?: Pick<Adjustment, "clientId" | "currency" | "amountMinor">;
  /** The digest of the row of the bank's file. Null without a file. */
  bankLine?: string | null;
}

type PaymentKey = Pick<Payment, "orderId" | "orderRefId" | "clientId" | "owedMinor" | "nowMs">;
type EntryKey = PaymentKey & Required<Pick<Payment, "reference" | "valueAtMs" | "bankLine">>;

/** The order, if it can be paid. */
const PAYABLE = fragment`
  o.id = ${ORDER_ID} AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND o.status = 'created' AND ifnull(o.owed_minor = ${"owedMinor"}, 1)`;

const INSERT_INVOICE_ENTRY = sql<EntryKey>()`
  ${insertInvoiceEntry(
    fragment`
    SELECT o.client_id, o.currency, 'payment' AS kind, o.id AS order_id,
      -o.owed_minor AS amount_minor, o.owed_minor, ${"reference"} AS reference,
      ${"nowMs"} AS created_at_ms,
      max(${"valueAtMs"}, o.created_at_ms, ${closedUntil(fragment`o`)}) AS value_at_ms,
      ${"bankLine"} AS bank_line
    FROM orders o WHERE ${PAYABLE} AND o.owed_minor IS NOT NULL`,
    fragment`n.value_at_ms, n.bank_line`,
  )}`;

const INSERT_PAID_EVENT = sql<PaymentKey>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'order.paid', o.id, NULL, NULL, ${"nowMs"}
  FROM orders o WHERE ${PAYABLE}`;

// Plans invitations, and the notice of a gift that replaces another one. Before PAY_ORDER, after which the order is no
// longer payable.
const MAIL_RECIPIENTS = sql<PaymentKey>()`
  UPDATE gifts AS s SET next_email_ms = coalesce(${INVITE_AT}, ${"nowMs"})
  FROM orders o WHERE ${PAYABLE} AND s.order_id = o.id AND s.redemption_status IS NULL
    AND coalesce(${INVITE_AT}, s.swapped_from) IS NOT NULL`;

const PAY_ORDER = sql<PaymentKey>()`
  UPDATE orders AS o SET status = 'paid', owed_minor = iif(o.owed_minor IS NULL, NULL, 0),
    updated_at_ms = ${ORDER_UPDATED_AT}
  WHERE ${PAYABLE}`;

/** Each order is overpaid once, so its number is the reference. */
function bookOverpayment(db: Database, { overpaid, ...payment }: Payment) {
  if (!overpaid?.amountMinor) return {};
  const reference = `Overpayment of ${orderNumber(payment.orderId ?? 0)}`;
  return bookingOf(db, { ...payment, ...overpaid, reference, note: payment.reference }, payment);
}

const writes = (db: Database, payment: Payment) => ({
  ...bookOverpayment(db, payment),
  payment: INSERT_INVOICE_ENTRY.bind(db, { valueAtMs: null, bankLine: null, ...payment }),
  event: INSERT_PAID_EVENT.bind(db, payment),
  mail: MAIL_RECIPIENTS.bind(db, payment),
  update: PAY_ORDER.bind(db, payment),
  ...sendOwedCodes(db, { ...payment, sequence: null }),
});

/** Sets a created order to paid. `paid` is false if its state does not allow it. Errors: `not_found`. */
export async function payOrder(
  db: Database,
  payment: Payment,
): Promise<{ order: OrderState; paid: boolean }> {
  const { update, state } = await batch(db, {
    ...writes(db, payment),
    state: SELECT_STATE.bind(db, payment),
  });
  return { order: toState(state, payment), paid: update.meta.changes === 1 };
}

/** Sets created orders to paid. Returns for each whether it was changed. One transaction. */
export async function payOrders(db: Database, payments: readonly Payment[]): Promise<boolean[]> {
  const statements = payments.flatMap((payment, index) =>
    Object.entries(writes(db, payment)).map(([name, write]) => [`${name} ${String(index)}`, write]),
  );
  const results = await batch(db, Object.fromEntries(statements) as Record<string, Bound<never>>);
  return payments.map((_, index) => results[`update ${String(index)}`]?.meta.changes === 1);
}
