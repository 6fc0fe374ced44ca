// The kinds and states of e-mails to recipients.

/** `last_days`: in the last week before the gift expires. */
export const EMAIL_KINDS = ["invitation", "reminder", "last_days", "shipped"] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/**
 * `sending`: given to the e-mail service, whose answer is not stored yet. `retry`: an attempt follows. `failed`: not sent.
 * All others: what is known of a sent e-mail.
 */
export const EMAIL_STATUSES = [
  "sending",
  "retry",
  "failed",
  "sent",
  "deferred",
  "delivered",
  "bounced",
  "rejected",
  "complained",
] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];
