// The shipments of an order for the operator.
import { type Database, statement } from "../../platform/db/statement.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import { SHIPPED_GIFT_COLUMNS } from "../../features/fulfilment/queries.ts";
import type { GiftKey, ShippedGift } from "../../features/fulfilment/shipment.ts";

/** A gift of an order, with its shipment and its recipient. */
export interface DetailedShipment extends ShippedGift {
  firstName: string;
  lastName: string;
  shippedAtMs: number | null;
  deliveredAtMs: number | null;
  updatedAtMs: number | null;
  /** JSON. */
  earlierTracking: string | null;
}

type OfOrderParams = Pick<GiftKey, "orderId"> & { sequence: number | null };

const SELECT_DETAILED = statement<OfOrderParams, DetailedShipment>()`
  SELECT ${SHIPPED_GIFT_COLUMNS}, s.first_name AS firstName, s.last_name AS lastName,
    h.shipped_at_ms AS shippedAtMs, h.delivered_at_ms AS deliveredAtMs, h.updated_at_ms AS updatedAtMs,
    h.earlier_tracking AS earlierTracking
  FROM orders o JOIN sub_orders s ON s.order_id = o.id ${JOIN_RECEIVED_REVISION}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE o.id = ${"orderId"} AND (${"sequence"} IS NULL OR s.sequence = ${"sequence"})
  ORDER BY s.sequence`;

/**
 * All gifts of an order, or the one with this sequence, also those that are not to be shipped. Empty if there is no such
 * order or gift. One round trip.
 */
export function readShipments(
  db: Database,
  orderId: number,
  sequence: number | null,
): Promise<DetailedShipment[]> {
  return SELECT_DETAILED.all(db, { orderId, sequence });
}
