// The present states of objects, as an entry of the audit log would store them.
import { sha256Hex } from "../../core/values/digest.ts";
import { batch, type Database, sql } from "../../platform/db/sql.ts";
import { STATES, type Subjects } from "./subjects.ts";

const selectStates = (type: Subjects["type"]) =>
  sql<{ keys: string }, { state: string }>()`SELECT state FROM (${STATES[type]})`;

/**
 * Objects that change only when somebody decides so. The states of others, such as accounts and stock, change with each
 * order.
 */
const SELECT_STATES = new Map(
  (["client", "credential", "order", "gift", "catalogue", "collection"] as const).map((type) => [
    type as Subjects["type"],
    selectStates(type),
  ]),
);

/** The number of objects of a type whose states are in memory at once. */
const MAX_KEYS = 5_000;

/**
 * Digests of the states of those objects that change only when somebody decides so. One round trip for each `MAX_KEYS`
 * objects of a type.
 */
export async function digestAuditedStates(
  db: Database,
  subjects: readonly Subjects[],
): Promise<string[]> {
  const digests: string[] = [];
  const longest = Math.max(0, ...subjects.map(({ keys }) => keys.length));
  for (let start = 0; start < longest; start += MAX_KEYS) {
    const statements = subjects.flatMap(({ type, keys }) => {
      const chunk = keys.slice(start, start + MAX_KEYS);
      const select = SELECT_STATES.get(type);
      return select && chunk.length > 0
        ? [[type, select.bind(db, { keys: JSON.stringify(chunk) })]]
        : [];
    });
    if (statements.length === 0) continue;
    const results = await batch(
      db,
      Object.fromEntries(statements) as Record<
        string,
        ReturnType<ReturnType<typeof selectStates>["bind"]>
      >,
    );
    const states = Object.values(results).flatMap(({ results: rows }) => rows);
    digests.push(await sha256Hex(JSON.stringify(states)));
  }
  return digests;
}
