// The kinds and states of e-mails to recipients.

interface EmailFacts {
  /** What its recipient needs it for. */
  brings: "link" | "tracking" | "code";
  /** When the gift was accepted, shipped or delivered, and the setting that is 1 if it is sent. Null for other e-mails. */
  dueColumn: `${string}AtMs` | null;
  setting: string | null;
}

/** The kinds. `last_days`: in the last week before the gift expires. `code`: with the code of a digital gift. */
export const EMAIL_FACTS = {
  invitation: { brings: "link", dueColumn: null, setting: null },
  reminder: { brings: "link", dueColumn: null, setting: null },
  last_days: { brings: "link", dueColumn: null, setting: null },
  accepted: { brings: "link", dueColumn: "acceptedAtMs", setting: "notifyAccepted" },
  shipped: { brings: "tracking", dueColumn: "shippedAtMs", setting: "notifyShipped" },
  delivered: { brings: "link", dueColumn: "deliveredAtMs", setting: "notifyShipped" },
  code: { brings: "code", dueColumn: "codeSentAtMs", setting: "sendCodes" },
} as const satisfies Record<string, EmailFacts>;

export type EmailKind = keyof typeof EMAIL_FACTS;
export const EMAIL_KINDS = Object.keys(EMAIL_FACTS) as [EmailKind, ...EmailKind[]];

/** The e-mails that follow from the acceptance or the purchase. No last day and no limit applies to them. */
export type DeliveryEmail = {
  [Kind in EmailKind]: (typeof EMAIL_FACTS)[Kind]["dueColumn"] extends null ? never : Kind;
}[EmailKind];

export const concernsDelivery = (kind: EmailKind): kind is DeliveryEmail =>
  EMAIL_FACTS[kind].dueColumn !== null;

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

/** Whether the e-mail has not been attempted, because the e-mail service has refused all e-mails. */
export const isWaiting = ({ status, attempts }: { status: EmailStatus; attempts: number }) =>
  status === "retry" && attempts === 0;

export const emailIs = (meaning: keyof Meaning, { status }: { status: EmailStatus }): boolean =>
  MEANINGS[status][meaning];
