// The cost of filters, and their caches.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/core/values/time.ts";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import { filteredPageCache } from "../../../src/features/catalogue/pages.ts";
import { buildIndex } from "../../../src/operator/catalogue/publish/build-index.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { stageIndex } from "../../../src/operator/catalogue/publish/staging.ts";
import { createClock } from "../../support/clock.ts";
import { createClient, simpleProduct, type TestClient, openShop } from "../../support/fixtures.ts";
import { laggingDatabase, replicate } from "../../support/replica.ts";
import { runs } from "../../support/runs.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

/** 100,000 in full runs. Multiples of 5,000 keep the shares below. */
const TOTAL = runs(100_000);
const FIRST_ID = 5_000_000;

/** The values of the product at this position. */
function large(position: number) {
  const { product } = simpleProduct();
  return {
    ...product,
    id: FIRST_ID + position,
    // A word of all products, words of a tenth and a hundredth of them, and a word of one product.
    name: `Gift tenth${String(position % 10)} part${String(position % 100)} nr${String(position)}`,
    description: "",
    shortDescription: "",
    vendor: { ...product.vendor, name: `Vendor ${String(position % 1_000)}` },
    categories: [`Category ${String(position % 50)}`],
    locations: position % 3 === 0 ? [] : ["AU", "NZ"],
    priceMinor: position % 5_000,
  };
}

