// Reads a page of a list of shipments.
import { ApiError } from "../../core/api-error.ts";
import type { Database } from "../../platform/db/sql.ts";
import { formatCursor, invalidCursor, positionOf } from "../orders/list-cursor.ts";
import type { Owner } from "../clients/own.ts";
import { selectedOrder } from "../orders/selection.ts";
import type { ShipmentsQuery } from "./contract.ts";
import { type ListedShipment, listUpdatedShipments, readShipmentsOfOrder } from "./list-queries.ts";

export interface ShipmentPage {
  shipments: ListedShipment[];
  /** Null on the last page of an order. Never null in the list by `updated_from`. */
  nextCursor: string | null;
  hasMore: boolean;
}

/**
 * A page of the shipments of an order, or of the client's shipments that have changed. One round trip. Errors:
 * `not_found` for an unknown order, and `validation_error` for a cursor of another list.
 */
export function readShipmentPage(
  db: Database,
  owner: Owner,
  query: ShipmentsQuery,
): Promise<ShipmentPage> {
  const { updated_from: fromMs } = query;
  return fromMs === undefined
    ? readOfOrder(db, owner, query)
    : readUpdated(db, owner, query, fromMs);
}

async function readOfOrder(
  db: Database,
  owner: Owner,
  query: ShipmentsQuery,
): Promise<ShipmentPage> {
  const { limit } = query;
  const { sequence: afterSequence } = positionOf(query, { sequence: 0 });
  // One shipment after the page shows that more follow.
  const page = { ...owner, ...selectedOrder(query), limit: limit + 1, afterSequence };
  const found = await readShipmentsOfOrder(db, page);
  if (!found) throw new ApiError("not_found", "You have no such order.");
  const shipments = found.slice(0, limit);
  const last = found.length > limit ? shipments.at(-1) : undefined;
  const nextCursor = last ? formatCursor({ sequence: last.sequence }, query) : null;
  return { shipments, hasMore: found.length > limit, nextCursor };
}

async function readUpdated(
  db: Database,
  owner: Owner,
  query: ShipmentsQuery,
  fromMs: number,
): Promise<ShipmentPage> {
  const { limit } = query;
  const position = positionOf(query, { updatedAtMs: fromMs, orderId: 0, sequence: 0 });
  if (position.updatedAtMs < fromMs) throw invalidCursor();
  const rows = await listUpdatedShipments(db, { ...owner, limit: limit + 1 }, position);
  const shipments = rows.slice(0, limit);
  const { updatedAtMs, orderId, sequence } = shipments.at(-1) ?? position;
  return {
    shipments,
    hasMore: rows.length > limit,
    nextCursor: formatCursor({ updatedAtMs: updatedAtMs ?? fromMs, orderId, sequence }, query),
  };
}
