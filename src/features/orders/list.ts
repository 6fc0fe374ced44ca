// Reads a page of the list of orders.
import type { Database } from "../../platform/db/sql.ts";
import type { OrdersQuery } from "./contract.ts";
import type { Owner } from "../clients/own.ts";
import { formatCursor, invalidCursor, positionOf } from "./list-cursor.ts";
import { listByPrefix, listByTime } from "./list-queries.ts";
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
 * for a cursor of another list.
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
      : await readByPrefix(db, page, { ...query, order_ref_id_prefix: prefix });
  const found = rows.slice(0, limit);
  const orders = expand ? firstWithGifts(found, MAX_PAGE_RECIPIENTS) : found;
  const last = rows.length > orders.length ? orders.at(-1) : undefined;
  return { orders, nextCursor: last ? cursorAfter(last, query) : null };
}

/** The first orders, up to the one with which they have `max` gifts or more. */
function firstWithGifts(orders: ListedOrder[], max: number): ListedOrder[] {
  let gifts = 0;
  const last = orders.findIndex(({ qty }) => (gifts += qty) >= max);
  return last < 0 ? orders : orders.slice(0, last + 1);
}

/** The cursor of the list that continues after the order. */
const cursorAfter = ({ createdAtMs, orderRefId, id }: ListedOrder, query: OrdersQuery): string =>
  formatCursor(
    query.order_ref_id_prefix === undefined
      ? { createdAtMs, id }
      : { orderRefId: orderRefId ?? "", id },
    query,
  );

function readByTime(
  db: Database,
  page: Owner & { limit: number },
  query: OrdersQuery,
): Promise<ListedOrder[]> {
  const { order_status: status = null, gift_order_method: method = null } = query;
  const { created_from: fromMs = Number.MIN_SAFE_INTEGER, redemption_status: gifts = "all" } =
    query;
  const { campaign = null, credential_id: ofSet = null } = query;
  // Ids are greater than 0, so that this position excludes the orders of its millisecond.
  const first = { createdAtMs: query.created_until ?? Number.MAX_SAFE_INTEGER, id: 0 };
  const position = positionOf(query, first);
  // A forged cursor may be after `created_until`.
  const before = position.createdAtMs < first.createdAtMs ? position : first;
  const range = { status, method, fromMs, beforeMs: before.createdAtMs, beforeId: before.id };
  return listByTime(db, gifts, { ...page, ...range, ofSet, campaign });
}

function readByPrefix(
  db: Database,
  page: Owner & { limit: number },
  query: OrdersQuery & { order_ref_id_prefix: string },
): Promise<ListedOrder[]> {
  const { order_ref_id_prefix: prefix } = query;
  const after = positionOf(query, { orderRefId: prefix, id: 0 });
  if (!after.orderRefId.startsWith(prefix)) throw invalidCursor();
  return listByPrefix(db, page, prefix, after);
}
