// Changes of an order's state by the operator's commands.
import { endGifts, type OrderState, payOrder } from "./queries.ts";

export type Transition = "pay" | "fail" | "cancel";

export interface TransitionOutcome {
  /** False if the order's state does not allow the transition. Then nothing has changed. */
  changed: boolean;
  status: OrderState["status"];
  /** The number of redeemed gifts. */
  redeemed: number;
  qty: number;
  currency: string;
  /** The sum of all amounts that were returned to the client's account for this order, in minor units. */
  returnedMinor: number;
}

/**
 * Changes the order's state if the present state allows it (DECISIONS.md: Order states change in one direction). `fail`
 * and `cancel` also cancel every open gift, and return its stock and credit. Redeemed gifts are not refunded. Returns
 * null if there is no such order. One transaction.
 */
export async function transition(
  d1: D1Database,
  orderId: number,
  name: Transition,
  nowMs: number,
): Promise<TransitionOutcome | null> {
  const key = { orderId, clientId: null, nowMs };
  if (name === "pay") {
    const outcome = await payOrder(d1, key);
    return outcome && toOutcome(outcome.order, outcome.paid);
  }
  const endingId = crypto.randomUUID();
  const outcome = await endGifts(d1, { ...key, kind: name, endingId, sequences: null });
  return outcome && toOutcome(outcome.order, outcome.ended > 0);
}

function toOutcome(order: OrderState, changed: boolean): TransitionOutcome {
  const { status, qty, currency } = order;
  return {
    changed,
    status,
    redeemed: order.redeemedGifts,
    qty,
    currency,
    returnedMinor: order.refundedMinor,
  };
}
