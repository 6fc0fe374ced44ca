// Migration 0012 with orders that were placed before it, and with the statements of the Worker before it.
import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { readHealth } from "../../src/health/state-queries.ts";
import { allDifferences } from "../support/invariants.ts";
import { oldWorker } from "./old-worker.ts";
import { END } from "./worker-before-0011.ts";

const { HEALTH_MIGRATION_DB: d1, MIGRATIONS } = env;

const TABLES = ["clients", "orders", "sub_orders", "events", "credit_entries", "stock"];
const { contentOf, addClient, place, redeem, cancel } = oldWorker(d1, END, TABLES);

let before: Awaited<ReturnType<typeof contentOf>>;
/** Directly after the migration. */
let after: typeof before;

async function placeAndChange(): Promise<void> {
  const id = await place("api-giftlink", 3);
  await redeem(id, 1);
  await cancel(id, [2]);
}

/** Applies the migrations before this number. */
const applyUntil = (end: string) =>
  applyD1Migrations(
    d1,
    MIGRATIONS.filter(({ name }) => name < end),
  );

beforeAll(async () => {
  await applyUntil("0012");
  await addClient();
  await placeAndChange();
  before = await contentOf();
  await applyUntil("0013");
  after = await contentOf();
});

test("existing data is kept, and no round of checks has run", async () => {
  expect(after).toEqual(before);
  expect(await readHealth(d1)).toEqual({ cronSucceededAtMs: null, round: null, lastRound: null });
});

test("the statements of the Worker before the migration still work, and there is no difference", async () => {
  await applyD1Migrations(d1, MIGRATIONS);
  await placeAndChange();
  expect(await allDifferences(d1)).toEqual([]);
});
