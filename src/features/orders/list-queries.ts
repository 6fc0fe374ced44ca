// The statements of the lists of orders. A list is read from one range of an index for each status and method. If the
// rows of one index by time were compared with the filters, a page could be short or empty although others follow.
import {
  type Database,
  type Fragment,
  fragment,
  rawSql,
  sql,
  type Sql,
} from "../../platform/db/sql.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import type { ReferencePosition } from "./list-cursor.ts";
import {
  LISTED_COLUMNS,
  type ListedOrder,
  type Order,
  ORDER_METHODS,
  ORDER_STATUSES,
} from "./order.ts";
import { SOME_ARE_OPEN } from "./queries.ts";
import { MAX_REFERENCE_LENGTH } from "./selection.ts";

/** The newest orders with a status and a method. */
export interface OrderRangeParams {
  status: Order["status"];
  method: Order["giftOrderMethod"];
  /** Inclusive. */
  fromMs: number;
  /** The first orders before this position. */
  beforeMs: number;
  beforeId: number;
  limit: number;
}

/** Selects a range of an index over orders `o`. It follows the conditions on the index's other columns. */
export const RANGE = fragment`
  AND o.status = ${"status"} AND o.gift_order_method = ${"method"} AND o.created_at_ms >= ${"fromMs"}
    AND (o.created_at_ms, o.id) < (${"beforeMs"}, ${"beforeId"})
  ORDER BY o.created_at_ms DESC, o.id DESC LIMIT ${"limit"}`;

/** The parameters of a list. Null for all statuses or methods. */
type ListParams<Params extends OrderRangeParams> = Omit<Params, "status" | "method"> & {
  [Name in "status" | "method"]: Params[Name] | null;
};

/**
 * The newest orders of all ranges of the list. Reads at most `limit` rows for each status and method that orders have. One
 * round trip.
 */
export async function listNewest<
  Params extends OrderRangeParams,
  Row extends Pick<Order, "id" | "createdAtMs">,
>(db: Database, select: Sql<Params, Row>, params: ListParams<Params>): Promise<Row[]> {
  const statuses = params.status === null ? ORDER_STATUSES : [params.status];
  const methods = params.method === null ? ORDER_METHODS : [params.method];
  const ranges = statuses.flatMap((status) =>
    methods.map((method) => select.bind(db, { ...params, status, method } as Params)),
  );
  const pages = await db.batch<Row>(ranges);
  return pages
    .flatMap(({ results }) => results)
    .sort((a, b) => b.createdAtMs - a.createdAtMs || b.id - a.id)
    .slice(0, params.limit);
}

type ClientParams = OrderRangeParams & Owner & { ofSet: number | null };

/** The orders of a set are not indexed, so the list reads those of all sets until its page is full. */
const LISTED = fragment`${OWNED} AND (${"ofSet"} IS NULL OR o.credential_id = ${"ofSet"})`;

// Without INDEXED BY, SQLite may read a complete index instead of a partial one.
const fromIndex = (
  index: string,
  condition: Fragment<never> = fragment`true`,
) => sql<ClientParams>()`
  SELECT ${LISTED_COLUMNS} FROM orders o INDEXED BY ${rawSql(index)}
  WHERE ${LISTED} AND ${condition} ${RANGE}`;

/** The client's orders, or those with a gift in this state. The conditions are those of the partial indexes. */
const SELECT_ORDERS = {
  all: fromIndex("orders_by_status"),
  unredeemed: fromIndex("orders_with_open_gifts", SOME_ARE_OPEN),
  redeemed: fromIndex("orders_with_redeemed_gifts", fragment`o.redeemed_gifts > 0`),
  cancelled: fromIndex("orders_with_cancelled_gifts", fragment`o.cancelled_gifts > 0`),
  expired: fromIndex("orders_with_expired_gifts", fragment`o.expired_gifts > 0`),
};

type State = keyof typeof SELECT_ORDERS;

const SELECT_OF_CAMPAIGN = sql<ClientParams & { campaign: string; gifts: State }>()`
  SELECT ${LISTED_COLUMNS} FROM orders o INDEXED BY orders_by_campaign
  WHERE ${LISTED} AND o.campaign = ${"campaign"}
    AND CASE ${"gifts"} WHEN 'all' THEN true WHEN 'unredeemed' THEN ${SOME_ARE_OPEN}
      WHEN 'redeemed' THEN o.redeemed_gifts > 0 WHEN 'cancelled' THEN o.cancelled_gifts > 0
      ELSE o.expired_gifts > 0 END ${RANGE}`;

/** The client's orders that match, newest first. One round trip. */
export const listByTime = (
  db: Database,
  gifts: State,
  params: ListParams<ClientParams>,
  campaign?: string,
): Promise<ListedOrder[]> =>
  campaign === undefined
    ? listNewest(db, SELECT_ORDERS[gifts], params)
    : listNewest(db, SELECT_OF_CAMPAIGN, { ...params, campaign, gifts });

interface PrefixParams extends Owner {
  limit: number;
  afterReference: string;
  afterId: number;
  lastReference: string;
}

// A reference occurs once, so the range of the index orders_by_reference is in the order of the list.
const SELECT_BY_PREFIX = sql<PrefixParams>()`
  SELECT ${LISTED_COLUMNS} FROM orders o
  WHERE ${OWNED} AND o.order_ref_id <= ${"lastReference"}
    AND (o.order_ref_id, o.id) > (${"afterReference"}, ${"afterId"})
  ORDER BY o.order_ref_id LIMIT ${"limit"}`;

/**
 * No reference that starts with the prefix is greater than the prefix followed by these characters, because a reference
 * has at most as many characters, and this is the last one of Unicode. SQLite compares the bytes of UTF-8.
 */
const LAST_CHARACTERS = "\u{10ffff}".repeat(MAX_REFERENCE_LENGTH);

export interface PrefixRange {
  prefix: string;
  /** Exclusive. */
  after: ReferencePosition;
}

/**
 * The client's first `limit` orders whose references start with the prefix, in ascending order of their references. One
 * round trip.
 */
export function listByPrefix(
  db: Database,
  page: Pick<PrefixParams, keyof Owner | "limit">,
  { prefix, after: [afterReference, afterId] }: PrefixRange,
): Promise<ListedOrder[]> {
  const lastReference = prefix + LAST_CHARACTERS;
  return SELECT_BY_PREFIX.all(db, { ...page, afterReference, afterId, lastReference });
}
