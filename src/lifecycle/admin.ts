// An order as the operator sees it before a change.
import { type Database, statement } from "../db/statement.ts";
import type { Order } from "../orders/order.ts";
import { type RefundColumns, refundOf } from "./refund.ts";

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
}

type OrderPreviewRow = Omit<OrderPreview, "paidFromCredit" | "openGifts" | "redeemedGifts"> & {
  paidFromCredit: number;
  openGifts: string;
  redeemedGifts: string;
};

const SELECT_PREVIEW = statement<{ orderId: number }, OrderPreviewRow>()`
  SELECT o.id, o.client_id AS clientId, o.status, o.qty, o.currency,
    o.order_total_minor AS orderTotalMinor, o.cancelled_gifts + o.expired_gifts AS endedGifts,
    o.debit_sequence IS NOT NULL AS paidFromCredit,
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
