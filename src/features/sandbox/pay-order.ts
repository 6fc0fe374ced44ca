// Pays an order, as the operator does when the invoice is paid.
import { retrying } from "../../platform/db/faults.ts";
import { payOrder } from "../lifecycle/payment-queries.ts";
import type { OrderState } from "../lifecycle/queries.ts";
import { orderKeyOf } from "../lifecycle/order-key.ts";
import type { OrderSelection } from "../orders/selection.ts";
import { orderWithStatus, type SandboxContext } from "./control.ts";

/** One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export async function payOwnOrder(
  context: SandboxContext,
  selection: OrderSelection,
): Promise<OrderState> {
  const { d1, clientId, nowMs } = context;
  const key = orderKeyOf(selection, clientId);
  const outcome = await retrying(() => payOrder(d1, { ...key, reference: null, nowMs }));
  return orderWithStatus(outcome?.order, "paid");
}
