// Reads a page of the list of orders.
import type { Database } from "../../platform/db/statement.ts";
import type { OrdersQuery } from "./contract.ts";
import {
  formatCursor,
  invalidCursor,
  parseReferenceCursor,
  parseTimeCursor,
  type ReferencePosition,
  type TimePosition,
} from "./list-cursor.ts";
import {
  type NewestRange,
  type PrefixRange,
  selectByPrefix,
  selectNewest,
} from "./list-queries.ts";
import type { ListedOrder } from "./order.ts";

/** The maximum number of orders that a request reads if no index serves one of its filters. */
const MAX_EXAMINED_ORDERS = 1_000;

/** A page that contains the recipients of its orders ends with the order that brings them to this number. */
const MAX_PAGE_RECIPIENTS = 1_000;

export interface OrderPage {
  orders: ListedOrder[];
  /** Null if this page is the last one. */
  nextCursor: string | null;
}

/**
 * A page of the client's orders. Newest first, or in ascending order of the references if there is a prefix. A page may
 * have fewer orders than the limit although more follow (DECISIONS.md: A page of orders may be short). One round trip.
 * Errors: `validation_error` for a cursor of another ordering.
 */
export async function readOrderPage(
  db: Database,
  clientId: string,
  query: OrdersQuery,
): Promise<OrderPage> {
  const { order_ref_id_prefix: prefix, limit, expand } = query;
  const matches = filterOf(query);
  // Without a filter, one order after the page shows that more follow.
  const examined = matches ? MAX_EXAMINED_ORDERS : limit + 1;
  const params = { clientId, limit: examined };
  const rows =
    prefix === undefined
      ? await selectNewest(db, params, newestRange(query))
      : await selectByPrefix(db, params, prefixRange(prefix, query));
  const found = matches ? rows.filter(matches) : rows;
  const page = found.slice(0, limit);
  const orders = expand ? firstWithGifts(page, MAX_PAGE_RECIPIENTS) : page;
  if (found.length > orders.length) return { orders, nextCursor: cursorOf(orders.at(-1), query) };
  const hasMore = rows.length === examined;
  return { orders, nextCursor: hasMore ? cursorOf(rows.at(-1), query) : null };
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
  return [status, method, redemption, fromMs, untilMs, prefix?.length].join();
}

/** The filters that no index serves, or undefined if an index serves all of them. */
function filterOf(query: OrdersQuery): ((order: ListedOrder) => boolean) | undefined {
  const { order_status: status, gift_order_method: method, redemption_status: redemption } = query;
  const { created_from: fromMs, created_until: untilMs, order_ref_id_prefix: prefix } = query;
  // The index of references has no times.
  const unindexed = [
    status,
    method,
    redemption,
    ...(prefix === undefined ? [] : [fromMs, untilMs]),
  ];
  if (unindexed.every((filter) => filter === undefined)) return undefined;
  return (order) =>
    (redemption === undefined || hasGift(order, redemption)) &&
    (status === undefined || order.status === status) &&
    (method === undefined || order.giftOrderMethod === method) &&
    (fromMs === undefined || order.createdAtMs >= fromMs) &&
    (untilMs === undefined || order.createdAtMs < untilMs);
}

/** Whether the order has a gift in this state. */
function hasGift(
  { qty, redeemedGifts, cancelledGifts, expiredGifts }: ListedOrder,
  state: NonNullable<OrdersQuery["redemption_status"]>,
): boolean {
  const gifts = {
    unredeemed: qty - redeemedGifts - cancelledGifts - expiredGifts,
    redeemed: redeemedGifts,
    cancelled: cancelledGifts,
    expired: expiredGifts,
  };
  return gifts[state] > 0;
}

function newestRange(query: OrdersQuery): NewestRange {
  // Ids are greater than 0, so that this position excludes the orders of its millisecond.
  const until: TimePosition = [query.created_until ?? Number.MAX_SAFE_INTEGER, 0];
  const cursor =
    query.cursor === undefined ? until : parseTimeCursor(query.cursor, filtersOf(query));
  if (!cursor) throw invalidCursor();
  return {
    fromMs: query.created_from ?? Number.MIN_SAFE_INTEGER,
    // A forged cursor may be after `until`.
    before: cursor[0] < until[0] ? cursor : until,
  };
}

function prefixRange(prefix: string, query: OrdersQuery): PrefixRange {
  const { cursor } = query;
  const after: ReferencePosition | null =
    cursor === undefined ? [prefix, 0] : parseReferenceCursor(cursor, filtersOf(query));
  if (!after?.[0].startsWith(prefix)) throw invalidCursor();
  return { prefix, after };
}
