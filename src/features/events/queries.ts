// The statements of the event log. The statements that insert events are next to the writes that they report. They are
// built from the fragments here.
import { columnsOf, type Json, orNull, parseJson } from "../../platform/db/columns.ts";
import type { Events } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  expression,
  type Fragment,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { gift, order, shipment } from "../../platform/db/tables.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { statesThat } from "../../core/values/shipment-states.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import { type EventData, type EventType, SHIPMENT_EVENTS } from "./event.ts";

/** The start of each statement that inserts an event. A SELECT of the columns follows. */
export const INSERT_EVENT = fragment`
  INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, data, created_at_ms)`;

/** The sequence of a client's last event, 0 if it has none. */
export const lastSequenceOf = <Name extends string>(clientId: Fragment<Name>) => fragment`
  (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = ${clientId})`;

/**
 * The sequence of the next event of a client. D1 runs one transaction at a time, so concurrent writers get different
 * numbers, and a transaction that is rolled back leaves no gap.
 */
export const nextSequenceOf = <Name extends string>(clientId: Fragment<Name>) => fragment`
  (${lastSequenceOf(clientId)} + 1)`;

/** The sequence of the next event of the client of order `o`. */
export const NEXT_SEQUENCE = nextSequenceOf(fragment`o.client_id`);

const e = columnsOf<Events>("e");

/** The columns of event `e`, with its LEFT JOINed order `o`, gift `s` and shipment `h`. */
export const EVENT_COLUMNS = {
  ...e("sequence", "orderId", "giftSequence", "createdAtMs"),
  type: expression<EventType>()`e.type`,
  data: expression<Json<EventData> | null>()`e.data`,
  ...orNull(order("orderRefId", "currency", "qty", "orderTotalMinor", "metadata", "campaign")),
  /** The partner's id and metadata of the gift's recipient. */
  ...orNull({ ...gift("externalId"), recipientMetadata: gift("metadata").metadata }),
  /**
   * The present tracking of the parcel, and why it is returned or failed, in the events of parcels. It is not stored with
   * the event, which is never deleted: it may be corrected, and has to be erased.
   */
  ...orNull(shipment("carrier", "trackingNumber", "trackingUrl", "problem")),
};

export type EventRow = RowOf<typeof EVENT_COLUMNS>;

/** An event with the columns of its order. Amounts are in minor units. */
export type ClientEvent = Omit<EventRow, "data"> & { data: EventData };

const TRACKED = rawSql(
  statesThat(
    ({ countsAsShipped, email }) => countsAsShipped && email !== "code",
    (status) => SHIPMENT_EVENTS[status],
  ),
);

/**
 * Joins event `e` with its order, its gift and, if the event is about a parcel, its shipment. SQLite looks up no row for a
 * null, so that other events do not cost a row of the shipment.
 */
export const JOIN_SUBJECT = fragment`
  LEFT JOIN orders o ON o.id = e.order_id
  LEFT JOIN gifts s ON s.order_id = e.order_id AND s.sequence = e.gift_sequence
  LEFT JOIN shipments h ON h.order_id = iif(e.type IN (${TRACKED}), e.order_id, NULL)
    AND h.sequence = e.gift_sequence`;

/** Event `e` is about an order that exists for the request, or about the catalogue or the feed. */
const EXISTS_FOR_OWNER = fragment`
  (${"ownId"} IS NULL OR iif(e.order_id IS NULL, e.type = 'data.restored' OR e.type LIKE 'product.%'
    OR e.type LIKE 'collection.%', ${OWNED}))`;

const SELECT_EVENTS = sql<Owner & { after: number; until: number; limit: number }>()`
  SELECT ${EVENT_COLUMNS}
  FROM events e ${JOIN_SUBJECT}
  WHERE e.client_id = ${"clientId"} AND e.sequence > ${"after"} AND e.sequence <= ${"until"}
    AND ${EXISTS_FOR_OWNER}
  ORDER BY e.sequence LIMIT ${"limit"}`;

/** The sequence of the client's last event, 0 if it has none. */
export const SELECT_LAST_SEQUENCE = sql<{ clientId: string }, { last: number }>()`
  SELECT ${lastSequenceOf(fragment`${"clientId"}`)} AS last`;

/** How many events of its client a set that is restricted to its own orders passes in a page. */
const MAX_PASSED = 2_000;

/**
 * The first `limit` events after the sequence `after` that exist for the request, in ascending order, the sequence of the
 * last event that was read, and that of the client's last event, 0 if it has none. One transaction, one round trip.
 */
export async function readEvents(
  db: Database,
  page: Owner & { after: number; limit: number },
): Promise<{ events: ClientEvent[]; read: number; last: number }> {
  const until = page.ownId === null ? MAX_ID : Math.min(page.after + MAX_PASSED, MAX_ID);
  const results = await batch(db, {
    rows: SELECT_EVENTS.bind(db, { ...page, until }),
    last: SELECT_LAST_SEQUENCE.bind(db, page),
  });
  const events = results.rows.results.map(toClientEvent);
  const last = results.last.results[0]?.last ?? 0;
  const read = events.length < page.limit ? Math.min(until, last) : (events.at(-1)?.sequence ?? 0);
  return { events, read, last };
}

export function toClientEvent(row: EventRow): ClientEvent {
  return { ...row, data: parseJson(row.data) ?? {} };
}
