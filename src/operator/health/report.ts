// What is wrong with the environment.
import { plural, shortList } from "../../core/values/plural.ts";
import { formatDateTime, MINUTE_MS } from "../../core/values/time.ts";
import { type HealthState, readHealth } from "../../features/health/state-queries.ts";
import { type EmailHealth, emailHealth, MAX_CRON_AGE_MS } from "../../features/health/summary.ts";
import type { OperatorBindings } from "../declaration/declare.ts";
import { type Backlogs, readBacklogs } from "./queries.ts";

/** Work that has been due for longer than this is overdue. The cron handler runs each minute. */
const MAX_WAIT_MS = 15 * MINUTE_MS;

/** D1 allows 10 GB. */
const MAX_DATABASE_BYTES = 8e9;

export interface Health extends HealthState, Backlogs {
  emails: EmailHealth;
}

/** Two round trips. */
export async function readHealthReport(env: OperatorBindings, nowMs: number): Promise<Health> {
  const [state, backlogs] = [await readHealth(env.DB), await readBacklogs(env.DB, nowMs)];
  return { ...state, ...backlogs, emails: emailHealth(env, state, nowMs) };
}

/** A sentence without a full stop for each thing that is wrong. */
export function healthProblems(health: Health, nowMs: number): string[] {
  const { cronSucceededAtMs, endpoints, expiry, emails, emailFault, databaseBytes } = health;
  const differences = health.lastCheck?.total ?? 0;
  const isOld = (ms: number | null) => ms !== null && nowMs - ms > MAX_WAIT_MS;
  const waiting = endpoints.filter(({ dueSinceMs }) => isOld(dueSinceMs));
  const named = waiting.map(({ id, clientId }) => `${String(id)} of ${clientId}`);
  const problems: [boolean, string][] = [
    [
      cronSucceededAtMs === null || nowMs - cronSucceededAtMs > MAX_CRON_AGE_MS,
      `the cron handler has not succeeded ${cronSucceededAtMs === null ? "yet" : `since ${formatDateTime(cronSucceededAtMs)}`}`,
    ],
    [differences > 0, `the checks have found ${plural(differences, "difference")}`],
    [
      waiting.length > 0,
      `${plural(waiting.length, "webhook")} with deliveries that are overdue: ${shortList(named, 3)}`,
    ],
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
