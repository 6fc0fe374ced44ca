// The statements that manage webhook endpoints. Each function is one round trip.
import { lastIdOf } from "../../platform/db/last-id.ts";
import { columnsOf, type Json, type Parsed, parseJson, toJson } from "../../platform/db/columns.ts";
import type { WebhookDeliveries, Webhooks } from "../../platform/db/schema.ts";
import {
  batch,
  type Bound,
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
  writeAndRead,
} from "../../platform/db/sql.ts";
import type { EventType } from "../events/event.ts";
import { lastSequenceOf, SELECT_LAST_SEQUENCE } from "../events/queries.ts";
import { type DeliveryStatus, type DisabledReason, MAX_WEBHOOKS } from "./webhook.ts";

/** An endpoint of a client. An endpoint of another client or a deleted one is treated as one that does not exist. */
export interface WebhookKey {
  clientId: string;
  webhookId: number;
}

const w = columnsOf<Webhooks>("webhooks");

/** The columns of an endpoint that is not deleted. */
const COLUMNS = {
  ...w("id", "clientId", "url", "description", "failingSinceMs", "position", "createdAtMs"),
  ...w("secretNonce", "previousSecretNonce", "previousSecretUntilMs"),
  /** Null means all types. */
  eventTypes: expression<Json<EventType[]> | null>()`event_types`,
  status: expression<"enabled" | "disabled">()`status`,
  disabledReason: expression<DisabledReason | null>()`disabled_reason`,
};

type WebhookRow = RowOf<typeof COLUMNS>;
export type Webhook = Parsed<WebhookRow>;

const BY_KEY = fragment`
  id = ${"webhookId"} AND client_id = ${"clientId"} AND status <> 'deleted'`;

const SELECT_WEBHOOK = sql<WebhookKey>()`
  SELECT ${COLUMNS} FROM webhooks WHERE ${BY_KEY}`;

const SELECT_WEBHOOKS = sql<{ clientId: string }>()`
  SELECT ${COLUMNS} FROM webhooks
  WHERE client_id = ${"clientId"} AND status <> 'deleted' ORDER BY id`;

interface NewWebhook {
  clientId: string;
  url: string;
  /** Undefined keeps the value of an endpoint that exists. */
  description: string | null | undefined;
  /** Undefined keeps the value of an endpoint that exists. */
  eventTypes: EventType[] | null | undefined;
  nonce: string;
  nowMs: number;
}

// The guard: the client has an endpoint with this URL, or fewer endpoints than the maximum. A new endpoint starts after
// the client's last event.
const SAVE_WEBHOOK = sql<
  Pick<NewWebhook, "clientId" | "url" | "nonce" | "nowMs"> & {
    description: string | null;
    keepsDescription: number;
    eventTypes: string | null;
    keepsEventTypes: number;
    maximum: number;
  }
>()`
  INSERT INTO webhooks
    (id, client_id, url, description, event_types, secret_nonce, position, created_at_ms)
  SELECT ${lastIdOf("webhooks")} + 1, ${"clientId"}, ${"url"}, ${"description"}, ${"eventTypes"}, ${"nonce"},
    ${lastSequenceOf(fragment`${"clientId"}`)}, ${"nowMs"}
  WHERE EXISTS (SELECT 1 FROM webhooks
      WHERE client_id = ${"clientId"} AND url = ${"url"} AND status <> 'deleted')
    OR (SELECT count(*) FROM webhooks
      WHERE client_id = ${"clientId"} AND status <> 'deleted') < ${"maximum"}
  ON CONFLICT (client_id, url) WHERE status <> 'deleted'
    DO UPDATE SET description = iif(${"keepsDescription"}, description, excluded.description),
      event_types = iif(${"keepsEventTypes"}, event_types, excluded.event_types)
  RETURNING ${COLUMNS}`;

// Also matches a deleted endpoint, so that a repeated request has the same result.
const DELETE_WEBHOOK = sql<WebhookKey>()`
  UPDATE webhooks SET status = 'deleted', disabled_reason = NULL
  WHERE id = ${"webhookId"} AND client_id = ${"clientId"}`;

// A disabled endpoint keeps its reason.
const DISABLE_WEBHOOK = sql<WebhookKey>()`
  UPDATE webhooks SET status = 'disabled', disabled_reason = 'client'
  WHERE ${BY_KEY} AND status = 'enabled'`;

// A delivery that is running loses its lease, so that it does not save its failures.
const ENABLE_WEBHOOK = sql<WebhookKey>()`
  UPDATE webhooks SET status = 'enabled', disabled_reason = NULL, failing_since_ms = NULL,
    failures = 0, paused_until_ms = NULL, lease_id = NULL, lease_until_ms = NULL
  WHERE ${BY_KEY}`;

