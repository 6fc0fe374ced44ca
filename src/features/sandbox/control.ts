// Parts that the sandbox controls share: their context, the gifts that they select, and their refusals.
import { type ApiError, refusal } from "../../core/api-error.ts";
import { unknownGift } from "../lifecycle/change.ts";
import { type GiftState, stateReason } from "../lifecycle/gift-state.ts";
import { findClientGift, type ClientGift } from "./queries.ts";

export interface SandboxContext {
  d1: D1Database;
  clientId: string;
  nowMs: number;
  requestId: string;
}

/** The client's gift. One round trip. Errors: `not_found`. */
export async function requireOwnGift(
  { d1, clientId }: SandboxContext,
  giftId: number,
): Promise<ClientGift> {
  const gift = await findClientGift(d1, clientId, giftId);
  if (!gift) throw unknownGift();
  return gift;
}

/** The same. Errors: `not_found`, and `not_allowed_in_state` if the gift has no link. */
export async function requireGiftWithLink(
  context: SandboxContext,
  giftId: number,
): Promise<ClientGift & { nonce: string }> {
  const gift = await requireOwnGift(context, giftId);
  const { nonce } = gift;
  if (nonce === null || gift.giftOrderMethod === "api-purchase")
    throw refusal("The sub-order has no gift link.");
  return { ...gift, nonce };
}

/** The refusal of `verb`, "be redeemed" or "expire". */
export const notAllowed = (verb: string, state: GiftState): ApiError =>
  refusal(`The gift cannot ${verb}: ${stateReason(state)}.`);