/** Publishes the large catalogue: the entries with SQL, because the publisher takes a minute for them. */
async function createLargeCatalogue(): Promise<TestClient> {
  const client = await createClient({ products: [] });
  const products = Array.from({ length: TOTAL }, (_, index) => ({
    product: large(index + 1),
    changedAtMs: 1_000 + (index % 4),
  }));
  const { catalogueId } = client;
  await sql("UPDATE catalogues SET staged_version = 2 WHERE id = ?", catalogueId).run();
  await stageIndex(env.DB, { catalogueId, version: 2 }, buildIndex(products));
  const numbers = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${String(TOTAL)})`;
  for (const statement of [
    `INSERT INTO products (id) ${numbers} SELECT ${String(FIRST_ID)} + n FROM n`,
    `INSERT INTO product_revisions (product_id, revision, product_type, delivery, currency,
       price_minor, shipping_minor, locations, variations, content)
     ${numbers} SELECT ${String(FIRST_ID)} + n, 'r', 'simple', 'physical', 'AUD', n % 5000, 0, '[]',
       '[]', '${JSON.stringify(large(1))}' FROM n`,
    `INSERT INTO catalogue_entries (catalogue_id, version, position, product_id, revision, delivery,
       delivery_position, changed_at_ms, currency, lowest_unit_minor)
     ${numbers} SELECT ${String(catalogueId)}, 2, n, ${String(FIRST_ID)} + n, 'r', 'physical', n, 1000, 'AUD', n % 5000 FROM n`,
    `INSERT INTO stock (product_id, quantity) ${numbers} SELECT ${String(FIRST_ID)} + n, 1 FROM n`,
    `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
       total_digital, published_at_ms)
     SELECT ${String(catalogueId)}, 2, ${String(TOTAL)}, ${String(TOTAL)}, 0, 1`,
    `UPDATE catalogues SET version = 2 WHERE id = ${String(catalogueId)}`,
  ]) {
    await sql(statement).run();
  }
  await forgetClient(env, client.clientId);
  return client;
}

describe("filters of a large catalogue", () => {
  let client: TestClient;
  beforeAll(async () => {
    client = await createLargeCatalogue();
  }, 120_000);

  test.each([
    ["q=gift", TOTAL, 1],
    ["q=gift+tenth3+part13+nr13", 1, 4],
    ["q=part13", TOTAL / 100, 1],
    ["vendor=Vendor+7", TOTAL / 1_000, 1],
    ["category=Category+7", TOTAL / 50, 1],
    ["country=DE", Math.floor(TOTAL / 3), 2],
    ["product_type=physical&q=part13&vendor=Vendor+13&country=AU", TOTAL / 1_000, 5],
    ["updated_since=1970-01-01T00:00:01.003Z", TOTAL / 4, 1],
    ["currency=AUD&price_min=10.00&price_max=10.99", TOTAL / 50, 1],
    ["currency=AUD&price_max=25.00", (TOTAL / 5_000) * 2_501, 1],
    ["in_stock=true", TOTAL, 3],
    ["q=absent", 0, 1],
  ])(
    "%s finds %d, and reads a few rows for each filter and 5 for each product of the page",
    async (query, found, terms) => {
      const worker = startWorker();
      await worker.get(client, "/api/credit-balance");
      const pages = Math.max(1, Math.ceil(found / 20));
      for (const page of new Set([1, pages])) {
        const path = `/api/products?limit=20&page=${String(page)}&${query}`;
        const { json, meter } = await worker.get(client, path);
        expect([json.total_pages, json.products.length > 0]).toEqual([pages, found > 0]);
        expect(meter.rowsRead).toBeLessThanOrEqual(5 * json.products.length + 12 * terms + 12);
        expect([page, meter.roundTrips]).toEqual([page, found > 0 ? 2 : 1]);
        expect(meter).toMatchObject({ rowsWritten: 0, kvWrites: 0 });
      }
    },
  );

  test("GET /api/products/facets reads a few rows", async () => {
    const { json, meter } = await startWorker().get(client, "/api/products/facets");
    expect(json.vendors).toHaveLength(1_000);
    expect(json.vendors[0]).toEqual({ name: "Vendor 0", product_count: TOTAL / 1_000 });
    expect(meter.rowsRead).toBeLessThan(50);
  });

  test("the index has a row for each 64 kB", async () => {
    const rows = await sql(
      "SELECT count(*) AS n, sum(length(content)) AS size FROM catalogue_index WHERE catalogue_id = ?",
      client.catalogueId,
    ).first<{ n: number; size: number }>();
    expect(rows?.n).toBeLessThan(runs(150) + 10);
    expect(rows?.size).toBeLessThan(runs(10_000_000));
  });
});

describe("the caches of filtered pages", () => {
  test("answer an ETag with 304, and serve a page for a minute without D1 and KV", async () => {
    const clock = createClock();
    const worker = clock.start();
    const { product, client } = await openShop();
    await worker.get(client, "/api/products");
    const first = await worker.get(client, "/api/products?currency=AUD");
    expect(first.meter).toMatchObject({ roundTrips: 2, kvReads: 0, kvWrites: 0 });
    await sql("UPDATE stock SET quantity = 7 WHERE product_id = ?", product.product.id).run();
    const read = (headers?: HeadersInit) =>
      worker.get(client, "/api/products?currency=AUD", headers);
    const etag = first.headers.get("ETag") ?? "";
    const same = await read({ "If-None-Match": etag });
    expect([same.status, same.text, same.headers.get("ETag")]).toEqual([304, "", etag]);
    expect(same.meter).toMatchObject({ roundTrips: 0, kvReads: 0 });
    clock.advance(MINUTE_MS);
    const later = await read({ "If-None-Match": etag });
    expect([later.status, later.json.products[0].stock_qty]).toEqual([200, "7"]);
    expect(later.meter.kvWrites).toBeLessThanOrEqual(1); // the client's record
  });

  test("are not in KV, and have at most 6 MB of their own", async () => {
    const client = await createClient({ products: [simpleProduct()] });
    const worker = createClock().start();
    await worker.get(client, "/api/products");
    for (const filter of ["price_max=1.00", "price_max=99.00"]) {
      const { meter } = await worker.get(client, `/api/products?currency=AUD&${filter}`);
      expect(meter).toMatchObject({ kvReads: 0, kvWrites: 0 });
    }
    const pages = filteredPageCache();
    for (let n = 0; n < 10; n++) {
      pages.set(String(n), { gzip: new ArrayBuffer(1_000_000), etag: "" }, Infinity);
    }
    expect(pages.get("9", 0)).toBeDefined();
    expect(pages.get("4", 0)).toBeUndefined();
  });

  test("read the current version if the version of the cached client was deleted, or is not in the replica", async () => {
    const { product, client } = await openShop(simpleProduct({ name: "before" }));
    const worker = startWorker();
    await worker.get(client, "/api/products?q=before");
    await replicate(client);
    const renamed = { ...product, product: { ...product.product, name: "after" } };
    for (let times = 0; times < 3; times++) {
      await publish(env.DB, client.catalogue, [renamed], Date.now());
    }
    await forgetClient(env, client.clientId);
    for (const each of [worker, startWorker({ env: { DB: laggingDatabase() } })]) {
      const found = await each.get(client, "/api/products?q=after");
      expect(found.json.products).toMatchObject([{ product_name: "after" }]);
    }
    const old = await worker.get(client, "/api/products?q=before&limit=3");
    expect(old.json.products).toEqual([]);
  });
});
