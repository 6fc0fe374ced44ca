// The state of the cron handler, and the result of the last checks of the invariants: one row.
import { type Database, sql } from "../../platform/db/sql.ts";
import type { Difference } from "./check.ts";

/** The result of all checks. */
export interface CheckResult {
  startedAtMs: number;
  finishedAtMs: number;
  /** The number of differences. The database stores only the first ones of them. */
  total: number;
  differences: Difference[];
}

export interface EmailState {
  /** The code with which the e-mail service refuses all e-mails. Null if it accepted the last one. */
  emailFault: string | null;
  /** The time of the next attempt after a refusal. */
  emailsPausedUntilMs: number | null;
  /** When the next e-mail is due. In the past if it is overdue. */
  emailsDueMs: number | null;
}

export interface HealthState extends EmailState {
  cronSucceededAtMs: number | null;
  /** Null if the checks have never run to their end. */
  lastCheck: CheckResult | null;
}

type HealthRow = Omit<HealthState, "lastCheck"> & { lastCheck: string | null };

const SELECT_STATE = sql<object, HealthRow>()`
  SELECT h.cron_succeeded_at_ms AS cronSucceededAtMs, h.last_check AS lastCheck,
    x.fault AS emailFault, x.paused_until_ms AS emailsPausedUntilMs,
    (SELECT min((SELECT min(s.next_email_ms) FROM gifts s WHERE s.client_id = c.id AND s.next_email_ms IS NOT NULL))
      FROM clients c WHERE c.status = 'active') AS emailsDueMs
  FROM health h CROSS JOIN email_outbox x`;

/** One round trip. Reads a row or two for each client. */
export async function readHealth(db: Database): Promise<HealthState> {
  const row = await SELECT_STATE.first(db, {});
  if (!row) throw new Error("the table health has no row");
  const { lastCheck } = row;
  return { ...row, lastCheck: lastCheck === null ? null : (JSON.parse(lastCheck) as CheckResult) };
}

const UPDATE_CHECK = sql<{ lastCheck: string }>()`
  UPDATE health SET last_check = ${"lastCheck"}`;

/** The number of differences that are stored. */
const MAX_STORED = 20;

/** Records the result of the checks. One round trip. */
export async function saveCheck(db: Database, result: CheckResult): Promise<void> {
  const differences = result.differences.slice(0, MAX_STORED);
  await UPDATE_CHECK.bind(db, { lastCheck: JSON.stringify({ ...result, differences }) }).run();
}

const UPDATE_CRON = sql<{ nowMs: number }>()`
  UPDATE health SET cron_succeeded_at_ms = ${"nowMs"}`;

/** Records a successful run of the cron handler. One round trip. */
export async function saveCronSuccess(db: Database, nowMs: number): Promise<void> {
  await UPDATE_CRON.bind(db, { nowMs }).run();
}
