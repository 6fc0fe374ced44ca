// Lists the audit log, for operators.
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { auditEntries } from "../../platform/db/schema.ts";

export interface AuditFilter {
  clientId?: string | undefined;
  orderId?: number | undefined;
  actor?: string | undefined;
  /** Written by this form of the console. */
  consoleRequest?: string | undefined;
  /** Written at this time or later. */
  sinceMs?: number | undefined;
  /** Written before this time. */
  untilMs?: number | undefined;
  limit: number;
}

/** The entries that match, newest first. Reads an index of the first filter that is given. */
export async function listAudit(d1: D1Database, filter: AuditFilter) {
  const { clientId, orderId, actor, consoleRequest, sinceMs, untilMs, limit } = filter;
  return drizzle(d1)
    .select()
    .from(auditEntries)
    .where(
      and(
        clientId === undefined ? undefined : eq(auditEntries.clientId, clientId),
        orderId === undefined ? undefined : eq(auditEntries.orderId, orderId),
        actor === undefined ? undefined : eq(auditEntries.actor, actor),
        consoleRequest === undefined ? undefined : eq(auditEntries.consoleRequest, consoleRequest),
        sinceMs === undefined ? undefined : gte(auditEntries.createdAtMs, sinceMs),
        untilMs === undefined ? undefined : lt(auditEntries.createdAtMs, untilMs),
      ),
    )
    .orderBy(desc(auditEntries.createdAtMs), desc(auditEntries.id))
    .limit(limit);
}
