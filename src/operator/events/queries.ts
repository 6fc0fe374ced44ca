// The event log for the operator's commands.
import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { events, orders, shipments, subOrders } from "../../platform/db/schema.ts";
import {
  type ClientEvent,
  type EventType,
  TRACKED_EVENT_TYPES,
} from "../../features/events/event.ts";

export interface EventFilter {
  clientId: string;
  /** Only events of this order, which must be the client's. */
  orderId?: number | undefined;
  /** Only events after this sequence. If it is undefined, the latest events are listed. */
  after?: number | undefined;
  type?: EventType | undefined;
  limit: number;
}

/** The client's events in ascending order: the first ones after `after`, or the latest ones. */
export async function listClientEvents(
  d1: D1Database,
  { clientId, orderId, after, type, limit }: EventFilter,
): Promise<ClientEvent[]> {
  const rows = await drizzle(d1)
    .select({
      sequence: events.sequence,
      type: events.type,
      createdAtMs: events.createdAtMs,
      orderId: events.orderId,
      orderRefId: orders.orderRefId,
      currency: orders.currency,
      qty: orders.qty,
      orderTotalMinor: orders.orderTotalMinor,
      suborderSequence: events.suborderSequence,
      // JSON, without the conversion of the schema.
      metadata: sql<string | null>`${orders.metadata}`.as("order_metadata"),
      externalId: subOrders.externalId,
      recipientMetadata: sql<string | null>`${subOrders.metadata}`.as("recipient_metadata"),
      carrier: shipments.carrier,
      trackingNumber: shipments.trackingNumber,
      trackingUrl: shipments.trackingUrl,
      data: events.data,
    })
    .from(events)
    .leftJoin(orders, eq(orders.id, events.orderId))
    .leftJoin(
      subOrders,
      and(eq(subOrders.orderId, events.orderId), eq(subOrders.sequence, events.suborderSequence)),
    )
    .leftJoin(
      shipments,
      and(
        inArray(events.type, [...TRACKED_EVENT_TYPES]),
        eq(shipments.orderId, events.orderId),
        eq(shipments.sequence, events.suborderSequence),
      ),
    )
    .where(
      and(
        eq(events.clientId, clientId),
        orderId === undefined ? undefined : inArray(events.sequence, sequencesOf(orderId)),
        after === undefined ? undefined : gt(events.sequence, after),
        type === undefined ? undefined : eq(events.type, type),
      ),
    )
    .orderBy(after === undefined ? desc(events.sequence) : asc(events.sequence))
    .limit(limit);
  if (after === undefined) rows.reverse();
  return rows.map((row) => ({
    ...row,
    type: row.type as EventType,
    data: row.data ?? {},
  }));
}

/** The sequences of the events of the order: that of its placement, and a range of an index. */
const sequencesOf = (orderId: number) => sql`(
  SELECT placed_sequence FROM orders WHERE id = ${orderId} AND placed_sequence IS NOT NULL
  UNION ALL SELECT sequence FROM events INDEXED BY events_by_order
  WHERE order_id = ${orderId} AND is_placement IS NULL)`;
