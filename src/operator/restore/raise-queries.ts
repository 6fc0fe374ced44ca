// The statements that raise the numbers of a restored database.
import { INSERT_EVENT, lastSequenceOf } from "../../features/events/queries.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { type LastIds, reservationOf } from "../region/queries.ts";

interface Room {
  room: number;
}

const RAISE_VERSIONS = sql<Room>()`
  UPDATE catalogues SET staged_version = staged_version + ${"room"}`;

const INSERT_RESTORED = sql<Room & { nowMs: number }>()`
  ${INSERT_EVENT}
  SELECT id, last + ${"room"}, 'data.restored', NULL, NULL, json_object('lastSequence', last), ${"nowMs"}
  FROM (SELECT c.id, ${lastSequenceOf(fragment`c.id`)} AS last FROM clients c)`;

// The next entries follow its id.
const RAISE_AUDIT_ENTRIES = sql<Room & { nowMs: number; actor: string }>()`
  INSERT INTO audit_entries (id, created_at_ms, actor, action, subject_type, subject, before, after)
  SELECT last + ${"room"}, ${"nowMs"}, ${"actor"}, 'restore finish', 'database', 'audit log',
    json_object('lastId', last), json_object('lastId', last + ${"room"})
  FROM (SELECT coalesce(max(id), 0) AS last FROM audit_entries)`;

/** Reserves the ids, and raises all sequences by `room`. Tells each client. One transaction. */
export async function raiseNumbers(
  db: Database,
  { ids, ...by }: Room & { ids: LastIds; actor: string; nowMs: number },
): Promise<void> {
  await db.batch([
    ...reservationOf(db, ids),
    RAISE_VERSIONS.bind(db, by),
    INSERT_RESTORED.bind(db, by),
    RAISE_AUDIT_ENTRIES.bind(db, by),
  ]);
}
