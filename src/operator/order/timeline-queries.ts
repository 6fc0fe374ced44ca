// The statements that read what happened to an order: events, changes and readings by operators, e-mails, webhook
// deliveries, and the tracking that was replaced.
import { columnsOf, parseJson } from "../../platform/db/columns.ts";
import type { AuditEntries, Events, WebhookDeliveries } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { email, shipment } from "../../platform/db/tables.ts";
import type { EventType } from "../../features/events/event.ts";
import { EVENT_COLUMNS, JOIN_SUBJECT, toClientEvent } from "../../features/events/queries.ts";

interface TimelineParams {
  orderId: number;
  /** Only the entries of this gift, and those of the order. Null for all gifts. */
  sequence: number | null;
  limit: number;
}

// The event of the placement, which the order names, and a range of an index. Those of e-mails have their own table.
const ORDERS_EVENTS = fragment`
  (SELECT v.* FROM events v
    WHERE v.client_id = (SELECT client_id FROM orders WHERE id = ${"orderId"})
      AND v.sequence IN (
        SELECT placed_sequence FROM orders WHERE id = ${"orderId"} AND placed_sequence IS NOT NULL
        UNION ALL SELECT sequence FROM events INDEXED BY events_by_order
        WHERE order_id = ${"orderId"} AND named_elsewhere IS NULL)
      AND (${"sequence"} IS NULL OR coalesce(v.gift_sequence, ${"sequence"}) = ${"sequence"})
    ORDER BY v.sequence DESC LIMIT ${"limit"}) e`;

const SELECT_EVENTS = sql<TimelineParams>()`
  SELECT ${EVENT_COLUMNS} FROM ${ORDERS_EVENTS} ${JOIN_SUBJECT}
  ORDER BY e.sequence DESC`;

/**
 * The last attempt to send event `e` of the order to an endpoint of its client. Without an attempt, the time is that of
 * the next one, or of the event.
 */
const DELIVERY = {
  atMs: expression<number>()`coalesce(d.attempted_at_ms, d.next_attempt_at_ms, e.created_at_ms)`,
  type: expression<EventType>()`e.type`,
  ...columnsOf<Events>("e")("orderId", "giftSequence"),
  ...columnsOf<WebhookDeliveries>("d")("webhookId", "status", "attempts", "responseStatus"),
  nextAttemptAtMs: expression<
    number | null
  >()`iif(d.status = 'pending', d.next_attempt_at_ms, NULL)`,
};

// Lookups of each event in the log of each endpoint. A client has a few endpoints. Those of deleted ones are left out.
const SELECT_DELIVERIES = sql<TimelineParams>()`
  SELECT ${DELIVERY} FROM ${ORDERS_EVENTS}
  CROSS JOIN webhooks w ON w.client_id = e.client_id AND w.status <> 'deleted'
  CROSS JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = e.sequence
  ORDER BY e.sequence DESC`;

const a = columnsOf<AuditEntries>("a");
const CHANGE = {
  ...a("createdAtMs", "actor", "action", "subjectType", "subject"),
  ...a("reason", "requestId", "firstEvent", "lastEvent"),
};

const OF_GIFT = fragment`
  (${"sequence"} IS NULL OR a.subject_type <> 'gift'
    OR a.subject = printf('GO-%05d-%d', ${"orderId"}, ${"sequence"}))`;

const SELECT_CHANGES = sql<TimelineParams>()`
  SELECT ${CHANGE} FROM audit_entries a
  WHERE a.order_id = ${"orderId"} AND a.before IS NOT NULL AND ${OF_GIFT}
  ORDER BY a.created_at_ms DESC, a.id DESC LIMIT ${"limit"}`;

// A reading has no state before it.
const SELECT_READINGS = sql<TimelineParams>()`
  SELECT ${CHANGE} FROM audit_entries a
  WHERE a.order_id = ${"orderId"} AND a.before IS NULL AND ${OF_GIFT}
  ORDER BY a.created_at_ms DESC, a.id DESC LIMIT ${"limit"}`;

const NOTE = {
  atMs: expression<number>()`n.value ->> '$.atMs'`,
  actor: expression<string>()`n.value ->> '$.actor'`,
  text: expression<string>()`n.value ->> '$.text'`,
};

// Linear in the gifts of the order.
const SELECT_NOTES = sql<TimelineParams, RowOf<typeof NOTE> & { sequence: number | null }>()`
  SELECT ${NOTE}, NULL AS sequence
  FROM orders o CROSS JOIN json_each(o.staff_notes) n WHERE o.id = ${"orderId"}
  UNION ALL SELECT ${NOTE}, s.sequence
  FROM gifts s CROSS JOIN json_each(s.staff_notes) n
  WHERE s.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR s.sequence = ${"sequence"})
  ORDER BY 1 DESC LIMIT ${"limit"}`;

const SHIPMENT = {
  ...shipment("sequence", "carrier", "trackingNumber", "trackingUrl", "shippedAtMs"),
  ...shipment("earlierTracking", "changeId", "carrierAnswers"),
};

// Linear in the shipments of the order.
const SELECT_SHIPMENTS = sql<TimelineParams>()`
  SELECT ${SHIPMENT} FROM shipments h
  WHERE h.order_id = ${"orderId"} AND coalesce(h.earlier_tracking, h.carrier_answers) IS NOT NULL
    AND (${"sequence"} IS NULL OR h.sequence = ${"sequence"})
  ORDER BY h.sequence LIMIT ${"limit"}`;

const EMAIL = email("sequence", "kind", "status", "reason", "attemptedAtMs");

const SELECT_EMAILS = sql<TimelineParams>()`
  SELECT ${EMAIL} FROM emails e
  WHERE e.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR e.sequence = ${"sequence"})
  ORDER BY e.attempted_at_ms DESC, e.sequence DESC, e.number DESC LIMIT ${"limit"}`;

/** The latest `limit` rows of each kind, newest first, and the deliveries of these events. One round trip. */
export async function readTimelineRows(
  db: Pick<Database, "prepare" | "batch">,
  params: TimelineParams,
) {
  const { events, deliveries, changes, readings, emails, shipments, notes } = await batch(db, {
    events: SELECT_EVENTS.bind(db, params),
    deliveries: SELECT_DELIVERIES.bind(db, params),
    changes: SELECT_CHANGES.bind(db, params),
    readings: SELECT_READINGS.bind(db, params),
    shipments: SELECT_SHIPMENTS.bind(db, params),
    emails: SELECT_EMAILS.bind(db, params),
    notes: SELECT_NOTES.bind(db, params),
  });
  return {
    events: events.results.map(toClientEvent),
    deliveries: deliveries.results,
    changes: changes.results,
    readings: readings.results,
    emails: emails.results,
    notes: notes.results,
    shipments: shipments.results.map((row) => ({
      ...row,
      earlierTracking: parseJson(row.earlierTracking) ?? [],
      carrierAnswers: parseJson(row.carrierAnswers) ?? {},
    })),
  };
}
