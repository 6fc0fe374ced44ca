// The statements of delivery. One run at a time sends events to a webhook endpoint: the one that has its lease.
import { columnsOf, type Parsed, parseJson } from "../../../platform/db/columns.ts";
import type { WebhookDeliveries, Webhooks } from "../../../platform/db/schema.ts";
import {
  batch,
  type Database,
  fragment,
  type Results,
  type RowOf,
  sql,
} from "../../../platform/db/sql.ts";
import {
  type ClientEvent,
  EVENT_COLUMNS,
  JOIN_SUBJECT,
  toClientEvent,
} from "../../events/queries.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../core/values/time.ts";
import { MAKE_PENDING_DUE } from "../queries.ts";
import type { DeliveryStatus } from "../webhook.ts";
import { MAX_RETRY_DELAY_MS } from "./retry.ts";
import { MAX_RETRY_AFTER_MS } from "./send.ts";

/** Longer than a run takes. If a run is killed, another one starts after this time. */
const LEASE_MS = 45 * SECOND_MS;

/**
 * How much the clocks of two runs may differ. A run may also read its clock earlier than another run, and execute its
 * statements later.
 */
const CLOCK_DIFFERENCE_MS = MINUTE_MS;

/** The number of new events and of retries that are read at once. */
const PAGE_EVENTS = 80;
const PAGE_RETRIES = 20;

export interface WebhookLease {
  webhookId: number;
  /** Unique for each run. */
  leaseId: string;
}

/** An event to send. */
export interface DueEvent {
  event: ClientEvent;
  /** The number of earlier attempts. */
  attempts: number;
  /** False for retries, and for events that are sent again on request. */
  isNew: boolean;
}

export interface DuePage {
  endpoint: Parsed<RowOf<typeof ENDPOINT>>;
  /** New events of all types, in ascending order, with retries among them. */
  events: DueEvent[];
  /** Whether there may be more events to send. */
  isFull: boolean;
}

interface Times {
  nowMs: number;
  maxLeaseMs: number;
  maxPauseMs: number;
  maxRetryMs: number;
}

/** Times further in the future than possible were computed with a wrong clock. They count as past. */
function timesAt(nowMs: number): Times {
  return {
    nowMs,
    maxLeaseMs: nowMs + LEASE_MS + CLOCK_DIFFERENCE_MS,
    maxPauseMs: nowMs + MAX_RETRY_AFTER_MS + CLOCK_DIFFERENCE_MS,
    maxRetryMs: nowMs + MAX_RETRY_DELAY_MS,
  };
}

/** Retries of endpoint `w` that are due. */
const DUE_RETRY = fragment`
  d.webhook_id = w.id AND (d.next_attempt_at_ms <= ${"nowMs"} OR d.next_attempt_at_ms > ${"maxRetryMs"})`;

/** Events may be sent to endpoint `w`. */
const IS_ENABLED = fragment`
  w.status = 'enabled'
  AND EXISTS (SELECT 1 FROM clients c WHERE c.id = w.client_id AND c.status = 'active')`;

/** Endpoint `w` may be used now, no run uses it, and there is something to send. */
const IS_READY = fragment`
  ${IS_ENABLED}
  AND coalesce(w.lease_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"maxLeaseMs"}
  AND coalesce(w.paused_until_ms, 0) NOT BETWEEN ${"nowMs"} AND ${"maxPauseMs"}
  AND (
    EXISTS (SELECT 1 FROM events e WHERE e.client_id = w.client_id AND e.sequence > w.position)
    OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE ${DUE_RETRY}))`;

const LEASE = sql<WebhookLease & Times & { leaseUntilMs: number }>()`
  UPDATE webhooks AS w SET lease_id = ${"leaseId"}, lease_until_ms = ${"leaseUntilMs"}
  WHERE w.id = ${"webhookId"} AND ${IS_READY}`;

const LEASED = fragment`w.id = ${"webhookId"} AND w.lease_id = ${"leaseId"}`;

const w = columnsOf<Webhooks>("w");

const ENDPOINT = {
  ...w("id", "url", "eventTypes", "secretNonce", "previousSecretNonce"),
  ...w("previousSecretUntilMs", "position", "failures", "failingSinceMs"),
};

const SELECT_ENDPOINT = sql<WebhookLease>()`
  SELECT ${ENDPOINT}
  FROM webhooks w WHERE ${LEASED}`;

// A run that has the lease reads no further events once the endpoint is disabled.
const SELECT_NEW = sql<WebhookLease & { limit: number }>()`
  SELECT ${EVENT_COLUMNS}
  FROM webhooks w JOIN events e ON e.client_id = w.client_id AND e.sequence > w.position
  ${JOIN_SUBJECT}
  WHERE ${LEASED} AND ${IS_ENABLED} ORDER BY e.sequence LIMIT ${"limit"}`;

