// When D1, KV or a binding fails: nothing is doubled, nothing is half-written, and the caller knows what to do.
// The faults are put around the real D1 and KV; what does run, runs there.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { publish } from "../src/catalogue/publish.ts";
import { forgetClient } from "../src/clients/store.ts";
import type { Bindings } from "../src/env.ts";
import {
  balanceOf,
  brokenAccounts,
  mintClient,
  orderOf,
  ordersOf,
  simpleProduct,
  stockOf,
} from "./support/mint.ts";
import { overriding } from "./support/counting.ts";
import { startWorker } from "./support/worker.ts";

const LOST = "D1_ERROR: Network connection lost.";
const OVERLOADED = "D1_ERROR: D1 DB is overloaded. Too many requests queued.";

type When = "before the commit" | "after the commit";

/** D1 whose next `times` batches fail with `message`, before they run or when they have. */
function failingBatches(message: string, when: When, times: number): D1Database {
  let left = times;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const fails = left-- > 0;
      if (fails && when === "before the commit") throw new Error(message);
      const results = await env.DB.batch(statements);
      if (fails) throw new Error(message);
      return results;
    },
  });
}

/** A binding every use of which fails so. */
function broken(fail: () => unknown): object {
  return new Proxy({}, { get: () => fail });
}

const deadDatabase = () =>
  broken(() => {
    throw new Error(LOST);
  }) as D1Database;

/** A client whose record, and whose product's offer, the returned Worker has in its memory. */
async function warmShop(bindings: Partial<Bindings>) {
  const product = simpleProduct();
  const client = await mintClient({ products: [product] });
  const worker = startWorker({ env: bindings });
  await worker.post(client, "/api/order", orderOf(product));
  return { product, client, worker };
}

function watchLog() {
  return vi.spyOn(console, "error").mockImplementation(() => undefined);
}

