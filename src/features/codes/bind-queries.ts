// The statements that give owed digital gifts their codes and send them, as part of the transaction in which they become owed.
import { DAY_MS } from "../../core/values/time.ts";
import { type Database, expression, fragment, rawSql, sql } from "../../platform/db/sql.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import {
  LOOK_NOW,
  ORDER_ID,
  ORDER_UPDATED_AT,
  SHIPMENT_UPDATED_AT,
} from "../events/subject-queries.ts";
import { DELIVERY_OBSTACLE, type DeliveryObstacle } from "./delivery-queries.ts";

/** Code `c` is free. The index `free_codes` has the same condition. */
export const IS_FREE_CODE = fragment`c.order_id IS NULL AND c.voided_at_ms IS NULL`;

/** When code `c` expires, as in the index `free_codes`. */
export const CODE_EXPIRY = fragment`coalesce(c.expires_at_ms, 9007199254740991)`;

const IS_CODE_OF_GIFT = fragment`
  c.order_id = s.order_id AND c.sequence = s.sequence AND c.voided_at_ms IS NULL`;

/** Joins the code of gift `s`, if it has one. */
export const JOIN_CODE = fragment`LEFT JOIN codes c ON ${IS_CODE_OF_GIFT}`;

/** The code `c` of gift `s`. */
export const CODE_OF_GIFT = fragment`FROM codes c WHERE ${IS_CODE_OF_GIFT}`;

/** The order is named by its id, or by its client and the client's reference. */
export interface OwedGifts {
  clientId: string | null;
  orderId: number | null;
  orderRefId: string | null;
  /** Null for all gifts of the order. */
  sequence: number | null;
  nowMs: number;
}

interface NewlyOwed extends OwedGifts {
  /** The attempt with which the gifts become owed in this batch. Null for a gift that was owed before. */
  attemptId: string | null;
}

/** Why gift `s` of order `o` gets no code of the stock: 2 means that it has taken one. */
export const CODE_OBSTACLE = expression<DeliveryObstacle | "notFromStock" | null>()`
  iif(coalesce(s.took_stock, o.took_stock) = 2, ${DELIVERY_OBSTACLE}, 'notFromStock')`;

/** The gifts `s` of order `o`. An order that has taken no codes costs one row. */
export const GIFTS_OF_ORDER = fragment`
  FROM orders o CROSS JOIN gifts s ON s.order_id = o.id
    AND s.sequence BETWEEN coalesce(${"sequence"}, 1) AND coalesce(${"sequence"}, 999)
  WHERE o.id = ${ORDER_ID} AND (${"sequence"} IS NOT NULL OR o.took_stock = 2)`;

/** The gifts whose codes are owed or sent. */
export const ENTITLED = fragment`${GIFTS_OF_ORDER} AND (${CODE_OBSTACLE}) IS NULL`;

/** The gifts of `ENTITLED` that are not sent. */
export const OWED = fragment`${ENTITLED} AND s.fulfilment IS NULL`;

/** Gift `s` has a code. */
export const HAS_CODE = fragment`EXISTS (SELECT 1 ${CODE_OF_GIFT})`;

const OF_OWED = fragment`
  c.product_id = (SELECT product_id FROM owed) AND c.variation_id = (SELECT variation_id FROM owed) AND ${IS_FREE_CODE}`;

/** For how long a code of stock `k` must be valid when it is given out. */
export const VALID_DAYS_MS = fragment`k.code_days * ${rawSql(String(DAY_MS))}`;

/** From when on a code may expire. */
const CUTOFF = fragment`(SELECT ${"nowMs"} + valid_ms FROM owed)`;

