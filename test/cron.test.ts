// The cron handler: its success, and the summary that it publishes.
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { handleCron } from "../src/cron.ts";
import { readHealth, saveCheck } from "../src/features/health/state-queries.ts";
import { meteredD1, newMeter, overriding } from "./support/counting.ts";
import { MAILING } from "./support/emails.ts";
import { watchLog } from "./support/faults.ts";

const { DB: d1 } = env;

/** Not a multiple of five minutes. */
const START_MS = Date.UTC(2026, 5, 1, 10, 1);

beforeEach(async () => {
  await d1.prepare("UPDATE health SET cron_succeeded_at_ms = NULL, last_check = NULL").run();
});

test("the cron handler records its success, and publishes the summary", async () => {
  const put = vi.fn<(key: string, value: string) => Promise<void>>(() => Promise.resolve());
  const cron = (nowMs: number, changes: object = {}) =>
    handleCron({ ...env, ...MAILING, KV: overriding(env.KV, { put }), ...changes }, () => nowMs);
  const published = () => put.mock.calls.map(([key, value]) => [key, JSON.parse(value)] as unknown);

  await cron(START_MS);
  expect((await readHealth(d1)).cronSucceededAtMs).toBe(START_MS);
  const summary = (cronSucceededAtMs: number, lastCheck: object | null = null) => [
    "local:health:1",
    { cronSucceededAtMs, lastCheck, emails: "ok" },
  ];
  expect(published()).toEqual([summary(START_MS)]);
  const minute = (count: number) => START_MS + count * 60_000;
  for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9]) await cron(minute(count));
  expect(published()).toEqual([START_MS, minute(4), minute(9)].map((at) => summary(at)));

  const result = { startedAtMs: START_MS, finishedAtMs: START_MS + 1, total: 1, differences: [] };
  await saveCheck(d1, result);
  await cron(minute(14));
  expect(published().at(-1)).toEqual(summary(minute(14), { finishedAtMs: START_MS + 1, total: 1 }));
});

test("a run of the cron handler that failed is not recorded as a success", async () => {
  const log = watchLog();
  const failing = overriding(env.WEBHOOK_QUEUE, {});
  const DB = overriding(d1, {
    batch: () => Promise.reject(new Error("credit alerts cannot be inserted")),
  });
  await expect(handleCron({ ...env, DB, WEBHOOK_QUEUE: failing }, () => START_MS)).rejects.toThrow(
    "failed: credit_alerts",
  );
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"task":"credit_alerts"'));
  expect((await readHealth(d1)).cronSucceededAtMs).toBeNull();
});

test("if KV fails, the cron handler succeeds", async () => {
  const log = watchLog();
  const KV = overriding(env.KV, { put: () => Promise.reject(new Error("KV is down")) });
  await handleCron({ ...env, KV }, () => START_MS);
  expect(log).toHaveBeenCalledWith(expect.stringContaining('"event":"health.publish_failed"'));
  expect((await readHealth(d1)).cronSucceededAtMs).toBe(START_MS);
});

test("without anything to do, a run takes nine round trips and writes one row", async () => {
  await handleCron(env, () => START_MS);
  const meter = newMeter();
  await handleCron({ ...env, ...MAILING, DB: meteredD1(d1, meter) }, () => START_MS + 60_000);
  expect(meter).toMatchObject({ roundTrips: 9, rowsWritten: 1, kvWrites: 0 });
});
