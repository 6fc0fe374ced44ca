// `health`: whether the environment works: cron handler, checks of the invariants, webhooks, expiries and e-mails.
import type { Command } from "../command.ts";
import type { EndpointHealth } from "../../operator/health/queries.ts";
import {
  failingEndpoints,
  type Health,
  healthProblems,
  oldestDelivery,
  readHealthReport,
} from "../../operator/health/report.ts";
import { type CheckResult, saveCheck } from "../../features/health/state-queries.ts";
import { formatDateTime, optionalDateTime, SECOND_MS } from "../../core/values/time.ts";
import { differenceTable, findDifferences } from "../differences.ts";
import { Refusal } from "../../operator/refusal.ts";
import { print, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { fields, tableOf } from "../terminal.ts";

export function healthCommand(program: Command): void {
  program
    .command("health")
    .description("show whether the environment works, and exit with 1 if something is wrong")
    .option("--full", "first check all invariants, which reads the whole database")
    .details(
      `
\`--full\` compares each order, entry of a ledger and event with the others, in chunks of 500, and stores the result for
later calls and for GET /health. Run it every night (docs/OPERATING.md: Health). If it is interrupted, nothing is stored.

The exit code is 1 if the cron handler has not succeeded for 15 minutes, the last checks have found a difference, a
delivery, an expiry or an e-mail has been due for 15 minutes, the e-mail service refuses the sender of e-mails, or the
database has more than 8 GB.

Examples:
  npm run ops -- health --env production
  npm run -s ops -- health --full --json --env production`,
    )
    .action(async (options, command) => {
      await runCommand(command, async (env, writable) => {
        const full = options.full ? await runChecks(writable) : null;
        const nowMs = Date.now();
        const report = await readHealthReport(env, nowMs);
        const health = full ? { ...report, lastCheck: full } : report;
        const problems = healthProblems(health, nowMs);
        print(command, { ok: problems.length === 0, problems, ...health }, () =>
          textOf(health, nowMs),
        );
        if (problems.length > 0) throw new Refusal(problems.join("; "));
      });
    });
}

/** Runs all checks, and stores their result. Returns all differences, of which the database has the first ones. */
async function runChecks(db: D1Database): Promise<CheckResult> {
  const startedAtMs = Date.now();
  const differences = await findDifferences(db);
  const result = { startedAtMs, finishedAtMs: Date.now(), total: differences.length, differences };
  await saveCheck(db, result);
  return result;
}

function textOf(health: Health, nowMs: number): string {
  const { cronSucceededAtMs, lastCheck, expiry } = health;
  const differences = lastCheck?.differences ?? [];
  const bad = failingEndpoints(health);
  const parts = [
    fields({
      "Cron handler": ageText(cronSucceededAtMs, nowMs),
      "Last checks": lastCheck
        ? `${plural(lastCheck.total, "difference")}, finished ${formatDateTime(lastCheck.finishedAtMs)}`
        : "none",
      "Oldest due delivery": ageText(oldestDelivery(health), nowMs),
      "Orders due for expiry": `${String(expiry.orders)}, oldest ${ageText(expiry.sinceMs, nowMs)}`,
      "E-mails": emailText(health),
      "Size of the database": sizeText(health.databaseBytes),
    }),
    ...(differences.length > 0 ? [differenceTable(differences)] : []),
    ...(bad.length > 0 ? [endpointTable(bad)] : []),
  ];
  return parts.join("\n\n");
}

function ageText(ms: number | null, nowMs: number): string {
  if (ms === null) return "none";
  const seconds = Math.max(0, Math.round((nowMs - ms) / SECOND_MS));
  return `${formatDateTime(ms)} (${plural(seconds, "second")} ago)`;
}

function emailText({ emails, emailFault, emailsPausedUntilMs }: Health): string {
  if (emails === "off" || emailFault === null) return emails;
  return `${emails}, ${emailFault}, next attempt ${optionalDateTime(emailsPausedUntilMs) ?? "now"}`;
}

const sizeText = (bytes: number | null) =>
  bytes === null ? "-" : `${(bytes / 1e6).toFixed(1)} MB`;

const endpointTable = (endpoints: EndpointHealth[]) =>
  tableOf(endpoints, {
    ENDPOINT: (each) => each.id,
    CLIENT: (each) => each.clientId,
    STATUS: (each) => each.status,
    REASON: (each) => each.disabledReason,
    "FAILING SINCE": (each) => optionalDateTime(each.failingSinceMs),
  });
