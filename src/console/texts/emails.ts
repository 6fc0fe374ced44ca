export const EMAILS = {
  title: "E-mails",
  intro: (days: number) =>
    `E-mails that were attempted or have failed in the last ${String(days)} days, newest first.`,
  client: "Client",
  status: "Status",
  problem: "every problem",
  caption: "Newest first",
  empty: "No e-mails match. Every e-mail was sent, or choose another status or client.",
  more: "There are more. Filter by a client or a status.",
  gift: "Gift",
  kind: "E-mail",
  reason: "Reason",
  attempts: "Attempts",
  attempted: "Last attempt",
  next: "Next attempt",
} as const;
