// Reads a page of a list of shipments.
import { ApiError } from "../../core/api-error.ts";
import type { Database } from "../../platform/db/sql.ts";
import {
  formatCursor,
  invalidCursor,
  parseTimeCursor,
  type TimePosition,
} from "../orders/list-cursor.ts";
import type { Owner } from "../clients/own.ts";
import { selectedId } from "../orders/selection.ts";
import { splitGiftId, toGiftId } from "../../core/values/ids.ts";
import type { ShipmentsQuery } from "./contract.ts";
import { readShipmentsOfOrder, listUpdatedShipments } from "./list-queries.ts";
import type { ListedShipment } from "./list-queries.ts";

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
    : readUpdated(db, owner, { ...query, fromMs });
}

/** In the cursors of an order's shipments, which have no times. */
const OF_ORDER = "order";

async function readOfOrder(
  db: Database,
  owner: Owner,
  query: ShipmentsQuery,
): Promise<ShipmentPage> {
  const { order_ref_id: orderRefId, limit } = query;
  const by = orderRefId === undefined ? { id: selectedId(query) } : { orderRefId };
  const after = positionOf(query, OF_ORDER);
  const { orderId = null, sequence = 0 } = after ? splitGiftId(after[1]) : {};
  // One shipment after the page shows that more follow.
  const page = { ...owner, limit: limit + 1, afterSequence: sequence };
  const found = await readShipmentsOfOrder(db, by, page);
  if (!found) throw new ApiError("not_found", "You have no such order.");
  if (orderId !== null && orderId !== found.orderId) throw invalidCursor();
  const shipments = found.shipments.slice(0, limit);
  const hasMore = found.shipments.length > limit;
  return { shipments, hasMore, nextCursor: hasMore ? cursorOf(shipments, OF_ORDER) : null };
}

async function readUpdated(
  db: Database,
  owner: Owner,
  { fromMs, limit, ...query }: ShipmentsQuery & { fromMs: number },
): Promise<ShipmentPage> {
  // The ids of gifts are greater than 1, so that this position precedes all shipments of its millisecond.
  const start: TimePosition = [fromMs, 1];
  const filters = String(fromMs);
  const position = positionOf(query, filters) ?? start;
  if (position[0] < fromMs) throw invalidCursor();
  const [updatedAtMs, id] = position;
  const after = { updatedAtMs, ...splitGiftId(id) };
  const rows = await listUpdatedShipments(db, { ...owner, limit: limit + 1 }, after);
  const shipments = rows.slice(0, limit);
  return {
    shipments,
    hasMore: rows.length > limit,
    nextCursor: cursorOf(shipments, filters) ?? formatCursor(position, filters),
  };
}

function positionOf(
  { cursor }: Pick<ShipmentsQuery, "cursor">,
  filters: string,
): TimePosition | null {
  if (cursor === undefined) return null;
  const position = parseTimeCursor(cursor, filters);
  if (!position) throw invalidCursor();
  return position;
}

/** The cursor of the list that continues after the page. Null for an empty page. */
function cursorOf(shipments: ListedShipment[], filters: string): string | null {
  const last = shipments.at(-1);
  if (!last) return null;
  // An open shipment of an order has no time.
  const timeMs = last.updatedAtMs ?? 0;
  return formatCursor([timeMs, toGiftId(last.orderId, last.sequence)], filters);
}
