// Pays an order, as the operator does when the invoice is paid.
import { retrying } from "../db/faults.ts";
import { type OrderState, payOrder } from "../lifecycle/queries.ts";
import type { SandboxOrderRequest } from "./contract.ts";
import { orderIdOf, orderWithStatus, type SandboxContext } from "./control.ts";

/** At most two round trips. Errors: `not_found`, `not_allowed_in_state`. */
export async function payOwnOrder(
  context: SandboxContext,
  request: SandboxOrderRequest,
): Promise<OrderState> {
  const { d1, clientId, nowMs } = context;
  const orderId = await orderIdOf(context, request);
  const outcome = await retrying(() => payOrder(d1, { orderId, clientId, nowMs }));
  return orderWithStatus(outcome?.order, "paid");
}
