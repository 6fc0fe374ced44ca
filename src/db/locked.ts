// A local database that another process is writing to: `npm start` beside a command, or two commands.
import { isLocked } from "./faults.ts";

/** Five seconds on average. Whoever has the lock keeps it for a batch, half a second at most. */
const MAX_TRIES = 200;
const MAX_PAUSE_MS = 50;

/**
 * Repeats `call` while the database is locked. wrangler's local D1 has no busy timeout: while another process
 * writes, a call fails at once. Reads fail as well, since D1 writes a bookmark with them. A call that failed so has
 * been rolled back whole, so that every call may be repeated. A deployed database is never locked.
 */
export async function whenUnlocked<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (tries === MAX_TRIES || !isLocked(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * MAX_PAUSE_MS));
    }
  }
}
