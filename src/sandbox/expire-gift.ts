// Expires a gift, as the cron handler does when the last day of the gift has passed.
import { retrying } from "../db/faults.ts";
import { endGifts } from "../lifecycle/queries.ts";
import { stateOf } from "../redeem/gift.ts";
import { type ControlledGift, giftWithLink, notAllowed, type SandboxContext } from "./control.ts";

/** Two round trips. Errors: `not_found`, `not_allowed_in_state`. */
export async function expireGift(
  context: SandboxContext,
  { suborder_id }: { suborder_id: number },
): Promise<ControlledGift> {
  const { d1, clientId, nowMs, requestId } = context;
  const { orderId, sequence, generation } = await giftWithLink(context, suborder_id);
  const outcome = await retrying((attempt) =>
    endGifts(d1, {
      ...{ orderId, orderRefId: null, clientId },
      ...{ kind: "expire", suborderIds: [suborder_id], nowMs },
      endingId: `${requestId}.${String(attempt)}`,
    }),
  );
  const gift = outcome?.order.gifts.find((each) => each.sequence === sequence);
  // Orders are never deleted.
  if (!outcome || !gift) throw new Error("the order of the gift is missing");
  const { status: orderStatus } = outcome.order;
  const { redemptionStatus } = gift;
  if (redemptionStatus === "expired") return { orderId, sequence, orderStatus, redemptionStatus };
  const columns = { orderStatus, redemptionStatus, expiresAtMs: null, linkGeneration: generation };
  throw notAllowed("expire", stateOf(columns, { generation, nowMs }));
}
