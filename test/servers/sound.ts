// The invariants of a whole database, for tests in Node.
import { expect } from "vitest";
import { checkAll } from "../../src/features/health/check.ts";

/**
 * Fails if a value differs from the one that other data requires. `stock` is the quantity of a product before the first
 * order for it. Declined, cancelled and expired gifts return theirs.
 */
export async function expectSound(
  d1: D1Database,
  stock: { productId: number; quantity: number },
): Promise<void> {
  for await (const { differences } of checkAll(d1)) expect(differences).toEqual([]);
  expect((await d1.prepare("PRAGMA foreign_key_check").all()).results).toEqual([]);
  const number = (sql: string) => d1.prepare(sql).bind(stock.productId).first<number>("n");
  const taken = await number(
    `SELECT count(*) AS n FROM gifts s JOIN orders o ON o.id = s.order_id
     WHERE o.placement_id IS NOT NULL AND s.product_id = ?1
       AND coalesce(s.redemption_status, '') NOT IN ('cancelled', 'expired')`,
  );
  const left = await number("SELECT quantity AS n FROM stock WHERE product_id = ?1");
  expect(left).toBe(stock.quantity - Number(taken));
}
