// Records in the audit log that an operator has read personal data.
import { type Database, rawSql, sql } from "../../platform/db/sql.ts";
import type { AuditedChange } from "./audited.ts";
import { STATES, type Subjects } from "./subjects.ts";

/** Who has read which personal data. */
export interface Reading extends Pick<
  AuditedChange,
  "actor" | "action" | "requestId" | "reason" | "nowMs"
> {
  /** The gifts or orders whose data was read. */
  subjects: Extract<Subjects, { type: "gift" | "order" }>;
  /** What was done with the data. It contains no personal data. */
  state: object;
}

type ReadingParams = Omit<Reading, "subjects" | "state"> & { keys: string; state: string };

const insertEntries = (type: Reading["subjects"]["type"]) =>
  sql<ReadingParams>()`
  INSERT INTO audit_entries (created_at_ms, actor, action, request_id, subject_type, subject,
    client_id, order_id, reason, before, after)
  SELECT ${"nowMs"}, ${"actor"}, ${"action"}, ${"requestId"}, ${rawSql(`'${type}'`)}, g.subject,
    g.client_id, g.order_id, ${"reason"}, NULL, ${"state"}
  FROM (${STATES[type]}) g WHERE true ON CONFLICT DO NOTHING`;

const INSERT_ENTRIES = { gift: insertEntries("gift"), order: insertEntries("order") };

/** The statement that inserts an entry for each gift or order, once per request: a file may name one in several pages. */
export const bindReading = (
  db: Pick<Database, "prepare">,
  { subjects: { type, keys }, state, ...reading }: Reading,
) =>
  INSERT_ENTRIES[type].bind(db, {
    ...reading,
    keys: JSON.stringify(keys),
    state: JSON.stringify(state),
  });

/** Inserts an entry for each gift or order. One transaction. */
export async function recordReading(d1: D1Database, reading: Reading): Promise<void> {
  await bindReading(d1, reading).run();
}
