// Lists the audit log, for operators.
import { and, desc, eq, gte, isNotNull, lt, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { auditEntries } from "../../platform/db/schema.ts";
import { type Database, statement } from "../../platform/db/statement.ts";

/** The place of an entry in the list. */
export interface AuditPosition {
  createdAtMs: number;
  id: number;
}

export interface AuditFilter {
  clientId?: string | undefined;
  orderId?: number | undefined;
  actor?: string | undefined;
  /** The id of an entry, for all entries by the same operator. */
  actorOfEntry?: number | undefined;
  /** Written by this request. */
  requestId?: string | undefined;
  /** Without the entries that record what was read or created. */
  isChange?: true | undefined;
  /** Written at this time or later. */
  sinceMs?: number | undefined;
  /** Written before this time. */
  untilMs?: number | undefined;
  /** Only entries that the list shows after this one. */
  after?: AuditPosition | undefined;
  limit: number;
}

/** The entries that match, newest first. The rows read are linear in the entries, or in those of the order. */
export async function listAudit(d1: D1Database, filter: AuditFilter) {
  const {
    clientId,
    orderId,
    actor,
    actorOfEntry,
    requestId,
    isChange,
    sinceMs,
    untilMs,
    after,
    limit,
  } = filter;
  return drizzle(d1)
    .select()
    .from(auditEntries)
    .where(
      and(
        // An order has few entries. The plus sign keeps SQLite from reading the entries of its client.
        clientId === undefined
          ? undefined
          : orderId === undefined
            ? eq(auditEntries.clientId, clientId)
            : sql`+${auditEntries.clientId} = ${clientId}`,
        orderId === undefined ? undefined : eq(auditEntries.orderId, orderId),
        actor === undefined ? undefined : eq(auditEntries.actor, actor),
        actorOfEntry === undefined
          ? undefined
          : sql`${auditEntries.actor} =
              (SELECT named.actor FROM audit_entries named WHERE named.id = ${actorOfEntry})`,
        requestId === undefined ? undefined : eq(auditEntries.requestId, requestId),
        isChange && isNotNull(auditEntries.before),
        sinceMs === undefined ? undefined : gte(auditEntries.createdAtMs, sinceMs),
        untilMs === undefined ? undefined : lt(auditEntries.createdAtMs, untilMs),
        // The first condition is a range of the index.
        after && lte(auditEntries.createdAtMs, after.createdAtMs),
        after &&
          sql`(${auditEntries.createdAtMs}, ${auditEntries.id}) < (${after.createdAtMs}, ${after.id})`,
      ),
    )
    .orderBy(desc(auditEntries.createdAtMs), desc(auditEntries.id))
    .limit(limit);
}

/** An operator, with the id of the operator's first entry, which addresses of pages contain instead of the name. */
interface AuditedActor {
  actor: string;
  firstEntry: number;
}

// Each step looks up the next name, so the cost is linear in the number of operators.
const SELECT_ACTORS = statement<{ limit: number }, AuditedActor>()`
  WITH RECURSIVE names (actor) AS (
    SELECT min(actor) FROM audit_entries
    UNION ALL
    SELECT (SELECT min(e.actor) FROM audit_entries e WHERE e.actor > names.actor)
    FROM names WHERE names.actor IS NOT NULL)
  SELECT n.actor, (SELECT e.id FROM audit_entries e WHERE e.actor = n.actor
    ORDER BY e.created_at_ms, e.id LIMIT 1) AS firstEntry
  FROM names n WHERE n.actor IS NOT NULL LIMIT ${"limit"}`;

/** Everyone who has changed something, by name. One round trip. */
export const listActors = (db: Database, limit: number): Promise<AuditedActor[]> =>
  SELECT_ACTORS.all(db, { limit });
