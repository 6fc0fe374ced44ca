import { plural } from "../../core/values/plural.ts";

export const HOME = {
  title: "Home",
  tiles: {
    toShip: "Gifts to ship",
    late: "Waiting for more than two days",
    failingWebhooks: "Failing webhooks",
    failedEmails: "E-mails that failed in the last seven days",
    unpaid: "Unpaid orders",
    lowAccounts: "Accounts with low credit",
    health: "Health",
  },
  healthy: "OK",
  cronLate: "The cron handler is late",
  differences: (count: number) => plural(count, "difference"),
} as const;
