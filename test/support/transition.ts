// The operator's changes of a whole order: pay, fail and cancel.
import { ApiError } from "../../src/core/api-error.ts";
import { cancel } from "../../src/features/lifecycle/cancel.ts";
import { endGifts } from "../../src/features/lifecycle/end.ts";
import { operatorKey } from "../../src/features/lifecycle/order-key.ts";
import { payOrders } from "../../src/features/lifecycle/payment-queries.ts";
import { requireOrderState, type OrderState } from "../../src/features/lifecycle/queries.ts";

export type Transition = "pay" | "fail" | "cancel";

/** The outcome, or null if there is no such order. `changed` is false if a cancellation has cancelled no gift. */
export async function transition(d1: D1Database, orderId: number, name: Transition, nowMs: number) {
  const order = { ...operatorKey(orderId), nowMs };
  const request = { ...order, requestId: crypto.randomUUID(), giftIds: null };
  try {
    if (name === "pay") {
      const [isPaid = false] = await payOrders(d1, [
        { ...order, reference: null, owedMinor: null },
      ]);
      return toOutcome(isPaid, await requireOrderState(d1, order));
    }
    const outcome = await (name === "fail"
      ? endGifts(d1, { ...request, kind: "fail" })
      : cancel(d1, request));
    return toOutcome(outcome.changed, outcome.order);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code === "not_found" ? null : toOutcome(false, await requireOrderState(d1, order));
  }
}

function toOutcome(changed: boolean, order: OrderState) {
  const { status, qty, currency, redeemedGifts, refundedMinor } = order;
  return { changed, status, redeemed: redeemedGifts, qty, currency, returnedMinor: refundedMinor };
}
