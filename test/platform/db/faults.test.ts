// Requests while D1 fails: transient errors are retried, all others are a 503 or a 500, and no order is placed twice.
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { isUnavailable, retrying } from "../../../src/platform/db/faults.ts";
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
  // Not in the list.
  "Currently processing a long-running export.",
  "internal error; reference = 0u3odos5iotccpol68ppc0eg",
  "Internal error.",
  "NOSENTRY database is locked: SQLITE_BUSY",
  "disk I/O error: SQLITE_IOERR",
  'Failed to parse body as JSON, got: <p>near "x": syntax error</p>',
  "A message of next year.",
];

/** Faults of a statement. */
const SQL_FAULTS = [
  "UNIQUE constraint failed: orders.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)",
  "order_id_in_range: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_TRIGGER)",
  "CHECK constraint failed: credit_not_negative",
  "FOREIGN KEY constraint failed",
  'near "INSERTZ": syntax error at offset 0',
  "no such column: x at offset 7: SQLITE_ERROR",
  "no such table: secrets",
  "datatype mismatch: SQLITE_MISMATCH",
  "string or blob too big: SQLITE_TOOBIG",
  "too many SQL variables at offset 3",
  "Wrong number of parameter bindings for SQL query.",
  "No SQL statements detected.",
  "SQL code did not contain a statement.",
  "A SQL prepared statement can only be executed once at a time.",
];

const NOT_RETRYABLE = [
  "D1 DB is overloaded. Requests queued for too long.",
  "D1 DB is overloaded. Too many requests queued.",
  "D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1 DB's isolate exceeded its memory limit and was reset.",
  "D1 DB exceeded its CPU time limit and was reset.",
];

/** A client and its product in the memory of a Worker, whose bindings a test can replace. */
async function openShop() {
  const bindings: Partial<Bindings> = {};
  return { bindings, ...(await warmShop(bindings)) };
}

/** The reason is in the message of the error or of its cause. */
const ways = (texts: string[]): [string, Error][] =>
  texts.flatMap((text) => [
    [text, new Error(`D1_ERROR: ${text}`)],
    [`a cause: ${text}`, new Error("D1_ERROR", { cause: new Error(text) })],
  ]);

// Retries do not wait.
let wait: MockInstance<(ms: number) => Promise<void>>;
beforeEach(() => {
  wait = vi.spyOn(scheduler, "wait").mockResolvedValue();
});

afterEach(async () => {
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

describe("an error of D1", () => {
  test.each(ways(RETRYABLE))("is transient: %s", async (_, error) => {
    const work = vi.fn().mockRejectedValueOnce(error).mockResolvedValue("done");
    expect(await retrying(work)).toBe("done");
    expect(work.mock.calls).toEqual([[1], [2]]);
    expect(isUnavailable(error)).toBe(true);
  });

  test.each(ways(NOT_RETRYABLE))("is not retried: %s", async (_, error) => {
    const work = vi.fn().mockRejectedValue(error);
    await expect(retrying(work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledOnce();
    expect(isUnavailable(error)).toBe(true);
  });

  test.each(ways(SQL_FAULTS))("is not unavailability: %s", async (_, error) => {
    const work = vi.fn().mockRejectedValue(error);
    await expect(retrying(work)).rejects.toBe(error);
    expect(work).toHaveBeenCalledOnce();
    expect(isUnavailable(new Error("Failed query: …", { cause: error }))).toBe(false);
  });

  test("is unavailability also if Drizzle wraps it or the runtime throws it", () => {
    const error = new Error("D1_ERROR: Currently processing a long-running export.");
    expect(isUnavailable(new Error("Failed query: …", { cause: error }))).toBe(true);
    expect(isUnavailable(new Error("internal error; reference = abc"))).toBe(true);
    expect(isUnavailable(new TypeError("x is not a function"))).toBe(false);
  });
});

describe("a placement whose batch fails", () => {
  test.each<[When, number]>([
    ["before the commit", 1],
    ["before the commit", 2],
    ["after the commit", 1],
    ["after the commit", 2],
  ])("%s, %d times, is retried and placed once", async (when, times) => {
    const { bindings, product, client, worker } = await openShop();
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
      const { bindings, product, client, worker } = await openShop();
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

  test.each(ways(["D1 DB is overloaded. Requests queued for too long."]))(
    "is a 503 without a retry: %s",
    async (reason, error) => {
      const log = watchLog();
      const { bindings, product, client, worker } = await openShop();
      bindings.DB = failingBatches(error, "before the commit", 1);
      const order = orderOf(product);
      const failed = await worker.post(client, "/api/order", order);
      expect([failed.status, failed.json.code]).toEqual([503, "service_unavailable"]);
      expect(failed.headers.get("Retry-After")).toMatch(/^\d+$/);
      // The log has D1's message, also if it is that of the cause.
      expect(log.mock.calls.flat().join("\n")).toContain(reason.replace("a cause: ", ""));
      expect((await worker.post(client, "/api/order", order)).status).toBe(200);
    },
  );

  test("is retried with exponential backoff and jitter", async () => {
    watchLog();
    const { bindings, product, client, worker } = await openShop();
    for (const [random, pauses] of [
      [0, [0, 0]],
      [0.5, [40, 80]],
      [0.999, [79.92, 159.84]],
    ] as const) {
      bindings.DB = failingBatches(new Error(LOST), "before the commit", 3);
      vi.spyOn(Math, "random").mockReturnValue(random);
      wait.mockClear();
      expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(503);
      expect(wait.mock.calls.map(([ms]) => ms)).toEqual([...pauses]);
    }
  });

  test("with an unexpected error is a 500 without details", async () => {
    watchLog();
    const { bindings, product, client, worker } = await openShop();
    const unforeseen = new Error("D1_ERROR: no such table: secrets");
    bindings.DB = failingBatches(unforeseen, "before the commit", 1);
    const { status, json } = await worker.post(client, "/api/order", orderOf(product));
    expect([status, json.code]).toEqual([500, "internal_error"]);
    expect(json.message).not.toContain("secrets");
  });
});

describe("without D1", () => {
  const reasons = [LOST, "D1_ERROR: Currently processing a long-running export."];
  test.each(reasons)("cached pages are served, others are a 503: %s", async (reason) => {
    const log = watchLog();
    const { bindings, product, client, worker } = await openShop();
    await worker.get(client, "/api/products");
    bindings.DB = deadDatabase(reason);
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
