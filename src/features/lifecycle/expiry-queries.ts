// The statements of the cron handler's checks: the orders to check, and the reminders.
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";
import { INSERT_EVENT, NEXT_SEQUENCE } from "../events/queries.ts";
import { SOME_ARE_OPEN } from "../orders/queries.ts";
import { REMINDERS_MS } from "../../core/values/redeem-by.ts";
import { GIFT_EXPIRY } from "../codes/delivery-queries.ts";
import { FINAL_AT } from "./gift-end.ts";

/** The client's orders `o` with gift links of which some are open. */
export const LINKED_ORDERS = fragment`
  orders o INDEXED BY orders_with_open_gifts WHERE o.client_id = ${"clientId"} AND o.status IN ('created', 'paid')
    AND o.gift_order_method = 'api-giftlink' AND ${SOME_ARE_OPEN}`;

/** The open gifts of order `o`, also closed ones, with its client `c`. None if the order has ended. */
const OPEN_GIFTS = fragment`
  FROM clients c CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE c.id = o.client_id AND o.status IN ('created', 'paid')`;

const DUE_COLUMNS = {
  orderId: order("id").id,
  ...order("expiresAtMs"),
  /** The index contains no null. */
  checkMs: expression<number>()`o.next_expiry_check_ms`,
  /** How the gift ends that was final first. Null if none is final. */
  ending: expression<"cancel" | "expire" | null>()`
    (SELECT iif(s.declined_at_ms IS NULL, 'expire', 'cancel') ${OPEN_GIFTS} AND ${FINAL_AT} <= ${"nowMs"}
      ORDER BY ${FINAL_AT} LIMIT 1)`,
};

/** An order whose next check is due, with the values that were read. */
export type DueOrder = RowOf<typeof DUE_COLUMNS>;

const SELECT_DUE = sql<{ nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM orders o INDEXED BY orders_by_expiry_check
  WHERE o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The first `limit` orders whose check is due, oldest first. One round trip. Reads only these orders. */
export const listDueOrders = (
  db: Database,
  params: { nowMs: number; limit: number },
): Promise<DueOrder[]> => SELECT_DUE.all(db, params);

const SELECT_DUE_OF_CLIENT = sql<{ clientId: string; nowMs: number; limit: number }>()`
  SELECT ${DUE_COLUMNS}
  FROM ${LINKED_ORDERS} AND o.next_expiry_check_ms <= ${"nowMs"}
  ORDER BY o.next_expiry_check_ms LIMIT ${"limit"}`;

/** The same of one client. Reads its open orders. */
export const listDueOrdersOf = (
  db: Database,
  params: { clientId: string; nowMs: number; limit: number },
): Promise<DueOrder[]> => SELECT_DUE_OF_CLIENT.all(db, params);

type DueKey = Pick<DueOrder, "orderId" | "checkMs" | "expiresAtMs">;

// The guard: no other run has checked order `o` since it was read, and its expiry has not changed. If it does not hold,
// the statements match no row.
const STILL_DUE = fragment`
  o.id = ${"orderId"} AND o.next_expiry_check_ms = ${"checkMs"} AND o.expires_at_ms IS ${"expiresAtMs"}`;

const SET_NEXT_CHECK = sql<DueKey & { nextCheckMs: number }>()`
  UPDATE orders AS o SET next_expiry_check_ms = ${"nextCheckMs"} WHERE ${STILL_DUE}`;

/** Sets the order's next check, if it is still due. One round trip. */
export async function setNextCheck(db: Database, due: DueKey, nextCheckMs: number): Promise<void> {
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
    FROM orders o JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL AND s.declined_at_ms IS NULL
    WHERE ${STILL_DUE} AND o.status = 'paid' AND ${GIFT_EXPIRY} > ${"nowMs"}
      AND (${isReminder(fragment`${"firstReminderMs"}`)}
        OR ${isReminder(fragment`${"lastReminderMs"}`)})) e
  CROSS JOIN orders o ON o.id = ${"orderId"}
  ORDER BY e.number`;

// The same as nextExpiryCheck() until the last day, for the gift whose check comes first. Null if none is to be checked.
const FINISH_CHECK = sql<ReminderParams>()`
  UPDATE orders AS o SET expiry_checked_ms = ${"nowMs"}, next_expiry_check_ms = (
    SELECT min(CASE WHEN s.declined_at_ms IS NOT NULL THEN ${FINAL_AT}
      WHEN ${GIFT_EXPIRY} - ${"firstReminderMs"} > ${"nowMs"} THEN ${GIFT_EXPIRY} - ${"firstReminderMs"}
      WHEN ${GIFT_EXPIRY} - ${"lastReminderMs"} > ${"nowMs"} THEN ${GIFT_EXPIRY} - ${"lastReminderMs"}
      ELSE ${FINAL_AT} END) ${OPEN_GIFTS})
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
