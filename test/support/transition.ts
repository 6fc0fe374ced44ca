// The operator's changes of a whole order: pay, fail and cancel.
import { ApiError } from "../../src/core/api-error.ts";
import { cancel } from "../../src/features/lifecycle/cancel.ts";
import { endGifts } from "../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../src/features/lifecycle/order-key.ts";
import { payOrder } from "../../src/features/lifecycle/payment-queries.ts";
import { findOrderState, type OrderState } from "../../src/features/lifecycle/queries.ts";

export type Transition = "pay" | "fail" | "cancel";

/** The outcome, or null if there is no such order. `changed` is false if a cancellation has cancelled no gift. */
export async function transition(d1: D1Database, orderId: number, name: Transition, nowMs: number) {
  const order = { ...operatorKey(orderId), nowMs };
  if (name === "pay") {
    const outcome = await payOrder(d1, { ...order, reference: null, owedMinor: null });
    return outcome && toOutcome(outcome.paid, outcome.order);
  }
  if (name === "fail") {
    const requestId = crypto.randomUUID();
    const outcome = await endGifts(d1, { ...order, kind: "fail", requestId, suborderIds: null });
    return outcome && toOutcome(outcome.changed, outcome.order);
  }
  const requestId = crypto.randomUUID();
  try {
    const result = await cancel(d1, { ...order, suborderIds: null, requestId });
    return toOutcome(result.changed, result.order);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const unchanged = await findOrderState(d1, order);
    return unchanged && toOutcome(false, unchanged);
  }
}

function toOutcome(changed: boolean, order: OrderState) {
  const { status, qty, currency, redeemedGifts, refundedMinor } = order;
  return { changed, status, redeemed: redeemedGifts, qty, currency, returnedMinor: refundedMinor };
}
