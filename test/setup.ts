// Each test file in workerd starts with an empty database. Files share the isolate, because starting one takes seconds,
// but checks of a database that grew with every file would take minutes.
import { applyD1Migrations, reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";

beforeAll(async () => {
  await reset();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
});
