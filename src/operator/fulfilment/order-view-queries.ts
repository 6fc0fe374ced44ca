// The statement of an order's view: products and shipments of its gifts.
import { type Database, statement } from "../../platform/db/statement.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import type { ShipmentStatus, Tracking } from "../../features/fulfilment/shipment.ts";

/** The columns of a gift that `findOrder` does not read. */
export interface GiftDetails extends Tracking {
  sequence: number;
  /** The product that the recipient gets. */
  productName: string;
  /** The product of the order. */
  offeredName: string;
  erasedAtMs: number | null;
  /** Null if the gift was never shipped. */
  shipmentStatus: ShipmentStatus | null;
  shippedAtMs: number | null;
  deliveredAtMs: number | null;
}

const SELECT_DETAILS = statement<{ orderId: number }, GiftDetails>()`
  SELECT s.sequence, r.content ->> '$.name' AS productName, offered.content ->> '$.name' AS offeredName,
    s.erased_at_ms AS erasedAtMs, h.status AS shipmentStatus, h.carrier,
    h.tracking_number AS trackingNumber, h.tracking_url AS trackingUrl,
    h.shipped_at_ms AS shippedAtMs, h.delivered_at_ms AS deliveredAtMs
  FROM orders o JOIN sub_orders s ON s.order_id = o.id ${JOIN_RECEIVED_REVISION}
  JOIN product_revisions offered
    ON offered.product_id = o.product_id AND offered.revision = o.product_revision
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE o.id = ${"orderId"} ORDER BY s.sequence`;

/** The details of all gifts of the order. One round trip. */
export function readGiftDetails(db: Database, orderId: number): Promise<GiftDetails[]> {
  return SELECT_DETAILS.all(db, { orderId });
}
