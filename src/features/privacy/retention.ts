// Erases the personal data of orders whose retention period has passed. The cron handler calls it.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import { listDueGifts, writeErasure } from "./queries.ts";

/** The maximum number of recipients in a run, so that it occupies the database only for some milliseconds. */
export const ERASED_PER_RUN = 1_000;

/**
 * Erases a part of the data that is due. Later runs erase the rest. It may be killed at any time, and two runs may
 * overlap. One round trip if nothing is due, otherwise two.
 */
export async function eraseDue(db: Database, nowMs: number): Promise<void> {
  const ids = await listDueGifts(db, nowMs, ERASED_PER_RUN);
  if (ids.length > 0) await retrying(() => writeErasure(db, ids, nowMs));
}
