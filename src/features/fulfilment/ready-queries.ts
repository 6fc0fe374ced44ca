// The parts of statements about the gifts to ship of all clients.
import { expression, fragment } from "../../platform/db/sql.ts";
import { IS_TO_DELIVER } from "../codes/delivery-queries.ts";
import { JOIN_RECEIVED_REVISION, OF_VENDOR } from "../orders/queries.ts";

/**
 * When gift `s` and order `o` could be shipped. The time of a payment is not stored with the order, so
 * for a gift that was bought outright it is the time of the order.
 */
export const READY_AT_MS = expression<number>()`coalesce(s.redeemed_at_ms, o.created_at_ms)`;

export const ORDERS_TO_SHIP = fragment`orders o INDEXED BY orders_to_ship`;

/** Order `o` is in the index. */
export const HAS_GIFTS_TO_SHIP = fragment`(o.redeemed_gifts > o.shipped_gifts
      OR (o.gift_order_method = 'api-purchase' AND o.status = 'paid' AND o.finished = 0))`;

const READY_GIFT = fragment`
  r.vendor_key AS vendor, r.content ->> '$.vendor.name' AS name, s.order_id * 1000 + s.sequence AS gift,
  s.vendor_told AS isTold, ${READY_AT_MS} AS readyAtMs`;

/** At most `limit` gifts to ship, of all vendors or of one. */
export const READY_GIFTS = fragment`
  (SELECT ${READY_GIFT} FROM ${ORDERS_TO_SHIP} CROSS JOIN gifts s ON s.order_id = o.id
    ${JOIN_RECEIVED_REVISION} AND ${OF_VENDOR}
    WHERE ${HAS_GIFTS_TO_SHIP} AND o.gift_order_method = 'api-purchase' AND ${IS_TO_DELIVER}
    UNION ALL
    SELECT ${READY_GIFT} FROM gifts s INDEXED BY redeemed_gifts_to_ship CROSS JOIN orders o ON o.id = s.order_id
    ${JOIN_RECEIVED_REVISION} AND ${OF_VENDOR}
    WHERE s.redemption_status = 'redeemed' AND s.has_shipment = 0 LIMIT ${"limit"})`;
