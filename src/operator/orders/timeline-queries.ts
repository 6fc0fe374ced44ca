// The statements that read what happened to an order: events, changes by operators, e-mails and webhook deliveries.
import { columnsOf, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { AuditEntries, Emails, Events, WebhookDeliveries } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import type { EventType } from "../../features/events/event.ts";
import {
  type ClientEvent,
  EVENT_COLUMNS,
  JOIN_SUBJECT,
  toClientEvent,
} from "../../features/events/queries.ts";

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
      AND (${"sequence"} IS NULL OR coalesce(v.suborder_sequence, ${"sequence"}) = ${"sequence"})
    ORDER BY v.sequence DESC LIMIT ${"limit"}) e`;

const SELECT_EVENTS = statement<TimelineParams>()`
  SELECT ${EVENT_COLUMNS} FROM ${ORDERS_EVENTS} ${JOIN_SUBJECT}
  ORDER BY e.sequence`;

const d = columnsOf<WebhookDeliveries>("d");

/** The last attempt to send event `e` of the order to an endpoint of its client. Without an attempt, its time is null. */
const DELIVERY = {
  ...d("webhookId", "sequence"),
  type: expression<EventType>()`e.type`,
  orderId: expression<number>()`e.order_id`,
  ...columnsOf<Events>("e")("suborderSequence"),
  ...d("status", "attempts", "attemptedAtMs", "nextAttemptAtMs", "responseStatus"),
  eventAtMs: expression<number>()`e.created_at_ms`,
};

export type OrderDelivery = RowOf<typeof DELIVERY>;

// Lookups of each event in the log of each endpoint. A client has a few endpoints. Those of deleted ones are left out.
const SELECT_DELIVERIES = statement<TimelineParams>()`
  SELECT ${DELIVERY} FROM ${ORDERS_EVENTS}
  CROSS JOIN webhooks w ON w.client_id = e.client_id AND w.status <> 'deleted'
  CROSS JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = e.sequence`;

const a = columnsOf<AuditEntries>("a");

const CHANGE = {
  ...a("id", "createdAtMs", "actor", "action", "requestId", "subjectType", "subject"),
  ...a("clientId", "orderId", "reason", "before", "after"),
};

/** An entry of the audit log. */
export type OrderChange = Parsed<RowOf<typeof CHANGE>>;

// What was only read or found is left out, because it would hide the changes.
const SELECT_CHANGES = statement<TimelineParams>()`
  SELECT ${CHANGE} FROM audit_entries a
  WHERE a.order_id = ${"orderId"} AND a.action <> 'order find'
    AND (a.before IS NOT NULL OR a.after ->> '$.read' IS NULL)
    AND (${"sequence"} IS NULL OR a.subject_type <> 'gift'
      OR a.subject = printf('GO-%05d-%d', ${"orderId"}, ${"sequence"}))
  ORDER BY a.created_at_ms DESC, a.id DESC LIMIT ${"limit"}`;

const e = columnsOf<Emails>("e");

const EMAIL = {
  ...e("sequence", "number", "kind", "status", "reason", "attempts", "attemptedAtMs"),
  ...e("nextAttemptAtMs"),
};

/** An e-mail without its message, which contains the gift's link. */
export type OrderEmail = RowOf<typeof EMAIL>;

const SELECT_EMAILS = statement<TimelineParams>()`
  SELECT ${EMAIL} FROM emails e
  WHERE e.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR e.sequence = ${"sequence"})
  ORDER BY e.attempted_at_ms DESC, e.sequence DESC, e.number DESC LIMIT ${"limit"}`;

export interface TimelineRows {
  events: ClientEvent[];
  deliveries: OrderDelivery[];
  changes: OrderChange[];
  emails: OrderEmail[];
}

/** The latest `limit` rows of each kind, and the deliveries of these events. One round trip. */
export async function readTimelineRows(
  db: Pick<Database, "prepare" | "batch">,
  params: TimelineParams,
): Promise<TimelineRows> {
  const { events, deliveries, changes, emails } = await batch(db, {
    events: SELECT_EVENTS.bind(db, params),
    deliveries: SELECT_DELIVERIES.bind(db, params),
    changes: SELECT_CHANGES.bind(db, params),
    emails: SELECT_EMAILS.bind(db, params),
  });
  return {
    events: events.results.map(toClientEvent),
    deliveries: deliveries.results,
    changes: changes.results.map(({ before, after, ...row }) => ({
      ...row,
      before: parseJson(before),
      after: parseJson(after),
    })),
    emails: emails.results,
  };
}
