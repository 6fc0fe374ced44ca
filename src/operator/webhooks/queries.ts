// A webhook endpoint of any client. Operations also use the statements in src/features/webhooks/queries.ts.
import { and, between, count, eq, inArray, max, min, ne, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { events, webhooks } from "../../platform/db/schema.ts";

/** Undefined if there is no such endpoint. `lastSequence` is that of the client's last event. */
export async function readEndpoint(d1: D1Database, webhookId: number) {
  const [endpoint] = await drizzle(d1)
    .select({
      id: webhooks.id,
      clientId: webhooks.clientId,
      url: webhooks.url,
      description: webhooks.description,
      eventTypes: webhooks.eventTypes,
      status: webhooks.status,
      disabledReason: webhooks.disabledReason,
      failingSinceMs: webhooks.failingSinceMs,
      failures: webhooks.failures,
      position: webhooks.position,
      // Drizzle writes columns without their table here, so the tables are named.
      lastSequence: sql<number>`(SELECT coalesce(max(e.sequence), 0) FROM events e
        WHERE e.client_id = webhooks.client_id)`,
      createdAtMs: webhooks.createdAtMs,
      redeliveryFrom: webhooks.redeliveryFrom,
      redeliveryUntil: webhooks.redeliveryUntil,
    })
    .from(webhooks)
    .where(and(ne(webhooks.status, "deleted"), eq(webhooks.id, webhookId)));
  return endpoint;
}

/** The number of the client's events in this range, of these types or of all types, with their first and last sequence. */
export async function countEvents(
  d1: D1Database,
  { clientId, eventTypes }: Pick<typeof webhooks.$inferSelect, "clientId" | "eventTypes">,
  range: { first: number; last: number },
) {
  const [counted] = await drizzle(d1)
    .select({ count: count(), first: min(events.sequence), last: max(events.sequence) })
    .from(events)
    .where(
      and(
        eq(events.clientId, clientId),
        between(events.sequence, range.first, range.last),
        eventTypes === null ? undefined : inArray(events.type, eventTypes),
      ),
    );
  return counted ?? { count: 0, first: null, last: null };
}
