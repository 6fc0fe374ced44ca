// Reads the gifts of listed orders and of one person.
import { parseJson } from "../../platform/db/columns.ts";
import { type Database, rawSql, type RowOf, sql } from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";
import { inAscii } from "../../core/values/email-address.ts";
import type { RecipientsQuery } from "./contract.ts";
import { OWNED, type Owner } from "../clients/own.ts";
import { currentGiftUrls, type LinkEnv } from "./gift-link.ts";
import { formatCursor, positionOf } from "./list-cursor.ts";
import { type Gift, GIFT_COLUMNS, type ListedOrder } from "./order.ts";
import { codeTerm, MAX_TERM_LENGTH, wholeTerm } from "./search-terms.ts";
import { GIFT_EXPIRY } from "../codes/delivery-queries.ts";

/** What each gift in a list shows of its order, and what its link is derived from. */
const OF_ORDER = {
  ...order("id", "orderRefId", "status", "giftOrderMethod", "createdAtMs"),
  ...order("linkNonce", "linkKeyId", "currency"),
};

/** All gifts of an order, or some of them, in ascending order. */
export interface GiftsOfOrder {
  order: Pick<ListedOrder, keyof typeof OF_ORDER | "expiresAtMs">;
  gifts: Gift[];
  /** The links of the gifts, in the same order. Empty for an order without links, and if they are not shown. */
  giftUrls: string[];
}

// CROSS JOIN fixes the order of the tables. SQLite might otherwise read all gifts for each order.
const SELECT_GIFTS = sql<{ orderIds: string }>()`
  SELECT ${GIFT_COLUMNS}
  FROM json_each(${"orderIds"}) o CROSS JOIN gifts s ON s.order_id = o.value
  ORDER BY o.key, s.sequence`;

/** All gifts of the orders. One round trip. */
export async function readGiftsOfOrders(
  db: Database,
  env: LinkEnv | null,
  orders: readonly ListedOrder[],
): Promise<GiftsOfOrder[]> {
  const orderIds = JSON.stringify(orders.map(({ id }) => id));
  return withLinks(env, orders, await SELECT_GIFTS.all(db, { orderIds }));
}

/** The orders that have rows, with their links. */
async function withLinks(
  env: LinkEnv | null,
  orders: readonly GiftsOfOrder["order"][],
  rows: readonly RowOf<typeof GIFT_COLUMNS>[],
): Promise<GiftsOfOrder[]> {
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return Promise.all(
    orders
      .filter(({ id }) => byOrder.has(id))
      .map(async (order) => {
        const gifts = (byOrder.get(order.id) ?? []).map((row) => ({
          ...row,
          deliveryAddress: parseJson(row.deliveryAddress),
          metadata: parseJson(row.metadata),
        }));
        return { order, gifts, giftUrls: await currentGiftUrls(env, order, gifts) };
      }),
  );
}

export interface GiftPage {
  found: GiftsOfOrder[];
  /** Null if this page is the last one. */
  nextCursor: string | null;
}

const GIFT_OF_PERSON = { ...GIFT_COLUMNS, ...OF_ORDER, expiresAtMs: GIFT_EXPIRY };

// A range of the key of search_terms. Other values may have the same term: external ids in another case, and longer values.
interface PersonParams extends Owner {
  term: string;
  kind: "email" | "external_id";
  value: string;
  lastOrderId: number;
  afterSequence: number;
  limit: number;
}

const SELECT_GIFTS_OF_PERSON = sql<PersonParams>()`
  SELECT ${GIFT_OF_PERSON}
  FROM search_terms t CROSS JOIN orders o ON o.id = t.order_id
  CROSS JOIN gifts s ON s.order_id = t.order_id AND s.sequence = t.sequence
  WHERE t.term = ${"term"} AND t.client_id = ${"clientId"} AND ${OWNED} AND t.order_id <= ${"lastOrderId"}
    AND (t.order_id < ${"lastOrderId"} OR t.sequence > ${"afterSequence"}) AND t.kind = ${"kind"}
    AND iif(t.kind = 'email', length(t.term) < ${rawSql(String(MAX_TERM_LENGTH))}
      OR s.email = ${"value"} COLLATE NOCASE, s.external_id = ${"value"})
  ORDER BY t.order_id DESC, t.sequence LIMIT ${"limit"}`;

/**
 * A page of the client's gifts for the recipients with an external id or an e-mail address, those of the order with the
 * highest id first. One round trip. Errors: `validation_error` for a cursor of another list.
 */
export async function readGiftPage(
  db: Database,
  env: LinkEnv | null,
  owner: Owner,
  query: RecipientsQuery,
): Promise<GiftPage> {
  const { external_id: externalId, email, limit } = query;
  const kind = email === undefined ? "external_id" : "email";
  const value = email ?? externalId ?? "";
  const position = positionOf(query, { orderId: Number.MAX_SAFE_INTEGER, sequence: 0 });
  const rows = await SELECT_GIFTS_OF_PERSON.all(db, {
    ...owner,
    term: email === undefined ? codeTerm(value) : wholeTerm(inAscii(email)),
    kind,
    value,
    lastOrderId: position.orderId,
    afterSequence: position.sequence,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  // Each gift has its last day, also if it is that of the order.
  const orders = new Map(page.map((row) => [row.id, { ...row, expiresAtMs: null }]));
  return {
    found: await withLinks(env, [...orders.values()], page),
    nextCursor: last
      ? formatCursor({ orderId: last.orderId, sequence: last.sequence }, query)
      : null,
  };
}
