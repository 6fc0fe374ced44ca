// Requests while D1 fails: transient errors are retried, all others are a 503 or a 500, and no order is placed twice.
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Bindings } from "../../../src/platform/env.ts";
import {
  deadDatabase,
  failingBatches,
  LOST,
  warmShop,
  watchLog,
  type When,
} from "../../support/faults.ts";
import { balanceOf, brokenAccounts, orderOf, ordersOf, stockOf } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

// The list of D1: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
const RETRYABLE = [
  "Network connection lost.",
  "Replica disconnected from primary.",
  "Internal error while starting up D1 DB storage caused object to be reset.",
  "Internal error in D1 DB storage caused object to be reset.",
  "D1 DB reset because its code was updated.",
  "Cannot resolve D1 DB due to transient issue on remote node.",
  "Can't read from request stream because client disconnected.",
];

const NOT_RETRYABLE = [
  "D1 DB is overloaded. Requests queued for too long.",
  "D1 DB is overloaded. Too many requests queued.",
  "D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1 DB's isolate exceeded its memory limit and was reset.",
  "D1 DB exceeded its CPU time limit and was reset.",
];

/** The reason is in the message of the error or of its cause. */
const ways = (texts: string[]): [string, Error][] =>
  texts.flatMap((text) => [
    [text, new Error(`D1_ERROR: ${text}`)],
    [`a cause: ${text}`, new Error("D1_ERROR", { cause: new Error(text) })],
  ]);

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

describe("a placement whose batch fails", () => {
  test.each<[When, number]>([
    ["before the commit", 1],
    ["before the commit", 2],
    ["after the commit", 1],
    ["after the commit", 2],
  ])("%s, %d times, is retried and placed once", async (when, times) => {
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    const [stock, balance] = [await stockOf(product.product.id), await balanceOf(client.clientId)];
    bindings.DB = failingBatches(new Error(LOST), when, times);
    const order = orderOf(product);
    const { status, headers, json } = await worker.post(client, "/api/order", order);
    expect(status).toBe(200);
    // This request has placed the order, in any of its attempts.
    expect(headers.has("Idempotent-Replayed")).toBe(false);
    expect(await ordersOf(client.clientId)).toBe(2);
    expect(await stockOf(product.product.id)).toBe(Number(stock) - 1);
    expect(await balanceOf(client.clientId)).toBe(
      balance - Math.round(json.order_totals.order_total * 100),
    );
  });

  test.each<[When, number]>([
    ["before the commit", 0],
    ["after the commit", 1],
  ])(
    "%s, every time, is a 503, and results in one order after the client's retry",
    async (when, committed) => {
      const log = watchLog();
      const bindings: Partial<Bindings> = {};
      const { product, client, worker } = await warmShop(bindings);
      bindings.DB = failingBatches(new Error(LOST), when, 3);
      const order = orderOf(product);
      const failed = await worker.post(client, "/api/order", order);
      expect([failed.status, failed.json.code]).toEqual([503, "service_unavailable"]);
      expect(failed.headers.get("Retry-After")).toMatch(/^\d+$/);
      expect(failed.text).not.toContain("D1");
      expect(log.mock.calls.flat().join("\n")).toContain(LOST);
      expect(await ordersOf(client.clientId)).toBe(1 + committed);

      const retried = await worker.post(client, "/api/order", order);
      expect(retried.status).toBe(200);
      expect(retried.headers.has("Idempotent-Replayed")).toBe(committed === 1);
      expect(await ordersOf(client.clientId)).toBe(2);
      expect(await stockOf(product.product.id)).toBe(98);
    },
  );

  test.each(ways(RETRYABLE))("is retried: %s", async (_, error) => {
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches(error, "before the commit", 1);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });

  test.each(ways(NOT_RETRYABLE))("is a 503 without a retry: %s", async (_, error) => {
    const log = watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches(error, "before the commit", 1);
    const order = orderOf(product);
    const failed = await worker.post(client, "/api/order", order);
    expect([failed.status, failed.json.code]).toEqual([503, "service_unavailable"]);
    expect(failed.headers.get("Retry-After")).toMatch(/^\d+$/);
    // The log has D1's message, also if it is that of the cause.
    const cause = error.cause instanceof Error ? error.cause : error;
    expect(log.mock.calls.flat().join("\n")).toContain(cause.message);
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
  });

  test("is retried with exponential backoff and jitter", async () => {
    watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    const wait = vi.spyOn(scheduler, "wait");
    for (const [random, pauses] of [
      [0, [0, 0]],
      [0.5, [40, 80]],
      [0.999, [79.92, 159.84]],
    ] as const) {
      vi.spyOn(Math, "random").mockReturnValue(random);
      wait.mockClear();
      bindings.DB = failingBatches(new Error(LOST), "before the commit", 3);
      expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(503);
      expect(wait.mock.calls.map(([ms]) => ms)).toEqual([...pauses]);
    }
  });

  test("with an unexpected error is a 500 without details", async () => {
    watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    const unforeseen = new Error("D1_ERROR: no such table: secrets");
    bindings.DB = failingBatches(unforeseen, "before the commit", 1);
    const { status, json } = await worker.post(client, "/api/order", orderOf(product));
    expect([status, json.code]).toEqual([500, "internal_error"]);
    expect(json.message).not.toContain("secrets");
  });
});

describe("without D1", () => {
  test("cached pages are served, and all other requests are a 503 with Retry-After", async () => {
    const log = watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    await worker.get(client, "/api/products");
    bindings.DB = deadDatabase();
    expect((await worker.get(client, "/api/products")).status).toBe(200);
    expect((await startWorker({ env: bindings }).get(client, "/api/products")).status).toBe(200);
    for (const path of [
      "/api/products?limit=3",
      `/api/product?product_id=${String(product.product.id)}`,
      "/api/order?order_id=1",
      "/api/events",
      "/api/webhooks",
      "/api/webhook?webhook_id=1",
      "/api/webhook/deliveries?webhook_id=1",
      "/api/credit-balance",
    ]) {
      const { status, json, headers } = await worker.get(client, path);
      expect([path, status, json.code]).toEqual([path, 503, "service_unavailable"]);
      expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(503);
    expect(log).toHaveBeenCalled();
  });
});
