// Whether the environment works.
import { plural } from "../../core/values/plural.ts";
import { checkAll, type Difference } from "../../features/health/check.ts";
import { type CheckResult, saveCheck } from "../../features/health/state-queries.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import {
  failingEndpoints,
  type Health,
  healthProblems,
  oldestDelivery,
  readHealthReport,
} from "./report.ts";

const MAX_ENDPOINTS = 50;

/** The differences of `full` that are shown. The database stores the first 20. */
const MAX_DIFFERENCES = 1_000;

/** Two round trips. With `full`, also one for each 2,500 rows of the database, and one to store the result. */
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
        title: "Failing and disabled endpoints",
        empty: "No endpoint fails or is disabled.",
        columns: {
          webhook: kinds.from("id", kinds.webhook("Webhook")),
          client: kinds.from("clientId", kinds.client("Client")),
          status: kinds.status("Status"),
          reason: kinds.from("disabledReason", kinds.text("Reason")),
          failing_since: kinds.from("failingSinceMs", kinds.time("Failing since")),
          due_since: kinds.from("dueSinceMs", kinds.time("Due since")),
        },
      },
    },
  },
  read: async (context, { full = false }) => {
    const { recordingDB, nowMs } = context;
    const lastCheck = full ? await runChecks(recordingDB, nowMs) : null;
    const report = await readHealthReport(context, nowMs);
    const health = lastCheck ? { ...report, lastCheck } : report;
    const problems = healthProblems(health, nowMs);
    const endpoints = failingEndpoints(health);
    return {
      text:
        problems.length === 0
          ? "Everything works."
          : `${problems.length === 1 ? "1 thing is" : `${String(problems.length)} things are`} wrong.`,
      hasProblems: problems.length > 0,
      warnings:
        endpoints.length > MAX_ENDPOINTS
          ? [
              `${plural(endpoints.length, "endpoint")} fail or are disabled. The list of webhooks has all.`,
            ]
          : [],
      facts: factsOf(health),
      lists: {
        ...(problems.length > 0 && { problems: problems.map((problem) => ({ problem })) }),
        differences: health.lastCheck?.differences ?? [],
        endpoints: endpoints.slice(0, MAX_ENDPOINTS),
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
