// The checks of the invariants, for some clients: the test files share the database, and some of them leave broken data.
import { env } from "cloudflare:workers";
import { sql } from "./sql.ts";
import { checkAll, type Difference } from "../../src/features/health/check.ts";

interface CheckedClient {
  clientId: string;
  catalogueId: number;
}

/** All differences of a database. */
async function allDifferences(db: D1Database): Promise<Difference[]> {
  const found: Difference[] = [];
  for await (const { differences } of checkAll(db)) found.push(...differences);
  return found;
}

/** The differences in the data of these clients and of their catalogues. */
export async function differencesOf(clients: readonly CheckedClient[]): Promise<Difference[]> {
  const ids = new Set<string | null>(clients.map(({ clientId }) => clientId));
  const catalogues = clients.map(({ catalogueId }) => String(catalogueId));
  const { results } = await sql(
    "SELECT product_id AS id FROM catalogue_entries WHERE catalogue_id IN (SELECT value FROM json_each(?))",
    JSON.stringify(catalogues),
  ).all<{ id: number }>();
  const keys: Record<string, string[]> = {
    catalogue_entries: catalogues,
    stock: results.map(({ id }) => String(id)),
  };
  return (await allDifferences(env.DB)).filter(({ check, object, clientId }) => {
    const [key = ""] = object.split("/");
    return keys[check]?.includes(key) ?? ids.has(clientId);
  });
}

/** Executes the statements without the triggers of these tables, in one transaction. */
export async function force(tables: string[], statements: string[]): Promise<void> {
  const { results } = await sql(
    `SELECT name, sql FROM sqlite_master
     WHERE type = 'trigger' AND tbl_name IN (SELECT value FROM json_each(?))`,
    JSON.stringify(tables),
  ).all<{ name: string; sql: string }>();
  await env.DB.batch(
    [
      ...results.map(({ name }) => `DROP TRIGGER ${name}`),
      ...statements,
      ...results.map(({ sql }) => sql),
    ].map((sql) => env.DB.prepare(sql)),
  );
}

/** Every code and gift of these products that contradicts another one. There must be none. */
export async function brokenCodes(productIds: number[]): Promise<unknown[]> {
  const ids = JSON.stringify(productIds);
  const { results: stock } = await sql(
    `WITH taken AS (
       SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS gifts
       FROM gifts s JOIN orders o ON o.id = s.order_id
       WHERE s.product_id IN (SELECT value FROM json_each(?1)) AND coalesce(s.took_stock, o.took_stock) = 2
         AND s.fulfilment IS NULL AND coalesce(s.redemption_status, 'redeemed') = 'redeemed'
       GROUP BY 1, 2)
     SELECT k.product_id, k.variation_id, k.quantity, coalesce(t.gifts, 0) AS reserved, (SELECT count(*) FROM codes c
         WHERE (c.product_id, c.variation_id) = (k.product_id, k.variation_id)
           AND c.order_id IS NULL AND c.voided_at_ms IS NULL) AS free
     FROM stock k LEFT JOIN taken t ON (t.product_id, t.variation_id) = (k.product_id, k.variation_id)
     WHERE k.product_id IN (SELECT value FROM json_each(?1)) AND free <> k.quantity + reserved`,
    ids,
  ).all();
  const { results: gifts } = await sql(
    `SELECT s.order_id, s.sequence, s.fulfilment, count(c.id) AS codes
     FROM gifts s JOIN orders o ON o.id = s.order_id
     LEFT JOIN codes c ON c.order_id = s.order_id AND c.sequence = s.sequence AND c.voided_at_ms IS NULL
     WHERE s.product_id IN (SELECT value FROM json_each(?)) AND coalesce(s.took_stock, o.took_stock) = 2
     GROUP BY 1, 2 HAVING codes <> (s.fulfilment IS NOT NULL)`,
    ids,
  ).all();
  const { results: others } = await sql(
    `SELECT c.id FROM codes c JOIN gifts s USING (order_id, sequence)
     WHERE c.product_id IN (SELECT value FROM json_each(?)) AND c.voided_at_ms IS NULL
       AND (c.product_id, c.variation_id) <> (s.product_id, coalesce(s.variation_id, 0))`,
    ids,
  ).all();
  return [...stock, ...gifts, ...others];
}

/** Makes up to `count` free codes void, as many as are not sold. */
export const voidFreeCodes = (productId: number, count: number, db = env.DB) =>
  db.batch([
    db
      .prepare(
        `UPDATE codes SET voided_at_ms = 1, void_reason = 'test' WHERE id IN (SELECT id FROM codes
         WHERE product_id = ?1 AND order_id IS NULL AND voided_at_ms IS NULL ORDER BY id
         LIMIT min(?2, (SELECT quantity FROM stock WHERE product_id = ?1)))`,
      )
      .bind(productId, count),
  ]);
