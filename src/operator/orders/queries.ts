// Lists of all clients' orders, for the operator's commands.
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { orders } from "../../platform/db/schema.ts";
import type { Order } from "../../features/orders/order.ts";

export interface OrderFilter {
  clientId?: string | undefined;
  status?: Order["status"] | undefined;
  method?: Order["giftOrderMethod"] | undefined;
  /** Placed at this time or later. */
  sinceMs?: number | undefined;
  /** Placed before this time. */
  untilMs?: number | undefined;
  limit: number;
}

const COLUMNS = {
  id: orders.id,
  clientId: orders.clientId,
  orderRefId: orders.orderRefId,
  giftOrderMethod: orders.giftOrderMethod,
  status: orders.status,
  productId: orders.productId,
  qty: orders.qty,
  currency: orders.currency,
  orderTotalMinor: orders.orderTotalMinor,
  createdAtMs: orders.createdAtMs,
};

export type OperatorsOrder = Pick<typeof orders.$inferSelect, keyof typeof COLUMNS>;

/** The orders that match, newest first. One round trip. */
export function listOrders(
  d1: D1Database,
  { clientId, status, method, sinceMs, untilMs, limit }: OrderFilter,
): Promise<OperatorsOrder[]> {
  return (
    drizzle(d1)
      .select(COLUMNS)
      .from(orders)
      .where(
        and(
          clientId === undefined ? undefined : eq(orders.clientId, clientId),
          status === undefined ? undefined : eq(orders.status, status),
          method === undefined ? undefined : eq(orders.giftOrderMethod, method),
          sinceMs === undefined ? undefined : gte(orders.createdAtMs, sinceMs),
          untilMs === undefined ? undefined : lt(orders.createdAtMs, untilMs),
        ),
      )
      // An index has the rows in each of these orders, so SQLite does not sort them.
      .orderBy(...(clientId === undefined ? [] : [desc(orders.createdAtMs)]), desc(orders.id))
      .limit(limit)
  );
}

/** The client of an order and the expiry of its gifts, or null. */
export async function findClientAndExpiry(
  d1: D1Database,
  orderId: number,
): Promise<{ clientId: string; expiresAtMs: number | null } | null> {
  const [order] = await drizzle(d1)
    .select({ clientId: orders.clientId, expiresAtMs: orders.expiresAtMs })
    .from(orders)
    .where(eq(orders.id, orderId));
  return order ?? null;
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
