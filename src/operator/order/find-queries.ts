// The statements that find orders and gifts for the operator.
import { orNull } from "../../platform/db/columns.ts";
import { type Database, expression, rawSql, type RowOf, sql } from "../../platform/db/sql.ts";
import { gift, order, shipment } from "../../platform/db/tables.ts";
import { STATE_COLUMNS } from "../../features/codes/delivery-queries.ts";

/** Filters of a search. */
export interface SearchRange {
  /** Null for all clients. */
  clientId: string | null;
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** The columns of order `o`, its LEFT JOINed gift `s` and the shipment `h` of the gift. */
const COLUMNS = {
  ...orNull(STATE_COLUMNS),
  orderId: order("id").id,
  orderStatus: order("status").status,
  ...order("clientId", "orderRefId", "campaign", "giftOrderMethod", "createdAtMs", "linkNonce"),
  ...orNull(gift("sequence", "firstName", "lastName", "email", "deliveryEmail", "searchTerms")),
  product: expression<string | null>()`(SELECT r.content ->> '$.name' FROM product_revisions r
    WHERE r.product_id = s.product_id AND r.revision = coalesce(s.selected_revision, o.product_revision))`,
  shipmentStatus: orNull(shipment("status")).status,
};

/** A gift, with columns of its order. The columns of an order without recipients are null. */
export type FoundGift = RowOf<typeof COLUMNS>;

const SELECT_GIFTS = sql<SearchRange & { ids: string; limit: number }>()`
  SELECT ${COLUMNS}
  FROM (SELECT key, value / 1000 AS order_id, value % 1000 AS sequence FROM json_each(${"ids"})) i
  CROSS JOIN orders o ON o.id = i.order_id
  LEFT JOIN gifts s ON s.order_id = o.id
    AND s.sequence BETWEEN i.sequence AND iif(i.sequence = 0, 999, i.sequence)
  LEFT JOIN shipments h ON s.fulfilment IS NOT NULL AND h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE (i.sequence = 0 OR s.sequence IS NOT NULL)
    AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
    AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}
  ORDER BY i.key, s.sequence LIMIT ${"limit"}`;

/**
 * At most `limit` gifts with these ids, in their order. An id with the sequence 0 stands for all gifts of an
 * order, or for the order if it has none. One round trip.
 */
export function listFoundGifts(
  db: Database,
  ids: readonly number[],
  { clientId, fromMs, untilMs }: SearchRange,
  limit: number,
): Promise<FoundGift[]> {
  return SELECT_GIFTS.all(db, { ids: JSON.stringify(ids), clientId, fromMs, untilMs, limit });
}

/** How many rows a search reads of a term, and of the longer terms that begin with it. */
export const MAX_TERM_ROWS = 1_000;
const LIMIT = rawSql(`LIMIT ${String(MAX_TERM_ROWS)}`);

interface TermRow {
  /** The id of a gift, or with the sequence 0 that of an order. */
  id: number;
  isLonger: 0 | 1;
}

// The key has the term before the client, so the longer terms of all clients are one range.
const SELECT_TERM = sql<
  { term: string; lastTerm: string; firstClient: string; lastClient: string },
  TermRow
>()`
  SELECT * FROM (SELECT order_id * 1000 + sequence AS id, 0 AS isLonger FROM search_terms
    WHERE term = ${"term"} AND client_id BETWEEN ${"firstClient"} AND ${"lastClient"} ${LIMIT})
  UNION ALL SELECT * FROM (SELECT order_id * 1000 + sequence, 1 FROM search_terms
    WHERE term > ${"term"} AND term < ${"lastTerm"} ${LIMIT})`;

/** The last character of Unicode. */
const LAST = "\u{10ffff}";

/**
 * For each term, the ids of the gifts that have it, newest orders first, and then of those that have a longer one,
 * also of other clients. One round trip.
 */
export async function readTerms(
  db: Database,
  terms: readonly string[],
  clientId: string | null,
): Promise<Map<string, number[]>> {
  const client = { firstClient: clientId ?? "", lastClient: clientId ?? LAST };
  const statements = terms.map((term) =>
    SELECT_TERM.bind(db, { ...client, term, lastTerm: term + LAST }),
  );
  const results = await db.batch<TermRow>(statements);
  const idsOf = (rows: TermRow[] = []) =>
    rows.sort((a, b) => a.isLonger - b.isLonger || b.id - a.id).map(({ id }) => id);
  return new Map(terms.map((term, n) => [term, idsOf(results[n]?.results)]));
}
