// Inviting a recipient by e-mail, or inviting again, for POST /api/gift-link/send and the operator.
import { ApiError, validationError } from "../../core/api-error.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { endedReason } from "../lifecycle/gift-state.ts";
import type { GiftKey } from "../lifecycle/order-key.ts";
import { type InvitedGift, writeInvitation } from "./request-queries.ts";
import { sendAtProblem } from "../orders/send-at.ts";

/** The largest number of invitations that are sent to a recipient in 24 hours. */
export const MAX_INVITATIONS_A_DAY = 3;

export interface Invitation {
  gift: InvitedGift;
  sendAtMs: number;
}

/** A refusal because of the limit, with the number of seconds after which it no longer applies. */
export class TooManyInvitations extends ApiError {
  readonly retryAfterSeconds: number;
  constructor(number: string, againMs: number, nowMs: number) {
    super(
      "too_many_requests",
      `${number} has been sent ${String(MAX_INVITATIONS_A_DAY)} times in 24 hours. ` +
        `It can be sent again from ${new Date(againMs).toISOString()}.`,
    );
    this.retryAfterSeconds = Math.ceil((againMs - nowMs) / SECOND_MS);
  }
}

/**
 * Sends the gift's link by e-mail at `sendAtMs`, or now if it is null or past, even if it was sent before. A time that was
 * set before and has not come is replaced. Returns the reason if the request is refused. One round trip.
 */
export async function requestInvitation(
  db: Database,
  { sendAtMs, nowMs, ...key }: GiftKey & { sendAtMs: number | null; nowMs: number },
): Promise<Invitation | ApiError> {
  const atMs = Math.max(sendAtMs ?? nowMs, nowMs);
  const params = {
    ...key,
    sendAtMs: atMs,
    nowMs,
    sinceMs: nowMs - DAY_MS,
    limit: MAX_INVITATIONS_A_DAY,
  };
  const outcome = await retrying(() => writeInvitation(db, params));
  if (!outcome) return new ApiError("not_found", "You have no such gift link.");
  const { gift, changed } = outcome;
  const problem = sendAtProblem(atMs, { nowMs, expiresAtMs: gift.expiresAtMs });
  if (changed && problem === null) return { gift, sendAtMs: atMs };
  return refusalOf(gift, { ...key, nowMs, problem });
}

/** The reasons why a recipient gets no further e-mails, in a sentence. */
export const STOPPED_REASONS: Record<NonNullable<InvitedGift["emailsStopped"]>, string> = {
  unsubscribed: "its recipient wants no e-mails about it",
  bounced: "the last e-mail was not delivered, so renew the link with another address",
  complained: "its recipient has reported an e-mail as spam",
  stopped: "its e-mails were stopped",
};

function refusalOf(
  gift: InvitedGift,
  { orderId, sequence, nowMs, problem }: GiftKey & { nowMs: number; problem: string | null },
): ApiError {
  const number = suborderNumber(orderId, sequence);
  const { redemptionStatus, emailsStopped, recentMs } = gift;
  const reason =
    redemptionStatus === "redeemed" ? "its recipient has accepted it" : endedReason(gift, nowMs);
  const stopped = emailsStopped && STOPPED_REASONS[emailsStopped];
  if (reason ?? stopped) {
    return new ApiError(
      "not_allowed_in_state",
      `${number} cannot be sent: ${String(reason ?? stopped)}.`,
    );
  }
  if (problem !== null) return validationError([{ field: "send_at", message: problem }]);
  return new TooManyInvitations(number, Math.min(...recentMs) + DAY_MS, nowMs);
}
