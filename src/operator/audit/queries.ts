// Lists the audit log, for operators.
import { and, desc, eq, gte, lt, lte, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { auditEntries } from "../../platform/db/schema.ts";

export interface AuditFilter {
  clientId?: string | undefined;
  orderId?: number | undefined;
  actor?: string | undefined;
  /** Written by this request. */
  requestId?: string | undefined;
  /** The operation. */
  action?: string | undefined;
  /** Only changes, or only what was read. */
  kind?: "changes" | "readings" | undefined;
  /** Written at this time or later. */
  sinceMs?: number | undefined;
  /** Written before this time. */
  untilMs?: number | undefined;
  /** Only entries that the list shows after this one. */
  after?: { createdAtMs: number; id: number };
  limit: number;
}

const IS_READING = sql`(${auditEntries.before} IS NULL AND ${auditEntries.orderId} IS NOT NULL)`;

/** The entries that match, newest first. The rows read are linear in the entries, or in those of the order. */
export async function listAudit(d1: D1Database, filter: AuditFilter) {
  const { clientId, orderId, actor, requestId, action, kind, ...range } = filter;
  const { sinceMs, untilMs, after, limit } = range;
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
        requestId === undefined ? undefined : eq(auditEntries.requestId, requestId),
        action === undefined ? undefined : eq(auditEntries.action, action),
        // A reading is that of an order or a gift, and has no state before it.
        kind === "changes" ? sql`NOT ${IS_READING}` : kind && IS_READING,
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
