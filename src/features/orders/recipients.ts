// Reads the recipients of listed orders, and the gifts of one person.
import { splitSuborderId, suborderId } from "../../core/values/ids.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { type Database, statement } from "../../platform/db/statement.ts";
import type { RecipientsQuery } from "./contract.ts";
import { currentGiftUrls, type LinkEnv } from "./gift-link.ts";
import { firstWithGifts } from "./list.ts";
import { formatCursor, invalidCursor, parseTimeCursor, type TimePosition } from "./list-cursor.ts";
import { selectNewest } from "./list-queries.ts";
import { type ListedOrder, SUB_ORDER_COLUMNS, type SubOrder } from "./order.ts";

/** A request for the gifts of one person examines orders until they have this many gifts together. */
const MAX_EXAMINED_GIFTS = 10_000;
const MAX_EXAMINED_ORDERS = 1_000;

/** All recipients of an order, or some of them, in ascending order. */
export interface OrderRecipients {
  order: ListedOrder;
  subOrders: SubOrder[];
  /** The links of the sub-orders, in the same order. Empty for an order without links, and if they are not shown. */
  giftUrls: string[];
}

interface RecipientRange {
  /** Null for any value. The case of the address does not matter. */
  externalId: string | null;
  email: string | null;
  /** In the first order, only the recipients after this sequence. */
  afterSequence: number;
  limit: number;
}

// CROSS JOIN fixes the order of the tables. SQLite might otherwise read all sub-orders for each order.
const SELECT_RECIPIENTS = statement<RecipientRange & { orderIds: string }>()`
  SELECT ${SUB_ORDER_COLUMNS}
  FROM json_each(${"orderIds"}) o CROSS JOIN sub_orders s ON s.order_id = o.value
  WHERE (o.key > 0 OR s.sequence > ${"afterSequence"})
    AND (${"externalId"} IS NULL OR s.external_id = ${"externalId"})
    AND (${"email"} IS NULL OR s.email = ${"email"} COLLATE NOCASE)
  ORDER BY o.key, s.sequence LIMIT ${"limit"}`;

/** The recipients of these orders in the range, with the orders that have any. One round trip. */
async function readRange(
  db: Database,
  env: LinkEnv | null,
  orders: readonly ListedOrder[],
  range: RecipientRange,
): Promise<OrderRecipients[]> {
  const orderIds = JSON.stringify(orders.map(({ id }) => id));
  const rows = await SELECT_RECIPIENTS.all(db, { ...range, orderIds });
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId);
  return Promise.all(
    orders
      .filter(({ id }) => byOrder.has(id))
      .map(async (order) => {
        const subOrders = (byOrder.get(order.id) ?? []).map((row) => ({
          ...row,
          deliveryAddress: parseJson(row.deliveryAddress),
          metadata: parseJson(row.metadata),
        }));
        return { order, subOrders, giftUrls: await currentGiftUrls(env, order, subOrders) };
      }),
  );
}

/** All recipients of the orders. One round trip. */
export function readRecipients(
  db: Database,
  env: LinkEnv | null,
  orders: readonly ListedOrder[],
): Promise<OrderRecipients[]> {
  const limit = orders.reduce((sum, { qty }) => sum + qty, 0);
  return readRange(db, env, orders, { externalId: null, email: null, afterSequence: 0, limit });
}

export interface GiftPage {
  found: OrderRecipients[];
  /** Null if this page is the last one. */
  nextCursor: string | null;
}

/**
 * A page of the client's gifts for the recipients with an external id or an e-mail address, in the newest order first. A
 * page may have fewer gifts than the limit although more follow (DECISIONS.md: A page of orders may be short). Two round
 * trips. Errors: `validation_error` for a cursor of another list.
 */
export async function readGiftPage(
  db: Database,
  env: LinkEnv | null,
  clientId: string,
  query: RecipientsQuery,
): Promise<GiftPage> {
  const { external_id: externalId = null, email = null, limit } = query;
  const filter = JSON.stringify([externalId, email]);
  const { before, afterSequence } = positionOf(query.cursor, filter);
  const newest = await selectNewest(db, {
    clientId,
    status: null,
    method: null,
    fromMs: Number.MIN_SAFE_INTEGER,
    beforeMs: before[0],
    beforeId: before[1],
    limit: MAX_EXAMINED_ORDERS,
  });
  const orders = firstWithGifts(newest, MAX_EXAMINED_GIFTS);
  const range = { externalId, email, afterSequence, limit: limit + 1 };
  const found = await readRange(db, env, orders, range);

  const count = found.reduce((sum, { subOrders }) => sum + subOrders.length, 0);
  const cursorAfter = ({ createdAtMs, id }: ListedOrder, sequence: number) =>
    formatCursor([createdAtMs, suborderId(id, sequence)], filter);
  if (count > limit) {
    const last = found.at(-1) as OrderRecipients;
    last.subOrders.pop();
    return { found, nextCursor: cursorAfter(last.order, last.subOrders.at(-1)?.sequence ?? 0) };
  }
  const examined = orders.at(-1);
  const isLast = newest.length < MAX_EXAMINED_ORDERS && orders.length === newest.length;
  return { found, nextCursor: isLast || !examined ? null : cursorAfter(examined, examined.qty) };
}

/** Where a page starts: orders before `before`, and in the first of them the recipients after `afterSequence`. */
function positionOf(
  cursor: string | undefined,
  filter: string,
): { before: TimePosition; afterSequence: number } {
  if (cursor === undefined) return { before: [Number.MAX_SAFE_INTEGER, 0], afterSequence: 0 };
  const position = parseTimeCursor(cursor, filter);
  if (!position) throw invalidCursor();
  const [createdAtMs, lastId] = position;
  const { orderId, sequence } = splitSuborderId(lastId);
  // The order of the last gift may have more gifts of the person.
  return { before: [createdAtMs, orderId + 1], afterSequence: sequence };
}
