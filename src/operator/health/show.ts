// Whether the environment works.
import { EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { checkAll, type Difference } from "../../features/health/check.ts";
import { type CheckResult, saveCheck } from "../../features/health/state-queries.ts";
import { shownUrl } from "../../features/webhooks/url.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { listEmails } from "../email/queries.ts";
import { listWebhookPage } from "../webhook/queries.ts";
import { type Health, healthProblems, oldestDelivery, readHealthReport } from "./report.ts";

const MAX_SHOWN = 50;

/** The differences of `full` that are shown. The database stores the first 20. */
const MAX_DIFFERENCES = 1_000;

/** Two round trips, and two more at the same time. With `full`, also one for each 2,500 rows of the database, and one to store the result. */
export const healthShow = view({
  name: "health",
  title: "Health",
  description:
    "Whether the environment works: the cron handler, the checks of the invariants, webhooks, expiries and e-mails.",
  permission: "view",
  input: {
    full: kinds.optional(
      kinds.flag("Check all invariants now", {
        hint: "Reads the whole database, and stores the result for later calls and for GET /health.",
      }),
    ),
  },
  examples: ["--env production", "--full --json"],
  shape: {
    facts: {
      cron_succeeded: kinds.time("Last run of the cron handler"),
      checked: kinds.time("Last checks"),
      differences: kinds.count("Differences"),
      oldest_delivery: kinds.time("Oldest due delivery"),
      orders_to_expire: kinds.count("Orders due for expiry"),
      oldest_expiry: kinds.time("Oldest of them due since"),
      emails: kinds.text("E-mails"),
      email_fault: kinds.text("Code of the e-mail service"),
      emails_paused_until: kinds.time("Next attempt"),
      database_megabytes: kinds.text("Size of the database in MB"),
    },
    lists: {
      problems: { title: "What is wrong", columns: { problem: kinds.text("Problem") } },
      differences: {
        title: "Differences that the checks have found",
        empty: "The checks have found no difference.",
        columns: {
          check: kinds.text("Check"),
          object: kinds.text("Object"),
          client: kinds.from("clientId", kinds.client("Client")),
          field: kinds.text("Field"),
          expected: kinds.json("Expected"),
          found: kinds.json("Found"),
        },
      },
      endpoints: {
        title: "Failing webhooks",
        empty: "No webhook fails.",
        columns: {
          webhook: kinds.from("id", kinds.webhook("Webhook")),
          client: kinds.from("clientId", kinds.client("Client")),
          address: kinds.text("URL"),
          status: kinds.status("Status"),
          reason: kinds.from("disabledReason", kinds.status("Reason")),
          failing_since: kinds.from("failingSinceMs", kinds.time("Failing since")),
          answer: kinds.from("responseStatus", kinds.text("Last answer")),
          waiting: kinds.count("Waiting events"),
        },
      },
      emails: {
        title: "E-mails of the last seven days that did not arrive",
        columns: {
          gift: kinds.gift("Gift"),
          client: kinds.from("clientId", kinds.client("Client")),
          kind: kinds.choice("E-mail", EMAIL_KINDS),
          status: kinds.status("Status"),
          reason: kinds.status("Reason"),
          attempted: kinds.from("attemptedAtMs", kinds.time("Attempted")),
        },
      },
    },
  },
  read: async (context, { full = false }) => {
    const { recordingDB, nowMs } = context;
    const lastCheck = full ? await runChecks(recordingDB, nowMs) : null;
    const [report, failing, returned] = await Promise.all([
      readHealthReport(context, nowMs),
      listWebhookPage(context.DB, {
        clientId: null,
        shown: "failing",
        after: undefined,
        limit: MAX_SHOWN + 1,
      }),
      listEmails(context.DB, {
        clientId: null,
        sinceMs: nowMs - 7 * DAY_MS,
        nowMs,
        statuses: null,
        limit: MAX_SHOWN,
      }),
    ]);
    const health = lastCheck ? { ...report, lastCheck } : report;
    const problems = healthProblems(health, nowMs);
    return {
      text:
        problems.length === 0
          ? "Everything works."
          : `${problems.length === 1 ? "1 thing is" : `${String(problems.length)} things are`} wrong.`,
      hasProblems: problems.length > 0,
      warnings:
        failing.length > MAX_SHOWN ? ["More webhooks fail. The list of webhooks has all."] : [],
      facts: factsOf(health),
      lists: {
        ...(problems.length > 0 && { problems: problems.map((problem) => ({ problem })) }),
        differences: health.lastCheck?.differences ?? [],
        endpoints: failing.slice(0, MAX_SHOWN).map((each) => ({
          ...each,
          address: shownUrl(each.url),
          responseStatus: each.responseStatus === null ? null : String(each.responseStatus),
        })),
        ...(returned.length > 0 && {
          emails: returned.map((each) => ({
            ...each,
            gift: toGiftId(each.orderId, each.sequence),
          })),
        }),
      },
    };
  },
});

const factsOf = (health: Health) => ({
  cron_succeeded: health.cronSucceededAtMs,
  checked: health.lastCheck?.finishedAtMs ?? null,
  differences: health.lastCheck?.total ?? null,
  oldest_delivery: oldestDelivery(health),
  orders_to_expire: health.expiry.orders,
  oldest_expiry: health.expiry.sinceMs,
  emails: health.emails,
  email_fault: health.emails === "off" ? null : health.emailFault,
  emails_paused_until: health.emails === "off" ? null : health.emailsPausedUntilMs,
  database_megabytes:
    health.databaseBytes === null ? null : (health.databaseBytes / 1e6).toFixed(1),
});

/** Runs all checks, and stores their result. If they are interrupted, nothing is stored. */
async function runChecks(db: D1Database, nowMs: number): Promise<CheckResult> {
  const differences: Difference[] = [];
  let total = 0;
  for await (const chunk of checkAll(db)) {
    total += chunk.differences.length;
    differences.push(...chunk.differences.slice(0, MAX_DIFFERENCES - differences.length));
  }
  const result = { startedAtMs: nowMs, finishedAtMs: nowMs, total, differences };
  await saveCheck(db, result);
  return result;
}
