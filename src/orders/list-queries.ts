// The statements of the list of orders.
import { type Database, type Fragment, fragment, statement } from "../db/statement.ts";
import type { ReferencePosition, TimePosition } from "./list-cursor.ts";
import { type ListedOrder, ORDER_METHODS, ORDER_STATUSES } from "./order.ts";

/** A page ends after `limit` orders. */
interface PageParams {
  clientId: string;
  limit: number;
}

type StatusName = `status${0 | 1 | 2 | 3}`;
type MethodName = `method${0 | 1 | 2 | 3 | 4}`;

export interface NewestParams
  extends PageParams, Record<StatusName, string | null>, Record<MethodName, string | null> {
  fromMs: number;
  beforeMs: number;
  beforeId: number;
}

const COLUMNS = fragment`
  o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
  o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
  o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
  o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
  o.updated_at_ms AS updatedAtMs, o.metadata`;

const UNFINISHED = fragment`0`;
const FINISHED = fragment`1`;

/**
 * The finished or unfinished orders of one status and method: a range of the index orders_by_client. Null for status or
 * method matches no order.
 */
const rangeOf = <const Status extends StatusName, const Method extends MethodName>(
  columns: Fragment<never>,
  status: Status,
  method: Method,
  finished: Fragment<never>,
) => fragment`
  SELECT ${columns} FROM orders o
  WHERE o.client_id = ${"clientId"} AND o.status = ${status} AND o.gift_order_method = ${method}
    AND o.finished = ${finished} AND o.created_at_ms >= ${"fromMs"} AND (o.created_at_ms, o.id) < (${"beforeMs"}, ${"beforeId"})`;

/**
 * The finished or unfinished orders of one status. D1 allows five terms in a compound SELECT, and counts those of a
 * subquery separately.
 */
const rangesOf = <const Status extends StatusName>(
  columns: Fragment<never>,
  status: Status,
  finished: Fragment<never> = UNFINISHED,
) => fragment`
  SELECT * FROM (
    ${rangeOf(columns, status, "method0", finished)} UNION ALL ${rangeOf(columns, status, "method1", finished)}
    UNION ALL ${rangeOf(columns, status, "method2", finished)} UNION ALL ${rangeOf(columns, status, "method3", finished)}
    UNION ALL ${rangeOf(columns, status, "method4", finished)})`;

/**
 * The client's newest orders, with these columns, which include `createdAtMs` and `id`. Only paid orders, `status2`, can
 * be finished. SQLite merges the ranges, which the index returns in this order, and stops at the limit. It reads at most
 * one row of each range in addition to the rows of the page (DECISIONS.md: The list of orders merges ranges of one index).
 */
export const newestOrders = (columns: Fragment<never>) => fragment`
  ${rangesOf(columns, "status0")} UNION ALL ${rangesOf(columns, "status1")}
  UNION ALL ${rangesOf(columns, "status2")} UNION ALL ${rangesOf(columns, "status3")}
  UNION ALL ${rangesOf(columns, "status2", FINISHED)}
  ORDER BY createdAtMs DESC, id DESC LIMIT ${"limit"}`;

const SELECT_NEWEST = statement<NewestParams, ListedOrder>()`${newestOrders(COLUMNS)}`;

export interface NewestRange {
  status: ListedOrder["status"] | undefined;
  method: ListedOrder["giftOrderMethod"] | undefined;
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  before: TimePosition;
}

/** The client's first `limit` orders of the range, newest first. One round trip, to the primary. */
export function selectNewest(
  db: Database,
  page: PageParams,
  range: NewestRange,
): Promise<ListedOrder[]> {
  return SELECT_NEWEST.all(db, newestParams(page, range));
}

/** The parameters of a statement with `newestOrders`. */
export function newestParams(
  { clientId, limit }: PageParams,
  { status, method, fromMs, before: [beforeMs, beforeId] }: NewestRange,
): NewestParams {
  const [status0, status1, status2, status3] = onlyIfGiven(ORDER_STATUSES, status);
  const [method0, method1, method2, method3, method4] = onlyIfGiven(ORDER_METHODS, method);
  return {
    ...{ clientId, limit, fromMs, beforeMs, beforeId },
    ...{ status0, status1, status2, status3 },
    ...{ method0, method1, method2, method3, method4 },
  };
}

/** The values, with null for each one that the filter excludes. */
function onlyIfGiven<const Values extends readonly string[]>(
  values: Values,
  filter: Values[number] | undefined,
) {
  return values.map((value) => (filter === undefined || filter === value ? value : null)) as {
    -readonly [Index in keyof Values]: Values[Index] | null;
  };
}

interface PrefixParams extends PageParams {
  afterReference: string;
  afterId: number;
  lastReference: string;
}

// A reference occurs once, so the range of the index orders_by_reference is in the order of the list.
const SELECT_BY_PREFIX = statement<PrefixParams, ListedOrder>()`
  SELECT ${COLUMNS} FROM orders o
  WHERE o.client_id = ${"clientId"} AND o.order_ref_id <= ${"lastReference"}
    AND (o.order_ref_id, o.id) > (${"afterReference"}, ${"afterId"})
  ORDER BY o.order_ref_id LIMIT ${"limit"}`;

/**
 * No reference that starts with the prefix is greater than the prefix followed by these characters, because a reference
 * has at most 100 characters, and this is the last one of Unicode. SQLite compares the bytes of UTF-8.
 */
const LAST_CHARACTERS = "\u{10ffff}".repeat(100);

export interface PrefixRange {
  prefix: string;
  /** Exclusive. */
  after: ReferencePosition;
}

/**
 * The client's first `limit` orders whose references start with the prefix, in ascending order of their references. One
 * round trip, to the primary.
 */
export function selectByPrefix(
  db: Database,
  page: PageParams,
  { prefix, after: [afterReference, afterId] }: PrefixRange,
): Promise<ListedOrder[]> {
  const lastReference = prefix + LAST_CHARACTERS;
  return SELECT_BY_PREFIX.all(db, { ...page, afterReference, afterId, lastReference });
}
