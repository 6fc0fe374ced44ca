// The list of all clients' orders for operators, and statements about single orders.
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { RANGE, type OrderRangeParams, listNewest } from "../../features/orders/list-queries.ts";
import type { Order } from "../../features/orders/order.ts";
import { orders, type StaffNote } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";
import { requireOrderState, type OrderState } from "../../features/lifecycle/queries.ts";
import { operatorKey } from "../../features/lifecycle/order-key.ts";

const COLUMNS = {
  ...order("id", "clientId", "orderRefId", "giftOrderMethod", "status", "productId", "qty"),
  ...order("currency", "orderTotalMinor", "createdAtMs", "redeemedGifts", "shippedGifts"),
  ...order("campaign", "credentialId"),
  product: expression<string | null>()`(SELECT r.content ->> '$.name' FROM product_revisions r
    WHERE r.product_id = o.product_id AND r.revision = o.product_revision)`,
};

type OperatorsOrder = RowOf<typeof COLUMNS>;

interface OrderFilter {
  client?: string | undefined;
  status?: Order["status"] | undefined;
  method?: Order["giftOrderMethod"] | undefined;
  campaign?: string | undefined;
  /** The time of the placement, inclusive. */
  since?: number | undefined;
}

const SELECT_OF_CLIENT = sql<OrderRangeParams & { clientId: string }>()`
  SELECT ${COLUMNS} FROM orders o WHERE o.client_id = ${"clientId"} ${RANGE}`;

const SELECT_OF_ALL = sql<OrderRangeParams>()`SELECT ${COLUMNS} FROM orders o WHERE true ${RANGE}`;

// A range of the index for each client.
const SELECT_OF_CAMPAIGN = sql<OrderRangeParams & { clientId: string | null; campaign: string }>()`
  SELECT ${COLUMNS}
  FROM clients c CROSS JOIN orders o INDEXED BY orders_by_campaign
    ON o.client_id = c.id AND o.campaign = ${"campaign"}
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) ${RANGE}`;

/** The orders that match, newest first. One round trip. */
export function listMatchingOrders(
  db: Database,
  { client, status, method, campaign, since }: OrderFilter,
  { after, limit }: { after: { createdAtMs: number; id: number }; limit: number },
): Promise<OperatorsOrder[]> {
  const list = {
    status: status ?? null,
    method: method ?? null,
    fromMs: since ?? Number.MIN_SAFE_INTEGER,
    beforeMs: after.createdAtMs,
    beforeId: after.id,
    limit,
  };
  if (campaign !== undefined)
    return listNewest(db, SELECT_OF_CAMPAIGN, { ...list, clientId: client ?? null, campaign });
  return client === undefined
    ? listNewest(db, SELECT_OF_ALL, list)
    : listNewest(db, SELECT_OF_CLIENT, { ...list, clientId: client });
}

/** The columns that only the online store sets. */
export type StoreColumns = Partial<typeof orders.$inferInsert>;

export const hasStoreOrders = async (d1: D1Database): Promise<boolean> =>
  (await drizzle(d1).$count(orders, eq(orders.giftOrderMethod, "email"))) > 0;

/** Makes them orders of the store, which have no reference and no gift links. One transaction. */
export async function toStoreOrders(
  d1: D1Database,
  columnsById: ReadonlyMap<number, StoreColumns>,
): Promise<void> {
  const db = drizzle(d1);
  const [first, ...others] = [...columnsById].map(([id, columns]) =>
    db
      .update(orders)
      .set({ orderRefId: null, linkNonce: null, ...columns })
      .where(eq(orders.id, id)),
  );
  if (first) await db.batch([first, ...others]);
}

/** Errors: `not_found`. One round trip. */
export const requireOrder = (db: Database, orderId: number): Promise<OrderState> =>
  requireOrderState(db, operatorKey(orderId));

/** The number of notes on an order, and on each of its gifts. */
export const MAX_NOTES = 50;

/** Without a sequence, a note on the order. */
export type NewNote = StaffNote & { orderId: number; sequence: number | null };

const ADD_NOTE = fragment`
  SET staff_notes = json_insert(coalesce(staff_notes, '[]'), '$[#]',
    json_object('atMs', ${"atMs"}, 'actor', ${"actor"}, 'text', ${"text"}))
  WHERE erased_at_ms IS NULL AND coalesce(json_array_length(staff_notes), 0) < ${rawSql(String(MAX_NOTES))}`;

const ADD_ORDER_NOTE = sql<
  Omit<NewNote, "sequence">
>()`UPDATE orders ${ADD_NOTE} AND id = ${"orderId"}`;

const ADD_GIFT_NOTE = sql<NewNote>()`
  UPDATE gifts ${ADD_NOTE} AND order_id = ${"orderId"} AND sequence = ${"sequence"}`;

/** False if there are too many, or if the personal data was erased. One round trip. */
export async function addNote(db: Database, note: NewNote): Promise<boolean> {
  const statement = note.sequence === null ? ADD_ORDER_NOTE : ADD_GIFT_NOTE;
  const { meta } = await statement.bind(db, note).run();
  return meta.changes > 0;
}
