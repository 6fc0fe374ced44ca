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

/** Null for a filter that is not given. */
type ClientParams = OrderRangeParams & Owner & { ofSet: number | null; campaign: string | null };

// The orders of a set are not indexed, so the list reads those of all sets until its page is full. Without INDEXED BY,
// SQLite may read a complete index instead of a partial one.
const fromIndex = (index: string, condition: Fragment<"campaign">) => sql<ClientParams>()`
  SELECT ${LISTED_COLUMNS} FROM orders o INDEXED BY ${rawSql(index)}
  WHERE ${OWNED} AND (${"ofSet"} IS NULL OR o.credential_id = ${"ofSet"})
    AND (${"campaign"} IS NULL OR o.campaign = ${"campaign"}) AND ${condition} ${RANGE}`;

const indexed = (index: string, condition: Fragment<never>) => ({
  ofAll: fromIndex(index, condition),
  ofCampaign: fromIndex(
    "orders_by_campaign",
    fragment`o.campaign = ${"campaign"} AND ${condition}`,
  ),
});

/** The client's orders, or those with a gift in this state. The conditions are those of the partial indexes. */
const SELECT_ORDERS = {
  all: indexed("orders_by_status", fragment`true`),
  unredeemed: indexed("orders_with_open_gifts", SOME_ARE_OPEN),
  redeemed: indexed("orders_with_redeemed_gifts", fragment`o.redeemed_gifts > 0`),
  cancelled: indexed("orders_with_cancelled_gifts", fragment`o.cancelled_gifts > 0`),
  expired: indexed("orders_with_expired_gifts", fragment`o.expired_gifts > 0`),
};

/** The client's orders that match, newest first. One round trip. */
export const listByTime = (
  db: Database,
  gifts: keyof typeof SELECT_ORDERS,
  params: ListParams<ClientParams>,
): Promise<ListedOrder[]> =>
  listNewest(db, SELECT_ORDERS[gifts][params.campaign === null ? "ofAll" : "ofCampaign"], params);

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

/**
 * The client's first `limit` orders after the position whose references start with the prefix, in ascending order of their
 * references. One round trip.
 */
export const listByPrefix = (
  db: Database,
  page: Pick<PrefixParams, keyof Owner | "limit">,
  prefix: string,
  after: { orderRefId: string; id: number },
): Promise<ListedOrder[]> =>
  SELECT_BY_PREFIX.all(db, {
    ...page,
    afterReference: after.orderRefId,
    afterId: after.id,
    lastReference: prefix + LAST_CHARACTERS,
  });
