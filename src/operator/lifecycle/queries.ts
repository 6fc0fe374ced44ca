// Orders as the operator sees them before a change, and refunds of orders on invoice.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { insertInvoiceEntry } from "../../features/credit/invoice-queries.ts";
import { requireOrderState, type OrderState } from "../../features/lifecycle/queries.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";
import { refundOf } from "../../features/lifecycle/refund.ts";

const o = columnsOf<Orders>("o");

/** Errors: `not_found`. One round trip. */
export const requireOrder = (db: Database, orderId: number): Promise<OrderState> =>
  requireOrderState(db, operatorKey(orderId));

/** The credit that the cancellation of `count` gifts returns. */
export function refundPreview(order: OrderState, count: number): number {
  return refundOf(order, order.cancelledGifts + order.expiredGifts, count);
}

/** What the cancellation of `count` open gifts takes off what the client owes for an order on invoice. */
export const invoicePreview = (order: OrderState, count: number): number =>
  order.owedMinor === null ? 0 : refundPreview({ ...order, paidFromCredit: true }, count);

/** Names an order by its id, or by its client and the client's reference. */
export type OrderName = { id: number } | { clientId: string; orderRefId: string };

/** An order that a payment names. Amounts are in minor units. */
const PAYMENT_ORDER = {
  ...o("id", "clientId", "status", "currency", "qty"),
  /** What is to be paid: the total without the share of gifts that have ended. */
  owedMinor: expression<number>()`coalesce(o.owed_minor, o.order_total_minor)`,
};

export type PaymentOrder = RowOf<typeof PAYMENT_ORDER>;

const SELECT_PAYMENT_ORDERS = statement<{ names: string }, { position: number }>()`
  SELECT k.key AS position, ${PAYMENT_ORDER}
  FROM json_each(${"names"}) k CROSS JOIN orders o ON o.id = coalesce(k.value ->> 'id',
    (SELECT r.id FROM orders r WHERE r.client_id = k.value ->> 'clientId'
      AND r.order_ref_id = k.value ->> 'orderRefId'))`;

/** The named orders. Undefined for a name that no order has. One round trip. */
export async function findPaymentOrders(
  db: Database,
  names: readonly OrderName[],
): Promise<(PaymentOrder | undefined)[]> {
  const rows = await SELECT_PAYMENT_ORDERS.all(db, { names: JSON.stringify(names) });
  const found = new Map(rows.map(({ position, ...order }) => [position, order]));
  return names.map((_, position) => found.get(position));
}

interface Refund {
  orderId: number;
  /** The bank's reference. */
  reference: string;
  /** What was to be refunded when it was confirmed. */
  refundMinor: number;
  nowMs: number;
}

/** Order `o`, if exactly this part of its payment is to be refunded. */
const TO_REFUND = fragment`
  o.id = ${"orderId"} AND o.owed_minor < 0 AND o.owed_minor = -${"refundMinor"}`;

const INSERT_REFUND = statement<Refund>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, 'refund' AS kind, o.id AS order_id,
      -o.owed_minor AS amount_minor, o.owed_minor, ${"reference"} AS reference,
      ${"nowMs"} AS created_at_ms
    FROM orders o WHERE ${TO_REFUND}`)}`;

const SET_REFUNDED = statement<Pick<Refund, "orderId" | "refundMinor">>()`
  UPDATE orders AS o SET owed_minor = 0 WHERE ${TO_REFUND}`;

/** Records that what is to be refunded for the order was paid out. False if it is another amount. */
export async function recordRefund(db: Database, refund: Refund): Promise<boolean> {
  const { update } = await batch(db, {
    entry: INSERT_REFUND.bind(db, refund),
    update: SET_REFUNDED.bind(db, refund),
  });
  return update.meta.changes === 1;
}
