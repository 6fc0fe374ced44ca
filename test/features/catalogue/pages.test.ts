import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { laggingDatabase, replicate } from "../../support/replica.ts";
import { overriding } from "../../support/counting.ts";
import { createClient, simpleProduct } from "../../support/fixtures.ts";
import { startWorker, type TestWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

async function shop() {
  const product = simpleProduct();
  return { product, client: await createClient({ products: [product] }) };
}

type Shop = Awaited<ReturnType<typeof shop>>;

const listedStock = async (worker: TestWorker, { client }: Shop) =>
  (await worker.get(client, "/api/products")).json.products[0].stock_qty as string;

/** Takes one piece from the product's stock without a change of the caches. */
const takeOne = ({ product }: Shop) =>
  sql("UPDATE stock SET quantity = quantity - 1 WHERE product_id = ?", product.product.id).run();

/** KV that ignores writes. */
const withoutWrites = () => overriding(env.KV, { put: () => Promise.resolve() });

test("GET /api/products serves a page for less than a minute, from the isolate that rendered it and from others", async () => {
  const clock = createClock();
  const worker = clock.start();
  const it = await shop();
  expect(await listedStock(worker, it)).toBe("100");
  await takeOne(it);
  // New isolates whose refreshes do not reach KV, so that the page in KV keeps its age.
  clock.advance(MINUTE_MS - 1);
  expect(await listedStock(clock.start({ KV: withoutWrites() }), it)).toBe("100");
  clock.advance(1);
  expect(await listedStock(clock.start({ KV: withoutWrites() }), it)).toBe("99");
  expect(await listedStock(worker, it)).toBe("99");
});

test("GET /api/products refreshes a page that is at least 45 s old after the response, so that no request waits", async () => {
  const clock = createClock();
  const worker = clock.start();
  const it = await shop();
  await listedStock(worker, it);
  await takeOne(it);

  clock.advance(45 * SECOND_MS - 1);
  const before = await worker.get(it.client, "/api/products");
  expect(before.meter).toMatchObject({ roundTrips: 0, kvWrites: 0 });
  clock.advance(1);
  const during = await worker.get(it.client, "/api/products");
  expect(during.json.products[0].stock_qty).toBe("100");
  // The client and the page, both refreshed after the response.
  expect(during.meter).toMatchObject({ roundTrips: 2, kvWrites: 2 });
  const after = await worker.get(it.client, "/api/products");
  expect(after.json.products[0].stock_qty).toBe("99");
  expect(after.meter).toMatchObject({ roundTrips: 0, kvReads: 0, kvWrites: 0 });
  expect(await listedStock(clock.start(), it)).toBe("99");
});

test("GET /api/products refreshes a page once for simultaneous requests", async () => {
  const clock = createClock();
  const worker = clock.start();
  const { client } = await shop();
  await worker.get(client, "/api/products");
  clock.advance(50 * SECOND_MS);
  await worker.get(client, "/api/credit-balance"); // refreshes the cached client
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => worker.get(client, "/api/products")),
  );
  expect(answers.reduce((sum, { meter }) => sum + meter.roundTrips, 0)).toBe(1);
  expect(answers.reduce((sum, { meter }) => sum + meter.kvWrites, 0)).toBe(1);
});

test("GET /api/products serves pages from the isolate's memory for 10 s, then from KV", async () => {
  const clock = createClock();
  const worker = clock.start();
  const { client } = await shop();
  await worker.get(client, "/api/products");
  const after = async (ms: number) => {
    clock.advance(ms);
    return (await worker.get(client, "/api/products")).meter;
  };
  expect(await after(10 * SECOND_MS - 1)).toMatchObject({ roundTrips: 0, kvReads: 0 });
  // The client and the page, which the isolate then keeps in memory for another 10 s.
  expect(await after(1)).toMatchObject({ roundTrips: 0, kvReads: 2 });
  expect(await after(10 * SECOND_MS - 1)).toMatchObject({ roundTrips: 0, kvReads: 0 });
  expect(await after(1)).toMatchObject({ roundTrips: 0, kvReads: 2 });
});

test("GET /api/products serves a published version within a minute, and at once if nothing is cached", async () => {
  const clock = createClock();
  const worker = clock.start();
  const { client, product } = await shop();
  await worker.get(client, "/api/products");
  const added = simpleProduct();
  await publish(env.DB, client.catalogue, [product, added], Date.now());
  await forgetClient(env, client.clientId);
  const elsewhere = await clock.start().get(client, "/api/products");
  expect(elsewhere.json.total_products).toBe(2);
  clock.advance(MINUTE_MS);
  expect((await worker.get(client, "/api/products")).json.total_products).toBe(2);
});

test("GET /api/products serves a page if the cached client refers to a deleted version", async () => {
  const clock = createClock();
  const { client, product } = await shop();
  const worker = clock.start();
  await worker.get(client, "/api/credit-balance");
  for (let version = 2; version <= 4; version++) {
    await publish(env.DB, client.catalogue, [product], Date.now());
  }
  const { json } = await worker.get(client, "/api/products");
  expect(json.products.map((listed: { product_id: number }) => listed.product_id)).toEqual([
    product.product.id,
  ]);
});

