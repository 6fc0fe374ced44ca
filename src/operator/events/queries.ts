// The event log for the operator's commands.
import { and, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { sqlOf } from "../../platform/db/statement.ts";
import type { ClientEvent } from "../../features/events/queries.ts";
import {
  EVENT_COLUMNS,
  type EventRow,
  JOIN_SUBJECT,
  toClientEvent,
} from "../../features/events/queries.ts";

// Fragments without parameters.
const COLUMNS = sql.raw(sqlOf(EVENT_COLUMNS));
const SUBJECT = sql.raw(sqlOf(JOIN_SUBJECT));

export interface EventFilter {
  clientId: string;
  /** Only events of this order, which must be the client's. */
  orderId?: number | undefined;
  /** Only events after this sequence. If it is undefined, the latest events are listed. */
  after?: number | undefined;
  limit: number;
}

/** The client's events in ascending order: the first ones after `after`, or the latest ones. */
export async function listClientEvents(
  d1: D1Database,
  { clientId, orderId, after, limit }: EventFilter,
): Promise<ClientEvent[]> {
  const where = and(
    sql`e.client_id = ${clientId}`,
    orderId === undefined ? undefined : sql`e.sequence IN ${sequencesOf(orderId)}`,
    after === undefined ? undefined : sql`e.sequence > ${after}`,
  );
  const direction = sql.raw(after === undefined ? "DESC" : "ASC");
  const rows = await drizzle(d1).all<EventRow>(sql`
    SELECT ${COLUMNS} FROM events e ${SUBJECT}
    WHERE ${where} ORDER BY e.sequence ${direction} LIMIT ${limit}`);
  if (after === undefined) rows.reverse();
  return rows.map(toClientEvent);
}

/** The sequences of the events of the order: that of its placement, and a range of an index. */
const sequencesOf = (orderId: number) => sql`(
  SELECT placed_sequence FROM orders WHERE id = ${orderId} AND placed_sequence IS NOT NULL
  UNION ALL SELECT sequence FROM events INDEXED BY events_by_order
  WHERE order_id = ${orderId} AND named_elsewhere IS NULL)`;