// The codes that expire first, of those that are valid for long enough. If there are not enough, those that are valid for
// longest. The gifts of one call have the same product. The attempt is the fence: a repeated or refused request gives no code
// to gifts for which none was left when they became owed.
const BIND = sql<NewlyOwed>()`
  WITH owed AS MATERIALIZED (
    SELECT w.*, ${VALID_DAYS_MS} AS valid_ms FROM (
      SELECT o.id AS order_id, s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS gifts,
        json_group_array(s.sequence ORDER BY s.sequence) AS sequences ${OWED}
          AND (${"attemptId"} IS NULL OR ${"attemptId"} IN (o.placement_id, o.attempt_id, s.redemption_id))) w
    CROSS JOIN stock k ON k.product_id = w.product_id AND k.variation_id = w.variation_id),
  found AS MATERIALIZED (
    SELECT id FROM (SELECT c.id FROM codes c WHERE ${OF_OWED} AND ${CODE_EXPIRY} >= ${CUTOFF}
      ORDER BY ${CODE_EXPIRY}, c.id LIMIT (SELECT gifts FROM owed))
    UNION ALL
    SELECT id FROM (SELECT c.id FROM codes c
      WHERE ${OF_OWED} AND ${CODE_EXPIRY} > ${"nowMs"} AND ${CODE_EXPIRY} < ${CUTOFF}
      ORDER BY ${CODE_EXPIRY} DESC, c.id LIMIT (SELECT gifts FROM owed))
    LIMIT (SELECT gifts FROM owed)),
  given AS MATERIALIZED (
    SELECT f.value AS id, w.order_id, w.sequences ->> f.key AS sequence
    FROM owed w CROSS JOIN json_each((SELECT json_group_array(id) FROM found)) f)
  UPDATE codes SET order_id = n.order_id, sequence = n.sequence, bound_at_ms = ${"nowMs"}
  FROM given n WHERE codes.id = n.id`;

// Only in the sandbox, where the stock of codes is not tracked.
const MAKE_TEST_CODES = sql<OwedGifts>()`
  INSERT INTO codes (product_id, variation_id, sealed, key_id, order_id, sequence, bound_at_ms, created_at_ms)
  SELECT s.product_id, coalesce(s.variation_id, 0), '', 'test', s.order_id, s.sequence, ${"nowMs"}, ${"nowMs"}
  ${OWED} AND EXISTS (SELECT 1 FROM stock k WHERE k.product_id = s.product_id
      AND k.variation_id = coalesce(s.variation_id, 0) AND k.code_days IS NOT NULL AND k.quantity IS NULL)
    AND NOT ${HAS_CODE}`;

/** The gifts of `OWED` that have got a code in this batch. The last statement marks them as sent. */
const BOUND = fragment`${OWED} AND ${HAS_CODE}`;

const INSERT_SENT_EVENTS = sql<OwedGifts>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE} - 1 + row_number() OVER (ORDER BY s.sequence), 'gift.sent', o.id, s.sequence,
    NULL, ${"nowMs"}
  ${BOUND}`;

const COUNT_SENT = sql<OwedGifts>()`
  UPDATE orders AS o SET shipped_gifts = o.shipped_gifts + n.gifts, updated_at_ms = ${ORDER_UPDATED_AT}
  FROM (SELECT o.id AS order_id, count(*) AS gifts ${BOUND}) n WHERE o.id = n.order_id`;

// A shipment that was reopened has a row already.
const INSERT_SHIPMENTS = sql<OwedGifts>()`
  INSERT INTO shipments (order_id, sequence, client_id, status, shipped_at_ms, updated_at_ms, change_id)
  SELECT o.id, s.sequence, o.client_id, 'sent', ${"nowMs"}, ${SHIPMENT_UPDATED_AT}, 'code'
  ${BOUND}
  ON CONFLICT (order_id, sequence) DO UPDATE SET status = excluded.status, shipped_at_ms = excluded.shipped_at_ms,
    updated_at_ms = excluded.updated_at_ms, change_id = excluded.change_id`;

const MARK_SENT = sql<OwedGifts>()`
  UPDATE gifts SET fulfilment = 'shipped', next_email_ms = iif(n.send_codes, ${LOOK_NOW}, next_email_ms)
  FROM (SELECT s.order_id, s.sequence, o.send_codes ${BOUND}) n
  WHERE gifts.order_id = n.order_id AND gifts.sequence = n.sequence`;

/**
 * The statements that give owed gifts their codes and mark them as sent. In a batch, they follow the statement with which
 * the gifts become owed. A gift for which no valid code is left stays to be sent: `code replace` gives it one. Rows are
 * linear in the gifts.
 */
export const sendOwedCodes = (db: Database, gifts: NewlyOwed) => ({
  bind: BIND.bind(db, gifts),
  testCodes: MAKE_TEST_CODES.bind(db, gifts),
  sentEvents: INSERT_SENT_EVENTS.bind(db, gifts),
  sentGifts: COUNT_SENT.bind(db, gifts),
  shipments: INSERT_SHIPMENTS.bind(db, gifts),
  sent: MARK_SENT.bind(db, gifts),
});
