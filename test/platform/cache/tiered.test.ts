// The cache while KV or D1 fails.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { KV_PATIENCE_MS } from "../../../src/platform/cache/tiered.ts";
import type { Bindings } from "../../../src/platform/env.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { overriding } from "../../support/counting.ts";
import {
  broken,
  deadDatabase,
  hangingD1,
  takes,
  watchLog,
  whileTimeAdvances,
} from "../../support/faults.ts";
import { createClient, openShop, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("KV", () => {
  test.each<[string, () => unknown]>([
    ["fails", () => Promise.reject(new Error("KV GET failed: 500"))],
    [
      "throws at once",
      () => {
        throw new TypeError("not a namespace");
      },
    ],
    ["hangs", () => new Promise(() => undefined)],
  ])("that %s is skipped: requests are answered from D1", async (_, fail) => {
    const log = watchLog();
    const { product, client } = await openShop();
    const worker = startWorker({ env: { KV: broken(fail) as KVNamespace } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const list = await whileTimeAdvances(worker.get(client, "/api/products"));
    expect([list.status, list.json.total_products]).toEqual([200, 1]);
    const placed = await whileTimeAdvances(worker.post(client, "/api/order", orderOf(product)));
    expect(placed.status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain("cache.read_failed");
  });

  /** The real KV, whose reads end when `answer` is called. */
  function slowKv() {
    const { promise: asked, resolve: report } = Promise.withResolvers<undefined>();
    const { promise: mayEnd, resolve: answer } = Promise.withResolvers<undefined>();
    const KV = overriding(env.KV, {
      getWithMetadata: async (key: string, type: "arrayBuffer") => {
        report(undefined);
        await mayEnd;
        return env.KV.getWithMetadata(key, type);
      },
    });
    return { KV, asked, answer };
  }

  test("that is slow is not waited for: D1 is asked as well after 30 ms", async () => {
    watchLog();
    const client = await createClient();
    const { KV, asked } = slowKv();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const worker = startWorker({ env: { KV }, kvPatienceMs: KV_PATIENCE_MS });
    const answering = worker.raw(client, "/api/credit-balance", {}, "in the background");
    await asked;
    expect((await takes(KV_PATIENCE_MS, answering)).status).toBe(200);
  });

  test.each<[string, () => { DB: D1Database }]>([
    ["hangs", hangingD1],
    ["fails", () => ({ DB: deadDatabase() })],
  ])("that is slow answers while D1 %s", async (_, failing) => {
    watchLog();
    const client = await createClient();
    await startWorker().get(client, "/api/products");
    const { KV, asked, answer } = slowKv();
    const { DB } = failing();
    const worker = startWorker({ env: { KV, DB }, kvPatienceMs: 1 });
    const listing = worker.raw(client, "/api/products", {}, "in the background");
    await asked;
    await scheduler.wait(50);
    answer(undefined);
    expect((await listing).status).toBe(200);
  });
});

describe("a page that is more than a minute old", () => {
  /** A Worker whose cached page is `ageMs` old, while its cached client is fresh. */
  async function oldPage(ageMs: number) {
    let nowMs = Date.now();
    const bindings: Partial<Bindings> = {};
    const { client } = await openShop();
    const start = () => startWorker({ now: () => nowMs, env: bindings });
    const { headers } = await start().get(client, "/api/products");
    nowMs += ageMs - 10 * SECOND_MS;
    const worker = start();
    await worker.get(client, "/api/credit-balance");
    nowMs += 10 * SECOND_MS;
    const etag = headers.get("ETag") ?? "";
    const list = (sent: Record<string, string> = {}) => worker.get(client, "/api/products", sent);
    return { bindings, etag, list };
  }

  test("is served for 5 minutes while D1 cannot be reached, and the failure is logged", async () => {
    const log = watchLog();
    for (const [ageMs, status] of [
      [MINUTE_MS, 200],
      [5 * MINUTE_MS - 1, 200],
      [5 * MINUTE_MS, 503],
    ] as const) {
      const { bindings, etag, list } = await oldPage(ageMs);
      bindings.DB = deadDatabase();
      const answer = await list();
      expect([ageMs, answer.status]).toEqual([ageMs, status]);
      expect([ageMs, (await list({ "If-None-Match": etag })).status]).toEqual([
        ageMs,
        status === 200 ? 304 : 503,
      ]);
    }
    expect(log.mock.calls.flat().join("\n")).toContain('"event":"cache.refresh_failed"');
  });

  test("is served at the deadline while D1 hangs", async () => {
    watchLog();
    const { bindings, list } = await oldPage(2 * MINUTE_MS);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { DB, hangs } = hangingD1();
    bindings.DB = DB;
    const answering = list();
    await hangs;
    expect((await takes(10 * SECOND_MS, answering)).status).toBe(200);
  });

  test("is not served if D1 fails with any other error", async () => {
    watchLog();
    const { bindings, list } = await oldPage(2 * MINUTE_MS);
    bindings.DB = env.EMPTY_DB;
    expect((await list()).status).toBe(500);
  });
});

async function shop() {
  const product = simpleProduct();
  return { product, client: await createClient({ products: [product] }) };
}

describe("a cached value", () => {
  test.each([
    [5 * SECOND_MS, 0],
    [5 * SECOND_MS + 1, 1],
  ])("whose time is %d ms in the future takes %d round trips", async (aheadMs, roundTrips) => {
    const clock = createClock();
    const { client } = await shop();
    await clock.start().get(client, "/api/products");
    await clock.start().get(client, "/api/credit-balance");
    clock.advance(-aheadMs);
    const isolate = clock.start();
    const { meter } = await isolate.get(client, "/api/products?page=2"); // past the end: no page is read
    expect(meter.roundTrips).toBe(roundTrips);
  });
});

test("a cached client is in KV for one minute, and a page for five minutes", async () => {
  const ttls: [string, number | undefined][] = [];
  const KV = overriding(env.KV, {
    put: (key: string, body: string, options: KVNamespacePutOptions) => {
      ttls.push([key.split(":")[1] ?? "", options.expirationTtl]);
      return env.KV.put(key, body, options);
    },
  });
  const client = await createClient({ products: [simpleProduct()] });
  await startWorker({ env: { KV } }).get(client, "/api/products");
  expect(ttls.sort()).toEqual([
    ["client", 60],
    ["page", 300],
  ]);
});
