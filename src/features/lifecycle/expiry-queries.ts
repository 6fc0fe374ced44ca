// The statements of expiry: the orders to check, the reminders, and changes of the last day of orders and gifts.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { IS_MAILED, PLAN_AGAIN } from "../orders/email-queries.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import type { Order } from "../orders/order.ts";
import { GIFT_EXPIRY, SOME_ARE_OPEN } from "../orders/queries.ts";
import { REMINDERS_MS } from "../../core/values/redeem-by.ts";
import { ORDER_UPDATED_AT } from "./queries.ts";

const o = columnsOf<Orders>("o");

/** Order `o` can have open gifts: it has not ended, and some of its gifts are neither redeemed nor ended. */
const HAS_OPEN_GIFTS = fragment`
  (o.status IN ('created', 'paid') AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty)`;

/** The client's orders `o` with gift links of which some are open. */
export const LINKED_ORDERS = fragment`
  orders o INDEXED BY orders_with_open_gifts WHERE o.client_id = ${"clientId"} AND o.status IN ('created', 'paid')
    AND o.gift_order_method = 'api-giftlink' AND ${SOME_ARE_OPEN}`;

/** The open gifts of order `o`. */
const OPEN_GIFTS = fragment`
  FROM sub_orders s WHERE s.order_id = o.id AND s.redemption_status IS NULL`;

const DUE_COLUMNS = {
  orderId: o("id").id,
  ...o("expiresAtMs"),
  /** The index contains no null. */
  checkMs: expression<number>()`o.next_expiry_check_ms`,
  /** When the first of its open gifts expires. */
  firstExpiryMs: expression<number | null>()`
    coalesce((SELECT min(${GIFT_EXPIRY}) ${OPEN_GIFTS}), o.expires_at_ms)`,
  hasOpenGifts: expression<0 | 1>()`${HAS_OPEN_GIFTS}`,
};

/** An order whose next check is due, with the values that were read. */
export type DueOrder = Omit<RowOf<typeof DUE_COLUMNS>, "hasOpenGifts"> & { hasOpenGifts: boolean };

