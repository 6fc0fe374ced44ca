// Sends a gift's link or code by e-mail, or sends it again, for POST /api/gift-link/send, the operator and the recipient.
import { ApiError, refusal, validationError } from "../../core/api-error.ts";
import {
  emailIs,
  type EmailKind,
  type EmailsStopped,
  isAddressRefused,
} from "../../core/values/email-kinds.ts";
import { toGiftNumber } from "../../core/values/ids.ts";
import { DAY_MS, SECOND_MS } from "../../core/values/time.ts";
import type { Database } from "../../platform/db/sql.ts";
import { changeGift, type ChangingGift, requireLink } from "./change.ts";
import type { OrderChange } from "./change-queries.ts";
import { endedReason } from "./gift-state.ts";
import type { GiftKey } from "./order-key.ts";
import { MAX_INVITATIONS_A_DAY } from "../schedule/next-email.ts";
import { sendAtProblem } from "../schedule/send-at.ts";

interface SendTime {
  /** A time in the past means now. */
  sendAtMs: number;
  nowMs: number;
}

/**
 * Sends the gift's link by e-mail at `sendAtMs`, even if it was sent before. A time that was set before and has not come
 * is replaced. If the gift's code was sent, sends the code again. Errors: `not_found`, `not_allowed_in_state`,
 * `validation_error` for the time, and `too_many_requests`. Two round trips.
 */
export async function requestInvitation(
  db: Database,
  key: GiftKey,
  time: SendTime,
): Promise<ChangingGift> {
  const { gift } = await changeGift(db, { ...key, nowMs: time.nowMs }, (gift) =>
    decideInvitation(gift, time),
  );
  return gift;
}

/** The reasons why a recipient gets no further e-mails, in a sentence. */
export const STOPPED_REASONS: Record<EmailsStopped, string> = {
  unsubscribed: "its recipient wants no e-mails about it",
  bounced:
    "the last e-mail was not delivered, so correct the address or renew the link with another one",
  complained: "its recipient has reported an e-mail as spam",
  stopped: "its e-mails were stopped",
};

/** The times of the gift's e-mails of this kind in the last 24 hours, which count for the limit. */
export const recentEmails = (
  kind: EmailKind,
  emails: ChangingGift["emails"],
  nowMs: number,
): number[] =>
  emails
    .filter(
      (email) =>
        email.kind === kind &&
        emailIs("countsAsSent", email) &&
        email.attemptedAtMs > nowMs - DAY_MS,
    )
    .map(({ attemptedAtMs }) => attemptedAtMs);

/** What the request changes. Errors: those of `requestInvitation`. */
export function decideInvitation(gift: ChangingGift, time: SendTime): OrderChange {
  const isBoughtCode = gift.giftOrderMethod === "api-purchase" && gift.delivery === "digital";
  if (isBoughtCode || gift.codeSentAtMs !== null) {
    if (time.sendAtMs > time.nowMs) throw invalidTime("must be left out: a code is sent at once");
    return decideCodeEmail(gift, time.nowMs);
  }
  requireLink(gift);
  const problem = invitationRefusal(gift, time);
  if (problem) throw problem;
  return { values: { sendAtMs: time.sendAtMs } };
}

/** Sends the gift's code again, at once. Errors: `not_allowed_in_state` and `too_many_requests`. */
export function decideCodeEmail(gift: ChangingGift, nowMs: number): OrderChange {
  const { codeSentAtMs, emailsStopped, erasedAtMs, emails } = gift;
  const number = toGiftNumber(gift.orderId, gift.sequence);
  if (codeSentAtMs === null || erasedAtMs !== null) {
    throw refusal(`${number} cannot be sent: it has no code.`);
  }
  if (emailsStopped !== null && isAddressRefused(emailsStopped)) {
    throw refusal(`${number} cannot be sent: ${STOPPED_REASONS[emailsStopped]}.`);
  }
  const problem = limitRefusal(number, recentEmails("code", emails, nowMs), nowMs);
  if (problem) throw problem;
  return { values: { sendAtMs: nowMs } };
}

/** Why the gift cannot be sent. Null if it can. */
export function invitationRefusal(
  gift: ChangingGift,
  { sendAtMs, nowMs }: SendTime,
): ApiError | null {
  const number = toGiftNumber(gift.orderId, gift.sequence);
  const { redemptionStatus, emails, emailsStopped, expiresAtMs } = gift;
  const ended =
    redemptionStatus === "redeemed" ? "its recipient has accepted it" : endedReason(gift, nowMs);
  const reason = ended ?? (emailsStopped && STOPPED_REASONS[emailsStopped]);
  if (reason !== null) return refusal(`${number} cannot be sent: ${reason}.`);
  const problem = sendAtProblem(sendAtMs, { nowMs, expiresAtMs });
  if (problem !== null) return invalidTime(problem);
  return limitRefusal(number, recentEmails("invitation", emails, nowMs), nowMs);
}

function limitRefusal(number: string, recentMs: readonly number[], nowMs: number) {
  if (recentMs.length < MAX_INVITATIONS_A_DAY) return null;
  const againMs = Math.min(...recentMs) + DAY_MS;
  const message =
    `${number} has been sent ${String(MAX_INVITATIONS_A_DAY)} times in 24 hours. ` +
    `It can be sent again from ${new Date(againMs).toISOString()}.`;
  const seconds = Math.ceil((againMs - nowMs) / SECOND_MS);
  return new ApiError("too_many_requests", message, undefined, seconds);
}

const invalidTime = (message: string) => validationError([{ field: "send_at", message }]);
