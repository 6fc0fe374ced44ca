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
  orderOf,
  ordersOf,
  simpleProduct,
  stockOf,
  openShop,
} from "../../support/fixtures.ts";
import { accept, createGift, readRecipient } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(await brokenAccounts()).toEqual([]);
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

/** The result of a request after D1 has not answered for 10 s. */
async function afterDeadline<T>(answering: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  return answering;
}

/** A request to an isolate in whose authentication or handler D1 hangs. */
async function startHanging(
  { product, client }: Pick<Awaited<ReturnType<typeof warmShop>>, "product" | "client">,
  part: "authentication" | "the handler" | "the handler after a replica",
  endpoint: string,
) {
  const bindings: Partial<Bindings> = {};
  const isolate = startWorker({ env: bindings });
  await isolate.get(client, "/api/credit-balance");
  const { DB, hangs } = hangingD1(part === "the handler after a replica" ? 2 : 1);
  bindings.DB = DB;
  if (part !== "the handler") await forgetClient(env, client.clientId);
  const caller = part === "the handler" ? isolate : startWorker({ env: { DB } });
  const [method, path = ""] = endpoint.split(" ");
  const answering =
    method === "GET" ? caller.get(client, path) : caller.post(client, path, orderOf(product));
  await hangs;
  return { answering };
}

const PRODUCT = "GET /api/product?product_id=1";
const OTHERS = [
  ...["GET /api/products", "GET /api/order?order_id=1", "GET /api/orders"],
  ...["GET /api/credit-balance", "POST /api/order", "POST /api/gift-link"],
];

test.each([
  ["authentication", [PRODUCT, ...OTHERS], 10],
  ["the handler", OTHERS, 10],
  ["the handler after a replica", ["POST /api/order", "POST /api/gift-link"], 10],
  // The replica has a second.
  ["the handler", [PRODUCT], 11],
] as const)(
  "D1 that does not answer in %s makes %j a 503 with Retry-After after %d s",
  async (part, endpoints, seconds) => {
    const log = watchLog();
    const shop = await warmShop({});
    const started = [];
    for (const endpoint of endpoints) started.push(await startHanging(shop, part, endpoint));
    const all = started.map(({ answering }) => answering);
    await takes(seconds * SECOND_MS, Promise.race(all));
    for (const { status, json, headers } of await Promise.all(all)) {
      expect([status, json.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("Retry-After")).toMatch(/^\d+$/);
    }
    expect(log.mock.calls.flat().join("\n")).toContain('"code":"service_unavailable"');
    expect(await ordersOf(shop.client.clientId)).toBe(1);
  },
);

describe("D1 that does not answer", () => {
  test.each<[string, When]>([
    ["/api/order", "before the commit"],
    ["/api/order", "after the commit"],
    ["/api/gift-link", "before the commit"],
    ["/api/gift-link", "after the commit"],
  ])("during %s %s results in one order after a retry", async (path, when) => {
    watchLog();
    const { product, client } = await openShop();
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
    const failed = await afterDeadline(answering);
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
});

describe("a gift in D1 that does not answer", () => {
  test("has a page with status 503 and Retry-After", async () => {
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
    "is redeemed once after a retry of the redemption, %s",
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
      expect((await afterDeadline(answering)).status).toBe(503);

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
});

test("a refresh after the response ends at the deadline, so that the next one can begin", async () => {
  const log = watchLog();
  let nowMs = Date.now();
  const bindings: Partial<Bindings> = {};
  const { client } = await openShop();
  const worker = startWorker({ now: () => nowMs, env: bindings });
  await worker.get(client, "/api/products");
  nowMs += 50 * SECOND_MS;
  await worker.get(client, "/api/credit-balance"); // refreshes the cached client
  const { DB, hangs } = hangingD1();
  bindings.DB = DB;
  const answering = worker.get(client, "/api/products");
  await hangs;
  const { status } = await afterDeadline(answering);
  expect(status).toBe(200);
  expect(log.mock.calls.flat().join("\n")).toContain('"event":"cache.refresh_failed"');

  delete bindings.DB;
  nowMs += SECOND_MS;
  expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(1);
  expect((await worker.get(client, "/api/products")).meter.roundTrips).toBe(0);
});
