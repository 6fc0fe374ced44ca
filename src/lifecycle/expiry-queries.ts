// The statements of expiry: the orders to check, the reminders, and the change of an order's last day.
import { batch, type Database, fragment, statement } from "../db/statement.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import type { Order } from "../orders/order.ts";
import { LATER_UPDATE } from "./queries.ts";

/** An order whose next check is due, with the values that were read. */
export interface DueOrder {
  orderId: number;
  checkMs: number;
  expiresAtMs: number | null;
  hasOpenGifts: boolean;
}

/** Order `o` can have open gifts: it has not ended, and some of its gifts are neither redeemed nor ended. */
const HAS_OPEN_GIFTS = fragment`
  (o.status IN ('created', 'paid') AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty)`;

type DueOrderRow = Omit<DueOrder, "hasOpenGifts"> & { hasOpenGifts: number };

const SELECT_DUE = statement<{ nowMs: number; limit: number }, DueOrderRow>()`
  SELECT o.id AS orderId, o.next_expiry_check_ms AS checkMs, o.expires_at_ms AS expiresAtMs,
    ${HAS_OPEN_GIFTS} AS hasOpenGifts
  FROM orders o INDEXED BY orders_by_expiry_check
  WHERE o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The first `limit` orders whose check is due, oldest first. One round trip. Reads only these orders. */
export async function findDueOrders(
  db: Database,
  params: { nowMs: number; limit: number },
): Promise<DueOrder[]> {
  const rows = await SELECT_DUE.all(db, params);
  return rows.map((row) => ({ ...row, hasOpenGifts: row.hasOpenGifts === 1 }));
}

type DueKey = Omit<DueOrder, "hasOpenGifts">;

// The guard: no other run has checked order `o` since it was read, and its expiry has not changed. If it does not hold,
// the statements match no row.
const STILL_DUE = fragment`
  o.id = ${"orderId"} AND o.next_expiry_check_ms = ${"checkMs"} AND o.expires_at_ms IS ${"expiresAtMs"}`;

const SET_NEXT_CHECK = statement<DueKey & { nextCheckMs: number | null }>()`
  UPDATE orders AS o SET next_expiry_check_ms = ${"nextCheckMs"} WHERE ${STILL_DUE}`;

/** Sets the order's next check, if it is still due. Null if there is nothing left to check. One round trip. */
export async function setNextCheck(
  db: Database,
  due: DueKey,
  nextCheckMs: number | null,
): Promise<void> {
  await batch(db, [SET_NEXT_CHECK.bind(db, { ...due, nextCheckMs })]);
}

// Recipients cannot accept the gifts of an unpaid order, so it has no reminders.
const INSERT_EXPIRING_EVENTS = statement<DueKey & { nowMs: number }>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE} + e.number - 1, 'gift.expiring', o.id, e.sequence,
    json_object('expiresAtMs', o.expires_at_ms), ${"nowMs"}
  FROM orders o, (SELECT s.sequence, row_number() OVER (ORDER BY s.sequence) AS number
    FROM sub_orders s WHERE s.order_id = ${"orderId"} AND s.redemption_status IS NULL) e
  WHERE ${STILL_DUE} AND o.status = 'paid'
  ORDER BY e.number`;

/**
 * Inserts an event for each open gift of a paid order, and sets the order's next check, if it is still due. One
 * transaction, one round trip.
 */
export async function insertReminders(
  db: Database,
  due: DueKey,
  nextCheckMs: number,
  nowMs: number,
): Promise<void> {
  await batch(db, [
    INSERT_EXPIRING_EVENTS.bind(db, { ...due, nowMs }),
    SET_NEXT_CHECK.bind(db, { ...due, nextCheckMs }),
  ]);
}

export interface NewExpiry {
  orderId: number;
  /** Null for gifts that do not expire. */
  expiresAtMs: number | null;
  nextCheckMs: number | null;
  nowMs: number;
}

// The guard: the order has links and an open gift, its gifts have not expired, and the expiry is a new one.
const EXTENDABLE = fragment`
  o.id = ${"orderId"} AND o.gift_order_method = 'api-giftlink' AND ${HAS_OPEN_GIFTS}
  AND (o.expires_at_ms IS NULL OR o.expires_at_ms > ${"nowMs"})
  AND o.expires_at_ms IS NOT ${"expiresAtMs"}`;

const INSERT_EXTENDED_EVENT = statement<Omit<NewExpiry, "nextCheckMs">>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'order.extended', o.id, NULL,
    json_object('expiresAtMs', ${"expiresAtMs"}), ${"nowMs"}
  FROM orders o WHERE ${EXTENDABLE}`;

const EXTEND = statement<NewExpiry>()`
  UPDATE orders AS o SET expires_at_ms = ${"expiresAtMs"}, next_expiry_check_ms = ${"nextCheckMs"},
    updated_at_ms = ${LATER_UPDATE}
  WHERE ${EXTENDABLE}`;

/** An order after an attempt to change its expiry. */
export interface OrderExpiry {
  giftOrderMethod: Order["giftOrderMethod"];
  expiresAtMs: number | null;
  openGifts: number;
  expiredGifts: number;
}

const SELECT_EXPIRY = statement<{ orderId: number }, OrderExpiry>()`
  SELECT o.gift_order_method AS giftOrderMethod, o.expires_at_ms AS expiresAtMs,
    iif(${HAS_OPEN_GIFTS}, o.qty - o.redeemed_gifts - o.cancelled_gifts - o.expired_gifts, 0)
      AS openGifts,
    o.expired_gifts AS expiredGifts
  FROM orders o WHERE o.id = ${"orderId"}`;

/**
 * Changes the order's expiry and inserts the event. `changed` is false, and nothing changes, if the order's state does
 * not allow it or the expiry is the same. Null if there is no such order. One transaction, one round trip.
 */
export async function changeExpiry(
  db: Database,
  expiry: NewExpiry,
): Promise<{ order: OrderExpiry; changed: boolean } | null> {
  const [, update, orders] = await batch(db, [
    INSERT_EXTENDED_EVENT.bind(db, expiry),
    EXTEND.bind(db, expiry),
    SELECT_EXPIRY.bind(db, expiry),
  ]);
  const [order] = orders.results;
  return order ? { order, changed: update.meta.changes === 1 } : null;
}
