// A replica that lags behind the primary: a second D1 database.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { overriding } from "./counting.ts";
import type { TestClient } from "./fixtures.ts";

/** Conditions, by table, for the rows that a client's requests read; parents first. */
function rowsOf({ clientId, catalogueId }: TestClient): Record<string, string> {
  const ofCatalogue = `catalogue_id = ${String(catalogueId)}`;
  const products = `(SELECT product_id FROM catalogue_entries WHERE ${ofCatalogue})`;
  const ofClient = `client_id = '${clientId}'`;
  return {
    catalogues: `id = ${String(catalogueId)}`,
    catalogue_versions: ofCatalogue,
    products: `id IN ${products}`,
    variations: `product_id IN ${products}`,
    product_revisions: `product_id IN ${products}`,
    catalogue_entries: ofCatalogue,
    stock: `product_id IN ${products}`,
    clients: `id = '${clientId}'`,
    credit_accounts: ofClient,
    orders: ofClient,
    sub_orders: `order_id IN (SELECT id FROM orders WHERE ${ofClient})`,
  };
}

/** Copies the client's rows from the primary to the replica. Later changes do not reach the replica. */
export async function replicate(client: TestClient): Promise<void> {
  await applyD1Migrations(env.REPLICA_DB, env.MIGRATIONS);
  for (const [table, where] of Object.entries(rowsOf(client))) {
    const { results } = await env.DB.prepare(`SELECT * FROM ${table} WHERE ${where}`).all();
    const columns = Object.keys(results[0] ?? {});
    if (columns.length === 0) continue;
    await env.REPLICA_DB.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns.join()})
       SELECT ${columns.map((column) => `value ->> '$.${column}'`).join()} FROM json_each(?)`,
    )
      .bind(JSON.stringify(results))
      .run();
  }
}

/** The database with a replica that lags behind. */
export const laggingDatabase = (): D1Database =>
  overriding(env.DB, {
    withSession: (constraint: string) =>
      (constraint === "first-unconstrained" ? env.REPLICA_DB : env.DB).withSession(constraint),
  });
