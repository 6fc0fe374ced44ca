// The statements of the lists of orders. Each page is a range of an index.
import {
  type Database,
  type Fragment,
  fragment,
  rawSql,
  type RowOf,
  type Selection,
  sqlOf,
  type Statement,
  statement,
} from "../../platform/db/statement.ts";
import type { ReferencePosition } from "./list-cursor.ts";
import { LISTED_COLUMNS, type ListedOrder, type Order } from "./order.ts";
import { ORDER_METHODS, ORDER_STATUSES } from "./order.ts";
import { MAX_REFERENCE_LENGTH } from "./selection.ts";

/** A page ends after `limit` orders. */
interface NewestParams {
  /** Null for all clients. */
  clientId: string | null;
  status: Order["status"] | null;
  method: Order["giftOrderMethod"] | null;
  /** Inclusive. */
  fromMs: number;
  /** The first orders before this position. */
  beforeMs: number;
  beforeId: number;
  limit: number;
}

type Filter = Fragment<"clientId" | "status" | "method">;

const ALL_STATUSES = fragment`${"status"} IS NULL`;
const ALL_METHODS = fragment`${"method"} IS NULL`;
const HAS_STATUS = fragment`o.status = ${"status"}`;
const HAS_METHOD = fragment`o.gift_order_method = ${"method"}`;

/**
 * Selects the newest orders of the ranges, of which a statement may have five. An index has each range in the order of the
 * list, and SQLite merges them.
 */
const selectRanges = <Row>(columns: Selection, ranges: readonly Filter[]) => {
  const selected = rawSql(sqlOf(columns as Record<string, Fragment<never>>));
  const union = ranges
    .map(
      (range) => fragment`SELECT ${selected} FROM orders o WHERE ${range}
    AND o.created_at_ms >= ${"fromMs"} AND (o.created_at_ms, o.id) < (${"beforeMs"}, ${"beforeId"})`,
    )
    .reduce((all, each) => fragment`${all} UNION ALL ${each}`);
  return statement<NewestParams, Row>()`
    ${union} ORDER BY createdAtMs DESC, id DESC LIMIT ${"limit"}` as Statement<NewestParams, Row>;
};

/** The indexes have the status before the method. With only one of them, each value of the other has its own range. */
function selectOf<Row>(columns: Selection, scope: Fragment<"clientId">) {
  const each = (column: "status" | "gift_order_method", values: readonly string[]) =>
    values.map((value) => rawSql(`o.${column} = '${value}'`));
  const select = (ranges: readonly Filter[]) => selectRanges<Row>(columns, ranges);
  return {
    all: select([fragment`${scope} AND ${ALL_STATUSES} AND ${ALL_METHODS}`]),
    byBoth: select([fragment`${scope} AND ${HAS_STATUS} AND ${HAS_METHOD}`]),
    byStatus: select(
      each("gift_order_method", ORDER_METHODS).map(
        (hasMethod) => fragment`${scope} AND ${HAS_STATUS} AND ${ALL_METHODS} AND ${hasMethod}`,
      ),
    ),
    byMethod: select(
      each("status", ORDER_STATUSES).map(
        (hasStatus) => fragment`${scope} AND ${hasStatus} AND ${ALL_STATUSES} AND ${HAS_METHOD}`,
      ),
    ),
  };
}

const OF_CLIENT = fragment`o.client_id = ${"clientId"}`;

/**
 * A function that reads the newest orders of a client, or of all clients, with these columns. The rows read are linear in
 * the orders of the page. One round trip.
 */
export function newestOrders<const Columns extends Selection>(columns: Columns) {
  const ofClient = selectOf<RowOf<Columns>>(columns, OF_CLIENT);
  const ofAll = selectOf<RowOf<Columns>>(columns, fragment`${"clientId"} IS NULL`);
  return (db: Database, params: NewestParams): Promise<RowOf<Columns>[]> => {
    const { status, method } = params;
    const select = params.clientId === null ? ofAll : ofClient;
    if (status === null) return (method === null ? select.all : select.byMethod).all(db, params);
    return (method === null ? select.byStatus : select.byBoth).all(db, params);
  };
}

export const selectNewest = newestOrders(LISTED_COLUMNS);

// The conditions are those of the partial indexes.
const withGifts = (condition: string) =>
  selectRanges<ListedOrder>(LISTED_COLUMNS, [
    fragment`${OF_CLIENT} AND ${ALL_STATUSES} AND ${ALL_METHODS} AND ${rawSql(condition)}`,
  ]);

/** The client's newest orders with a gift in this state. */
export const SELECT_WITH_GIFTS = {
  unredeemed: withGifts("o.qty > o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts"),
  redeemed: withGifts("o.redeemed_gifts > 0"),
  cancelled: withGifts("o.cancelled_gifts > 0"),
  expired: withGifts("o.expired_gifts > 0"),
};

interface PrefixParams {
  clientId: string;
  limit: number;
  afterReference: string;
  afterId: number;
  lastReference: string;
}

// A reference occurs once, so the range of the index orders_by_reference is in the order of the list.
const SELECT_BY_PREFIX = statement<PrefixParams>()`
  SELECT ${LISTED_COLUMNS} FROM orders o
  WHERE o.client_id = ${"clientId"} AND o.order_ref_id <= ${"lastReference"}
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
export function selectByPrefix(
  db: Database,
  page: Pick<PrefixParams, "clientId" | "limit">,
  { prefix, after: [afterReference, afterId] }: PrefixRange,
): Promise<ListedOrder[]> {
  const lastReference = prefix + LAST_CHARACTERS;
  return SELECT_BY_PREFIX.all(db, { ...page, afterReference, afterId, lastReference });
}
