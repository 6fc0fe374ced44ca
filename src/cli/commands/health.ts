// `health`: whether the environment works: cron handler, checks of the invariants, webhooks, expiries and e-mails.
import type { Command } from "../command.ts";
import { type Backlogs, type EndpointHealth, readBacklogs } from "../../operator/health/queries.ts";
import { type HealthState, readHealth, type Round } from "../../features/health/state-queries.ts";
import { type EmailHealth, emailHealth, MAX_CRON_AGE_MS } from "../../features/health/summary.ts";
import { formatDateTime, MINUTE_MS, optionalDateTime, SECOND_MS } from "../../core/values/time.ts";
import { differenceTable, findDifferences } from "../differences.ts";
import { Refusal } from "../../operator/refusal.ts";
import { print, runCommand } from "../run.ts";
import { plural } from "../../core/values/plural.ts";
import { fields, tableOf } from "../terminal.ts";

/** Work that has been due for longer than this is overdue. The cron handler runs each minute. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** D1 allows 10 GB. */
const MAX_DATABASE_BYTES = 8e9;

/** The result of all checks. */
type FullRound = Omit<Round, "position">;

interface Health extends HealthState, Backlogs {
  emails: EmailHealth;
  /** Null without --full. */
  fullRound: FullRound | null;
}

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
        const { DB } = env;
        const nowMs = Date.now();
        const [state, backlogs] = [await readHealth(DB), await readBacklogs(DB, nowMs)];
        const fullRound = full ? await runFullRound(DB, nowMs) : null;
        const emails = emailHealth(env, state, nowMs);
        const health: Health = { ...state, ...backlogs, emails, fullRound };
        const problems = problemsOf(health, nowMs);
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

/** A sentence without a full stop for each thing that is wrong. */
function problemsOf(health: Health, nowMs: number): string[] {
  const { cronSucceededAtMs, endpoints, expiry, emails, emailFault, databaseBytes } = health;
  const isOld = (ms: number | null) => ms !== null && nowMs - ms > MAX_WAIT_MS;
  const waiting = endpoints.filter(({ dueSinceMs }) => isOld(dueSinceMs)).length;
  const round = health.fullRound ?? health.lastRound;
  const problems: [boolean, string][] = [
    [
      cronSucceededAtMs === null || nowMs - cronSucceededAtMs > MAX_CRON_AGE_MS,
      `the cron handler has not succeeded ${cronSucceededAtMs === null ? "yet" : `since ${formatDateTime(cronSucceededAtMs)}`}`,
    ],
    [(round?.total ?? 0) > 0, `the checks have found ${plural(round?.total ?? 0, "difference")}`],
    [waiting > 0, `${plural(waiting, "webhook endpoint")} with deliveries that are overdue`],
    [isOld(expiry.sinceMs), `${plural(expiry.orders, "order")} with gifts overdue for expiry`],
    [
      emails === "refused",
      `the e-mail service refuses the sender with ${String(emailFault)}: check EMAIL_FROM and its domain (docs/DEPLOYING.md: E-mail)`,
    ],
    [
      emails === "late",
      emailFault === null
        ? "e-mails are overdue: search the log for email.run_failed"
        : `e-mails are overdue, because the e-mail service refuses them with ${emailFault} (docs/OPERATING.md: Holds and limits)`,
    ],
    [(databaseBytes ?? 0) > MAX_DATABASE_BYTES, "the database has more than 8 of 10 GB"],
  ];
  return problems.flatMap(([isWrong, text]) => (isWrong ? [text] : []));
}

function textOf(health: Health, nowMs: number): string {
  const { cronSucceededAtMs, lastRound, round, fullRound, endpoints, expiry } = health;
  const { differences } = fullRound ?? lastRound ?? { differences: [] };
  const dueMs = endpoints.flatMap(({ dueSinceMs }) => dueSinceMs ?? []);
  const bad = endpoints.filter((each) => each.status === "disabled" || each.failingSinceMs);
  const parts = [
    fields({
      "Cron handler": ageText(cronSucceededAtMs, nowMs),
      "Last round of checks": roundText(lastRound),
      ...(round && { "Round in progress": `since ${formatDateTime(round.startedAtMs)}` }),
      ...(fullRound && { "Full round": roundText(fullRound) }),
      "Oldest due delivery": ageText(dueMs.length > 0 ? Math.min(...dueMs) : null, nowMs),
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
