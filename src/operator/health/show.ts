// Whether the environment works.
import { LAST_CLIENT_ID, toGiftId } from "../../core/values/ids.ts";
import { plural } from "../../core/values/plural.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { checkAll, type Difference } from "../../features/health/check.ts";
import { type CheckResult, saveCheck } from "../../features/health/state-queries.ts";
import { view } from "../declaration/declare.ts";
import * as kinds from "../declaration/kinds.ts";
import { emailList } from "../email/list.ts";
import { listEmails } from "../email/queries.ts";
import { webhookList, webhookRow } from "../webhook/list.ts";
import { listWebhookPage } from "../webhook/queries.ts";
import { type Health, healthProblems, readHealthReport } from "./report.ts";

const MAX_SHOWN = 50;

/** The columns without personal data. */
const { gift, client, kind, status, reason, attempted } = emailList.columns;

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
      cron_succeeded: kinds.from("cronSucceededAtMs", kinds.time("Last run of the cron handler")),
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
          client,
          field: kinds.text("Field"),
          expected: kinds.json("Expected"),
          found: kinds.json("Found"),
        },
      },
      endpoints: {
        title: "Failing webhooks",
        empty: "No webhook fails.",
        columns: webhookList.columns,
      },
      emails: {
        title: "E-mails of the last seven days that did not arrive",
        columns: { gift, client, kind, status, reason, attempted },
      },
    },
  },
  read: async (context, { full = false }) => {
    const { recordingDB, nowMs } = context;
    const lastCheck = full ? await runChecks(recordingDB, nowMs) : null;
    const [report, failing, returned] = await Promise.all([
      readHealthReport(context, nowMs),
      listWebhookPage(context.DB, "failing", {
        clientId: "",
        id: 0,
        lastClientId: LAST_CLIENT_ID,
        limit: MAX_SHOWN + 1,
      }),
      listEmails(context.DB, {
        clientId: null,
        sinceMs: nowMs - 7 * DAY_MS,
        nowMs,
        statuses: null,
        limit: MAX_SHOWN + 1,
      }),
    ]);
    const health = lastCheck ? { ...report, lastCheck } : report;
    const problems = healthProblems(health, nowMs);
    const shown = { problem: problems, "failing webhook": failing, "undelivered e-mail": returned };
    const found = Object.entries(shown).flatMap(([noun, { length }]) => countText(noun, length));
    return {
      text: found.length === 0 ? "Everything works." : `Found: ${found.join(", ")}.`,
      hasProblems: problems.length > 0,
      facts: factsOf(health),
      lists: {
        ...(problems.length > 0 && { problems: problems.map((problem) => ({ problem })) }),
        differences: health.lastCheck?.differences ?? [],
        endpoints: failing.slice(0, MAX_SHOWN).map(webhookRow),
        ...(returned.length > 0 && {
          emails: returned.slice(0, MAX_SHOWN).map((each) => ({
            ...each,
            gift: toGiftId(each.orderId, each.sequence),
          })),
        }),
      },
    };
  },
});

/** Empty for none. */
const countText = (noun: string, count: number) =>
  count > MAX_SHOWN ? `more than ${plural(MAX_SHOWN, noun)}` : count > 0 ? plural(count, noun) : [];

const factsOf = (health: Health) => ({
  ...health,
  checked: health.lastCheck?.finishedAtMs ?? null,
  differences: health.lastCheck?.total ?? null,
  oldest_delivery:
    health.endpoints.flatMap(({ dueSinceMs }) => dueSinceMs ?? []).toSorted((a, b) => a - b)[0] ??
    null,
  orders_to_expire: health.expiry.orders,
  oldest_expiry: health.expiry.sinceMs,
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
