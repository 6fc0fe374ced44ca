// Schedules the next e-mail of a gift from the gift's state and its earlier e-mails.
import { countryOf } from "../../core/values/country.ts";
import { daytimeFrom, noonFrom } from "../../core/values/daytime.ts";
import {
  concernsDelivery,
  EMAIL_FACTS,
  emailIs,
  type EmailKind,
  isAddressRefused,
} from "../../core/values/email-kinds.ts";
import { emailOf } from "../../core/values/shipment-states.ts";
import { DAY_MS } from "../../core/values/time.ts";
import type { MailedGift } from "./queries.ts";

/** The largest number of invitations that are sent to a recipient in 24 hours. */
export const MAX_INVITATIONS_A_DAY = 3;

/** The largest number of e-mails that an address gets from a client in a day (UTC), apart from those about deliveries. */
export const MAX_TO_ADDRESS_A_DAY = 20;

/** A recipient who was invited less than this before is not reminded of the last day. */
const PAUSE_MS = 2 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

export interface ScheduledEmail {
  kind: EmailKind;
  /** From when the e-mail is to be sent. */
  dueMs: number;
  /** When the next attempt is. */
  atMs: number;
}

/**
 * The gift's next e-mail, or null if there is none: e-mails were stopped, the recipient was erased, or nothing follows. An
 * invitation comes before a reminder that is late.
 */
export function nextEmail(gift: MailedGift, nowMs: number): ScheduledEmail | null {
  const { inviteAtMs, emailsStopped, erasedAtMs, expiresAtMs } = gift;
  if (erasedAtMs !== null) return null;
  const isInvited = inviteAtMs !== null && emailsStopped === null;
  const [first] = [
    ...deliveryEmails(gift, nowMs),
    ...(isInvited ? linkEmails(gift, inviteAtMs, nowMs) : []),
  ]
    .map((email) => ({ ...email, atMs: attemptAt(gift, email, nowMs) }))
    .filter(({ kind, atMs }) => concernsDelivery(kind) || atMs < (expiresAtMs ?? Infinity))
    // Of those that are late, the first one of the list.
    .sort((a, b) => Math.max(a.atMs, nowMs) - Math.max(b.atMs, nowMs));
  return first ?? null;
}

/** The e-mail that the outbox will send, or null if it is not to look at the gift: the schedule has no time. */
export const plannedEmail = (gift: MailedGift, nowMs: number): ScheduledEmail | null =>
  gift.nextEmailMs === null ? null : nextEmail(gift, nowMs);

type PossibleEmail = Omit<ScheduledEmail, "atMs">;

const hasEnded = ({ emails }: MailedGift, kind: EmailKind, fromMs = 0) =>
  emails.some(
    (email) => email.kind === kind && email.dueMs >= fromMs && emailIs("hasEnded", email),
  );

/**
 * The e-mail about the present state of the shipment or, before it, the acceptance. The code is sent to each address that
 * has neither failed nor complained. Notices are for recipients who were invited or whose gift was bought outright. There is
 * none of more than a week ago, such as before the client switched these notices on.
 */
function deliveryEmails(gift: MailedGift, nowMs: number): PossibleEmail[] {
  const { giftOrderMethod, inviteAtMs, sendAtMs, emailsStopped } = gift;
  const kind = emailOf(gift.shipmentStatus) ?? "accepted";
  const { dueColumn, setting } = EMAIL_FACTS[kind];
  const atMs = gift[dueColumn];
  if (atMs === null) return [];
  const isCode = kind === "code";
  const isWantedAgain = isCode && sendAtMs !== null && sendAtMs > atMs;
  const dueMs = isWantedAgain ? sendAtMs : atMs;
  const isInvited = inviteAtMs !== null && invitedTimes(gift).length > 0;
  const isNoticed =
    emailsStopped === null &&
    (isInvited || giftOrderMethod === "api-purchase") &&
    dueMs > nowMs - WEEK_MS;
  const isReached = isCode ? !isAddressRefused(emailsStopped) : isNoticed;
  const isWanted = isWantedAgain || gift[setting] === 1;
  return isReached && isWanted && !hasEnded(gift, kind, dueMs) ? [{ kind, dueMs }] : [];
}

/**
 * The e-mails about its link that the gift still gets in its present state, now or later. The last week has its own
 * e-mail, so a reminder is sent only before it.
 */
function linkEmails(gift: MailedGift, inviteAtMs: number, nowMs: number): PossibleEmail[] {
  const { expiresAtMs, reminderDays } = gift;
  const [invitedAtMs] = invitedTimes(gift);
  const endMs = expiresAtMs ?? Infinity;
  const lastWeekMs = endMs - WEEK_MS;
  const isUnanswered = gift.redemptionStatus === null && gift.declinedAtMs === null;
  const isOpen = gift.orderStatus === "paid" && isUnanswered && endMs > nowMs;
  const emails: PossibleEmail[] = [];
  if (isOpen && !hasEnded(gift, "invitation", inviteAtMs)) {
    emails.push({ kind: "invitation", dueMs: inviteAtMs });
  }
  if (invitedAtMs === undefined) return emails;
  if (isOpen && reminderDays !== null && !hasEnded(gift, "reminder")) {
    const fromMs = invitedAtMs + reminderDays * DAY_MS;
    if (fromMs < lastWeekMs - PAUSE_MS) {
      emails.push({ kind: "reminder", dueMs: noonFrom(fromMs, countryOfGift(gift)) });
    }
  }
  if (isOpen && expiresAtMs !== null && !hasEnded(gift, "last_days", lastWeekMs)) {
    const fromMs = Math.max(lastWeekMs, invitedAtMs + PAUSE_MS);
    emails.push({ kind: "last_days", dueMs: noonFrom(fromMs, countryOfGift(gift)) });
  }
  return emails;
}

/** The times of the invitations, latest first. */
const invitedTimes = ({ emails }: MailedGift): number[] =>
  emails
    .filter((email) => email.kind === "invitation" && emailIs("hasEnded", email))
    .filter((email) => emailIs("countsAsSent", email))
    .map(({ attemptedAtMs }) => attemptedAtMs)
    .sort((a, b) => b - a);

/** Reminders are sent by day. A client that has advanced its clock in the sandbox does not wait for the day. */
function attemptAt(gift: MailedGift, { kind, dueMs }: PossibleEmail, nowMs: number): number {
  const retry = gift.emails.find(
    (email) => email.status === "retry" && email.kind === kind && email.dueMs === dueMs,
  );
  const atMs = Math.max(dueMs, retry?.nextAttemptAtMs ?? 0);
  if (concernsDelivery(kind)) return atMs;
  if (kind === "invitation") {
    const limitedBy = invitedTimes(gift)[MAX_INVITATIONS_A_DAY - 1];
    return limitedBy === undefined ? atMs : Math.max(atMs, limitedBy + DAY_MS);
  }
  return gift.clockMs > 0 ? atMs : daytimeFrom(Math.max(atMs, nowMs), countryOfGift(gift));
}

const countryOfGift = ({ addressCountry, baseLocation }: MailedGift): string =>
  countryOf(addressCountry ?? "") ?? baseLocation;
