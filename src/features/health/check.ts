// Runs the checks of the invariants, a chunk at a time.
import type { Database } from "../../platform/db/sql.ts";
import { type CheckedRow, CHECKS } from "./check-queries.ts";

/** A stored value that contradicts other data. It contains no personal data. */
export interface Difference {
  check: string;
  /** The key of the object, such as `42` for an order, or `acme/AUD/7` for an entry of the ledger. */
  object: string;
  clientId: string | null;
  field: string;
  expected: unknown;
  found: unknown;
}

interface CheckedChunk {
  differences: Difference[];
  rowsRead: number;
}

/**
 * Other statements wait for a chunk: 100 ms for orders of two gifts, 5 s for orders of 500, the largest ones. D1 allows
 * 1,000 statements for a request, which is enough for 2.5 million rows.
 */
const CHUNK_ROWS = 2_500;

/** Checks everything, in chunks of `limit` rows of a table. One round trip for each. */
export async function* checkAll(db: Database, limit = CHUNK_ROWS): AsyncGenerator<CheckedChunk> {
  for (const { name, start, statement } of CHECKS) {
    let after: string | undefined = start;
    while (after !== undefined) {
      const { results, meta }: D1Result<CheckedRow> = await statement
        .bind(db, { after, limit })
        .all<CheckedRow>();
      const differences = results.flatMap((row) => differencesOf(name, row));
      yield { differences, rowsRead: meta.rows_read };
      after = results.find(({ isLast }) => isLast)?.key;
    }
  }
}

function differencesOf(
  check: string,
  { key, clientId, expected, found }: CheckedRow,
): Difference[] {
  const foundValues = JSON.parse(found) as Record<string, unknown>;
  const object = Object.values(JSON.parse(key) as object).join("/");
  return Object.entries(JSON.parse(expected) as Record<string, unknown>)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(foundValues[field]))
    .map(([field, value]) => ({
      check,
      object,
      clientId,
      field,
      expected: value,
      found: foundValues[field],
    }));
}