/** Makes the endpoint's pending deliveries due. A condition on the endpoint follows. */
export const MAKE_PENDING_DUE = fragment`
  UPDATE webhook_deliveries SET next_attempt_at_ms = ${"nowMs"}
  WHERE webhook_id = ${"webhookId"} AND next_attempt_at_ms > ${"nowMs"}`;

const MAKE_ALL_DUE = sql<WebhookKey & { nowMs: number }>()`
  ${MAKE_PENDING_DUE}
    AND EXISTS (SELECT 1 FROM webhooks WHERE ${BY_KEY})`;

// At most one previous secret is valid, so one that still is ends.
const ROTATE_SECRET = sql<WebhookKey & { nonce: string; untilMs: number | null }>()`
  UPDATE webhooks SET previous_secret_nonce = iif(${"untilMs"} IS NULL, NULL, secret_nonce),
    previous_secret_until_ms = ${"untilMs"}, secret_nonce = ${"nonce"}
  WHERE ${BY_KEY}`;

export interface DeliveryPage extends WebhookKey {
  /** `undelivered`: the last attempt has failed. There may be another one. */
  status: DeliveryStatus | "undelivered" | null;
  /** Only deliveries of events before this sequence. */
  before: number;
  limit: number;
}

const d = columnsOf<WebhookDeliveries>("d");

const DELIVERY = {
  ...d("sequence", "status", "attempts", "attemptedAtMs", "nextAttemptAtMs", "responseStatus"),
  ...d("durationMs", "responseText"),
  type: expression<EventType>()`e.type`,
};

/** The last attempt to send an event to an endpoint. */
export type WebhookDelivery = RowOf<typeof DELIVERY>;

/** SQLite would prefer the primary key to an index. */
const selectDeliveries = (
  deliveries: Fragment<never>,
  condition: Fragment<"status">,
) => sql<DeliveryPage>()`
  SELECT ${DELIVERY}
  FROM webhooks w CROSS JOIN ${deliveries} ON d.webhook_id = w.id
  CROSS JOIN events e ON e.client_id = w.client_id AND e.sequence = d.sequence
  WHERE w.id = ${"webhookId"} AND w.client_id = ${"clientId"} AND w.status <> 'deleted'
    AND d.sequence < ${"before"} AND ${condition}
  ORDER BY d.sequence DESC LIMIT ${"limit"}`;

const SELECT_DELIVERIES = selectDeliveries(
  fragment`webhook_deliveries d`,
  fragment`${"status"} IS NULL`,
);
const SELECT_WITH_STATUS = selectDeliveries(
  fragment`webhook_deliveries d INDEXED BY webhook_deliveries_by_status`,
  fragment`d.status = ${"status"}`,
);
const SELECT_UNDELIVERED = selectDeliveries(
  fragment`webhook_deliveries d INDEXED BY undelivered_webhook_deliveries`,
  fragment`${"status"} = 'undelivered' AND d.status <> 'delivered' AND d.attempts > 0`,
);

// An event after the position is sent anyway, unless the filter excludes it.
const REDELIVER_ONE = sql<WebhookKey & { sequence: number; nowMs: number }>()`
  INSERT INTO webhook_deliveries (webhook_id, sequence, status, attempts, next_attempt_at_ms)
  SELECT w.id, e.sequence, 'pending', 0, ${"nowMs"}
  FROM webhooks w JOIN events e ON e.client_id = w.client_id AND e.sequence = ${"sequence"}
  WHERE w.id = ${"webhookId"} AND w.client_id = ${"clientId"} AND w.status <> 'deleted'
    AND (e.sequence <= w.position OR (w.event_types IS NOT NULL
      AND e.type NOT IN (SELECT value FROM json_each(w.event_types))))
  ON CONFLICT (webhook_id, sequence) DO UPDATE SET status = 'pending', attempts = 0,
    next_attempt_at_ms = excluded.next_attempt_at_ms`;

// The position never exceeds the client's last event, so a sequence after that event changes nothing. While an earlier
// redelivery is pending, the statement matches a row only if none of its events is saved as sent.
const REDELIVER_SINCE = sql<WebhookKey & { position: number }>()`
  UPDATE webhooks SET position = ${"position"}, redelivery_from = ${"position"},
    redelivery_until = max(position, coalesce(redelivery_until, 0))
  WHERE ${BY_KEY} AND position > ${"position"}
    AND (position >= coalesce(redelivery_until, 0) OR position = redelivery_from)`;

export async function findWebhook(db: Database, key: WebhookKey): Promise<Webhook | null> {
  const row = await SELECT_WEBHOOK.first(db, key);
  return row && toWebhook(row);
}

/** The client's endpoints, oldest first. */
export async function listClientWebhooks(db: Database, clientId: string): Promise<Webhook[]> {
  return (await SELECT_WEBHOOKS.all(db, { clientId })).map(toWebhook);
}

