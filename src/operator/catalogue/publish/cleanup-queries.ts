// The statements that delete old versions, and rows that interrupted publications have staged.
import { type Database, type Statement, statement } from "../../../platform/db/statement.ts";

interface UpTo {
  catalogueId: number;
  lastVersion: number;
}

// Each step looks up the next version, so the entries of the versions that are kept are not all read.
const SELECT_OLD_VERSIONS = statement<UpTo, { version: number }>()`
  WITH RECURSIVE seen (version) AS (
    SELECT min(version) FROM catalogue_entries WHERE catalogue_id = ${"catalogueId"}
    UNION ALL
    SELECT (SELECT min(e.version) FROM catalogue_entries e
      WHERE e.catalogue_id = ${"catalogueId"} AND e.version > seen.version)
    FROM seen WHERE seen.version IS NOT NULL)
  SELECT version FROM seen WHERE version <= ${"lastVersion"} AND version NOT IN
    (SELECT version FROM catalogue_versions WHERE catalogue_id = ${"catalogueId"})`;

// D1 has no DELETE with a LIMIT, so the rows are selected by their keys.

const DELETE_ENTRIES = statement<{ catalogueId: number; version: number; limit: number }>()`
  DELETE FROM catalogue_entries
  WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} AND product_id IN (
    SELECT product_id FROM catalogue_entries
    WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} LIMIT ${"limit"})`;

const DELETE_INDEX = statement<UpTo>()`
  DELETE FROM catalogue_index
  WHERE catalogue_id = ${"catalogueId"} AND version <= ${"lastVersion"} AND version NOT IN
    (SELECT version FROM catalogue_versions WHERE catalogue_id = ${"catalogueId"})`;

const DELETE_STAGED_STOCK = statement<UpTo & { limit: number }>()`
  DELETE FROM staged_stock WHERE (catalogue_id, version, product_id, variation_id) IN (
    SELECT catalogue_id, version, product_id, variation_id FROM staged_stock
    WHERE catalogue_id = ${"catalogueId"} AND version <= ${"lastVersion"} LIMIT ${"limit"})`;

const DELETE_STAGED_CHUNKS = statement<UpTo>()`
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
  for (const { version } of await SELECT_OLD_VERSIONS.all(db, upTo)) {
    await deleteInSteps(db, DELETE_ENTRIES, { catalogueId, version });
  }
  await DELETE_INDEX.bind(db, upTo).run();
  await deleteInSteps(db, DELETE_STAGED_STOCK, upTo);
  await DELETE_STAGED_CHUNKS.bind(db, upTo).run();
}

async function deleteInSteps<Params extends { limit: number }>(
  db: Database,
  deletion: Statement<Params, never>,
  params: Omit<Params, "limit">,
): Promise<void> {
  for (;;) {
    const { meta } = await deletion.bind(db, { ...params, limit: MAX_ROWS } as Params).run();
    if (meta.changes < MAX_ROWS) return;
  }
}
