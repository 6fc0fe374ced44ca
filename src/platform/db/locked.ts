// Waits while another process writes to the local database, such as an operator's command while `npm start` runs.
import { isLocked } from "./faults.ts";
import { type Database, statement } from "./statement.ts";

/**
 * With `MAX_PAUSE_MS`, five seconds on average. Another process locks the database for one batch, at most half a
 * second.
 */
const MAX_TRIES = 200;
const MAX_PAUSE_MS = 50;

/**
 * Retries `call` while the database is locked. Wrangler's local D1 has no busy timeout, so a call fails at once while
 * another process writes. Reads fail too, because D1 writes a bookmark with them. The failed call has been rolled back,
 * so every call can be retried. A deployed database is never locked.
 */
export async function whenUnlocked<T>(call: () => Promise<T>, maxTries = MAX_TRIES): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === maxTries || !isLocked(error)) throw error;
      await pause();
    }
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));

const READ_SCHEMA = statement<object, { name: string }>()`SELECT name FROM sqlite_master LIMIT 1`;

/**
 * Reads from the database, so that it is open. If several processes open it at the same time, some of them fail with
 * SQLITE_BUSY_RECOVERY, which workerd reports as an internal error. Only a process's first call fails in this way, and
 * calls that write must not be retried after an internal error. So the first call reads.
 */
export async function openDatabase(db: Pick<Database, "prepare">): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await READ_SCHEMA.first(db, {});
      return;
    } catch (error) {
      const isInternal = error instanceof Error && error.message.includes("internal error");
      if (tries === MAX_TRIES || !(isInternal || isLocked(error))) throw error;
      await pause();
    }
  }
}
