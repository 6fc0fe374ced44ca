// Applies the migrations that the database does not have yet. The test files of a worker share one database.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS);
});
