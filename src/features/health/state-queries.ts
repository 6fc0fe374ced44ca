// The state of the cron handler and of its checks: one row.
import { type Database, statement } from "../../platform/db/statement.ts";
import type { Difference, Position } from "./check.ts";

/** A round over all checks. */
export interface Round {
  startedAtMs: number;
  /** Null while the round is in progress. */
  finishedAtMs: number | null;
  /** The next chunk. Null at the start and at the end. */
  position: Position | null;
  /** The number of differences, of which `differences` has the first ones. */
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
  /** The round in progress. */
  round: Round | null;
  lastRound: Round | null;
}

type HealthRow = Record<"round" | "lastRound", string | null> &
  Pick<HealthState, "cronSucceededAtMs"> &
  EmailState;

const SELECT_STATE = statement<object, HealthRow>()`
  SELECT h.cron_succeeded_at_ms AS cronSucceededAtMs, h.round, h.last_round AS lastRound,
    x.fault AS emailFault, x.paused_until_ms AS emailsPausedUntilMs,
    (SELECT min((SELECT min(w.due_ms) FROM email_wakes w WHERE w.client_id = c.id))
      FROM clients c WHERE c.status = 'active') AS emailsDueMs
  FROM health h CROSS JOIN email_outbox x`;

/** One round trip. Reads a row or two for each client. */
export async function readHealth(db: Database): Promise<HealthState> {
  const row = await SELECT_STATE.first(db, {});
  if (!row) throw new Error("the table health has no row");
  const parse = (json: string | null) => (json === null ? null : (JSON.parse(json) as Round));
  return { ...row, round: parse(row.round), lastRound: parse(row.lastRound) };
}

type RoundsUpdate = Record<
  "round" | "lastRound" | "roundBefore" | "lastRoundBefore",
  string | null
>;

// The guard: no other run has saved a round since the state was read.
const UPDATE_ROUNDS = statement<RoundsUpdate>()`
  UPDATE health SET round = ${"round"}, last_round = ${"lastRound"}
  WHERE round IS ${"roundBefore"} AND last_round IS ${"lastRoundBefore"}`;

/** Saves the rounds, unless another run has done so since `before` was read. Returns whether it has. One round trip. */
export async function saveRounds(
  db: Database,
  before: HealthState,
  after: HealthState,
): Promise<boolean> {
  const json = (value: Round | null) => value && JSON.stringify(value);
  const { meta } = await UPDATE_ROUNDS.bind(db, {
    round: json(after.round),
    lastRound: json(after.lastRound),
    roundBefore: json(before.round),
    lastRoundBefore: json(before.lastRound),
  }).run();
  return meta.changes > 0;
}

const UPDATE_CRON = statement<{ nowMs: number }>()`
  UPDATE health SET cron_succeeded_at_ms = ${"nowMs"}`;

/** Records a successful run of the cron handler. One round trip. */
export async function saveCronSuccess(db: Database, nowMs: number): Promise<void> {
  await UPDATE_CRON.bind(db, { nowMs }).run();
}
