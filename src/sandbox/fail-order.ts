// Fails an order, as the operator does when the invoice is not paid.
import { retrying } from "../db/faults.ts";
import { endGifts, type OrderState } from "../lifecycle/queries.ts";
import { orderKeyOf } from "../lifecycle/order-key.ts";
import type { OrderSelection } from "../orders/selection.ts";
import { orderWithStatus, type SandboxContext } from "./control.ts";

/** One round trip. Errors: `not_found`, `not_allowed_in_state`. */
export async function failOwnOrder(
  context: SandboxContext,
  selection: OrderSelection,
): Promise<OrderState> {
  const { d1, clientId, nowMs, requestId } = context;
  const key = orderKeyOf(selection, clientId);
  const outcome = await retrying((attempt) =>
    endGifts(d1, {
      ...key,
      ...{ kind: "fail", suborderIds: null, nowMs },
      endingId: `${requestId}.${String(attempt)}`,
    }),
  );
  return orderWithStatus(outcome?.order, "failed");
}
