// The statements of the lists of shipments.
import { orNull } from "../../platform/db/columns.ts";
import { type Database, expression, type RowOf, sql } from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, gift, order, shipment } from "../../platform/db/tables.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import { IS_TO_DELIVER } from "../codes/delivery-queries.ts";
import { ORDER_ID } from "../events/subject-queries.ts";
import type { SelectedOrder } from "../orders/selection.ts";
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { type ShipmentKey, TRACKING } from "./shipment.ts";

/** A page ends after `limit` shipments. */
interface PageParams extends Owner {
  limit: number;
}

/** Columns of order `o`, gift `s` and shipment `h`, which is LEFT JOINed. */
const COLUMNS = {
  orderId: order("id").id,
  ...order("orderRefId"),
  ...gift("sequence", "externalId"),
  status: expression<ShipmentStatus>()`coalesce(h.status, 'open')`,
  ...TRACKING,
  ...orNull(shipment("carrierAnswers", "updatedAtMs")),
};

/** A shipment as GET /api/shipments shows it. */
export type ListedShipment = RowOf<typeof COLUMNS>;

interface OfOrderParams extends PageParams, SelectedOrder {
  afterSequence: number;
}

// At least one row if the order exists.
const SELECT_OF_ORDER = sql<OfOrderParams>()`
  SELECT ${{ ...COLUMNS, ...orNull(gift("sequence")) }}
  FROM orders o
  LEFT JOIN gifts s ON s.order_id = o.id AND s.sequence > ${"afterSequence"}
    AND (s.fulfilment IS NOT NULL OR ${IS_TO_DELIVER}) ${JOIN_SHIPMENT}
  WHERE ${OWNED} AND o.id = ${ORDER_ID}
  ORDER BY s.sequence LIMIT ${"limit"}`;

/**
 * The first `limit` shipments of the client's order after `afterSequence`, in ascending order. They include the open
 * ones. Null if the client has no such order. One round trip.
 */
export async function readShipmentsOfOrder(
  db: Database,
  page: OfOrderParams,
): Promise<ListedShipment[] | null> {
  const rows = await SELECT_OF_ORDER.all(db, page);
  if (rows.length === 0) return null;
  return rows.filter((row): row is ListedShipment => row.sequence !== null);
}

interface UpdatedParams extends PageParams, ShipmentKey {
  updatedAtMs: number;
}

const SELECT_UPDATED = sql<UpdatedParams>()`
  SELECT ${COLUMNS}
  FROM shipments h CROSS JOIN orders o ON o.id = h.order_id
  CROSS JOIN gifts s ON s.order_id = h.order_id AND s.sequence = h.sequence
  WHERE h.client_id = ${"clientId"} AND ${OWNED}
    AND (h.updated_at_ms, h.order_id, h.sequence) > (${"updatedAtMs"}, ${"orderId"}, ${"sequence"})
  ORDER BY h.updated_at_ms, h.order_id, h.sequence LIMIT ${"limit"}`;

/**
 * The client's first `limit` recorded shipments after the position, in ascending order of their last change. A page is a
 * range of the index shipments_by_update. One round trip.
 */
export function listUpdatedShipments(
  db: Database,
  page: PageParams,
  { updatedAtMs, orderId, sequence }: ShipmentKey & { updatedAtMs: number },
): Promise<ListedShipment[]> {
  return SELECT_UPDATED.all(db, { ...page, updatedAtMs, orderId, sequence });
}
