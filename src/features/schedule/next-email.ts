// Schedules the next e-mail of a gift from the gift's state and its earlier e-mails.
import { countryOf } from "../../core/values/country.ts";
import { daytimeFrom, noonFrom } from "../../core/values/daytime.ts";
import {
  concernsDelivery,
  emailIs,
  type EmailKind,
  type EmailsStopped,
  type EmailStatus,
  isAddressRefused,
} from "../../core/values/email-kinds.ts";
import { DAY_MS } from "../../core/values/time.ts";

/** The largest number of invitations that are sent to a recipient in 24 hours. */
export const MAX_INVITATIONS_A_DAY = 3;

/** The largest number of e-mails that an address gets from a client in a day (UTC), apart from those about deliveries. */
export const MAX_TO_ADDRESS_A_DAY = 20;

/** A recipient who was invited less than this before is not reminded of the last day. */
const PAUSE_MS = 2 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** An e-mail that was sent or attempted, or that waits. */
interface EarlierEmail {
  kind: EmailKind;
  status: EmailStatus;
  dueMs: number;
  attemptedAtMs: number;
  nextAttemptAtMs: number | null;
}

/** A gift, as far as its e-mails depend on it. */
interface MailedGift {
  orderStatus: string;
  giftOrderMethod: string;
  redemptionStatus: string | null;
  declinedAtMs: number | null;
  expiresAtMs: number | null;
  /** From when the recipient is to be invited. Null if the partner sends the link. */
  inviteAtMs: number | null;
  /** From when the partner or the recipient wants the e-mail of the gift's state once more. */
  sendAtMs: number | null;
  /** 0 if the partner delivers the codes of the order. */
  sendCodes: 0 | 1;
  /** Null unless the gift has a code. */
  codeSentAtMs: number | null;
  emailsStopped: EmailsStopped | null;
  erasedAtMs: number | null;
  /** Null if the client wants no reminders. */
  reminderDays: number | null;
  notifyAccepted: 0 | 1;
  notifyShipped: 0 | 1;
  /** By how much the client has advanced its clock in the sandbox. */
  clockMs: number;
  /** Null unless the gift is accepted and not shipped. */
  acceptedAtMs: number | null;
  /** Null unless the gift is on its way. */
  shippedAtMs: number | null;
  /** Null unless the parcel was delivered. */
  deliveredAtMs: number | null;
  /** The country of the recipient's address, as a code or a name. */
  addressCountry: string | null;
  baseLocation: string;
  emails: EarlierEmail[];
}

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
    ...codeEmail(gift),
    ...noticeEmails(gift, nowMs),
    ...(isInvited ? linkEmails(gift, inviteAtMs, nowMs) : []),
  ]
    .map((email) => ({ ...email, atMs: attemptAt(gift, email, nowMs) }))
    .filter(({ kind, atMs }) => concernsDelivery(kind) || atMs < (expiresAtMs ?? Infinity))
    // Of those that are late, the first one of the list.
    .sort((a, b) => Math.max(a.atMs, nowMs) - Math.max(b.atMs, nowMs));
  return first ?? null;
}

type PossibleEmail = Omit<ScheduledEmail, "atMs">;

const hasEnded = ({ emails }: MailedGift, kind: EmailKind, fromMs = 0) =>
  emails.some(
    (email) => email.kind === kind && email.dueMs >= fromMs && emailIs("hasEnded", email),
  );

/** The e-mail with the gift's code. An address that has failed or complained gets none. */
function codeEmail(gift: MailedGift): PossibleEmail[] {
  const { codeSentAtMs, sendAtMs, sendCodes, emailsStopped } = gift;
  if (codeSentAtMs === null || isAddressRefused(emailsStopped)) return [];
  const isWantedAgain = sendAtMs !== null && sendAtMs > codeSentAtMs;
  const dueMs = isWantedAgain ? sendAtMs : codeSentAtMs;
  const isWanted = isWantedAgain || sendCodes === 1;
  return isWanted && !hasEnded(gift, "code", dueMs) ? [{ kind: "code", dueMs }] : [];
}

/**
 * The notice of the acceptance, the shipment or the delivery, for recipients who were invited or whose gift was bought
 * outright. There is none of more than a week ago, such as before the client switched these notices on.
 */
function noticeEmails(gift: MailedGift, nowMs: number): PossibleEmail[] {
  const { giftOrderMethod, inviteAtMs, emailsStopped, notifyAccepted, notifyShipped } = gift;
  const isInvited = inviteAtMs !== null && invitedTimes(gift).length > 0;
  if (emailsStopped !== null || !(isInvited || giftOrderMethod === "api-purchase")) return [];
  const notices = [
    ["accepted", gift.acceptedAtMs, notifyAccepted],
    ["shipped", gift.shippedAtMs, notifyShipped],
    ["delivered", gift.deliveredAtMs, notifyShipped],
  ] as const;
  return notices.flatMap(([kind, dueMs, isWanted]) =>
    dueMs !== null && isWanted === 1 && dueMs > nowMs - WEEK_MS && !hasEnded(gift, kind, dueMs)
      ? [{ kind, dueMs }]
      : [],
  );
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
