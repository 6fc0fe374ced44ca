// Empties D1 and KV before each run, so that data of one mutant does not affect the next one. The setup file creates
// the tables again. `reset` of "cloudflare:test" sometimes keeps the rows of a database that is in use.
import { env } from "cloudflare:workers";
import { beforeAll, inject } from "vitest";

const state = globalThis as { emptiedForRun?: unknown };

beforeAll(async () => {
  const run = inject("mutantRun" as never);
  if (state.emptiedForRun === run) return;
  state.emptiedForRun = run;
  const databases = [
    env.DB,
    env.REPLICA_DB,
    env.UNMIGRATED_DB,
    env.EVENTS_MIGRATION_DB,
    env.LIFECYCLE_MIGRATION_DB,
    env.FULFILMENT_MIGRATION_DB,
    env.RECIPIENTS_MIGRATION_DB,
    env.HEALTH_MIGRATION_DB,
    env.HEALTH_ROUNDS_DB,
    env.PRIVACY_MIGRATION_DB,
  ];
  await Promise.all([...databases.map(dropTables), deleteKeys(env.KV)]);
});

async function dropTables(db: D1Database): Promise<void> {
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_master
       WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'
       ORDER BY rowid DESC`,
    )
    .all<{ name: string }>();
  // Children before their parents: otherwise SQLite searches them for each row of a parent.
  const statements = results.map(({ name }) => db.prepare(`DROP TABLE ${name}`));
  if (statements.length > 0) await db.batch(statements);
}

async function deleteKeys(kv: KVNamespace): Promise<void> {
  const { keys, list_complete } = await kv.list();
  await Promise.all(keys.map(({ name }) => kv.delete(name)));
  if (!list_complete) await deleteKeys(kv);
}
