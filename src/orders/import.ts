// Orders that were placed elsewhere (on the store) and are told to us as they stand.
import { drizzle } from "drizzle-orm/d1";
import { orders, subOrders } from "../db/schema.ts";

export type ImportedOrder = typeof orders.$inferInsert & { id: number };
export type ImportedSubOrder = Omit<typeof subOrders.$inferInsert, "orderId">;

/** Adds the order and its sub-orders, all or nothing; an id that is taken is left as it is. */
export async function importOrder(
  d1: D1Database,
  order: ImportedOrder,
  recipients: ImportedSubOrder[],
): Promise<void> {
  const db = drizzle(d1);
  await db.batch([
    db.insert(orders).values(order).onConflictDoNothing(),
    ...recipients.map((recipient) =>
      db
        .insert(subOrders)
        .values({ ...recipient, orderId: order.id })
        .onConflictDoNothing(),
    ),
  ]);
}
