// When D1, KV or a binding fails: nothing is doubled, nothing is half-written, and the caller knows what to do.
// The faults are put around the real D1 and KV; what does run, runs there.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { publish } from "../../src/catalogue/publish/publish.ts";
import { forgetClient } from "../../src/clients/cache.ts";
import type { Bindings } from "../../src/env.ts";
import { copy } from "../../src/redeem/pages/copy.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/values/time.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  ordersOf,
  simpleProduct,
  stockOf,
} from "../support/fixtures.ts";
import { overriding } from "../support/counting.ts";
import { accept, createGift, readRecipient } from "../support/gift.ts";
import { authHeaders, startWorker } from "../support/worker.ts";

const LOST = "D1_ERROR: Network connection lost.";

// D1's own list: https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
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

/** D1 says what happened in the error's message or in that of its cause. */
const ways = (texts: string[]): [string, Error][] =>
  texts.flatMap((text) => [
    [text, new Error(`D1_ERROR: ${text}`)],
    [`a cause: ${text}`, new Error("D1_ERROR", { cause: new Error(text) })],
  ]);

type When = "before the commit" | "after the commit";

/** D1 whose next `times` batches fail with `error`, before they run or when they have. */
function failingBatches(error: Error, when: When, times: number): D1Database {
  let left = times;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      const fails = left-- > 0;
      if (fails && when === "before the commit") throw error;
      const results = await env.DB.batch(statements);
      if (fails) throw error;
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
  const client = await createClient({ products: [product] });
  const worker = startWorker({ env: bindings });
  await worker.post(client, "/api/order", orderOf(product));
  return { product, client, worker };
}

/**
 * The real D1, where the `nth` call and those after it never end; those "after the commit" have been carried out.
 * `hangs` resolves when one does.
 */
function hangingD1(nth = 1, when: When = "before the commit") {
  let calls = 0;
  const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls < nth) return run();
    if (when === "after the commit") await run();
    report(undefined);
    return new Promise<T>(() => undefined);
  };
  const statementOf = (statement: D1PreparedStatement): D1PreparedStatement =>
    overriding(statement, {
      bind: (...values) => statementOf(statement.bind(...values)),
      all: () => call(() => statement.all()),
    });
  const hanging = <T extends D1Database | D1DatabaseSession>(db: T): T =>
    overriding(db, {
      prepare: (sql: string) => statementOf(db.prepare(sql)),
      batch: (statements: D1PreparedStatement[]) => call(() => db.batch(statements)),
      withSession: (constraint: string) => hanging((db as D1Database).withSession(constraint)),
    });
  return { DB: hanging(env.DB), hangs };
}

