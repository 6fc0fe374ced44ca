// The parts of statements about the gifts to ship of all clients.
import { expression, type Fragment, fragment } from "../../platform/db/sql.ts";
import { IS_TO_DELIVER } from "../codes/delivery-queries.ts";
import { JOIN_RECEIVED_REVISION, OF_VENDOR } from "../orders/queries.ts";

/**
 * When gift `s` and order `o` could be shipped. The time of a payment is not stored with the order, so
 * for a gift that was bought outright it is the time of the order.
 */
export const READY_AT_MS = expression<number>()`coalesce(s.redeemed_at_ms, o.created_at_ms)`;

/** Order `o` is in the index `orders_to_ship`. */
export const HAS_GIFTS_TO_SHIP = fragment`(o.redeemed_gifts > o.shipped_gifts
      OR (o.gift_order_method = 'api-purchase' AND o.status = 'paid' AND o.finished = 0))`;

/**
 * Selects from the gifts `s` to ship of orders `o`, and of what they are joined with. All gifts of an order that was bought
 * outright are read. An index has the redeemed gifts of others.
 */
export const selectToShip = <Row, const Name extends string>(
  columns: Fragment<never, Row>,
  joined: Fragment<Name>,
) => fragment`
  SELECT ${columns} FROM orders o INDEXED BY orders_to_ship CROSS JOIN gifts s ON s.order_id = o.id ${joined}
  WHERE ${HAS_GIFTS_TO_SHIP} AND o.gift_order_method = 'api-purchase' AND ${IS_TO_DELIVER}
  UNION ALL
  SELECT ${columns} FROM orders o INDEXED BY orders_to_ship
  CROSS JOIN gifts s INDEXED BY redeemed_gifts_to_ship ON s.order_id = o.id ${joined}
  WHERE ${HAS_GIFTS_TO_SHIP} AND o.gift_order_method <> 'api-purchase' AND s.redemption_status = 'redeemed'
    AND s.fulfilment IS NULL`;

const READY_GIFT = fragment`
  r.vendor_key AS vendor, r.content ->> '$.vendor.name' AS name, s.order_id * 1000 + s.sequence AS gift,
  s.vendor_told AS isTold, ${READY_AT_MS} AS readyAtMs`;

/** At most `limit` gifts to ship, of all vendors or of one. */
export const READY_GIFTS = fragment`
  (${selectToShip(READY_GIFT, fragment`${JOIN_RECEIVED_REVISION} AND ${OF_VENDOR}`)} LIMIT ${"limit"})`;
