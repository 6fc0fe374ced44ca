// Ends gifts that were declined or whose last day passed some days ago, and inserts reminders. The cron handler calls it.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import { logFault } from "../../platform/log.ts";
import { HOUR_MS } from "../../core/values/time.ts";
import { type DueOrder, listDueOrders, insertReminders, setNextCheck } from "./expiry-queries.ts";
import { endGifts } from "./end.ts";
import { operatorKey } from "./order-key.ts";

/**
 * The maximum number of orders in a run. Later runs check the others. It keeps a run below the 1,000 D1 statements that
 * Cloudflare allows in one invocation.
 */
export const MAX_ORDERS = 80;

/** A run ends after this number of failures, because the database is probably failing. */
const MAX_FAILURES = 10;

/** When an order is checked again after a failure. */
const RETRY_MS = HOUR_MS;

/**
 * Checks the orders that are due: ends their final gifts, and inserts an event for each gift that expires soon. It may be
 * killed at any time, and two runs may overlap: no gift ends twice, and no event is inserted twice. An order whose check
 * fails is checked again an hour later, so that it does not delay the others.
 * Throws if a check failed.
 */
export async function expireGifts(db: Database, nowMs: number): Promise<void> {
  await checkDueOrders(db, await listDueOrders(db, { nowMs, limit: MAX_ORDERS }), nowMs);
}

/** Checks these orders. Throws if a check failed. */
export async function checkDueOrders(
  db: Database,
  orders: readonly DueOrder[],
  nowMs: number,
): Promise<void> {
  const failed: number[] = [];
  for (const due of orders) {
    try {
      await checkDueOrder(db, due, nowMs);
    } catch (error) {
      logFault("expiry.failed", error, { orderId: due.orderId });
      failed.push(due.orderId);
      // Throws if the database cannot be reached. Then the run ends, and the next run reads the same orders.
      await setNextCheck(db, due, nowMs + RETRY_MS);
      if (failed.length === MAX_FAILURES) break;
    }
  }
  if (failed.length > 0) throw new Error(`failed for orders ${failed.join(", ")}`);
}

/** Ends the gifts that are final, of one kind in a run, and then inserts the reminders of the others. */
async function checkDueOrder(db: Database, due: DueOrder, nowMs: number): Promise<void> {
  if (due.ending !== null) {
    const { order } = await endGifts(db, {
      kind: due.ending,
      requestId: crypto.randomUUID(),
      ...operatorKey(due.orderId),
      giftIds: null,
      finalByMs: nowMs,
      nowMs,
    });
    if (!order.gifts.some(({ redemptionStatus }) => redemptionStatus === null)) return;
  }
  return retrying(() => insertReminders(db, due, nowMs));
}
