// Reads a page of the list of orders.
import type { Database } from "../../platform/db/sql.ts";
import type { OrdersQuery } from "./contract.ts";
import type { Owner } from "../clients/own.ts";
import {
  formatCursor,
  invalidCursor,
  parseReferenceCursor,
  parseTimeCursor,
  type ReferencePosition,
  type TimePosition,
} from "./list-cursor.ts";
import { type PrefixRange, listByPrefix, listByTime } from "./list-queries.ts";
import type { ListedOrder } from "./order.ts";

/** A page that contains the recipients of its orders ends with the order that brings them to this number. */
const MAX_PAGE_RECIPIENTS = 1_000;

export interface OrderPage {
  orders: ListedOrder[];
  /** Null if this page is the last one. */
  nextCursor: string | null;
}

/**
 * A page of the client's orders. Newest first, or in ascending order of the references if there is a prefix. With
 * recipients, a page may have fewer orders than the limit although more follow. One round trip. Errors: `validation_error`
 * for a cursor of another ordering.
 */
export async function readOrderPage(
  db: Database,
  owner: Owner,
  query: OrdersQuery,
): Promise<OrderPage> {
  const { order_ref_id_prefix: prefix, limit, expand } = query;
  // One order after the page shows that more follow.
  const page = { ...owner, limit: limit + 1 };
  const rows =
    prefix === undefined
      ? await readByTime(db, page, query)
      : await listByPrefix(db, page, prefixRange(prefix, query));
  const found = rows.slice(0, limit);
  const orders = expand ? firstWithGifts(found, MAX_PAGE_RECIPIENTS) : found;
  const hasMore = rows.length > orders.length;
  return { orders, nextCursor: hasMore ? cursorOf(orders.at(-1), query) : null };
}

/** The first orders, up to the one with which they have `max` gifts or more. */
function firstWithGifts(orders: ListedOrder[], max: number): ListedOrder[] {
  let gifts = 0;
  const last = orders.findIndex(({ qty }) => (gifts += qty) >= max);
  return last < 0 ? orders : orders.slice(0, last + 1);
}

/** The cursor of the list that continues after the order. */
function cursorOf(order: ListedOrder | undefined, query: OrdersQuery): string | null {
  if (!order) return null;
  const { createdAtMs, orderRefId, id } = order;
  const isByTime = query.order_ref_id_prefix === undefined;
  return formatCursor(isByTime ? [createdAtMs, id] : [orderRefId as string, id], filtersOf(query));
}

/**
 * Identifies the filters in a cursor. The reference in the cursor starts with the prefix, so the length of the prefix is
 * enough, which keeps the cursor short.
 */
export function filtersOf(query: OrdersQuery): string {
  const { order_status: status, gift_order_method: method, redemption_status: redemption } = query;
  const { created_from: fromMs, created_until: untilMs, order_ref_id_prefix: prefix } = query;
  const { campaign, credential_id: ofSet } = query;
  const others = (campaign ?? ofSet) ? [campaign, ofSet] : [];
  return [status, method, redemption, fromMs, untilMs, prefix?.length, ...others].join();
}

function readByTime(
  db: Database,
  page: Owner & { limit: number },
  query: OrdersQuery,
): Promise<ListedOrder[]> {
  const { order_status: status = null, gift_order_method: method = null } = query;
  const { created_from: fromMs = Number.MIN_SAFE_INTEGER, redemption_status: gifts = "all" } =
    query;
  // Ids are greater than 0, so that this position excludes the orders of its millisecond.
  const until: TimePosition = [query.created_until ?? Number.MAX_SAFE_INTEGER, 0];
  const cursor =
    query.cursor === undefined ? until : parseTimeCursor(query.cursor, filtersOf(query));
  if (!cursor) throw invalidCursor();
  // A forged cursor may be after `until`.
  const [beforeMs, beforeId] = cursor[0] < until[0] ? cursor : until;
  const { campaign, credential_id: ofSet = null } = query;
  const params = { ...page, status, method, fromMs, beforeMs, beforeId, ofSet };
  return listByTime(db, gifts, params, campaign);
}

function prefixRange(prefix: string, query: OrdersQuery): PrefixRange {
  const { cursor } = query;
  const after: ReferencePosition | null =
    cursor === undefined ? [prefix, 0] : parseReferenceCursor(cursor, filtersOf(query));
  if (!after?.[0].startsWith(prefix)) throw invalidCursor();
  return { prefix, after };
}
