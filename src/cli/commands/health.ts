// `health`: whether the environment works: cron handler, checks of the invariants, webhooks, expiries and e-mails.
import type { Command } from "../command.ts";
import type { EndpointHealth } from "../../operator/health/queries.ts";
import {
  failingEndpoints,
  type FullRound,
  type Health,
  healthProblems,
  oldestDelivery,
  readHealthReport,
} from "../../operator/health/report.ts";
import { formatDateTime, optionalDateTime, SECOND_MS } from "../../core/values/time.ts";
import { differenceTable, findDifferences } from "../differences.ts";
import { Refusal } from "../../operator/refusal.ts";
import { print, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { fields, tableOf } from "../terminal.ts";

/** Null without --full. */
type WithFullRound = Health & { fullRound: FullRound | null };

export function healthCommand(program: Command): void {
  program
    .command("health")
    .description("show whether the environment works, and exit with 1 if something is wrong")
    .option("--full", "also run all checks of the invariants now, which reads the whole database")
    .details(
      `
The cron handler checks the invariants in chunks. A round takes a minute in a small database and days in a large
one. \`--full\` checks everything at once, also the histories of clients that are too large for the cron handler.

The exit code is 1 if the cron handler has not succeeded for 15 minutes, the last round of checks or the full one has
found a difference, a delivery, an expiry or an e-mail has been due for 15 minutes, the e-mail service refuses the
sender of e-mails, or the database has more than 8 GB.

Examples:
  npm run ops -- health --env production
  npm run -s ops -- health --full --json --env production`,
    )
    .action(async ({ full = false }, command) => {
      await runCommand(command, async (env) => {
        const nowMs = Date.now();
        const report = await readHealthReport(env, nowMs);
        const fullRound = full ? await runFullRound(env.DB, nowMs) : null;
        const health = { ...report, fullRound };
        const problems = healthProblems(health, nowMs, fullRound ?? report.lastRound);
        print(command, { ok: problems.length === 0, problems, ...health }, () =>
          textOf(health, nowMs),
        );
        if (problems.length > 0) throw new Refusal(problems.join("; "));
      });
    });
}

async function runFullRound(db: D1Database, startedAtMs: number): Promise<FullRound> {
  const differences = await findDifferences(db);
  return { startedAtMs, finishedAtMs: Date.now(), total: differences.length, differences };
}

function textOf(health: WithFullRound, nowMs: number): string {
  const { cronSucceededAtMs, lastRound, round, fullRound, expiry } = health;
  const { differences } = fullRound ?? lastRound ?? { differences: [] };
  const bad = failingEndpoints(health);
  const parts = [
    fields({
      "Cron handler": ageText(cronSucceededAtMs, nowMs),
      "Last round of checks": roundText(lastRound),
      ...(round && { "Round in progress": `since ${formatDateTime(round.startedAtMs)}` }),
      ...(fullRound && { "Full round": roundText(fullRound) }),
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

function roundText(round: FullRound | null): string {
  if (round?.finishedAtMs == null) return "none";
  return `${plural(round.total, "difference")}, finished ${formatDateTime(round.finishedAtMs)}`;
}

function emailText({ emails, emailFault, emailsPausedUntilMs }: WithFullRound): string {
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
