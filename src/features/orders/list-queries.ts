// The statements of the list of orders.
import { type Database, statement } from "../../platform/db/statement.ts";
import type { ReferencePosition, TimePosition } from "./list-cursor.ts";
import { LISTED_COLUMNS, type ListedOrder } from "./order.ts";
import { MAX_REFERENCE_LENGTH } from "./selection.ts";

/** A page ends after `limit` orders. */
interface PageParams {
  clientId: string;
  limit: number;
}

interface NewestParams extends PageParams {
  fromMs: number;
  beforeMs: number;
  beforeId: number;
}

// A range of the index orders_by_client.
const SELECT_NEWEST = statement<NewestParams>()`
  SELECT ${LISTED_COLUMNS} FROM orders o
  WHERE o.client_id = ${"clientId"} AND o.created_at_ms >= ${"fromMs"}
    AND (o.created_at_ms, o.id) < (${"beforeMs"}, ${"beforeId"})
  ORDER BY o.created_at_ms DESC, o.id DESC LIMIT ${"limit"}`;

export interface NewestRange {
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  before: TimePosition;
}

/** The client's first `limit` orders of the range, newest first. One round trip. */
export function selectNewest(
  db: Database,
  page: PageParams,
  { fromMs, before: [beforeMs, beforeId] }: NewestRange,
): Promise<ListedOrder[]> {
  return SELECT_NEWEST.all(db, { ...page, fromMs, beforeMs, beforeId });
}

interface PrefixParams extends PageParams {
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
  page: PageParams,
  { prefix, after: [afterReference, afterId] }: PrefixRange,
): Promise<ListedOrder[]> {
  const lastReference = prefix + LAST_CHARACTERS;
  return SELECT_BY_PREFIX.all(db, { ...page, afterReference, afterId, lastReference });
}
