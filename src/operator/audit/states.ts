// The present states of objects, as an entry of the audit log would store them.
import { batch, type Database, statement } from "../../platform/db/statement.ts";
import { STATES, type Subjects } from "./subjects.ts";

const selectStates = (type: Subjects["type"]) =>
  statement<{ keys: string }, { state: string }>()`SELECT state FROM (${STATES[type]})`;

/**
 * Objects that change only when somebody decides so. The states of others, such as accounts and stock, change with each
 * order.
 */
const SELECT_STATES = {
  client: selectStates("client"),
  credential: selectStates("credential"),
  order: selectStates("order"),
  gift: selectStates("gift"),
  catalogue: selectStates("catalogue"),
};

const isDecided = (type: string): type is keyof typeof SELECT_STATES => type in SELECT_STATES;

/** The states of those objects that change only when somebody decides so. At most one round trip. */
export async function readAuditedStates(
  db: Database,
  subjects: readonly Subjects[],
): Promise<string[]> {
  const statements = subjects.flatMap(({ type, keys }) =>
    isDecided(type) ? [[type, SELECT_STATES[type].bind(db, { keys: JSON.stringify(keys) })]] : [],
  );
  if (statements.length === 0) return [];
  const results = await batch(
    db,
    Object.fromEntries(statements) as Record<string, ReturnType<typeof SELECT_STATES.gift.bind>>,
  );
  return Object.values(results).flatMap(({ results: rows }) => rows.map(({ state }) => state));
}
