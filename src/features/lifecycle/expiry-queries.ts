// The statements of expiry: the orders to check, and the reminders.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { SOME_ARE_OPEN } from "../orders/queries.ts";
import { REMINDERS_MS } from "../../core/values/redeem-by.ts";
import { GIFT_EXPIRY } from "../schedule/queries.ts";

const o = columnsOf<Orders>("o");

/** The client's orders `o` with gift links of which some are open. */
export const LINKED_ORDERS = fragment`
  orders o INDEXED BY orders_with_open_gifts WHERE o.client_id = ${"clientId"} AND o.status IN ('created', 'paid')
    AND o.gift_order_method = 'api-giftlink' AND ${SOME_ARE_OPEN}`;

/** The open gifts of order `o`. */
const OPEN_GIFTS = fragment`
  FROM gifts s WHERE s.order_id = o.id AND s.redemption_status IS NULL`;

const DUE_COLUMNS = {
  orderId: o("id").id,
  ...o("expiresAtMs"),
  /** The index contains no null. */
  checkMs: expression<number>()`o.next_expiry_check_ms`,
  /** When the first of its open gifts expires. */
  firstExpiryMs: expression<number | null>()`
    coalesce((SELECT min(${GIFT_EXPIRY}) ${OPEN_GIFTS}), o.expires_at_ms)`,
  /** The order has not ended, and some of its gifts are neither redeemed nor ended. */
  hasOpenGifts: expression<0 | 1>()`
    (o.status IN ('created', 'paid') AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty)`,
};

/** An order whose next check is due, with the values that were read. */
export type DueOrder = Omit<RowOf<typeof DUE_COLUMNS>, "hasOpenGifts"> & { hasOpenGifts: boolean };

const SELECT_DUE = sql<{ nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM orders o INDEXED BY orders_by_expiry_check
  WHERE o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The first `limit` orders whose check is due, oldest first. One round trip. Reads only these orders. */
export async function listDueOrders(
  db: Database,
  params: { nowMs: number; limit: number },
): Promise<DueOrder[]> {
  return toDue(await SELECT_DUE.all(db, params));
}

const toDue = (rows: readonly RowOf<typeof DUE_COLUMNS>[]): DueOrder[] =>
  rows.map((row) => ({ ...row, hasOpenGifts: row.hasOpenGifts === 1 }));

const SELECT_DUE_OF_CLIENT = sql<{ clientId: string; nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM ${LINKED_ORDERS} AND o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The same of one client. Reads its open orders. */
export async function listDueOrdersOf(
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

const SET_NEXT_CHECK = sql<DueKey & { nextCheckMs: number | null }>()`
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

/** A reminder of gift `s` became due after the last check of order `o`. */
const isReminder = <Name extends string>(beforeMs: Fragment<Name>) => fragment`
  (${GIFT_EXPIRY} - ${beforeMs} > coalesce(o.expiry_checked_ms, o.created_at_ms)
    AND ${GIFT_EXPIRY} - ${beforeMs} <= ${"nowMs"})`;

// Recipients cannot accept the gifts of an unpaid order, so it has no reminders.
const INSERT_EXPIRING_EVENTS = sql<ReminderParams>()`
  ${INSERT_EVENT}
  SELECT e.client_id, ${NEXT_SEQUENCE} + e.number - 1, 'gift.expiring', o.id, e.sequence,
    json_object('expiresAtMs', e.expires_at_ms), ${"nowMs"}
  FROM (SELECT o.client_id, s.sequence, ${GIFT_EXPIRY} AS expires_at_ms,
      row_number() OVER (ORDER BY s.sequence) AS number
    FROM orders o JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
    WHERE ${STILL_DUE} AND o.status = 'paid' AND ${GIFT_EXPIRY} > ${"nowMs"}
      AND (${isReminder(fragment`${"firstReminderMs"}`)}
        OR ${isReminder(fragment`${"lastReminderMs"}`)})) e
  CROSS JOIN orders o ON o.id = ${"orderId"}
  ORDER BY e.number`;

// The same as nextExpiryCheck(), for the gift whose check comes first.
const FINISH_CHECK = sql<ReminderParams>()`
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
