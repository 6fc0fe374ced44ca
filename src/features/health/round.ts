// Rounds of checks over the whole database, some chunks in each run of the cron handler.
import type { Database } from "../../platform/db/statement.ts";
import { logEvent, logFault } from "../../platform/log.ts";
import { HOUR_MS } from "../../core/values/time.ts";
import { checkChunk } from "./check.ts";
import type { ChunkSize } from "./check-queries.ts";
import { type HealthState, readHealth, type Round, saveRounds } from "./state-queries.ts";

/** A round starts at most once in this time. In a large database, it takes longer. */
export const ROUND_INTERVAL_MS = HOUR_MS;

/** A chunk reads a few thousand rows, or the ledgers of a client. Other statements wait for it. */
export const CHUNK: ChunkSize = { limit: 200, largest: 5_000 };

/** A run starts no further chunk after this number of rows or chunks. A round of a small database takes one run. */
const MAX_ROWS_READ = 5_000;
const MAX_CHUNKS = 12;

/** The number of differences that a round records. */
const MAX_RECORDED = 20;

const startRound = (startedAtMs: number): Round => ({
  startedAtMs,
  finishedAtMs: null,
  position: null,
  total: 0,
  differences: [],
});

/**
 * Continues the round in progress, or starts one. Logs the result of a round that ends. A run that is killed, or that
 * another run overtakes, is repeated from the last saved position. Returns the state afterwards.
 */
export async function continueRound(db: Database, nowMs: number): Promise<HealthState> {
  const before = await readHealth(db);
  const lastMs = before.lastRound?.startedAtMs;
  if (!before.round && lastMs !== undefined && Math.abs(nowMs - lastMs) < ROUND_INTERVAL_MS) {
    return before;
  }
  const round = before.round ? structuredClone(before.round) : startRound(nowMs);
  for (let chunks = 0, rows = 0; chunks < MAX_CHUNKS && rows < MAX_ROWS_READ; chunks++) {
    const { differences, next, rowsRead } = await checkChunk(db, round.position, CHUNK);
    rows += rowsRead;
    round.total += differences.length;
    round.differences.push(...differences.slice(0, MAX_RECORDED - round.differences.length));
    round.position = next;
    if (!next) {
      round.finishedAtMs = nowMs;
      break;
    }
  }
  const isOver = round.finishedAtMs !== null;
  const after = isOver ? { ...before, round: null, lastRound: round } : { ...before, round };
  // Another run that has saved its state has also logged it.
  const isSaved = await saveRounds(db, before, after);
  if (isOver && isSaved) logRound(round);
  return after;
}

function logRound({ startedAtMs, total, differences }: Round): void {
  logEvent("invariants.checked", { startedAtMs, total });
  if (total > 0) logFault("invariants.broken", `${total} differences`, { total, differences });
}