// After a redelivery of all events since one, a retry can be after the position. It is then sent as a new event.
const SELECT_RETRIES = sql<
  WebhookLease & Pick<Times, "nowMs" | "maxRetryMs"> & { limit: number }
>()`
  SELECT ${{ ...EVENT_COLUMNS, ...columnsOf<WebhookDeliveries>("d")("attempts") }}
  FROM webhooks w JOIN webhook_deliveries d ON ${DUE_RETRY}
  JOIN events e ON e.client_id = w.client_id AND e.sequence = d.sequence
  ${JOIN_SUBJECT}
  WHERE ${LEASED} AND ${IS_ENABLED} AND (d.sequence <= w.position OR (w.event_types IS NOT NULL
    AND e.type NOT IN (SELECT value FROM json_each(w.event_types))))
  ORDER BY d.next_attempt_at_ms LIMIT ${"limit"}`;

/**
 * Takes the lease of the endpoint and reads what to send. Null if there is nothing to send, if the endpoint may not be
 * used now, or if another run has the lease. One round trip.
 */
export async function leaseWebhookPage(
  db: Database,
  lease: WebhookLease,
  nowMs: number,
): Promise<DuePage | null> {
  return toPage(
    await batch(db, {
      lease: LEASE.bind(db, { ...lease, ...timesAt(nowMs), leaseUntilMs: nowMs + LEASE_MS }),
      ...pageSql(db, lease, nowMs),
    }),
  );
}

function pageSql(db: Database, lease: WebhookLease, nowMs: number) {
  return {
    endpoints: SELECT_ENDPOINT.bind(db, lease),
    added: SELECT_NEW.bind(db, { ...lease, limit: PAGE_EVENTS }),
    retries: SELECT_RETRIES.bind(db, { ...lease, ...timesAt(nowMs), limit: PAGE_RETRIES }),
  };
}

function toPage({
  endpoints,
  added,
  retries,
}: Results<ReturnType<typeof pageSql>>): DuePage | null {
  const [endpoint] = endpoints.results;
  if (!endpoint) return null;
  return {
    endpoint: { ...endpoint, eventTypes: parseJson(endpoint.eventTypes) },
    events: interleave(
      added.results.map((row) => ({ event: toClientEvent(row), attempts: 0, isNew: true })),
      retries.results.map(({ attempts, ...row }) => ({
        event: toClientEvent(row),
        attempts,
        isNew: false,
      })),
    ),
    isFull: added.results.length === PAGE_EVENTS || retries.results.length === PAGE_RETRIES,
  };
}

/** A retry after each few new events, because a run may end before the last events of its page. */
function interleave(added: DueEvent[], retries: DueEvent[]): DueEvent[] {
  const share = PAGE_EVENTS / PAGE_RETRIES;
  const left = [...retries];
  const mixed = added.flatMap((event, index) =>
    index % share === share - 1 ? [event, ...left.splice(0, 1)] : [event],
  );
  return [...mixed, ...left];
}

/** The outcome of an attempt, as a row of webhook_deliveries. */
export type Attempt = Omit<
  WebhookDeliveries["$inferSelect"],
  "webhookId" | "status" | "responseText"
> & { status: DeliveryStatus; text: string | null };

/** What a run changes in its endpoint. */
export interface EndpointChanges {
  /** The position before and after the page. */
  positionBefore: number;
  position: number;
  failures: number;
  failingSinceMs: number | null;
  pausedUntilMs: number | null;
}

// A delivery that was requested again during an attempt stays pending, even if that attempt was the last one.
/** `attempts` is JSON: Attempt[]. */
const SAVE_ATTEMPTS = sql<WebhookLease & { attempts: string }>()`
  INSERT INTO webhook_deliveries (webhook_id, sequence, status, attempts, attempted_at_ms,
    next_attempt_at_ms, response_status, duration_ms, response_text)
  SELECT w.id, a.value ->> '$.sequence', a.value ->> '$.status', a.value ->> '$.attempts',
    a.value ->> '$.attemptedAtMs', a.value ->> '$.nextAttemptAtMs', a.value ->> '$.responseStatus',
    a.value ->> '$.durationMs', a.value ->> '$.text'
  FROM webhooks w, json_each(${"attempts"}) a WHERE ${LEASED}
  ON CONFLICT (webhook_id, sequence) DO UPDATE SET status = excluded.status,
    attempts = excluded.attempts, attempted_at_ms = excluded.attempted_at_ms,
    next_attempt_at_ms = excluded.next_attempt_at_ms, response_status = excluded.response_status,
    duration_ms = excluded.duration_ms, response_text = excluded.response_text
    WHERE NOT (webhook_deliveries.status = 'pending' AND webhook_deliveries.attempts = 0
      AND excluded.attempts > 1)`;

const MAKE_DUE_IF_LEASED = sql<WebhookLease & { nowMs: number }>()`
  ${MAKE_PENDING_DUE} AND EXISTS (SELECT 1 FROM webhooks w WHERE ${LEASED})`;