test("GET /api/products reads from the primary if the replica does not have the version yet", async () => {
  const { client, product } = await shop();
  await replicate(client);
  const added = simpleProduct();
  await publish(env.DB, client.catalogue, [product, added], Date.now());
  const { json, meter } = await startWorker({ env: { DB: laggingDatabase() } }).get(
    client,
    "/api/products",
  );
  expect(json.products.map((each: { product_id: number }) => each.product_id)).toEqual([
    product.product.id,
    added.product.id,
  ]);
  // The client, the page in the replica (none), the current version, its page.
  expect(meter.roundTrips).toBe(4);
});

test("GET /api/products reads from the primary if the replica has only a part of the version", async () => {
  const products = Array.from({ length: 10 }, () => simpleProduct());
  const client = await createClient({ products });
  await replicate(client);
  await env.REPLICA_DB.prepare(
    "DELETE FROM catalogue_entries WHERE catalogue_id = ? AND position > 4",
  )
    .bind(client.catalogueId)
    .run();
  const { json, meter } = await startWorker({ env: { DB: laggingDatabase() } }).get(
    client,
    "/api/products",
  );
  expect(json.products).toHaveLength(10);
  expect(meter.roundTrips).toBe(4);
  expect((await startWorker().get(client, "/api/products")).json.products).toHaveLength(10);
});

test("GET /api/products reads from the replica if it has the version", async () => {
  const it = await shop();
  await replicate(it.client);
  await takeOne(it);
  const worker = startWorker({ env: { DB: laggingDatabase() } });
  const { json, meter } = await worker.get(it.client, "/api/products");
  expect([json.products[0].stock_qty, meter.roundTrips]).toEqual(["100", 2]);
  const path = `/api/product?product_id=${String(it.product.product.id)}`;
  expect((await worker.get(it.client, path)).json.stock_qty).toBe("100");
});

test("GET /api/products serves the current version while the version of the cached client is being deleted", async () => {
  const products = Array.from({ length: 6 }, () => simpleProduct());
  const client = await createClient({ products });
  const worker = startWorker();
  await worker.get(client, "/api/credit-balance");
  await publish(env.DB, client.catalogue, products.slice(1), Date.now());
  await sql(
    "DELETE FROM catalogue_entries WHERE catalogue_id = ? AND version = 1 AND position <= 3",
    client.catalogueId,
  ).run();
  for (const path of ["/api/products?limit=3", "/api/products?limit=3&product_type=physical"]) {
    const { json } = await worker.get(client, path);
    expect(json.total_products).toBe(5);
    expect(json.products.map((each: { product_id: number }) => each.product_id)).toEqual(
      products.slice(1, 4).map(({ product }) => product.id),
    );
  }
});

test("GET /api/products does not cache pages past the end", async () => {
  const worker = startWorker();
  const { client } = await shop();
  await worker.get(client, "/api/credit-balance");
  const { json, meter } = await worker.get(client, "/api/products?page=99999");
  expect([json.current_page, json.total_pages, json.products]).toEqual([99_999, 1, []]);
  expect(meter).toMatchObject({ roundTrips: 0, kvReads: 0, kvWrites: 0 });
});

test("GET /api/products separates the catalogues of two clients in one isolate", async () => {
  const worker = startWorker();
  const shops = [await shop(), await shop()];
  for (const attempt of [1, 2, 3]) {
    for (const { client, product } of shops) {
      const { json } = await worker.get(client, "/api/products");
      expect([attempt, json.products.map((p: { product_id: number }) => p.product_id)]).toEqual([
        attempt,
        [product.product.id],
      ]);
    }
  }
});

test("GET /api/products answers 304 to the page's ETag in all its forms, and 200 to any other", async () => {
  const worker = startWorker();
  const { client } = await shop();
  const first = await worker.get(client, "/api/products");
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
  expect(first.headers.get("Vary")).toBe("Accept-Encoding");
  expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
  for (const tag of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
    const { status, text, headers } = await worker.get(client, "/api/products", {
      "If-None-Match": tag,
    });
    expect([tag, status, text]).toEqual([tag, 304, ""]);
    expect(headers.get("ETag")).toBe(etag);
  }
  const other = await worker.get(client, "/api/products", { "If-None-Match": '"other"' });
  expect(other.status).toBe(200);
});

test("GET /api/products sends gzip to a caller that accepts it", async () => {
  const { client } = await shop();
  const worker = startWorker();
  for (const [accepted, gzipped] of [
    ["gzip", true],
    ["br, gzip;q=0.5", true],
    ["*", true],
    [undefined, false],
    ["identity", false],
    ["gzip;q=0", false],
    ["br", false],
  ] as const) {
    const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
    const answer = await worker.raw(client, "/api/products", { headers });
    const start = [...new Uint8Array(await answer.arrayBuffer()).slice(0, 2)];
    expect([accepted, answer.headers.get("Content-Encoding"), start]).toEqual(
      gzipped ? [accepted, "gzip", [0x1f, 0x8b]] : [accepted, null, [0x7b, 0x22]],
    );
  }
});

test("GET /api/products decides by the header of the caller, not by the header of the network", async () => {
  const { client } = await shop();
  const worker = startWorker();
  for (const [sent, coding] of [
    ["", null],
    ["identity", null],
    ["gzip, br", "gzip"],
  ] as const) {
    const answer = await worker.raw(client, "/api/products", {
      headers: { "Accept-Encoding": "br, gzip" },
      cf: { clientAcceptEncoding: sent },
    });
    expect([sent, answer.headers.get("Content-Encoding")]).toEqual([sent, coding]);
  }
});