const SELECT_DUE = statement<{ nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM orders o INDEXED BY orders_by_expiry_check
  WHERE o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The first `limit` orders whose check is due, oldest first. One round trip. Reads only these orders. */
export async function findDueOrders(
  db: Database,
  params: { nowMs: number; limit: number },
): Promise<DueOrder[]> {
  return toDue(await SELECT_DUE.all(db, params));
}

const toDue = (rows: readonly RowOf<typeof DUE_COLUMNS>[]): DueOrder[] =>
  rows.map((row) => ({ ...row, hasOpenGifts: row.hasOpenGifts === 1 }));

const SELECT_DUE_OF_CLIENT = statement<{ clientId: string; nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM ${LINKED_ORDERS} AND o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The same of one client. Reads its open orders. */
export async function findDueOrdersOf(
  db: Database,
  params: { clientId: string; nowMs: number; limit: number },
): Promise<DueOrder[]> {
  return toDue(await SELECT_DUE_OF_CLIENT.all(db, params));
}

type DueKey = Pick<DueOrder, "orderId" | "checkMs" | "expiresAtMs">;

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
  await SET_NEXT_CHECK.bind(db, { ...due, nextCheckMs }).run();
}

interface ReminderParams extends DueKey {
  nowMs: number;
  firstReminderMs: number;
  lastReminderMs: number;
}

/** A reminder of the gift of sub-order `s` became due after the last check of order `o`. */
const isReminder = <Name extends string>(beforeMs: Fragment<Name>) => fragment`
  (${GIFT_EXPIRY} - ${beforeMs} > coalesce(o.expiry_checked_ms, o.created_at_ms)
    AND ${GIFT_EXPIRY} - ${beforeMs} <= ${"nowMs"})`;

// Recipients cannot accept the gifts of an unpaid order, so it has no reminders.
const INSERT_EXPIRING_EVENTS = statement<ReminderParams>()`
  ${INSERT_EVENT}
  SELECT e.client_id, ${NEXT_SEQUENCE} + e.number - 1, 'gift.expiring', o.id, e.sequence,
    json_object('expiresAtMs', e.expires_at_ms), ${"nowMs"}
  FROM (SELECT o.client_id, s.sequence, ${GIFT_EXPIRY} AS expires_at_ms,
      row_number() OVER (ORDER BY s.sequence) AS number
    FROM orders o JOIN sub_orders s ON s.order_id = o.id AND s.redemption_status IS NULL
    WHERE ${STILL_DUE} AND o.status = 'paid' AND ${GIFT_EXPIRY} > ${"nowMs"}
      AND (${isReminder(fragment`${"firstReminderMs"}`)}
        OR ${isReminder(fragment`${"lastReminderMs"}`)})) e
  CROSS JOIN orders o ON o.id = ${"orderId"}
  ORDER BY e.number`;

// The same as nextExpiryCheck(), for the gift whose check comes first.
const FINISH_CHECK = statement<ReminderParams>()`
  UPDATE orders AS o SET expiry_checked_ms = ${"nowMs"}, next_expiry_check_ms = coalesce((
    SELECT min(CASE WHEN ${GIFT_EXPIRY} - ${"firstReminderMs"} > ${"nowMs"}
        THEN ${GIFT_EXPIRY} - ${"firstReminderMs"}
      WHEN ${GIFT_EXPIRY} - ${"lastReminderMs"} > ${"nowMs"}
        THEN ${GIFT_EXPIRY} - ${"lastReminderMs"}
      ELSE ${GIFT_EXPIRY} END) ${OPEN_GIFTS}), o.expires_at_ms)
  WHERE ${STILL_DUE}`;

/**
 * Inserts the reminders of a paid order that became due since its last check, at most one for each gift, and sets the
 * order's next check, if the order is still due. One transaction, one round trip.
 */
export async function insertReminders(
  db: Database,
  { orderId, checkMs, expiresAtMs }: DueKey,
  nowMs: number,
): Promise<void> {
  const [firstReminderMs, lastReminderMs] = REMINDERS_MS;
  const params = { orderId, checkMs, expiresAtMs, nowMs, firstReminderMs, lastReminderMs };
  await db.batch([INSERT_EXPIRING_EVENTS.bind(db, params), FINISH_CHECK.bind(db, params)]);
}

export interface NewExpiry {
  orderId: number;
  /** Null for gifts that do not expire. */
  expiresAtMs: number | null;
  nextCheckMs: number | null;
  nowMs: number;
}

// The guard: the order has links and an open gift, no open gift has expired, and the expiry of one differs.
const EXTENDABLE = fragment`
  o.id = ${"orderId"} AND o.gift_order_method = 'api-giftlink' AND ${HAS_OPEN_GIFTS}
  AND coalesce((SELECT min(${GIFT_EXPIRY}) ${OPEN_GIFTS}), ${"nowMs"} + 1) > ${"nowMs"}
  AND EXISTS (SELECT 1 ${OPEN_GIFTS} AND ${GIFT_EXPIRY} IS NOT ${"expiresAtMs"})`;

const INSERT_EXTENDED_EVENT = statement<Omit<NewExpiry, "nextCheckMs">>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'order.extended', o.id, NULL,
    json_object('expiresAtMs', ${"expiresAtMs"}), ${"nowMs"}
  FROM orders o WHERE ${EXTENDABLE}`;

// The time of the e-mail in the last week changes.
const PLAN_EXTENDED_EMAILS = statement<Omit<NewExpiry, "nextCheckMs">>()`
  UPDATE sub_orders AS s SET ${PLAN_AGAIN} FROM orders o
  WHERE s.order_id = o.id AND ${EXTENDABLE} AND ${IS_MAILED}`;

// A trigger removes the last days of single gifts.
const EXTEND = statement<NewExpiry>()`
  UPDATE orders AS o SET expires_at_ms = ${"expiresAtMs"}, next_expiry_check_ms = ${"nextCheckMs"},
    updated_at_ms = ${ORDER_UPDATED_AT}
  WHERE ${EXTENDABLE}`;

/** An order after an attempt to change its expiry. */
export interface OrderExpiry {
  giftOrderMethod: Order["giftOrderMethod"];
  /** When the first of its open gifts expires. */
  firstExpiryMs: number | null;
  openGifts: number;
  expiredGifts: number;
}

const SELECT_EXPIRY = statement<{ orderId: number }, OrderExpiry>()`
  SELECT o.gift_order_method AS giftOrderMethod,
    coalesce((SELECT min(${GIFT_EXPIRY}) ${OPEN_GIFTS}), o.expires_at_ms) AS firstExpiryMs,
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
  const { update, orders } = await batch(db, {
    event: INSERT_EXTENDED_EVENT.bind(db, expiry),
    emails: PLAN_EXTENDED_EMAILS.bind(db, expiry),
    update: EXTEND.bind(db, expiry),
    orders: SELECT_EXPIRY.bind(db, expiry),
  });
  const [order] = orders.results;
  // The trigger's changes are counted too.
  return order ? { order, changed: update.meta.changes > 0 } : null;
}