afterEach(async () => {
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

describe("a placement whose batch fails in passing", () => {
  test.each<[When, number]>([
    ["before the commit", 1],
    ["before the commit", 2],
    ["after the commit", 1],
    ["after the commit", 2],
  ])("%s, %d times, is tried again and placed once", async (when, times) => {
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    const [stock, balance] = [await stockOf(product.product.id), await balanceOf(client.clientId)];
    bindings.DB = failingBatches(LOST, when, times);
    const order = orderOf(product);
    const { status, headers, json } = await worker.post(client, "/api/order", order);
    expect(status).toBe(200);
    // This request placed it, whichever try did.
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
    "%s, every time, is a 503, and the client's retry gives one order",
    async (when, committed) => {
      const log = watchLog();
      const bindings: Partial<Bindings> = {};
      const { product, client, worker } = await warmShop(bindings);
      bindings.DB = failingBatches(LOST, when, 3);
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

  test("because D1 is overloaded is not tried again: it is a 503 at once", async () => {
    watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches(OVERLOADED, "before the commit", 1);
    const order = orderOf(product);
    expect((await worker.post(client, "/api/order", order)).status).toBe(503);
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
  });

  test("with an error that nobody foresaw is a 500 that tells nothing", async () => {
    watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches("D1_ERROR: no such table: secrets", "before the commit", 1);
    const { status, json } = await worker.post(client, "/api/order", orderOf(product));
    expect([status, json.code]).toEqual([500, "internal_error"]);
    expect(json.message).not.toContain("secrets");
  });
});

describe("without D1", () => {
  test("pages that are remembered are served, all else is a 503 with Retry-After", async () => {
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
      "/api/credit-balance",
    ]) {
      const { status, json, headers } = await worker.get(client, path);
      expect([path, status, json.code]).toEqual([path, 503, "service_unavailable"]);
      expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(503);
    expect(log).toHaveBeenCalled();
  });

  test("a page that is due for a refresh is still served, and the failure is logged", async () => {
    const log = watchLog();
    let nowMs = Date.now();
    const bindings: Partial<Bindings> = {};
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const worker = startWorker({ now: () => nowMs, env: bindings });
    await worker.get(client, "/api/products");
    nowMs += 59_000;
    await worker.get(client, "/api/credit-balance"); // refreshes the client's record
    bindings.DB = deadDatabase();
    nowMs += 40_000;
    expect((await worker.get(client, "/api/products")).status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain("refresh");
  });
});

describe("without KV", () => {
  test.each<[string, () => unknown]>([
    ["fails", () => Promise.reject(new Error("KV GET failed: 500"))],
    [
      "throws at once",
      () => {
        throw new TypeError("not a namespace");
      },
    ],
    ["hangs", () => new Promise(() => undefined)],
  ])("that %s, every request is answered from D1", async (_, fail) => {
    const log = watchLog();
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const worker = startWorker({ env: { KV: broken(fail) as KVNamespace } });
    const list = await worker.get(client, "/api/products");
    expect([list.status, list.json.total_products]).toEqual([200, 1]);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain("KV read");
  });
});

describe("the configuration", () => {
  test.each<[keyof Bindings, unknown, string]>([
    ["DB", undefined, "DB is missing"],
    ["ENVIRONMENT", undefined, "ENVIRONMENT must be"],
    ["ENVIRONMENT", "staging", "ENVIRONMENT must be"],
    ["PUBLIC_URL", undefined, "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "https://api.example.com/", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "https://api.example.com/v1", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "api.example.com", "PUBLIC_URL must be an origin"],
    ["PUBLIC_URL", "ftp://api.example.com", "PUBLIC_URL must be an origin"],
    ["GIFT_LINK_SECRET", undefined, "GIFT_LINK_SECRET must have at least 32 characters"],
    ["GIFT_LINK_SECRET", "s".repeat(31), "GIFT_LINK_SECRET must have at least 32 characters"],
  ])("with %s %j is a 503 that the log explains, and takes no money", async (name, value, rule) => {
    const log = watchLog();
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const broken = startWorker({ env: { [name]: value } });
    for (const path of ["/api/gift-link", "/api/order"]) {
      const { status, json, headers } = await broken.post(client, path, orderOf(product));
      expect([status, json.code]).toEqual([503, "service_unavailable"]);
      expect(headers.has("Retry-After")).toBe(true);
    }
    expect(await balanceOf(client.clientId)).toBe(100_000_000);
    const logged = log.mock.calls.flat().join("\n");
    expect(logged).toContain(rule);
    expect(logged).not.toContain("sssss");
  });

  test("needs https outside of the local environment", async () => {
    const log = watchLog();
    const client = await mintClient();
    const statusOf = async (env: Partial<Bindings>) =>
      (await startWorker({ env }).get(client, "/api/credit-balance")).status;
    const [http, https] = ["http://api.example.com", "https://api.example.com"];
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: http })).toBe(503);
    expect(log.mock.calls.flat().join("\n")).toContain("PUBLIC_URL must begin with https://");
    expect(await statusOf({ ENVIRONMENT: "production", PUBLIC_URL: http })).toBe(503);
    expect(await statusOf({ ENVIRONMENT: "sandbox", PUBLIC_URL: https })).toBe(200);
    expect(await statusOf({ ENVIRONMENT: "local", PUBLIC_URL: http })).toBe(200);
  });

  test.each(["KV", "RATE_LIMITER"])("without %s stops nothing", async (name) => {
    watchLog();
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const worker = startWorker({ env: { [name]: undefined } });
    expect((await worker.get(client, "/api/products")).status).toBe(200);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });
});

describe("a clock that jumps", () => {
  test("an hour back does not keep a revoked credential valid", async () => {
    let nowMs = Date.now() + 3_600_000;
    const client = await mintClient();
    const worker = startWorker({ now: () => nowMs });
    expect((await worker.get(client, "/api/credit-balance")).status).toBe(200);
    await env.DB.prepare("UPDATE credentials SET revoked_at_ms = 1 WHERE client_id = ?")
      .bind(client.clientId)
      .run();
    nowMs -= 3_600_000;
    expect((await worker.get(client, "/api/credit-balance")).status).toBe(401);
    expect(
      (await startWorker({ now: () => nowMs }).get(client, "/api/credit-balance")).status,
    ).toBe(401);
  });

  test("a day forward and back changes no order's answer", async () => {
    let nowMs = Date.now();
    const product = simpleProduct();
    const client = await mintClient({ products: [product] });
    const worker = startWorker({ now: () => nowMs });
    const order = orderOf(product);
    const first = await worker.post(client, "/api/order", order);
    for (const jump of [86_400_000, -172_800_000]) {
      nowMs += jump;
      expect((await worker.post(client, "/api/order", order)).text).toBe(first.text);
    }
  });
});

describe("a catalogue published while its pages are read", () => {
  test("is the old one or the new one on every page, never a mix", async () => {
    const products = Array.from({ length: 40 }, () => simpleProduct({ name: "edition 1" }));
    const edition = (n: number) =>
      products.map(({ product, stock }) => ({
        product: { ...product, name: `edition ${String(n)}` },
        stock,
      }));
    const client = await mintClient({ products });
    const seen = new Set<string>();
    for (let n = 2; n <= 8; n++) {
      const read = async (limit: number) => {
        // A new isolate without the client's record: it reads what is current, whatever moment that is.
        await forgetClient(env.KV, client.clientId);
        const { json } = await startWorker().get(client, `/api/products?limit=${String(limit)}`);
        expect(json.total_products).toBe(40);
        expect(json.products).toHaveLength(limit);
        const names = new Set(json.products.map((p: { product_name: string }) => p.product_name));
        expect(names.size).toBe(1);
        seen.add([...names].join());
      };
      await Promise.all([
        publish(env.DB, client.catalogue, edition(n), Date.now()),
        ...Array.from({ length: 6 }, (_, index) => read(20 + index)),
      ]);
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});
