// Records changes in the audit log, each in the transaction of the change.
import { withExtraSql } from "../../platform/db/wrapped-calls.ts";
import { lastSequenceOf } from "../../features/events/queries.ts";
import { type Fragment, fragment, sql } from "../../platform/db/sql.ts";
import { STATES, type Subjects, type SubjectType } from "./subjects.ts";

/** Who changes what. */
export interface AuditedChange {
  /** The operator's name. */
  actor: string;
  /** The command, such as `order cancel`. */
  action: string;
  /** The id of the confirmed request, which is carried out at most once. Null for a command. */
  requestId: string | null;
  /** Only one attempt carries out a request. Null for an attempt that carries out the rest of a gradual change. */
  attemptId?: string | null;
  /** A keyed digest of the operator, the action and the input. */
  requestFingerprint?: string | null;
  reason: string | null;
  /** The objects that the change may change, at most one element for each type. */
  subjects: readonly Subjects[];
  nowMs: number;
}

interface SubjectParams {
  type: SubjectType;
  /** JSON array. */
  keys: string;
}

type ChangeParams = Required<Omit<AuditedChange, "subjects">>;

/** The sequence of the last event of the client of object `t`. Null if the object has no client. */
const LAST_EVENT = fragment`iif(t.client_id IS NULL, NULL, ${lastSequenceOf(fragment`t.client_id`)})`;

/** The states of a client's or a month's objects may exceed the size of a row. */
const IN_PARTS = ["credential", "webhook", "statement"];
const PARTS = fragment`SELECT *, sum(length(state)) OVER (ROWS UNBOUNDED PRECEDING) / 500000 AS part`;

const snapshotOf = (part: Fragment<never>, states: Fragment<"keys">) => sql<SubjectParams>()`
  INSERT INTO audit_snapshots (subject_type, part, subjects)
  SELECT ${"type"}, ${part}, json_group_array(json_array(subject, client_id, order_id, state, ${LAST_EVENT}))
  FROM ${states}`;

const sqlOfStates = (type: string, states: Fragment<"keys">) => ({
  takeSnapshot: IN_PARTS.includes(type)
    ? snapshotOf(fragment`part`, fragment`(${PARTS} FROM (${states})) t GROUP BY part`)
    : snapshotOf(fragment`0`, fragment`(${states}) t`),

  // Compares the states before and after by sorting, so that the cost is linear. Equal states leave no entry.
  insertEntries: sql<SubjectParams & Omit<ChangeParams, "attemptId">>()`
    INSERT INTO audit_entries (created_at_ms, actor, action, request_id, request_fingerprint,
      subject_type, subject, client_id, order_id, reason, before, after, first_event, last_event)
    SELECT ${"nowMs"}, ${"actor"}, ${"action"}, ${"requestId"}, ${"requestFingerprint"}, ${"type"}, subject,
      max(client_id), max(order_id), ${"reason"}, max(before), max(after), min(event) + 1, max(event)
    FROM (
      SELECT b.value ->> 0 AS subject, b.value ->> 1 AS client_id, b.value ->> 2 AS order_id,
        b.value ->> 3 AS before, NULL AS after, b.value ->> 4 AS event
      FROM audit_snapshots s CROSS JOIN json_each(s.subjects) b WHERE s.subject_type = ${"type"}
      UNION ALL
      SELECT subject, client_id, order_id, NULL, state, ${LAST_EVENT} FROM (${states}) t)
    GROUP BY subject HAVING max(before) IS NOT max(after)`,
});

const SQL_BY_TYPE = Object.fromEntries(
  Object.entries(STATES).map(([type, states]) => [type, sqlOfStates(type, states)]),
) as Record<SubjectType, ReturnType<typeof sqlOfStates>>;

const DELETE_SNAPSHOT = sql<Pick<SubjectParams, "type">>()`
  DELETE FROM audit_snapshots WHERE subject_type = ${"type"}`;

// Violates the primary key if another attempt has carried out the request.
const INSERT_REQUEST = sql<Pick<ChangeParams, "requestId" | "attemptId">>()`
  INSERT INTO audit_requests (request_id, attempt_id) SELECT ${"requestId"}, ${"attemptId"}
  WHERE ${"attemptId"} IS NOT NULL AND EXISTS (SELECT 1 FROM audit_entries WHERE request_id = ${"requestId"}) AND NOT EXISTS
    (SELECT 1 FROM audit_requests WHERE request_id = ${"requestId"} AND attempt_id = ${"attemptId"})`;

/**
 * The database, which records what its writes change. An object that a transaction changes gets an entry in the same
 * transaction. A transaction that changes none of the objects, such as a repeated request, leaves no entry.
 */
export function auditedDatabase(d1: D1Database, { subjects, ...given }: AuditedChange): D1Database {
  const change = { requestFingerprint: null, attemptId: null, ...given };
  return withExtraSql(d1, (db) => {
    const each = subjects.map(({ type, keys }) => ({
      params: { ...change, type, keys: JSON.stringify(keys) },
      ...SQL_BY_TYPE[type],
    }));
    return {
      first: each.map(({ takeSnapshot, params }) => takeSnapshot.bind(db, params)),
      last: [
        ...each.flatMap(({ insertEntries, params }) => [
          insertEntries.bind(db, params),
          DELETE_SNAPSHOT.bind(db, params),
        ]),
        INSERT_REQUEST.bind(db, change),
      ],
    };
  });
}
