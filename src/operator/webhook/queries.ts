// The webhook endpoints of all clients. Operations also use the statements in src/features/webhooks/queries.ts.
import { and, between, count, eq, inArray, max, min } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { notFound } from "../../core/api-error.ts";
import { columnsOf, type Json, parseJson } from "../../platform/db/columns.ts";
import {
  events,
  type WebhookDeliveries,
  type webhooks,
  type Webhooks,
} from "../../platform/db/schema.ts";
import { type Database, expression, type Fragment, fragment, sql } from "../../platform/db/sql.ts";
import { lastSequenceOf } from "../../features/events/queries.ts";
import type { EventType } from "../../features/events/event.ts";
import type { DisabledReason } from "../../features/webhooks/webhook.ts";

const w = columnsOf<Webhooks>("w");
const d = columnsOf<WebhookDeliveries>("d");

const ENDPOINT = {
  ...w("id", "clientId", "url", "description", "failingSinceMs", "position", "createdAtMs"),
  ...w("redeliveryFrom", "redeliveryUntil"),
  status: expression<"enabled" | "disabled">()`w.status`,
  eventTypes: expression<Json<EventType[]> | null>()`w.event_types`,
  disabledReason: expression<DisabledReason | null>()`w.disabled_reason`,
  lastSequence: expression<number>()`${lastSequenceOf(fragment`w.client_id`)}`,
  /** The number of events that were not sent yet, or that are sent again. */
  waiting: expression<number>()`${lastSequenceOf(fragment`w.client_id`)} - w.position
    + (SELECT count(*) FROM webhook_deliveries p
      WHERE p.webhook_id = w.id AND p.status = 'pending' AND p.sequence <= w.position)`,
  /** Of the last attempt for the newest event. All are null if there is none. */
  ...d("attemptedAtMs", "responseStatus"),
  responseText: expression<string | null>()`substr(d.response_text, 1, 60)`,
};

const ENDPOINTS = fragment`
  webhooks w LEFT JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = (
    SELECT x.sequence FROM webhook_deliveries x
    WHERE x.webhook_id = w.id AND x.attempts > 0 ORDER BY x.sequence DESC LIMIT 1)`;

const SELECT_ONE = sql<{ id: number }>()`
  SELECT ${ENDPOINT} FROM ${ENDPOINTS} WHERE w.id = ${"id"} AND w.status <> 'deleted'`;

export type WebhookEndpoint = Awaited<ReturnType<typeof requireWebhook>>;

/** Errors: `not_found`. One round trip. */
export async function requireWebhook(db: Database, id: number) {
  const row = await SELECT_ONE.first(db, { id });
  if (!row) throw notFound(`there is no webhook ${String(id)}.`);
  return { ...row, eventTypes: parseJson(row.eventTypes) };
}

/** The endpoints after the position, up to those of the last client. */
interface PageParams {
  clientId: string;
  id: number;
  lastClientId: string;
  limit: number;
}

/** Endpoints that fail, or that are disabled because they did. */
export const IS_FAILING = fragment`
  (w.failing_since_ms IS NOT NULL OR w.disabled_reason = 'failing' OR w.disabled_reason = 'gone')`;

// A range of the index webhooks_by_client, or of failing_webhooks, whose condition is the same.
const selectPage = (condition: Fragment<never>) => sql<PageParams>()`
  SELECT ${ENDPOINT} FROM ${ENDPOINTS}
  WHERE w.status <> 'deleted' AND (w.client_id, w.id) > (${"clientId"}, ${"id"})
    AND w.client_id <= ${"lastClientId"} AND ${condition}
  ORDER BY w.client_id, w.id LIMIT ${"limit"}`;

const SELECT = {
  all: selectPage(fragment`1`),
  enabled: selectPage(fragment`w.status = 'enabled'`),
  disabled: selectPage(fragment`w.status = 'disabled'`),
  failing: selectPage(IS_FAILING),
};

/** By client, without deleted endpoints. One round trip. */
export async function listWebhookPage(db: Database, shown: keyof typeof SELECT, page: PageParams) {
  const rows = await SELECT[shown].all(db, page);
  return rows.map((row) => ({ ...row, eventTypes: parseJson(row.eventTypes) }));
}

/** The number of the client's events in this range, of these types or of all types, with their first and last sequence. */
export async function readEventCount(
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
