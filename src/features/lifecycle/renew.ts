// Replaces the link of a gift, for POST /api/gift-link/renew and the operator.
import { ApiError, validationError } from "../../core/api-error.ts";
import { splitGiftId, toGiftNumber } from "../../core/values/ids.ts";
import type { Database } from "../../platform/db/sql.ts";
import { readToken } from "../orders/gift-link.ts";
import { changeGift, type ChangingGift, requireLink } from "./change.ts";
import type { OrderChange } from "./change-queries.ts";
import type { RenewalRequest } from "./contract.ts";
import { unblocked } from "./correct.ts";
import { endedReason, lastLinkReason } from "./gift-state.ts";
import type { Changer, GiftKey } from "./order-key.ts";

export interface Renewal extends GiftKey {
  /** The link to replace. Null to replace any link. */
  replaced: { generation: number; nonce: string } | null;
  /** The corrected values of the recipient. Those that are left out do not change. */
  firstName?: string | undefined;
  lastName?: string | undefined;
  email?: string | undefined;
  nowMs: number;
}

/** The renewal that a partner has requested. Errors: `validation_error` if `gift_url` is not a link of the gift. */
export async function renewalOf(
  env: Parameters<typeof readToken>[0],
  changer: Changer & { nowMs: number },
  { suborder_id, gift_url: url, ...request }: RenewalRequest,
): Promise<Renewal> {
  const key = splitGiftId(suborder_id);
  const prefix = `${env.PUBLIC_URL}/redeem/`;
  const replaced = url?.startsWith(prefix) ? await readToken(env, url.slice(prefix.length)) : null;
  const isOther = replaced?.orderId !== key.orderId || replaced.sequence !== key.sequence;
  if (url !== undefined && isOther) throw foreignLink();
  return {
    ...key,
    ...changer,
    replaced,
    firstName: request.first_name || undefined,
    lastName: request.last_name || undefined,
    email: request.email,
  };
}

/**
 * Replaces the link of the gift by a new one. If the renewal names a link that is no longer the present one, nothing
 * changes (DECISIONS.md: A renewal names the link that it replaces). Otherwise, a repeated request renews the link once
 * more. Errors: `not_found`, `not_renewable`, `validation_error`. Two round trips.
 */
export const renew = (
  db: Database,
  renewal: Renewal,
): Promise<{ gift: ChangingGift; changed: boolean }> =>
  changeGift(db, renewal, (gift) => decideRenewal(gift, renewal));

/** What the renewal changes. Null if the link was replaced before. Errors: those of `renew`. */
export function decideRenewal(
  gift: ChangingGift,
  { replaced, firstName, lastName, email, nowMs }: Omit<Renewal, keyof GiftKey>,
): OrderChange | null {
  requireLink(gift);
  if (replaced && replaced.nonce !== gift.linkNonce) throw foreignLink();
  const isPresent = !replaced || replaced.generation === gift.linkGeneration;
  const reason = endedReason(gift, nowMs) ?? (isPresent ? lastLinkReason(gift) : null);
  if (reason !== null) {
    const number = toGiftNumber(gift.orderId, gift.sequence);
    throw new ApiError("not_renewable", `The link of ${number} cannot be renewed: ${reason}.`);
  }
  if (!isPresent) return null;
  // The new link is sent to the corrected address, if the recipient was invited or is about to be. A code is not sent again.
  const isInvited = (gift.inviteAtMs ?? Infinity) <= nowMs && gift.codeSentAtMs === null;
  return {
    values: {
      linkGeneration: gift.linkGeneration + 1,
      ...(firstName !== undefined && { firstName }),
      ...(lastName !== undefined && { lastName }),
      ...(email !== undefined && { email, ...unblocked(gift, { email }) }),
      ...(email !== undefined && isInvited && { sendAtMs: nowMs }),
    },
    events: [{ type: "gift.renewed", data: null }],
  };
}

function foreignLink(): ApiError {
  const message = "must be a gift link of this suborder_id, as GET /api/order returns it";
  return validationError([{ field: "gift_url", message }]);
}
