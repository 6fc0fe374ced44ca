// Runs the checks of the invariants, a chunk at a time.
import type { Database } from "../../platform/db/statement.ts";
import { type CheckedRow, CHECKS, type ChunkSize } from "./check-queries.ts";

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

/** The next chunk of a round over all checks. */
export interface Position {
  check: string;
  /** JSON array: the key after which the chunk starts. */
  after: string;
}

export interface CheckedChunk {
  differences: Difference[];
  /** Null at the end of the round. */
  next: Position | null;
  rowsRead: number;
}

/** Checks the chunk at the position. Null is the start of a round. One round trip. The cost is linear in the size. */
export async function checkChunk(
  db: Database,
  position: Position | null,
  size: ChunkSize,
): Promise<CheckedChunk> {
  const index = CHECKS.findIndex(({ name }) => name === position?.check);
  const check = CHECKS[Math.max(index, 0)];
  if (!check) throw new Error("there are no checks");
  // If this release does not have the check of the position, the round starts again.
  const after = position && index >= 0 ? position.after : check.start;
  const { results, meta } = await check.statement.bind(db, { ...size, after }).all<CheckedRow>();
  const next = results.at(-1)?.next;
  const following = CHECKS[Math.max(index, 0) + 1];
  return {
    differences: results.flatMap((row) => differencesOf(check.name, row)),
    next: next
      ? { check: check.name, after: next }
      : following
        ? { check: following.name, after: following.start }
        : null,
    rowsRead: meta.rows_read,
  };
}

function differencesOf(
  check: string,
  { key, clientId, expected, found }: CheckedRow,
): Difference[] {
  const foundValues = JSON.parse(found) as Record<string, unknown>;
  const object = (JSON.parse(key) as unknown[]).join("/");
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

const COMPLETE: ChunkSize = { limit: 2_000, largest: Number.MAX_SAFE_INTEGER };

/** Checks everything, including the clients that are too large for the cron handler. */
export async function* checkAll(db: Database): AsyncGenerator<CheckedChunk> {
  let position: Position | null = null;
  do {
    const chunk: CheckedChunk = await checkChunk(db, position, COMPLETE);
    yield chunk;
    position = chunk.next;
  } while (position);
}
