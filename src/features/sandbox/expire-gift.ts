// Expires a gift, as the cron handler does when the last day of the gift has passed.
import { endGifts } from "../lifecycle/end.ts";
import { stateOf } from "../lifecycle/gift-state.ts";
import { orderKeyOf } from "../lifecycle/order-key.ts";
import { type ControlledGift, giftWithLink, notAllowed, type SandboxContext } from "./control.ts";

/** Two round trips. Errors: `not_found`, `not_allowed_in_state`. */
export async function expireGift(
  context: SandboxContext,
  { suborder_id }: { suborder_id: number },
): Promise<ControlledGift> {
  const { d1, clientId, nowMs, requestId } = context;
  const present = await giftWithLink(context, suborder_id);
  const { orderId, sequence, linkGeneration: generation } = present;
  const key = orderKeyOf({ order_id: orderId }, clientId);
  const suborderIds = [suborder_id];
  const { order } = await endGifts(d1, { ...key, kind: "expire", requestId, suborderIds, nowMs });
  const orderStatus = order.status;
  const redemptionStatus = order.gifts[sequence - 1]?.redemptionStatus ?? null;
  if (redemptionStatus === "expired") return { orderId, sequence, orderStatus, redemptionStatus };
  const columns = { ...present, orderStatus, redemptionStatus, expiresAtMs: null };
  throw notAllowed("expire", stateOf(columns, { generation, nowMs }));
}
