// Orders that were placed elsewhere (on the store), added as they stand.
import { drizzle } from "drizzle-orm/d1";
import { isDuplicate } from "../db/constraint.ts";
import { orders, subOrders } from "../db/schema.ts";

export type ImportedOrder = typeof orders.$inferInsert & { id: number };
export type ImportedSubOrder = Omit<typeof subOrders.$inferInsert, "orderId">;

/**
 * Adds the order and its sub-orders in one transaction. False, and nothing added, when another order has its id or
 * its client's order_ref_id.
 */
export async function importOrder(
  d1: D1Database,
  order: ImportedOrder,
  recipients: ImportedSubOrder[],
): Promise<boolean> {
  const db = drizzle(d1);
  try {
    await db.batch([
      db.insert(orders).values(order),
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
