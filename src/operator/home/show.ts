// What happened, and what waits for operators.
import { plural } from "../../core/values/plural.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { type HealthState, readHealth } from "../../features/health/state-queries.ts";
import { emailHealth, MAX_CRON_AGE_MS } from "../../features/health/summary.ts";
import { type OperatorContext, view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { LATE_AFTER_MS, MAX_COUNTED } from "../shipment/count-queries.ts";
import { lastDays } from "./days.ts";
import { readOverview } from "./queries.ts";

export const HOME_FACTS = {
  to_ship: kinds.from("toShip", kinds.count("Gifts to ship")),
  late: kinds.count("Waiting for more than two days"),
  undelivered: kinds.count("Returned and failed parcels to decide on"),
  unpaid: kinds.count("Unpaid orders"),
  to_refund: kinds.from("toRefund", kinds.count("Orders to be refunded")),
  failing_webhooks: kinds.from("failingWebhooks", kinds.count("Failing webhooks")),
  failed_emails: kinds.from(
    "failedEmails",
    kinds.count("E-mails of the last seven days that did not arrive"),
  ),
  low_accounts: kinds.from("lowAccounts", kinds.count("Accounts with low credit")),
  low_codes: kinds.from("lowCodes", kinds.count("Products with fewer codes than a week's sales")),
  expiring_codes: kinds.from(
    "expiringCodes",
    kinds.count("Free codes that become void within 30 days"),
  ),
  health: kinds.text("Health"),
};

/** Two round trips, and one more if the days are not in KV. */
export const homeShow = view({
  name: "home",
  title: "Home",
  description: `What happened, up to ten minutes ago, and what waits for operators. Accepted and shipped gifts are counted on the day of their order. A count above ${String(MAX_COUNTED)} means that there are more.`,
  permission: "view",
  input: {},
  shape: {
    facts: HOME_FACTS,
    lists: {
      days: {
        title: "The last 30 days",
        columns: {
          day: kinds.day("Day in UTC"),
          orders: kinds.count("Orders"),
          accepted: kinds.count("Gifts accepted"),
          shipped: kinds.count("Gifts shipped"),
          failures: kinds.count("E-mails failed"),
        },
      },
    },
  },
  read: async (context) => {
    const { DB, nowMs } = context;
    const [counts, state, days] = await Promise.all([
      readOverview(DB, {
        readyBeforeMs: nowMs - LATE_AFTER_MS,
        failedSinceMs: nowMs - 7 * DAY_MS,
        nowMs: nowMs + 30 * DAY_MS,
      }),
      readHealth(DB),
      lastDays(context),
    ]);
    return { facts: { ...counts, health: healthText(context, state) }, lists: { days } };
  },
});

function healthText({ EMAIL_FROM, nowMs }: OperatorContext, state: HealthState): string {
  if (nowMs - (state.cronSucceededAtMs ?? 0) > MAX_CRON_AGE_MS) return "The cron handler is late";
  const emails = emailHealth({ EMAIL_FROM }, state, nowMs);
  if (emails === "refused" || emails === "late") return `E-mails are ${emails}`;
  const differences = state.lastCheck?.total ?? 0;
  return differences > 0 ? plural(differences, "difference") : "OK";
}
