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
  const catalogues = new Set(clients.map(({ catalogueId }) => String(catalogueId)));
  return (await allDifferences(env.DB)).filter(({ check, object, clientId }) =>
    check === "catalogue_entries" ? catalogues.has(object.split("/")[0] ?? "") : ids.has(clientId),
  );
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
