// The event log for the operator's commands.
import { and, sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sqlOf } from "../../platform/db/sql.ts";
import type { ClientEvent } from "../../features/events/queries.ts";
import {
  EVENT_COLUMNS,
  type EventRow,
  JOIN_SUBJECT,
  toClientEvent,
} from "../../features/events/queries.ts";

// Fragments without parameters.
const COLUMNS = drizzleSql.raw(sqlOf(EVENT_COLUMNS));
const SUBJECT = drizzleSql.raw(sqlOf(JOIN_SUBJECT));

export interface EventFilter {
  /** Undefined for the client of the order. */
  clientId?: string | undefined;
  orderId?: number | undefined;
  /** Only this event and later ones. */
  since?: number | undefined;
  /** Only events before this one. */
  after?: { sequence: number } | undefined;
  limit: number;
}

/** The latest events of the client or of the order, newest first. One round trip. */
export async function listClientEvents(
  d1: D1Database,
  { clientId, orderId, since, after, limit }: EventFilter,
): Promise<ClientEvent[]> {
  const where = and(
    clientId === undefined
      ? drizzleSql`e.client_id = (SELECT client_id FROM orders WHERE id = ${orderId})`
      : drizzleSql`e.client_id = ${clientId}`,
    orderId === undefined ? undefined : drizzleSql`e.sequence IN ${sequencesOf(orderId)}`,
    since === undefined ? undefined : drizzleSql`e.sequence >= ${since}`,
    after && drizzleSql`e.sequence < ${after.sequence}`,
  );
  const rows = await drizzle(d1).all<EventRow>(drizzleSql`
    SELECT ${COLUMNS} FROM events e ${SUBJECT}
    WHERE ${where} ORDER BY e.sequence DESC LIMIT ${limit}`);
  return rows.map(toClientEvent);
}

/** The sequences of the events of the order: that of its placement, and a range of an index. */
const sequencesOf = (orderId: number) => drizzleSql`(
  SELECT placed_sequence FROM orders WHERE id = ${orderId} AND placed_sequence IS NOT NULL
  UNION ALL SELECT sequence FROM events INDEXED BY events_by_order
  WHERE order_id = ${orderId} AND named_elsewhere IS NULL)`;
