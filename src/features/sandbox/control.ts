// Parts that the sandbox controls share: their context, the gifts that they select, and their refusals.
import { type ApiError, refusal } from "../../core/api-error.ts";
import { splitGiftId } from "../../core/values/ids.ts";
import { type ChangingGift, requireGiftToChange } from "../lifecycle/change.ts";
import { type GiftState, stateReason } from "../lifecycle/gift-state.ts";
import { NO_CLIENT } from "../lifecycle/order-key.ts";

export interface SandboxContext {
  d1: D1Database;
  clientId: string;
  nowMs: number;
  requestId: string;
}

/** Sets that are restricted to their own orders cannot use the sandbox's operations. */
export const ofClient = (clientId: string) => ({ ...NO_CLIENT, clientId });

/** The client's gift. One round trip. Errors: `not_found`. */
export const requireOwnGift = ({ d1, clientId }: SandboxContext, giftId: number) =>
  requireGiftToChange(d1, { ...splitGiftId(giftId), ...ofClient(clientId) });

/** The same. Errors: `not_found`, and `not_allowed_in_state` if the gift has no link. */
export async function requireGiftWithLink(
  context: SandboxContext,
  giftId: number,
): Promise<ChangingGift & { nonce: string }> {
  const gift = await requireOwnGift(context, giftId);
  const { linkNonce: nonce } = gift;
  if (nonce === null || gift.giftOrderMethod === "api-purchase")
    throw refusal("The sub-order has no gift link.");
  return { ...gift, nonce };
}

/** The refusal of `verb`, "be redeemed" or "expire". */
export const notAllowed = (verb: string, state: GiftState): ApiError =>
  refusal(`The gift cannot ${verb}: ${stateReason(state)}.`);
