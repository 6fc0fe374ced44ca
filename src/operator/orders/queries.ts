// Orders for the operator's commands: lists of all clients' orders, and imports.
import { and, desc, eq, gte, lt } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { isDuplicate } from "../../platform/db/constraint.ts";
import { orders, productRevisions, subOrders } from "../../platform/db/schema.ts";
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

/** The values of a product that an imported order copies. Null if the product has not been published. */
export async function findRevision(d1: D1Database, productId: number) {
  const [found] = await drizzle(d1)
    .select({
      revision: productRevisions.revision,
      currency: productRevisions.currency,
      priceMinor: productRevisions.priceMinor,
      shippingMinor: productRevisions.shippingMinor,
    })
    .from(productRevisions)
    .where(eq(productRevisions.productId, productId));
  return found ?? null;
}

/** The counts of redeemed, cancelled and expired gifts are computed from the sub-orders. */
export type ImportedOrder = Omit<
  typeof orders.$inferInsert,
  "redeemedGifts" | "cancelledGifts" | "expiredGifts" | "shippedGifts" | "finished"
> & { id: number };
export type ImportedSubOrder = Omit<typeof subOrders.$inferInsert, "orderId">;

/**
 * Adds an order of the online store, with its sub-orders, in one transaction. Returns `false` and adds nothing if
 * another order has the same id, or the same client and order_ref_id.
 */
export async function importOrder(
  d1: D1Database,
  order: ImportedOrder,
  recipients: ImportedSubOrder[],
): Promise<boolean> {
  const db = drizzle(d1);
  const countOf = (status: ImportedSubOrder["redemptionStatus"]) =>
    recipients.filter(({ redemptionStatus }) => redemptionStatus === status).length;
  const redeemedGifts = countOf("redeemed");
  const cancelledGifts = countOf("cancelled");
  const expiredGifts = countOf("expired");
  const closedGifts = redeemedGifts + cancelledGifts + expiredGifts;
  const finished = order.status === "paid" && closedGifts === order.qty;
  try {
    await db.batch([
      db.insert(orders).values({ ...order, redeemedGifts, cancelledGifts, expiredGifts, finished }),
      ...recipients.map((recipient) =>
        db.insert(subOrders).values({ ...recipient, orderId: order.id }),
      ),
    ]);
    return true;
  } catch (error) {
    if (isDuplicate(error, "orders")) return false;
    throw error;
  }
}
