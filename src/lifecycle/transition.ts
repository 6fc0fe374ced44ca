// Pays and fails orders, for the operator.
import { operatorKey } from "./order-key.ts";
import { endGifts } from "./end.ts";
import { type OrderState, payOrder } from "./queries.ts";

export type Transition = "pay" | "fail";

export interface TransitionOutcome {
  /** False if the order's state does not allow the transition. Then nothing has changed. */
  changed: boolean;
  order: OrderState;
}

/**
 * Changes the state of a created order (DECISIONS.md: Order states change in one direction). `fail` also cancels its
 * gifts and returns their stock. Returns null if there is no such order. One transaction.
 */
export async function transition(
  d1: D1Database,
  orderId: number,
  name: Transition,
  nowMs: number,
): Promise<TransitionOutcome | null> {
  const key = { ...operatorKey(orderId), nowMs };
  if (name === "pay") {
    const outcome = await payOrder(d1, key);
    return outcome && { changed: outcome.paid, order: outcome.order };
  }
  const requestId = crypto.randomUUID();
  const outcome = await endGifts(d1, { ...key, kind: "fail", requestId, suborderIds: null });
  return outcome && { changed: outcome.changed, order: outcome.order };
}
