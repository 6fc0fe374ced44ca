// The operator's changes of a whole order: pay, fail and cancel.
import { ApiError } from "../../src/api-error.ts";
import { transition as change, type Transition as Change } from "../../src/lifecycle/transition.ts";
import { cancel } from "../../src/lifecycle/cancel.ts";
import { operatorKey } from "../../src/lifecycle/order-key.ts";
import { writeEnding, type OrderState } from "../../src/lifecycle/queries.ts";

export type Transition = Change | "cancel";

/** The outcome, or null if there is no such order. `changed` is false if a cancellation has cancelled no gift. */
export async function transition(d1: D1Database, orderId: number, name: Transition, nowMs: number) {
  if (name !== "cancel") {
    const outcome = await change(d1, orderId, name, nowMs);
    return outcome && toOutcome(outcome.changed, outcome.order);
  }
  const order = { ...operatorKey(orderId), nowMs };
  const requestId = crypto.randomUUID();
  const result = await cancel(d1, { ...order, suborderIds: null, requestId });
  if (!(result instanceof ApiError)) return toOutcome(result.changed, result.order);
  // Cancels no gift and returns the order.
  const nothing = { kind: "cancel" as const, suborderIds: [], endingId: requestId };
  const unchanged = await writeEnding(d1, { ...order, ...nothing });
  return unchanged && toOutcome(false, unchanged.order);
}

function toOutcome(changed: boolean, order: OrderState) {
  const { status, qty, currency, redeemedGifts, refundedMinor } = order;
  return { changed, status, redeemed: redeemedGifts, qty, currency, returnedMinor: refundedMinor };
}