/**
 * Creates the endpoint, or changes the description and the event types of the client's endpoint with this URL. Null if the
 * client has the maximum number of endpoints.
 */
export async function upsertWebhook(db: Database, webhook: NewWebhook): Promise<Webhook | null> {
  const { description, eventTypes } = webhook;
  const row = await SAVE_WEBHOOK.first(db, {
    ...webhook,
    description: description ?? null,
    keepsDescription: Number(description === undefined),
    eventTypes: eventTypes ? toJson(eventTypes) : null,
    keepsEventTypes: Number(eventTypes === undefined),
    maximum: MAX_WEBHOOKS,
  });
  return row && toWebhook(row);
}

/** `false` if the client has never had the endpoint. */
export async function markWebhookDeleted(db: Database, key: WebhookKey): Promise<boolean> {
  const { meta } = await DELETE_WEBHOOK.bind(db, key).run();
  return meta.changes === 1;
}

/** Disables the endpoint. Returns the endpoint afterwards, or null if there is no such endpoint. */
export async function setDisabled(db: Database, key: WebhookKey): Promise<Webhook | null> {
  return changeAndRead(db, key, [DISABLE_WEBHOOK.bind(db, key)]);
}

/**
 * Enables the endpoint, resets its failures and makes its pending deliveries due. Returns the endpoint afterwards, or
 * null if there is no such endpoint.
 */
export async function setEnabled(
  db: Database,
  key: WebhookKey,
  nowMs: number,
): Promise<Webhook | null> {
  return changeAndRead(db, key, [
    ENABLE_WEBHOOK.bind(db, key),
    MAKE_ALL_DUE.bind(db, { ...key, nowMs }),
  ]);
}

/**
 * Replaces the secret. The previous one stays valid until `untilMs`, or ends at once. Returns the endpoint afterwards,
 * or null if there is no such endpoint.
 */
export async function rotateNonce(
  db: Database,
  key: WebhookKey,
  nonce: string,
  untilMs: number | null,
): Promise<Webhook | null> {
  return changeAndRead(db, key, [ROTATE_SECRET.bind(db, { ...key, nonce, untilMs })]);
}

/**
 * A page of the delivery log, newest first, and the `before` of the next page, or null. Null if there is no such
 * endpoint.
 */
export async function readDeliveries(
  db: Database,
  { status, limit, ...page }: DeliveryPage,
): Promise<{ deliveries: WebhookDelivery[]; nextBefore: number | null } | null> {
  const withStatus = status === "undelivered" ? SELECT_UNDELIVERED : SELECT_WITH_STATUS;
  const select = status === null ? SELECT_DELIVERIES : withStatus;
  // One delivery after the page shows that more follow.
  const { webhooks, found } = await batch(db, {
    webhooks: SELECT_WEBHOOK.bind(db, page),
    found: select.bind(db, { ...page, status, limit: limit + 1 }),
  });
  if (webhooks.results.length === 0) return null;
  const deliveries = found.results.slice(0, limit);
  const last = found.results.length > limit ? deliveries.at(-1) : undefined;
  return { deliveries, nextBefore: last?.sequence ?? null };
}

export interface Redelivery {
  /** One event. */
  sequence?: number | undefined;
  /**
   * All events from this one on that the filter includes. While an earlier such redelivery is pending, nothing changes,
   * unless this one begins earlier and nothing has been sent yet.
   */
  sinceSequence?: number | undefined;
}

/**
 * Makes the events due again. If the sequence is greater than that of the client's last event, it changes nothing.
 * Returns the endpoint afterwards and the sequence of the client's last event, or null if there is no such endpoint.
 */
export async function markForRedelivery(
  db: Database,
  key: WebhookKey,
  { sequence, sinceSequence }: Redelivery,
  nowMs: number,
): Promise<{ webhook: Webhook; last: number } | null> {
  const change =
    sequence === undefined
      ? REDELIVER_SINCE.bind(db, { ...key, position: (sinceSequence ?? 1) - 1 })
      : REDELIVER_ONE.bind(db, { ...key, sequence, nowMs });
  const { webhooks, sequences } = await batch(db, {
    change,
    webhooks: SELECT_WEBHOOK.bind(db, key),
    sequences: SELECT_LAST_SEQUENCE.bind(db, key),
  });
  const [webhook] = webhooks.results;
  return webhook ? { webhook: toWebhook(webhook), last: sequences.results[0]?.last ?? 0 } : null;
}

async function changeAndRead(
  db: Database,
  key: WebhookKey,
  changes: Bound<never>[],
): Promise<Webhook | null> {
  const [row] = await writeAndRead(db, changes, SELECT_WEBHOOK.bind(db, key));
  return row ? toWebhook(row) : null;
}

function toWebhook(row: WebhookRow): Webhook {
  return { ...row, eventTypes: parseJson(row.eventTypes) };
}