export interface NewGiftExpiry extends Omit<NewExpiry, "expiresAtMs" | "nextCheckMs"> {
  sequence: number;
  expiresAtMs: number;
  nextCheckMs: number;
}

// The guard of each statement: the gift has a link, is open and has not expired, and the expiry is a new one.
const EXTENDABLE_GIFT = fragment`
  FROM sub_orders s JOIN orders o ON o.id = s.order_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND s.redemption_status IS NULL
    AND o.gift_order_method = 'api-giftlink' AND o.status IN ('created', 'paid')
    AND coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"}
    AND ${GIFT_EXPIRY} IS NOT ${"expiresAtMs"}`;

const INSERT_GIFT_EXTENDED_EVENT = statement<Omit<NewGiftExpiry, "nextCheckMs">>()`
  ${INSERT_EVENT}
  SELECT o.client_id, ${NEXT_SEQUENCE}, 'gift.extended', o.id, s.sequence,
    json_object('expiresAtMs', ${"expiresAtMs"}), ${"nowMs"}
  ${EXTENDABLE_GIFT}`;

// The next check may be that of another gift, so it becomes only earlier.
const CHECK_EXTENDED_GIFT = statement<NewGiftExpiry>()`
  UPDATE orders AS o SET updated_at_ms = ${ORDER_UPDATED_AT},
    next_expiry_check_ms = min(coalesce(o.next_expiry_check_ms, ${"nextCheckMs"}), ${"nextCheckMs"})
  WHERE o.id = ${"orderId"} AND EXISTS (SELECT 1 ${EXTENDABLE_GIFT})`;

const PLAN_EXTENDED_EMAIL = statement<Omit<NewGiftExpiry, "nextCheckMs">>()`
  UPDATE sub_orders AS s SET ${PLAN_AGAIN} FROM orders o
  WHERE s.order_id = o.id AND (s.order_id, s.sequence) IN (SELECT s.order_id, s.sequence ${EXTENDABLE_GIFT})
    AND ${IS_MAILED}`;

const EXTEND_GIFT = statement<Omit<NewGiftExpiry, "nextCheckMs">>()`
  UPDATE sub_orders SET expires_at_ms = ${"expiresAtMs"}
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND EXISTS (SELECT 1 ${EXTENDABLE_GIFT})`;

/**
 * Changes the expiry of a single gift and inserts the event. False, and nothing changes, if the gift's state does not
 * allow it or the expiry is the same. One transaction, one round trip.
 */
export async function changeGiftExpiry(db: Database, expiry: NewGiftExpiry): Promise<boolean> {
  const { update } = await batch(db, {
    event: INSERT_GIFT_EXTENDED_EVENT.bind(db, expiry),
    email: PLAN_EXTENDED_EMAIL.bind(db, expiry),
    check: CHECK_EXTENDED_GIFT.bind(db, expiry),
    update: EXTEND_GIFT.bind(db, expiry),
  });
  return update.meta.changes === 1;
}
