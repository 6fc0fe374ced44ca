// How many gifts are to be shipped, and how many shipments were recorded.
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { HAS_GIFTS_TO_SHIP, READY_GIFTS } from "../../features/fulfilment/ready-queries.ts";

/** A count stops here, so that a page does not read a long queue. */
export const MAX_COUNTED = 1_000;

/** Gifts that wait for longer are late. */
export const LATE_AFTER_MS = 2 * DAY_MS;

/**
 * The numbers of gifts to ship, each with the time since when it waits, at most `limit` of each kind. They are those of
 * orders that were bought outright, and redeemed gifts.
 */
export const GIFTS_TO_SHIP = fragment`
  (SELECT * FROM (
      SELECT o.qty - o.shipped_gifts - o.cancelled_gifts AS gifts, o.created_at_ms AS readyAtMs
      FROM orders o INDEXED BY orders_to_ship
      WHERE ${HAS_GIFTS_TO_SHIP} AND o.gift_order_method = 'api-purchase' AND o.status = 'paid' AND o.finished = 0
      LIMIT ${"limit"})
    UNION ALL
    SELECT * FROM (
      SELECT 1, s.redeemed_at_ms FROM gifts s INDEXED BY redeemed_gifts_to_ship
      WHERE s.redemption_status = 'redeemed' AND s.fulfilment IS NULL LIMIT ${"limit"}))`;

const COUNT_BY_VENDOR = sql<
  { vendor: string | null; readyBeforeMs: number; limit: number },
  { vendor: string; toShip: number; late: number }
>()`
  SELECT max(name) AS vendor, count(*) AS toShip, total(readyAtMs < ${"readyBeforeMs"}) AS late FROM ${READY_GIFTS} g
  GROUP BY g.vendor ORDER BY toShip DESC, g.vendor`;

// A gift that was cancelled keeps the problem of its parcel.
const COUNT_RECORDED = sql<{ status: ShipmentStatus; limit: number }, { gifts: number }>()`
  SELECT count(*) AS gifts FROM (
    SELECT 1 FROM clients c CROSS JOIN shipments h ON h.client_id = c.id AND h.status = ${"status"}
    WHERE h.problem IS NULL OR EXISTS (SELECT 1 FROM gifts s
      WHERE s.order_id = h.order_id AND s.sequence = h.sequence AND s.fulfilment = 'undelivered')
    LIMIT ${"limit"})`;

/**
 * The gifts to ship of each vendor, or of one, and those of them that wait since before `readyBeforeMs`. Counts at most
 * `MAX_COUNTED` + 1 gifts. One round trip.
 */
export const readToShipCounts = (db: Database, readyBeforeMs: number, vendor: string | null) =>
  COUNT_BY_VENDOR.all(db, { readyBeforeMs, vendor, limit: MAX_COUNTED + 1 });

/** At most `MAX_COUNTED` + 1. One round trip. */
export const readRecordedCount = async (db: Database, status: ShipmentStatus): Promise<number> =>
  (await COUNT_RECORDED.first(db, { status, limit: MAX_COUNTED + 1 }))?.gifts ?? 0;
