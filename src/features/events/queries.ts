// The statements of the event log. The statements that insert events are next to the writes that they report. They are
// built from the fragments here.
import { batch, type Database, fragment, statement } from "../../platform/db/statement.ts";
import type { ClientEvent, EventData } from "./event.ts";

/** The start of each statement that inserts an event. A SELECT of the columns follows. */
export const INSERT_EVENT = fragment`
  INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)`;

/**
 * The sequence of the next event of the client of order `o`. D1 runs one transaction at a time, so concurrent writers
 * get different numbers, and a transaction that is rolled back leaves no gap.
 */
export const NEXT_SEQUENCE = fragment`
  (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id)`;

/** `data` is JSON: EventData. */
export type EventRow = Omit<ClientEvent, "data"> & { data: string | null };

/** The columns of `EventRow`, of event `e`, with its order `o`, sub-order `s` and shipment `h`. */
export const EVENT_COLUMNS = fragment`
  e.sequence, e.type, e.created_at_ms AS createdAtMs, e.order_id AS orderId,
  o.order_ref_id AS orderRefId, o.currency, o.qty, o.order_total_minor AS orderTotalMinor,
  e.suborder_sequence AS suborderSequence, e.data, o.metadata, s.external_id AS externalId,
  s.metadata AS recipientMetadata, h.carrier, h.tracking_number AS trackingNumber,
  h.tracking_url AS trackingUrl`;

/**
 * Joins event `e` with its order, its sub-order and, if the event is about a parcel, its shipment. SQLite looks up no
 * row for a null, so that other events do not cost a row of the shipment.
 */
export const JOIN_SUBJECT = fragment`
  LEFT JOIN orders o ON o.id = e.order_id
  LEFT JOIN sub_orders s ON s.order_id = e.order_id AND s.sequence = e.suborder_sequence
  LEFT JOIN shipments h ON h.order_id = iif(e.type IN ('gift.shipped', 'gift.delivered'), e.order_id, NULL)
    AND h.sequence = e.suborder_sequence`;

const SELECT_EVENTS = statement<{ clientId: string; after: number; limit: number }, EventRow>()`
  SELECT ${EVENT_COLUMNS}
  FROM events e ${JOIN_SUBJECT}
  WHERE e.client_id = ${"clientId"} AND e.sequence > ${"after"}
  ORDER BY e.sequence LIMIT ${"limit"}`;

/** The sequence of the client's last event, 0 if it has none. */
export const SELECT_LAST_SEQUENCE = statement<{ clientId: string }, { last: number }>()`
  SELECT coalesce(max(sequence), 0) AS last FROM events WHERE client_id = ${"clientId"}`;

/**
 * The client's first `limit` events after the sequence `after`, in ascending order, and the sequence of its last event, 0
 * if it has none. One transaction, one round trip, to the primary.
 */
export async function readEvents(
  db: Database,
  page: { clientId: string; after: number; limit: number },
): Promise<{ events: ClientEvent[]; last: number }> {
  const { rows, last } = await batch(db, {
    rows: SELECT_EVENTS.bind(db, page),
    last: SELECT_LAST_SEQUENCE.bind(db, page),
  });
  return { events: rows.results.map(toClientEvent), last: last.results[0]?.last ?? 0 };
}

export function toClientEvent(row: EventRow): ClientEvent {
  return { ...row, data: JSON.parse(row.data ?? "{}") as EventData };
}
