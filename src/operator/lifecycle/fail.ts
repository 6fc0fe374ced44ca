// Fails orders, for the operator.
import { endGifts, type EndingOutcome } from "../../features/lifecycle/end.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";

/**
 * Sets a created order to failed, cancels its gifts and returns their stock. `changed` is false if the order's state does
 * not allow it (DECISIONS.md: An order ends with its last gift). Null if there is no such order. One transaction.
 */
export function failOrder(
  d1: D1Database,
  orderId: number,
  nowMs: number,
): Promise<EndingOutcome | null> {
  const requestId = crypto.randomUUID();
  const key = operatorKey(orderId);
  return endGifts(d1, { ...key, kind: "fail", requestId, suborderIds: null, nowMs });
}
