// Inviting a recipient by e-mail, or inviting again, for POST /api/gift-link/send and the operator.
import { ApiError, validationError } from "../../core/api-error.ts";
import { suborderNumber } from "../../core/values/ids.ts";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { endedReason, type StateColumns } from "../lifecycle/gift-state.ts";
import type { GiftKey } from "../lifecycle/order-key.ts";
import { type InvitedGift, readInvitedGift, writeInvitation } from "./request-queries.ts";
import { planEmails } from "../orders/email-queries.ts";
import { MAX_INVITATIONS_A_DAY } from "../orders/next-email.ts";
import { sendAtProblem } from "../orders/send-at.ts";

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

interface SendRequest extends GiftKey {
  /** Null or a time in the past means now. */
  sendAtMs: number | null;
  nowMs: number;
}

const atMsOf = ({ sendAtMs, nowMs }: SendRequest) => Math.max(sendAtMs ?? nowMs, nowMs);

const notFound = () => new ApiError("not_found", "You have no such gift link.");

/** What the request would do, or the reason if it would be refused. One round trip. */
export async function planInvitation(
  db: Database,
  request: SendRequest,
): Promise<Invitation | ApiError> {
  const gift = await readInvitedGift(db, { ...request, sinceMs: request.nowMs - DAY_MS });
  if (!gift) return notFound();
  return refusalOf(gift, request) ?? { gift, sendAtMs: atMsOf(request) };
}

/**
 * Sends the gift's link by e-mail at `sendAtMs`, even if it was sent before. A time that was set before and has not come
 * is replaced. Returns the reason if the request is refused. One round trip, and three with a time in the future.
 */
export async function requestInvitation(
  db: Database,
  request: SendRequest,
): Promise<Invitation | ApiError> {
  const { nowMs } = request;
  const sendAtMs = atMsOf(request);
  // The rule that does not depend on the gift. The guard of the write has the others.
  const problem = sendAtProblem(sendAtMs, { nowMs, expiresAtMs: null });
  if (problem !== null) return invalid(problem);
  const limits = { sinceMs: nowMs - DAY_MS, limit: MAX_INVITATIONS_A_DAY };
  const outcome = await retrying(() => writeInvitation(db, { ...request, ...limits, sendAtMs }));
  if (!outcome) return notFound();
  const { gift, changed } = outcome;
  const { orderId, sequence } = request;
  if (changed && sendAtMs > nowMs) await planEmails(db, { orderId, sequence }, nowMs);
  return (changed ? null : refusalOf(gift, request)) ?? { gift, sendAtMs };
}

const invalid = (problem: string) => validationError([{ field: "send_at", message: problem }]);

/** The reasons why a recipient gets no further e-mails, in a sentence. */
export const STOPPED_REASONS: Record<NonNullable<InvitedGift["emailsStopped"]>, string> = {
  unsubscribed: "its recipient wants no e-mails about it",
  bounced:
    "the last e-mail was not delivered, so correct the address or renew the link with another one",
  complained: "its recipient has reported an e-mail as spam",
  stopped: "its e-mails were stopped",
};

/** Why the gift cannot be sent. Null if it can. */
export function refusalOf(
  gift: StateColumns & Pick<InvitedGift, "emailsStopped" | "recentMs">,
  request: SendRequest,
): ApiError | null {
  const { orderId, sequence, nowMs } = request;
  const number = suborderNumber(orderId, sequence);
  const { redemptionStatus, emailsStopped, recentMs, expiresAtMs } = gift;
  const reason =
    redemptionStatus === "redeemed" ? "its recipient has accepted it" : endedReason(gift, nowMs);
  const stopped = emailsStopped && STOPPED_REASONS[emailsStopped];
  if (reason ?? stopped) {
    return new ApiError(
      "not_allowed_in_state",
      `${number} cannot be sent: ${String(reason ?? stopped)}.`,
    );
  }
  const problem = sendAtProblem(atMsOf(request), { nowMs, expiresAtMs });
  if (problem !== null) return invalid(problem);
  if (recentMs.length < MAX_INVITATIONS_A_DAY) return null;
  return new TooManyInvitations(number, Math.min(...recentMs) + DAY_MS, nowMs);
}
