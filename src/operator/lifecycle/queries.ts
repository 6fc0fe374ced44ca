// Orders as the operator sees them before a change, and refunds of orders on invoice.
import { batch, type Database, fragment, statement } from "../../platform/db/statement.ts";
import { insertInvoiceEntry } from "../../features/credit/invoice-queries.ts";
import type { Order } from "../../features/orders/order.ts";
import { type RefundColumns, refundOf } from "../../features/lifecycle/refund.ts";

/** What a change of the order would concern. Amounts in minor units. */
export interface OrderPreview extends RefundColumns {
  id: number;
  clientId: string;
  status: Order["status"];
  currency: string;
  /** The number of cancelled and expired gifts. */
  endedGifts: number;
  /** The sequences of the gifts that are neither redeemed, nor shipped, nor ended. */
  openGifts: number[];
  /** The sequences of the redeemed gifts that are not shipped. */
  redeemedGifts: number[];
  /** What the client owes for the order. Negative if it is to be refunded, null if the order is not on invoice. */
  owedMinor: number | null;
}

type OrderPreviewRow = Omit<OrderPreview, "paidFromCredit" | "openGifts" | "redeemedGifts"> & {
  paidFromCredit: number;
  openGifts: string;
  redeemedGifts: string;
};

const SELECT_PREVIEW = statement<{ orderId: number }, OrderPreviewRow>()`
  SELECT o.id, o.client_id AS clientId, o.status, o.qty, o.currency,
    o.order_total_minor AS orderTotalMinor, o.cancelled_gifts + o.expired_gifts AS endedGifts,
    o.debit_sequence IS NOT NULL AS paidFromCredit, o.owed_minor AS owedMinor,
    (SELECT json_group_array(s.sequence ORDER BY s.sequence) FROM sub_orders s
      WHERE s.order_id = o.id AND s.redemption_status IS NULL AND s.has_shipment = 0)
      AS openGifts,
    (SELECT json_group_array(s.sequence ORDER BY s.sequence) FROM sub_orders s
      WHERE s.order_id = o.id AND s.redemption_status = 'redeemed' AND s.has_shipment = 0)
      AS redeemedGifts
  FROM orders o WHERE o.id = ${"orderId"}`;

/** The order, or null. One round trip. */
export async function previewOrder(db: Database, orderId: number): Promise<OrderPreview | null> {
  const row = await SELECT_PREVIEW.first(db, { orderId });
  return (
    row && {
      ...row,
      paidFromCredit: row.paidFromCredit === 1,
      openGifts: JSON.parse(row.openGifts) as number[],
      redeemedGifts: JSON.parse(row.redeemedGifts) as number[],
    }
  );
}

/** The credit that the cancellation of `count` gifts returns. */
export function refundPreview(order: OrderPreview, count: number): number {
  return refundOf(order, order.endedGifts, count);
}

/** What the cancellation of `count` open gifts takes off what the client owes for an order on invoice. */
export const invoicePreview = (order: OrderPreview, count: number): number =>
  order.owedMinor === null ? 0 : refundPreview({ ...order, paidFromCredit: true }, count);

/** Names an order by its id, or by its client and the client's reference. */
export type OrderName = { id: number } | { clientId: string; orderRefId: string };

/** An order that a payment names. Amounts in minor units. */
export interface PaymentOrder {
  id: number;
  clientId: string;
  status: Order["status"];
  currency: string;
  qty: number;
  /** What is to be paid: the total without the share of gifts that have ended. */
  owedMinor: number;
}

const SELECT_PAYMENT_ORDERS = statement<{ names: string }, PaymentOrder & { position: number }>()`
  SELECT k.key AS position, o.id, o.client_id AS clientId, o.status, o.currency, o.qty,
    coalesce(o.owed_minor, o.order_total_minor) AS owedMinor
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
  nowMs: number;
}

/** Order `o`, if a part of its payment is to be refunded. */
const TO_REFUND = fragment`o.id = ${"orderId"} AND o.owed_minor < 0`;

const INSERT_REFUND = statement<Refund>()`
  ${insertInvoiceEntry(fragment`
    SELECT o.client_id, o.currency, 'refund' AS kind, o.id AS order_id,
      -o.owed_minor AS amount_minor, o.owed_minor, ${"reference"} AS reference,
      ${"nowMs"} AS created_at_ms
    FROM orders o WHERE ${TO_REFUND}`)}`;

const SET_REFUNDED = statement<Pick<Refund, "orderId">>()`
  UPDATE orders AS o SET owed_minor = 0 WHERE ${TO_REFUND}`;

/** Records that what is to be refunded for the order was paid out. False if there is nothing to refund. */
export async function recordRefund(db: Database, refund: Refund): Promise<boolean> {
  const { update } = await batch(db, {
    entry: INSERT_REFUND.bind(db, refund),
    update: SET_REFUNDED.bind(db, refund),
  });
  return update.meta.changes === 1;
}
