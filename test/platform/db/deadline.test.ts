// Requests while D1 does not answer.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import texts from "../../../public/languages/en.json";
import { SECOND_MS } from "../../../src/core/values/time.ts";
import { hangingD1, takes, warmShop, watchLog, type When } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  ordersOf,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import { accept, createGift, readRecipient } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

describe("D1 that does not answer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });

  test.each<[string, string, number?]>([
    ["GET", "/api/products"],
    // The replica has a second.
    ["GET", "/api/product?product_id=1", 11],
    ["GET", "/api/order?order_id=1"],
    ["GET", "/api/orders"],
    ["GET", "/api/credit-balance"],
    ["POST", "/api/order"],
    ["POST", "/api/gift-link"],
  ])("makes %s %s a 503 with Retry-After at its deadline", async (method, path, seconds = 10) => {
    const log = watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    // The first isolate hangs during authentication, the second one in its handler.
    for (const isolate of [startWorker({ env: bindings }), worker]) {
      const { DB, hangs } = hangingD1();
      bindings.DB = DB;
      if (isolate !== worker) await forgetClient(env, client.clientId);
      const answering =
        method === "GET" ? isolate.get(client, path) : isolate.post(client, path, orderOf(product));
      await hangs;
      const { status, json, headers } = await takes(
        (isolate === worker ? seconds : 10) * SECOND_MS,
        answering,
      );
      expect([status, json.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect(log.mock.calls.flat().join("\n")).toContain("D1 did not respond within 10 s");
    expect(await ordersOf(client.clientId)).toBe(1);
  });

  test.each<[string, When]>([
    ["/api/order", "before the commit"],
    ["/api/order", "after the commit"],
    ["/api/gift-link", "before the commit"],
    ["/api/gift-link", "after the commit"],
  ])("during %s %s results in one order after a retry", async (path, when) => {
    watchLog();
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const bindings: Partial<Bindings> = {};
    const worker = startWorker({ env: bindings });
    await worker.get(client, "/api/credit-balance");
    const balance = await balanceOf(client.clientId);
    // The query for the product succeeds, and the batch of the order does not end.
    const { DB, hangs } = hangingD1(2, when);
    bindings.DB = DB;
    const order = orderOf(product);
    const answering = worker.post(client, path, order);
    await hangs;
    const failed = await takes(10 * SECOND_MS, answering);
    expect(failed.status).toBe(503);
    const committed = when === "after the commit";
    expect(await ordersOf(client.clientId)).toBe(committed ? 1 : 0);

    delete bindings.DB;
    const retried = await worker.post(client, path, order);
    expect(retried.status).toBe(200);
    expect(retried.headers.has("Idempotent-Replayed")).toBe(committed);
    expect(await ordersOf(client.clientId)).toBe(1);
    expect(await stockOf(product.product.id)).toBe(99);
    expect(await balanceOf(client.clientId)).toBe(
      balance - Math.round(retried.json.order_totals.order_total * 100),
    );
  });

  test("makes the recipient's page a 503 with Retry-After", async () => {
    watchLog();
    const { path } = await createGift(startWorker(), [simpleProduct()]);
    const { DB, hangs } = hangingD1();
    const answering = startWorker({ env: { DB } }).fetch(path);
    await hangs;
    // A second for the replica, and ten for the primary.
    const { status, headers, text } = await takes(11 * SECOND_MS, answering);
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(text).toContain(texts.errors.unexpected.title);
  });

  test.each<When>(["before the commit", "after the commit"])(
    "during a redemption %s results in one redemption after a retry",
    async (when) => {
      watchLog();
      const [offered, other] = [simpleProduct(), simpleProduct()];
      const bindings: Partial<Bindings> = {};
      const worker = startWorker({ env: bindings });
      const gift = await createGift(worker, [offered, other], { gift_of_choice: "Y" });
      // The query for the gift succeeds, and the batch of its redemption does not end.
      const { DB, hangs } = hangingD1(2, when);
      bindings.DB = DB;
      const swap = { product_id: String(other.product.id) };
      const answering = accept(worker, gift.path, swap);
      await hangs;
      expect((await takes(10 * SECOND_MS, answering)).status).toBe(503);

      delete bindings.DB;
      const retried = await accept(worker, gift.path, swap);
      expect(retried.status).toBe(when === "after the commit" ? 409 : 303);
      const { redemption_status, product_selected } = await readRecipient(worker, gift);
      expect(redemption_status).toBe("redeemed");
      expect(product_selected.product_id).toBe(String(other.product.id));
      expect(await stockOf(other.product.id)).toBe(99);
      expect(await stockOf(offered.product.id)).toBe(100);
    },
  );

  test("ends a refresh after the response at the deadline, so that the next one can begin", async () => {
    const log = watchLog();
    let nowMs = Date.now();
    const bindings: Partial<Bindings> = {};
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const worker = startWorker({ now: () => nowMs, env: bindings });
    await worker.get(client, "/api/products");
    nowMs += 50 * SECOND_MS;
    await worker.get(client, "/api/credit-balance"); // refreshes the cached client
    const { DB, hangs } = hangingD1();
    bindings.DB = DB;
    const answering = worker.get(client, "/api/products");
    await hangs;
    const { status } = await takes(10 * SECOND_MS, answering);
    expect(status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain('"event":"cache.refresh_failed"');

    delete bindings.DB;
    nowMs += SECOND_MS;
    expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(1);
    expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(0);
  });
});
