// Fails an order, as the operator does when the invoice is not paid.
import { retrying } from "../db/faults.ts";
import { endGifts, type OrderState } from "../lifecycle/queries.ts";
import type { SandboxOrderRequest } from "./contract.ts";
import { orderIdOf, orderWithStatus, type SandboxContext } from "./control.ts";

/** At most two round trips. Errors: `not_found`, `not_allowed_in_state`. */
export async function failOwnOrder(
  context: SandboxContext,
  request: SandboxOrderRequest,
): Promise<OrderState> {
  const { d1, clientId, nowMs, requestId } = context;
  const orderId = await orderIdOf(context, request);
  const outcome = await retrying((attempt) =>
    endGifts(d1, {
      ...{ kind: "fail", orderId, clientId, nowMs },
      sequences: null,
      endingId: `${requestId}.${String(attempt)}`,
    }),
  );
  return orderWithStatus(outcome?.order, "failed");
}
