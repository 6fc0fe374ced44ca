// Renewing the link of a gift, for POST /api/gift-link/renew.
import { ApiError, validationError } from "../../core/api-error.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { planEmails } from "../orders/email-queries.ts";
import { readToken } from "../orders/gift-link.ts";
import { splitSuborderId, suborderNumber } from "../../core/values/ids.ts";
import type { RenewalRequest } from "./contract.ts";
import { endedReason } from "./gift-state.ts";
import { type LinkedGift, MAX_RENEWALS, type Renewal, writeRenewal } from "./renewal-queries.ts";

export interface RenewContext {
  d1: D1Database;
  env: Parameters<typeof readToken>[0];
  clientId: string;
  nowMs: number;
}

export interface Renewed {
  orderId: number;
  sequence: number;
  gift: LinkedGift;
  /** False if the link was replaced by an earlier request. */
  renewed: boolean;
}

/**
 * Replaces the link of the gift by a new one. If the request names a link that is no longer the present one, nothing
 * changes (DECISIONS.md: A renewal names the link that it replaces). Returns the reason if the renewal is refused. One
 * round trip, three with another address to which e-mails are sent, and none if `gift_url` is not a link of the sub-order.
 */
export async function renew(
  { d1, env, clientId, nowMs }: RenewContext,
  request: RenewalRequest,
): Promise<Renewed | ApiError> {
  const { suborder_id: suborderId, gift_url: url } = request;
  const { orderId, sequence } = splitSuborderId(suborderId);
  const replaced = url === undefined ? null : await readUrl(env, url);
  if (url !== undefined && (replaced?.orderId !== orderId || replaced.sequence !== sequence)) {
    return foreignLink();
  }
  return replaceLink(d1, {
    clientId,
    orderId,
    sequence,
    generation: replaced?.generation ?? null,
    nonce: replaced?.nonce ?? null,
    firstName: request.first_name || null,
    lastName: request.last_name || null,
    email: request.email ?? null,
    nowMs,
  });
}

/** Replaces the link, or returns the reason if the renewal is refused. One round trip, or three. */
export async function replaceLink(db: Database, renewal: Renewal): Promise<Renewed | ApiError> {
  const { orderId, sequence, generation, nonce, nowMs } = renewal;
  // A failed attempt may have been committed. If the renewal names the link to replace, the next attempt then changes
  // nothing. Otherwise, the next attempt renews the link once more, as a second request would.
  const outcome = await retrying(() => writeRenewal(db, renewal));
  if (!outcome) return new ApiError("not_found", "You have no such gift link.");
  const { gift, renewed } = outcome;
  if (!renewed) {
    if (nonce !== null && nonce !== gift.linkNonce) return foreignLink();
    const isPresent = generation === null || generation === gift.linkGeneration;
    const refusal = refusalOf({ orderId, sequence, gift }, { isPresent, nowMs });
    if (refusal) return refusal;
  }
  const isPlanned = gift.nextEmail !== null;
  if (renewed && renewal.email !== null && isPlanned)
    await planEmails(db, { orderId, sequence }, nowMs);
  return { orderId, sequence, gift, renewed };
}

/** The sub-order and the generation of a link, or null if it is not a gift link of this deployment. */
async function readUrl(env: RenewContext["env"], url: string) {
  const prefix = `${env.PUBLIC_URL}/redeem/`;
  return url.startsWith(prefix) ? readToken(env, url.slice(prefix.length)) : null;
}

function foreignLink(): ApiError {
  const message = "must be a gift link of this suborder_id, as GET /api/order returns it";
  return validationError([{ field: "gift_url", message }]);
}

/** Why the link cannot be renewed. Null if the gift's state allows it, or if the link was replaced by another request. */
export function refusalOf(
  { orderId, sequence, gift }: Pick<Renewed, "orderId" | "sequence" | "gift">,
  { isPresent, nowMs }: { isPresent: boolean; nowMs: number },
): ApiError | null {
  const isLast = isPresent && gift.linkGeneration === MAX_RENEWALS;
  const reason =
    endedReason(gift, nowMs) ??
    (isLast ? `it has been renewed ${String(MAX_RENEWALS)} times` : null);
  if (reason === null) return null;
  const number = suborderNumber(orderId, sequence);
  return new ApiError("not_renewable", `The link of ${number} cannot be renewed: ${reason}.`);
}
