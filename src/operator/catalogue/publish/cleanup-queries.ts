// The statements that delete old versions, and rows that interrupted publications have staged.
import { type Database, fragment, type Sql, sql } from "../../../platform/db/sql.ts";

interface UpTo {
  catalogueId: number;
  lastVersion: number;
}

const UNUSED = fragment`catalogue_id = ${"catalogueId"} AND version <= ${"lastVersion"}
  AND version NOT IN (SELECT version FROM catalogue_versions WHERE catalogue_id = ${"catalogueId"})`;

// D1 has no DELETE with a LIMIT, so the rows are selected by their keys.

const DELETE_ENTRIES = sql<UpTo & { limit: number }>()`
  DELETE FROM catalogue_entries WHERE (catalogue_id, version, product_id) IN (
    SELECT catalogue_id, version, product_id FROM catalogue_entries
    WHERE ${UNUSED} LIMIT ${"limit"})`;

const DELETE_INDEX = sql<UpTo>()`DELETE FROM catalogue_index WHERE ${UNUSED}`;

const DELETE_STAGED_STOCK = sql<UpTo & { limit: number }>()`
  DELETE FROM staged_stock WHERE (catalogue_id, version, product_id, variation_id) IN (
    SELECT catalogue_id, version, product_id, variation_id FROM staged_stock
    WHERE catalogue_id = ${"catalogueId"} AND version <= ${"lastVersion"} LIMIT ${"limit"})`;

const DELETE_STAGED_CHUNKS = sql<UpTo>()`
  DELETE FROM staged_chunks
  WHERE catalogue_id = ${"catalogueId"} AND version <= ${"lastVersion"}`;

/**
 * The maximum number of rows that a statement deletes. D1 limits a statement to 30 seconds, and orders wait meanwhile.
 */
const MAX_ROWS = 5_000;

/**
 * Deletes rows of publications up to `lastVersion`: the entries and the index of all versions except the current and the previous
 * one, and all staged rows. Call it only when none of these publications can still complete.
 */
export async function deleteOldRows(
  db: Database,
  catalogueId: number,
  lastVersion: number,
): Promise<void> {
  const upTo = { catalogueId, lastVersion };
  await deleteInSteps(db, DELETE_ENTRIES, upTo);
  await DELETE_INDEX.bind(db, upTo).run();
  await deleteInSteps(db, DELETE_STAGED_STOCK, upTo);
  await DELETE_STAGED_CHUNKS.bind(db, upTo).run();
}

async function deleteInSteps(
  db: Database,
  deletion: Sql<UpTo & { limit: number }, never>,
  params: UpTo,
): Promise<void> {
  for (;;) {
    const { meta } = await deletion.bind(db, { ...params, limit: MAX_ROWS }).run();
    if (meta.changes < MAX_ROWS) return;
  }
}
