// Rounds of checks in the cron handler.
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { handleCron } from "../../../src/cron.ts";
import { CHUNK, continueRound, ROUND_INTERVAL_MS } from "../../../src/features/health/round.ts";
import { readHealth } from "../../../src/features/health/state-queries.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import { MAILING } from "../../support/emails.ts";
import { watchLog } from "../../support/faults.ts";
import { openShop, orderOf, recipients } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

const { DB: d1 } = env;
const run = (sql: string) => d1.prepare(sql).run();

/** Not a multiple of five minutes. */
const START_MS = Date.UTC(2026, 5, 1, 10, 1);

let clientId: string;
let order: number;

beforeAll(async () => {
  const { product, client } = await openShop();
  ({ clientId } = client);
  const placed = await startWorker().post(
    client,
    "/api/gift-link",
    orderOf(product, { recipient_details: recipients(2) }),
  );
  order = Number(placed.json.order_data.order_id);
});

beforeEach(async () => {
  await run("UPDATE health SET cron_succeeded_at_ms = NULL, round = NULL, last_round = NULL");
});

const watchEvents = () => vi.spyOn(console, "log").mockReturnValue();

/** `count` copies of the order's row without sub-orders, each of which is a difference. */
async function withBrokenOrders(count: number, test: () => Promise<void>): Promise<void> {
  await run(
    `INSERT INTO orders (client_id, gift_order_method, status, gift_of_choice, branding_selected,
       email_template, product_id, product_revision, base_location, currency, product_price_minor,
       qty, subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms)
     SELECT client_id, 'email', 'created', 'N', 'platform', 'generic', product_id, product_revision, 'AU', 'AUD',
       0, 1, 0, 0, 0, 0, 1
     FROM orders, (WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${String(count)})
       SELECT i FROM n) WHERE id = ${String(order)}`,
  );
  try {
    await test();
  } finally {
    await run("DELETE FROM orders WHERE gift_order_method = 'email'");
  }
}

test("a small database is checked in one run, once an hour", async () => {
  const log = watchEvents();
  const after = await continueRound(d1, START_MS);
  expect(after).toEqual(await readHealth(d1));
  expect(after).toMatchObject({
    round: null,
    lastRound: { startedAtMs: START_MS, finishedAtMs: START_MS, total: 0, differences: [] },
  });
  expect(log.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown)).toEqual([
    { event: "invariants.checked", startedAtMs: START_MS, total: 0 },
  ]);
  const meter = newMeter();
  await continueRound(meteredD1(d1, meter), START_MS + ROUND_INTERVAL_MS - 1);
  expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  const { lastRound } = await continueRound(d1, START_MS + ROUND_INTERVAL_MS);
  expect(lastRound?.startedAtMs).toBe(START_MS + ROUND_INTERVAL_MS);
});

test("a clock in the future does not stop the rounds", async () => {
  watchEvents();
  await continueRound(d1, START_MS + 100 * ROUND_INTERVAL_MS);
  const { lastRound } = await continueRound(d1, START_MS);
  expect(lastRound?.startedAtMs).toBe(START_MS);
});

test("a large database is checked in several runs, and the first differences are recorded", async () => {
  watchEvents();
  const fault = watchLog();
  await withBrokenOrders(6 * CHUNK.limit, async () => {
    let runs = 0;
    for (; (await readHealth(d1)).lastRound === null; runs++) {
      const meter = newMeter();
      await continueRound(meteredD1(d1, meter), START_MS + runs);
      // The row of the state, chunks of at most 200 orders without sub-orders, and the orders of one client, which are
      // counted before they are compared.
      expect(meter.roundTrips).toBeLessThanOrEqual(14);
      expect(meter.rowsRead).toBeLessThanOrEqual(5_000 + 2 * 6 * CHUNK.limit + 250);
      expect(meter.rowsWritten).toBe(1);
    }
    expect(runs).toBeGreaterThan(1);
    const { lastRound } = await readHealth(d1);
    expect(lastRound).toMatchObject({ startedAtMs: START_MS, finishedAtMs: START_MS + runs - 1 });
    expect(lastRound?.total).toBe(6 * CHUNK.limit);
    expect(lastRound?.differences).toHaveLength(20);
    expect(lastRound?.differences[0]).toEqual({
      check: "orders",
      object: String(order + 1),
      clientId,
      field: "sub_orders",
      expected: 1,
      found: 0,
    });
    expect(fault).toHaveBeenCalledOnce();
    expect(JSON.parse(String(fault.mock.calls[0]?.[0]))).toMatchObject({
      event: "invariants.broken",
      total: 6 * CHUNK.limit,
      differences: { length: 20 },
    });
  });
});

