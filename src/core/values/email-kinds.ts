// The kinds and states of e-mails to recipients.

/**
 * The kinds, and whether they follow from the acceptance or the purchase. `last_days`: in the last week before the gift
 * expires. `code`: with the code of a digital gift.
 */
const CONCERNS_DELIVERY = {
  invitation: false,
  reminder: false,
  last_days: false,
  accepted: true,
  shipped: true,
  delivered: true,
  code: true,
};

export type EmailKind = keyof typeof CONCERNS_DELIVERY;
export const EMAIL_KINDS = Object.keys(CONCERNS_DELIVERY) as [EmailKind, ...EmailKind[]];

/** Whether no last day and no limit applies to the e-mail. */
export const concernsDelivery = (kind: EmailKind): boolean => CONCERNS_DELIVERY[kind];

/** Why a recipient gets no further e-mails, and whether the address is the reason: another address gets them again. */
const STOPS = { unsubscribed: false, bounced: true, complained: true, stopped: false };

export type EmailsStopped = keyof typeof STOPS;
export const EMAILS_STOPPED = Object.keys(STOPS) as [EmailsStopped, ...EmailsStopped[]];

export const isAddressRefused = (stopped: EmailsStopped | null): boolean =>
  stopped !== null && STOPS[stopped];

/** The reasons that are the address, for `IN` of SQL. */
export const ADDRESS_REFUSED = EMAILS_STOPPED.filter(isAddressRefused)
  .map((stopped) => `'${stopped}'`)
  .join(", ");

/**
 * `sending`: given to the e-mail service, whose answer is not stored yet. `retry`: an attempt follows. `failed`: not sent.
 * All others: what is known of a sent e-mail.
 */
export type EmailStatus = keyof typeof MEANINGS;

interface Meaning {
  /** The outcome is known, and no other attempt follows. */
  hasEnded: boolean;
  /** It counts for the limit of invitations. */
  countsAsSent: boolean;
  /** Its recipient has not got it, or has complained. An attempt or an answer may follow. */
  isProblem: boolean;
  /** Someone may have received it. */
  mayHaveArrived: boolean;
}

// Reports arrive in any order, and more than once. A status is replaced only by a later one of this list.
const MEANINGS = {
  sending: { hasEnded: false, countsAsSent: true, isProblem: true, mayHaveArrived: true },
  retry: { hasEnded: false, countsAsSent: false, isProblem: true, mayHaveArrived: false },
  sent: { hasEnded: true, countsAsSent: true, isProblem: false, mayHaveArrived: true },
  deferred: { hasEnded: true, countsAsSent: true, isProblem: true, mayHaveArrived: true },
  delivered: { hasEnded: true, countsAsSent: true, isProblem: false, mayHaveArrived: true },
  failed: { hasEnded: true, countsAsSent: false, isProblem: true, mayHaveArrived: false },
  rejected: { hasEnded: true, countsAsSent: true, isProblem: true, mayHaveArrived: false },
  bounced: { hasEnded: true, countsAsSent: true, isProblem: true, mayHaveArrived: false },
  complained: { hasEnded: true, countsAsSent: true, isProblem: true, mayHaveArrived: true },
} satisfies Record<string, Meaning>;

export const EMAIL_STATUSES = Object.keys(MEANINGS) as [EmailStatus, ...EmailStatus[]];

export const emailIs = (meaning: keyof Meaning, { status }: { status: EmailStatus }): boolean =>
  MEANINGS[status][meaning];
