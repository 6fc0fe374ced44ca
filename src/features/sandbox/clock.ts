// The client's clock, which it advances to see what happens later.
import { ApiError } from "../../core/api-error.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { checkDueOrders, MAX_ORDERS } from "../lifecycle/expire.ts";
import { listDueOrdersOf } from "../lifecycle/expiry-queries.ts";
import { readMovedGiftCount, moveTimes } from "./clock-queries.ts";
import type { SandboxContext } from "./control.ts";

/** The maximum number of gifts of orders that are not finished, which bounds the transaction. */
export const MAX_MOVED_GIFTS = 10_000;

export interface Clock {
  /** By how many days the clock was advanced in total. */
  advancedDays: number;
  /** The number of orders whose expiry or reminder was due. */
  dueOrders: number;
}

/**
 * Advances the clock, and then expires gifts and inserts reminders of the first orders that are due. Later ones are left
 * to the cron handler. Errors: `not_allowed_in_state`.
 */
export async function advanceClock(
  { d1, clientId, nowMs }: SandboxContext,
  { advance }: { advance: string },
): Promise<Clock> {
  const gifts = await readMovedGiftCount(d1, { clientId, limit: MAX_MOVED_GIFTS + 1 });
  if (gifts > MAX_MOVED_GIFTS) {
    const rule = `at most ${String(MAX_MOVED_GIFTS)} gifts in orders that are not finished`;
    throw new ApiError("not_allowed_in_state", `The clock advances only with ${rule}.`);
  }
  const ms = Number(advance.slice(1, -1)) * DAY_MS;
  const advancedMs = await moveTimes(d1, { clientId, ms });
  const due = await listDueOrdersOf(d1, { clientId, nowMs, limit: MAX_ORDERS });
  await checkDueOrders(d1, due, nowMs);
  return { advancedDays: advancedMs / DAY_MS, dueOrders: due.length };
}