test("a slow run does not move back a round that other runs have finished, and logs no second result", async () => {
  const log = watchEvents();
  const fault = watchLog();
  await withBrokenOrders(6 * CHUNK.limit, async () => {
    let overtaken = false;
    const slow = overriding(d1, {
      prepare: (sql: string) => {
        const statement = d1.prepare(sql);
        if (!sql.includes("UPDATE health SET round")) return statement;
        return overriding(statement, {
          bind: (...values) =>
            overriding(statement.bind(...values), {
              run: async () => {
                if (!overtaken) {
                  overtaken = true;
                  while (!(await continueRound(d1, START_MS + 1)).lastRound);
                }
                return statement.bind(...values).run();
              },
            }),
        });
      },
    });
    await continueRound(slow, START_MS);
    const { round, lastRound } = await readHealth(d1);
    expect(round).toBeNull();
    expect(lastRound).toMatchObject({ total: 6 * CHUNK.limit, startedAtMs: START_MS + 1 });
    expect(log).toHaveBeenCalledOnce();
    expect(fault).toHaveBeenCalledOnce();
  });
});

test("the cron handler records its success, and publishes the summary", async () => {
  watchEvents();
  const put = vi.fn<(key: string, value: string) => Promise<void>>(() => Promise.resolve());
  const cron = (nowMs: number, changes: object = {}) =>
    handleCron({ ...env, ...MAILING, KV: overriding(env.KV, { put }), ...changes }, () => nowMs);
  const published = () => put.mock.calls.map(([key, value]) => [key, JSON.parse(value)] as unknown);

  await cron(START_MS);
  expect((await readHealth(d1)).cronSucceededAtMs).toBe(START_MS);
  const summary = (cronSucceededAtMs: number, differences = 0) => [
    "local:health:1",
    { cronSucceededAtMs, differences, emails: "ok" },
  ];
  expect(published()).toEqual([summary(START_MS)]);
  const minute = (count: number) => START_MS + count * 60_000;
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await cron(minute(count));
  expect(published()).toEqual([START_MS, minute(4), minute(9)].map((at) => summary(at)));

  // A result is published at once.
  watchLog();
  await withBrokenOrders(1, () => cron(minute(61)));
  expect(published().at(-1)).toEqual(summary(minute(61), 1));
  await cron(minute(121));
  expect(published().at(-1)).toEqual(summary(minute(121)));
});

test("a run of the cron handler that failed is not recorded as a success", async () => {
  watchEvents();
  const log = watchLog();
  const failing = overriding(env.WEBHOOK_QUEUE, {});
  const DB = overriding(d1, {
    batch: () => Promise.reject(new Error("credit alerts cannot be inserted")),
  });
  await expect(handleCron({ ...env, DB, WEBHOOK_QUEUE: failing }, () => START_MS)).rejects.toThrow(
    "failed: credit_alerts",
  );
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"task":"credit_alerts"'));
  const health = await readHealth(d1);
  expect(health.cronSucceededAtMs).toBeNull();
  expect(health.lastRound).not.toBeNull();
});

test("if KV fails, the cron handler succeeds", async () => {
  watchEvents();
  const log = watchLog();
  const KV = overriding(env.KV, { put: () => Promise.reject(new Error("KV is down")) });
  await handleCron({ ...env, KV }, () => START_MS);
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"event":"health.publish_failed"'));
  expect((await readHealth(d1)).cronSucceededAtMs).toBe(START_MS);
});

test("without anything to do, a run takes eight round trips and writes one row", async () => {
  watchEvents();
  await handleCron(env, () => START_MS);
  const meter = newMeter();
  await handleCron({ ...env, ...MAILING, DB: meteredD1(d1, meter) }, () => START_MS + 60_000);
  expect(meter).toMatchObject({ roundTrips: 8, rowsWritten: 1, kvWrites: 0 });
});