/** What `work` gives when `ms` have passed, and not a millisecond earlier; timers wait for the test. */
async function takes<T>(ms: number, work: Promise<T>): Promise<T> {
  let ended = false;
  const ending = work.finally(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(ms - 1);
  // Whatever is not waiting for a timer ends by itself meanwhile.
  await scheduler.wait(50);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  return ending;
}

function watchLog() {
  return vi.spyOn(console, "error").mockImplementation(() => undefined);
}

afterEach(async () => {
  vi.useRealTimers();
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
    bindings.DB = failingBatches(new Error(LOST), when, times);
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

  test.each(ways(RETRYABLE))("is tried again: %s", async (_, error) => {
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches(error, "before the commit", 1);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });

  test.each(ways(NOT_RETRYABLE))("is a 503 at once: %s", async (_, error) => {
    const log = watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    bindings.DB = failingBatches(error, "before the commit", 1);
    const order = orderOf(product);
    const failed = await worker.post(client, "/api/order", order);
    expect([failed.status, failed.json.code]).toEqual([503, "service_unavailable"]);
    expect(failed.headers.get("Retry-After")).toMatch(/^\d+$/);
    // The log has D1's own words, also where they are the cause's.
    const cause = error.cause instanceof Error ? error.cause : error;
    expect(log.mock.calls.flat().join("\n")).toContain(cause.message);
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
  });

  test("is tried again after a random part of a pause that doubles", async () => {
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

  test("with an error that nobody foresaw is a 500 that tells nothing", async () => {
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
    const client = await createClient({ products: [product] });
    const worker = startWorker({ env: { KV: broken(fail) as KVNamespace } });
    const list = await worker.get(client, "/api/products");
    expect([list.status, list.json.total_products]).toEqual([200, 1]);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain("KV read");
  });

  test("that hangs is a miss after a second", async () => {
    watchLog();
    const client = await createClient();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
    const hang = () => {
      report(undefined);
      return new Promise(() => undefined);
    };
    const worker = startWorker({ env: { KV: broken(hang) as KVNamespace } });
    const answering = worker.raw(client, "/api/credit-balance", {}, "in the background");
    await hangs;
    expect((await takes(SECOND_MS, answering)).status).toBe(200);
  });
});

describe("D1 that hangs", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });

  test.each([
    ["GET", "/api/products"],
    ["GET", "/api/product?product_id=1"],
    ["GET", "/api/order?order_id=1"],
    ["GET", "/api/credit-balance"],
    ["POST", "/api/order"],
    ["POST", "/api/gift-link"],
  ])("makes %s %s a 503 with Retry-After within 10 s", async (method, path) => {
    const log = watchLog();
    const bindings: Partial<Bindings> = {};
    const { product, client, worker } = await warmShop(bindings);
    // The first hangs when it is authenticated, the other when its handler asks.
    for (const isolate of [startWorker({ env: bindings }), worker]) {
      const { DB, hangs } = hangingD1();
      bindings.DB = DB;
      if (isolate !== worker) await forgetClient(env.KV, client.clientId);
      const answering =
        method === "GET" ? isolate.get(client, path) : isolate.post(client, path, orderOf(product));
      await hangs;
      const { status, json, headers } = await takes(10 * SECOND_MS, answering);
      expect([status, json.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect(log.mock.calls.flat().join("\n")).toContain("D1 did not answer within 10000 ms");
    expect(await ordersOf(client.clientId)).toBe(1);
  });

  test.each<[string, When]>([
    ["/api/order", "before the commit"],
    ["/api/order", "after the commit"],
    ["/api/gift-link", "before the commit"],
    ["/api/gift-link", "after the commit"],
  ])("half-way through %s %s gives one order when it is retried", async (path, when) => {
    watchLog();
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const bindings: Partial<Bindings> = {};
    const worker = startWorker({ env: bindings });
    await worker.get(client, "/api/credit-balance");
    const balance = await balanceOf(client.clientId);
    // The look at the product is answered, the order's batch is not.
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

  test("makes the recipient's page a 503 page with Retry-After", async () => {
    watchLog();
    const { path } = await createGift(startWorker(), [simpleProduct()]);
    const { DB, hangs } = hangingD1();
    const answering = startWorker({ env: { DB } }).fetch(path);
    await hangs;
    const { status, headers, text } = await takes(10 * SECOND_MS, answering);
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(text).toContain(copy.errors.unexpected.title);
  });

  test.each<When>(["before the commit", "after the commit"])(
    "half-way through a redemption %s redeems the gift once",
    async (when) => {
      watchLog();
      const [offered, other] = [simpleProduct(), simpleProduct()];
      const bindings: Partial<Bindings> = {};
      const worker = startWorker({ env: bindings });
      const gift = await createGift(worker, [offered, other], { gift_of_choice: "Y" });
      // The look at the gift is answered, its redemption is not.
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

  test("ends a refresh behind an answer, so that the next one can begin", async () => {
    const log = watchLog();
    let nowMs = Date.now();
    const bindings: Partial<Bindings> = {};
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const worker = startWorker({ now: () => nowMs, env: bindings });
    await worker.get(client, "/api/products");
    nowMs += 50 * SECOND_MS;
    await worker.get(client, "/api/credit-balance"); // refreshes the client's record
    const { DB, hangs } = hangingD1();
    bindings.DB = DB;
    const answering = worker.get(client, "/api/products");
    await hangs;
    const { status } = await takes(10 * SECOND_MS, answering);
    expect(status).toBe(200);
    expect(log.mock.calls.flat().join("\n")).toContain('"fault":"refresh"');

    delete bindings.DB;
    nowMs += SECOND_MS;
    expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(1);
    expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(0);
  });
});

describe("a page of more than a minute ago", () => {
  /** A Worker whose page is `ageMs` old, while the client's record is fresh. */
  async function oldPage(ageMs: number) {
    let nowMs = Date.now();
    const bindings: Partial<Bindings> = {};
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
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

  test("is served where D1 cannot be reached, for 5 minutes, and the failure is logged", async () => {
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
    expect(log.mock.calls.flat().join("\n")).toContain('"fault":"refresh"');
  });

  test("is served where D1 hangs, when the deadline has passed", async () => {
    watchLog();
    const { bindings, list } = await oldPage(2 * MINUTE_MS);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { DB, hangs } = hangingD1();
    bindings.DB = DB;
    const answering = list();
    await hangs;
    expect((await takes(10 * SECOND_MS, answering)).status).toBe(200);
  });

  test("is not served in place of an error that is not D1's availability", async () => {
    watchLog();
    const { bindings, list } = await oldPage(2 * MINUTE_MS);
    bindings.DB = env.EMPTY_DB;
    expect((await list()).status).toBe(500);
  });
});

describe("a rate limiter that hangs", () => {
  test("lets every request pass after 250 ms", async () => {
    const log = watchLog();
    const { product, client } = await warmShop({});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { promise: hangs, resolve: report } = Promise.withResolvers<undefined>();
    const limit = () => {
      report(undefined);
      return new Promise<RateLimitOutcome>(() => undefined);
    };
    const worker = startWorker({ env: { RATE_LIMITER: { limit } } });
    const first = worker.get(client, "/api/products");
    await hangs;
    // Credentials that the isolate has not seen count against the address, too.
    await vi.advanceTimersByTimeAsync(250);
    expect((await takes(250, first)).status).toBe(200);
    expect((await takes(250, worker.post(client, "/api/order", orderOf(product)))).status).toBe(
      200,
    );
    expect((await takes(250, worker.fetch("/redeem/forged"))).status).toBe(404);
    expect(log.mock.calls.flat().join("\n")).toContain("rate limiter");
  });
});

describe("a caller whose body", () => {
  const encoder = new TextEncoder();

  /** A placement whose body comes when the test says so. */
  async function slowPlacement() {
    const { product, client } = await warmShop({});
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const order = JSON.stringify(orderOf(product));
    const answering = startWorker().fetch("/api/order", {
      method: "POST",
      headers: { ...authHeaders(client), "Content-Type": "application/json" },
      body: readable,
    });
    await writer.write(encoder.encode(order.slice(0, 40)));
    return { client, writer, rest: encoder.encode(order.slice(40)), answering };
  }

  test("takes minutes to arrive is answered: only bindings have deadlines", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { client, writer, rest, answering } = await slowPlacement();
    await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
    await writer.write(rest);
    await writer.close();
    expect((await answering).status).toBe(200);
    expect(await ordersOf(client.clientId)).toBe(2);
  });

  test("breaks off places nothing", async () => {
    watchLog();
    const { client, writer, answering } = await slowPlacement();
    await writer.abort(
      new TypeError("Can't read from request stream because client disconnected."),
    );
    expect((await answering).status).toBe(503);
    expect(await ordersOf(client.clientId)).toBe(1);
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
    [
      "GIFT_LINK_SECRET_PREVIOUS",
      "s".repeat(31),
      "GIFT_LINK_SECRET_PREVIOUS must have at least 32",
    ],
    ["GIFT_LINK_SECRET_PREVIOUS", "", "GIFT_LINK_SECRET_PREVIOUS must have at least 32"],
  ])("with %s %j is a 503 that the log explains, and takes no money", async (name, value, rule) => {
    const log = watchLog();
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
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

  test.each(["GIFT_LINK_SECRET", "GIFT_LINK_SECRET_PREVIOUS"])(
    "takes a %s of 32 characters",
    async (name) => {
      const product = simpleProduct();
      const client = await createClient({ products: [product] });
      const worker = startWorker({ env: { [name]: "s".repeat(32) } });
      const { status } = await worker.post(client, "/api/gift-link", orderOf(product));
      expect(status).toBe(200);
    },
  );

  test("needs https outside of the local environment", async () => {
    const log = watchLog();
    const client = await createClient();
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
    const client = await createClient({ products: [product] });
    const worker = startWorker({ env: { [name]: undefined } });
    expect((await worker.get(client, "/api/products")).status).toBe(200);
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
  });
});

describe("a clock that jumps", () => {
  test("an hour back does not keep a revoked credential valid", async () => {
    let nowMs = Date.now() + 3_600_000;
    const client = await createClient();
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
    const client = await createClient({ products: [product] });
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
    const client = await createClient({ products });
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
