// A replica that lags behind the primary: a second D1 database.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { NEAREST } from "../../src/platform/db/sessions.ts";
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
    credentials: ofClient,
    credit_accounts: ofClient,
    orders: ofClient,
    gifts: `order_id IN (SELECT id FROM orders WHERE ${ofClient})`,
    shipments: ofClient,
    webhooks: ofClient,
    events: ofClient,
  };
}

/** Copies the client's rows from the primary to the replica. Later changes do not reach the replica. */
export async function replicate(client: TestClient): Promise<void> {
  await applyD1Migrations(env.REPLICA_DB, env.MIGRATIONS);
  const tables = Object.entries(rowsOf(client));
  const rows = await env.DB.batch(
    tables.map(([table, where]) => env.DB.prepare(`SELECT * FROM ${table} WHERE ${where}`)),
  );
  for (const [index, [table]] of tables.entries()) {
    const results = rows[index]?.results ?? [];
    // `finished` is generated.
    const columns = Object.keys(results[0] ?? {}).filter((name) => name !== "finished");
    if (columns.length === 0) continue;
    // Events are only added, because each must follow the previous one.
    const copied =
      table === "events"
        ? `WHERE value ->> '$.sequence' > (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = '${client.clientId}')`
        : "";
    await env.REPLICA_DB.prepare(
      `INSERT OR REPLACE INTO ${table} (${columns.join()})
       SELECT ${columns.map((column) => `value ->> '$.${column}'`).join()} FROM json_each(?) ${copied}`,
    )
      .bind(JSON.stringify(results))
      .run();
  }
}

/**
 * D1 with a replica of the client's rows. It lags behind until `catchUp`, or until a session needs a later state, as D1's
 * replicas do. `reads` counts its calls, and `waits` those that had to wait for a later state.
 */
export async function replicated(client: TestClient) {
  const replica = { reads: 0, waits: 0, bookmark: "", catchUp, DB: env.DB };
  async function catchUp(): Promise<void> {
    const primary = env.DB.withSession("first-primary");
    await primary.prepare("SELECT 1").run();
    await replicate(client);
    replica.bookmark = primary.getBookmark() ?? "";
  }
  const originals = new WeakMap<object, D1PreparedStatement>();

  function near(constraint: string): D1DatabaseSession {
    const session = env.REPLICA_DB.withSession("first-unconstrained");
    const reach = async () => {
      replica.reads += 1;
      if (constraint === NEAREST || constraint <= replica.bookmark) return;
      replica.waits += 1;
      await catchUp();
    };
    const waiting = (statement: D1PreparedStatement): D1PreparedStatement => {
      const wrapped = overriding(statement, {
        bind: (...values) => waiting(statement.bind(...values)),
        all: async () => {
          await reach();
          return statement.all();
        },
      });
      originals.set(wrapped, statement);
      return wrapped;
    };
    return overriding(session, {
      prepare: (sql: string) => waiting(session.prepare(sql)),
      batch: async (statements: D1PreparedStatement[]) => {
        await reach();
        return session.batch(statements.map((each) => originals.get(each) ?? each));
      },
      getBookmark: () => replica.bookmark,
    });
  }

  await catchUp();
  replica.DB = overriding(env.DB, {
    withSession: (constraint: string) =>
      constraint === "first-primary" ? env.DB.withSession(constraint) : near(constraint),
  });
  return replica;
}

/** The database with a replica that lags behind. */
export const laggingDatabase = (): D1Database =>
  overriding(env.DB, {
    withSession: (constraint: string) =>
      (constraint === NEAREST ? env.REPLICA_DB : env.DB).withSession(constraint),
  });
