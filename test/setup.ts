// Each test file in workerd starts with an empty database. Files share the isolate, because starting one takes seconds,
// but checks of a database that grew with every file would take minutes.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect } from "vitest";

beforeAll(async () => {
  // `reset` deletes only what is in memory, which workerd leaves after ten seconds without a call.
  const databases = [env.DB, env.REPLICA_DB].map((db) => db.prepare("SELECT 1").run());
  await Promise.all([...databases, env.KV.get("in memory")]);
  await reset();
  const left = env.DB.prepare("SELECT name FROM sqlite_master WHERE name = 'clients'");
  expect(await left.first()).toBeNull();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
});
