// The kinds and states of e-mails to recipients.

/** `last_days`: in the last week before the gift expires. */
export const EMAIL_KINDS = ["invitation", "reminder", "last_days", "shipped"] as const;
export type EmailKind = (typeof EMAIL_KINDS)[number];

/** `retry`: another attempt follows. `failed`: not sent. All others: what is known of a sent e-mail. */
export const EMAIL_STATUSES = [
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
