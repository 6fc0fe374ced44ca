// Pages of the list of orders in the console.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  fragment,
  rawSql,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import type { Order } from "../../features/orders/order.ts";

/** How many orders a page reads at most. Filters of rare orders therefore have pages with few orders. */
const ORDERS_PER_CALL = 2_000;

const COLUMNS = columnsOf<Orders>("o")(
  ...(["id", "clientId", "orderRefId", "giftOrderMethod", "status", "qty"] as const),
  ...(["currency", "orderTotalMinor", "createdAtMs"] as const),
);

export type PagedOrder = RowOf<typeof COLUMNS>;

export interface OrderPageFilter {
  /** Null for all clients. */
  clientId: string | null;
  status: Order["status"] | null;
  method: Order["giftOrderMethod"] | null;
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

interface PageParams extends Omit<OrderPageFilter, "clientId"> {
  beforeMs: number;
  beforeId: number;
  limit: number;
}

// A range of the index orders_by_client, which is read backwards.
const RANGE_OF_CLIENT = fragment`
  FROM orders p WHERE p.client_id = ${"clientId"} AND p.created_at_ms >= ${"fromMs"}
    AND (p.created_at_ms, p.id) < (${"beforeMs"}, ${"beforeId"})
  ORDER BY p.created_at_ms DESC, p.id DESC`;

// A range of the primary key. No index has the orders of all clients by their time. Orders of the online store may have
// any id.
const RANGE_OF_ALL = fragment`
  FROM orders p WHERE p.id < ${"beforeId"} AND p.id >= ${"firstId"} ORDER BY p.id DESC`;

const MATCHES = fragment`
  (${"status"} IS NULL OR o.status = ${"status"})
  AND (${"method"} IS NULL OR o.gift_order_method = ${"method"})
  AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

type ClientParams = PageParams & { clientId: string };
type AllParams = Omit<PageParams, "beforeMs"> & { firstId: number };

const SCANNED = rawSql(String(ORDERS_PER_CALL));

const SELECT_OF_CLIENT = statement<ClientParams>()`
  SELECT ${COLUMNS} FROM (SELECT * ${RANGE_OF_CLIENT} LIMIT ${SCANNED}) o WHERE ${MATCHES}
  ORDER BY o.created_at_ms DESC, o.id DESC LIMIT ${"limit"}`;

const SELECT_OF_ALL = statement<AllParams>()`
  SELECT ${COLUMNS} FROM (SELECT * ${RANGE_OF_ALL} LIMIT ${SCANNED}) o WHERE ${MATCHES}
  ORDER BY o.id DESC LIMIT ${"limit"}`;

// For each client, a range of the index orders_by_client. Orders are not numbered by their time: those of the online
// store may have any id.
const SELECT_ID_RANGE = statement<
  { fromMs: number; untilMs: number },
  { firstId: number | null; lastId: number | null }
>()`
  SELECT min(o.id) AS firstId, max(o.id) AS lastId FROM clients c
  CROSS JOIN orders o ON o.client_id = c.id
    AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

const POSITION = columnsOf<Orders>("p")("id", "createdAtMs");

/** The last order that a page may read. No row if there are fewer. */
const LAST = rawSql(`LIMIT 1 OFFSET ${String(ORDERS_PER_CALL - 1)}`);

const LAST_OF_CLIENT = statement<
  Pick<ClientParams, "clientId" | "fromMs" | "beforeMs" | "beforeId">
>()`SELECT ${POSITION} ${RANGE_OF_CLIENT} ${LAST}`;

const LAST_OF_ALL = statement<Pick<AllParams, "beforeId" | "firstId">>()`
  SELECT ${POSITION} ${RANGE_OF_ALL} ${LAST}`;

/** The last order of a page. */
export type OrderPosition = RowOf<typeof POSITION>;

export interface PageOfOrders {
  orders: PagedOrder[];
  /** Null on the last page. */
  next: OrderPosition | null;
}

/**
 * The client's orders after the position, newest first, or those of all clients, highest id first. Reads at most 2,000
 * orders, also if few of them match. One round trip. For a period of all clients two: the first one reads an index of the
 * orders of the period.
 */
export async function readPageOfOrders(
  db: Database,
  { clientId, ...filter }: OrderPageFilter,
  after: OrderPosition | null,
  limit: number,
): Promise<PageOfOrders> {
  const beforeId = after?.id ?? Number.MAX_SAFE_INTEGER;
  const common = { ...filter, beforeId, limit: limit + 1 };
  let rows: PagedOrder[];
  let last: OrderPosition | undefined;
  if (clientId === null) {
    const { fromMs, untilMs } = filter;
    const isBounded = fromMs > Number.MIN_SAFE_INTEGER || untilMs < Number.MAX_SAFE_INTEGER;
    const range = isBounded ? await readIdRange(db, { fromMs, untilMs }) : null;
    if (isBounded && !range) return { orders: [], next: null };
    const firstId = range?.firstId ?? 1;
    const params = {
      ...common,
      firstId,
      beforeId: range ? Math.min(beforeId, range.lastId + 1) : beforeId,
    };
    const found = await batch(db, {
      rows: SELECT_OF_ALL.bind(db, params),
      last: LAST_OF_ALL.bind(db, params),
    });
    rows = found.rows.results;
    [last] = found.last.results;
  } else {
    const beforeMs = after?.createdAtMs ?? filter.untilMs;
    const params = { ...common, clientId, beforeMs, beforeId: after ? beforeId : 0 };
    const found = await batch(db, {
      rows: SELECT_OF_CLIENT.bind(db, params),
      last: LAST_OF_CLIENT.bind(db, params),
    });
    rows = found.rows.results;
    [last] = found.last.results;
  }
  const orders = rows.slice(0, limit);
  return { orders, next: (rows.length > limit ? orders.at(-1) : last) ?? null };
}

/** The lowest and the highest id of the orders that were placed in this time. Null if there are none. One round trip. */
async function readIdRange(db: Database, period: { fromMs: number; untilMs: number }) {
  const { firstId = null, lastId = null } = (await SELECT_ID_RANGE.first(db, period)) ?? {};
  return firstId === null || lastId === null ? null : { firstId, lastId };
}
