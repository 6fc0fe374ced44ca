// Pays and fails orders, as the operator does for an invoice.
import { retrying } from "../../platform/db/faults.ts";
import { endGifts } from "../lifecycle/end.ts";
import { orderKeyOf } from "../lifecycle/order-key.ts";
import { payOrder } from "../lifecycle/payment-queries.ts";
import type { OrderState } from "../lifecycle/queries.ts";
import type { OrderSelection } from "../orders/selection.ts";
import { orderWithStatus, type SandboxContext } from "./control.ts";

/** One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export async function payOwnOrder(
  context: SandboxContext,
  selection: OrderSelection,
): Promise<OrderState> {
  const { d1, clientId, nowMs } = context;
  const key = orderKeyOf(selection, clientId);
  const outcome = await retrying(() =>
    payOrder(d1, { ...key, reference: null, owedMinor: null, nowMs }),
  );
  return orderWithStatus(outcome.order, "paid");
}

/** One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export async function failOwnOrder(
  context: SandboxContext,
  selection: OrderSelection,
): Promise<OrderState> {
  const { d1, clientId, nowMs, requestId } = context;
  const key = orderKeyOf(selection, clientId);
  const outcome = await endGifts(d1, { ...key, kind: "fail", requestId, suborderIds: null, nowMs });
  return orderWithStatus(outcome.order, "failed");
}
