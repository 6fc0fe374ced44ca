// The statements of the lists of shipments.
import { type Database, type Fragment, fragment, statement } from "../../platform/db/statement.ts";
import type { GiftKey, ListedShipment } from "./shipment.ts";
import { HAS_OPEN_SHIPMENT } from "./queries.ts";

/** A page ends after `limit` shipments. */
interface PageParams {
  clientId: string;
  limit: number;
}

/** Columns of order `o`, sub-order `s` and shipment `h`. */
const COLUMNS = fragment`
  o.id AS orderId, o.order_ref_id AS orderRefId, s.sequence, s.external_id AS externalId,
  coalesce(h.status, 'open') AS status, h.carrier, h.tracking_number AS trackingNumber,
  h.tracking_url AS trackingUrl, h.shipped_at_ms AS shippedAtMs, h.delivered_at_ms AS deliveredAtMs,
  h.updated_at_ms AS updatedAtMs`;

interface OfOrderParams extends PageParams {
  afterSequence: number;
}

/** Null if the order has no shipment after `afterSequence`. */
type OfOrderRow = Omit<ListedShipment, "sequence"> & { sequence: number | null };

// At least one row if the order exists.
const ofOrder = <const Name extends string>(isOrder: Fragment<Name>) => fragment`
  SELECT ${COLUMNS}
  FROM orders o
  LEFT JOIN sub_orders s ON s.order_id = o.id AND s.sequence > ${"afterSequence"}
    AND (s.has_shipment = 1 OR ${HAS_OPEN_SHIPMENT})
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE o.client_id = ${"clientId"} AND ${isOrder}
  ORDER BY s.sequence LIMIT ${"limit"}`;

const SELECT_BY_ORDER_ID = statement<OfOrderParams & { id: number | null }, OfOrderRow>()`
  ${ofOrder(fragment`o.id = ${"id"}`)}`;

const SELECT_BY_ORDER_REF = statement<OfOrderParams & { orderRefId: string }, OfOrderRow>()`
  ${ofOrder(fragment`o.order_ref_id = ${"orderRefId"}`)}`;

/**
 * The first `limit` shipments of the client's order after `afterSequence`, in ascending order. They include the open
 * ones. Null if the client has no such order. One round trip, to the primary.
 */
export async function selectOfOrder(
  db: Database,
  by: { orderRefId: string } | { id: number | null },
  page: OfOrderParams,
): Promise<{ orderId: number; shipments: ListedShipment[] } | null> {
  const rows = await ("id" in by
    ? SELECT_BY_ORDER_ID.all(db, { ...page, ...by })
    : SELECT_BY_ORDER_REF.all(db, { ...page, ...by }));
  const [first] = rows;
  if (!first) return null;
  const shipments = rows.filter((row): row is ListedShipment => row.sequence !== null);
  return { orderId: first.orderId, shipments };
}

interface UpdatedParams extends PageParams, GiftKey {
  updatedAtMs: number;
}

const SELECT_UPDATED = statement<UpdatedParams, ListedShipment>()`
  SELECT ${COLUMNS}
  FROM shipments h CROSS JOIN orders o ON o.id = h.order_id
  CROSS JOIN sub_orders s ON s.order_id = h.order_id AND s.sequence = h.sequence
  WHERE h.client_id = ${"clientId"}
    AND (h.updated_at_ms, h.order_id, h.sequence) > (${"updatedAtMs"}, ${"orderId"}, ${"sequence"})
  ORDER BY h.updated_at_ms, h.order_id, h.sequence LIMIT ${"limit"}`;

/**
 * The client's first `limit` recorded shipments after the position, in ascending order of their last change. A page is a
 * range of the index shipments_by_update. One round trip, to the primary.
 */
export function selectUpdated(
  db: Database,
  { clientId, limit }: PageParams,
  { updatedAtMs, orderId, sequence }: GiftKey & { updatedAtMs: number },
): Promise<ListedShipment[]> {
  return SELECT_UPDATED.all(db, { clientId, limit, updatedAtMs, orderId, sequence });
}