// The position stays if it was moved back during the run, to send events again.
const UPDATE_ENDPOINT = sql<WebhookLease & EndpointChanges & { leaseUntilMs: number | null }>()`
  UPDATE webhooks AS w SET
    position = CASE WHEN position = ${"positionBefore"} THEN ${"position"} ELSE position END,
    failures = ${"failures"}, failing_since_ms = ${"failingSinceMs"},
    paused_until_ms = ${"pausedUntilMs"},
    lease_id = CASE WHEN ${"leaseUntilMs"} IS NULL THEN NULL ELSE lease_id END,
    lease_until_ms = ${"leaseUntilMs"}
  WHERE ${LEASED}`;

// It is a separate statement, because an update of the status also writes the index by URL.
const DISABLE = sql<WebhookLease & { reason: string }>()`
  UPDATE webhooks AS w SET status = 'disabled', disabled_reason = ${"reason"}
  WHERE ${LEASED} AND status = 'enabled'`;

const SELECT_READY = sql<Times & { webhookId: number }, { id: number }>()`
  SELECT w.id FROM webhooks w WHERE w.id = ${"webhookId"} AND ${IS_READY}`;

export interface WebhookPageOutcome {
  attempts: Attempt[];
  changes: EndpointChanges;
  /** Set to disable the endpoint. */
  disabledReason: "gone" | "failing" | null;
  /** Whether the endpoint was down and has now received an event. Its pending events become due. */
  recovered: boolean;
}

/** Saves the outcome of a page, keeps the lease, and reads the next page. Null if the lease was lost. One round trip. */
export async function saveAndReadPage(
  db: Database,
  lease: WebhookLease,
  outcome: WebhookPageOutcome,
  nowMs: number,
): Promise<DuePage | null> {
  return toPage(
    await batch(db, {
      ...saveSql(db, lease, outcome, { nowMs, leaseUntilMs: nowMs + LEASE_MS }),
      ...pageSql(db, lease, nowMs),
    }),
  );
}

/**
 * Saves the outcome of a page and releases the lease. Returns whether there is something to send already, which may
 * have been added during the run. One round trip.
 */
export async function saveAndRelease(
  db: Database,
  lease: WebhookLease,
  outcome: WebhookPageOutcome,
  nowMs: number,
): Promise<boolean> {
  const { ready } = await batch(db, {
    ...saveSql(db, lease, outcome, { nowMs, leaseUntilMs: null }),
    ready: SELECT_READY.bind(db, { ...lease, ...timesAt(nowMs) }),
  });
  return ready.results.length === 1;
}

function saveSql(
  db: Database,
  lease: WebhookLease,
  { attempts, changes, disabledReason, recovered }: WebhookPageOutcome,
  times: { nowMs: number; leaseUntilMs: number | null },
) {
  return {
    ...(attempts.length > 0 && {
      attempts: SAVE_ATTEMPTS.bind(db, { ...lease, attempts: JSON.stringify(attempts) }),
    }),
    ...(recovered && { makeDue: MAKE_DUE_IF_LEASED.bind(db, { ...lease, ...times }) }),
    ...(disabledReason && { disable: DISABLE.bind(db, { ...lease, reason: disabledReason }) }),
    update: UPDATE_ENDPOINT.bind(db, { ...lease, ...changes, ...times }),
  };
}

const SELECT_ALL_READY = sql<Times, { id: number }>()`
  SELECT w.id FROM webhooks w WHERE ${IS_READY}`;

/** The endpoints for which there is something to send. One round trip; reads a few rows for each enabled endpoint. */
export async function listReadyWebhooks(db: Database, nowMs: number): Promise<number[]> {
  return (await SELECT_ALL_READY.all(db, timesAt(nowMs))).map(({ id }) => id);
}

/** The delivery log keeps an entry for this long after the last attempt. */
const KEEP_DELIVERIES_MS = 30 * 24 * HOUR_MS;

/** The number of each endpoint's oldest deliveries that one call examines. */
const MAX_EXAMINED_OLD = 1_000;

const DELETE_OLD = sql<{ untilMs: number; examined: number }>()`
  DELETE FROM webhook_deliveries WHERE (webhook_id, sequence) IN (
    SELECT d.webhook_id, d.sequence FROM webhooks w CROSS JOIN webhook_deliveries d
      ON d.webhook_id = w.id AND d.sequence IN (SELECT sequence FROM webhook_deliveries
        WHERE webhook_id = w.id ORDER BY sequence LIMIT ${"examined"})
    WHERE d.status <> 'pending' AND d.attempted_at_ms < ${"untilMs"})`;

/** Deletes old deliveries that have ended. One round trip. */
export async function deleteOldDeliveries(db: Database, nowMs: number): Promise<void> {
  await DELETE_OLD.bind(db, {
    untilMs: nowMs - KEEP_DELIVERIES_MS,
    examined: MAX_EXAMINED_OLD,
  }).run();
}
