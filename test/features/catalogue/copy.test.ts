// A partner's copy of the catalogue, kept as the guide describes.
import fc from "fast-check";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { updateAvailability } from "../../../src/features/catalogue/availability-queries.ts";
import { insertProductEvents } from "../../../src/features/catalogue/product-events.ts";
import { forgetClient } from "../../../src/features/clients/cache.ts";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { createClock } from "../../support/clock.ts";
import { createClient, simpleProduct, type TestClient, unique } from "../../support/fixtures.ts";
import { replicated } from "../../support/replica.ts";
import { runs } from "../../support/runs.ts";
import { eventList } from "../../support/events.ts";
import { ProductList } from "../../support/shapes.ts";
import { startWorker } from "../../support/worker.ts";

async function cron() {
  await updateAvailability(env.DB, Date.now());
  await insertProductEvents(env.DB);
}

/** Reads all products, and then the events since the position before that. `meanwhile` runs before each request. */
async function copyCatalogue(client: TestClient, meanwhile: () => Promise<unknown>) {
  // The clock stands still, so the cached client keeps the version of the first request.
  const worker = createClock().start();
  await worker.get(client, "/api/credit-balance");
  const get = async (path: string) => {
    await meanwhile();
    return worker.get(client, path);
  };
  const copy = new Map<number, unknown>();
  let after = eventList((await get("/api/events?after=latest")).json).next_after;
  for (let next: number | null | undefined = 0; next != null;) {
    const { json } = await get(`/api/products?limit=2&after_id=${String(next)}&include=details`);
    const page = ProductList.parse(json);
    for (const product of page.products) copy.set(product.product_id, product);
    next = page.next_after_id;
  }
  const readEvents = async (read: (path: string) => ReturnType<typeof get>) => {
    for (let more = true; more;) {
      const feed = eventList((await read(`/api/events?limit=2&after=${String(after)}`)).json);
      for (const { data } of feed.events) {
        const { product_id: id = 0 } = data as { product_id?: number };
        const { status, json } = await read(
          `/api/product?product_id=${String(id)}&include=details`,
        );
        if (status === 404) copy.delete(id);
        else copy.set(id, json);
      }
      [after, more] = [feed.next_after, feed.has_more];
    }
  };
  await readEvents(get);
  await cron();
  await readEvents((path) => worker.get(client, path));
  return copy;
}

const indices = fc.subarray([0, 1, 2, 3, 4, 5]);
const change = fc.option(
  fc.record({ published: indices, renamed: indices, withCron: fc.boolean() }),
);

test("a copy by after_id and events equals the catalogue, whatever is published between any two requests", async () => {
  await fc.assert(
    fc.asyncProperty(indices, fc.array(change, { maxLength: 6 }), async (first, changes) => {
      const pool = Array.from({ length: 6 }, () => simpleProduct());
      const some = (chosen: number[]) => pool.filter((_, index) => chosen.includes(index));
      const client = await createClient({ products: some(first) });
      const copy = await copyCatalogue(client, async () => {
        const next = changes.shift();
        if (!next) return;
        for (const { product } of some(next.renamed)) product.name = `Name ${String(unique())}`;
        await publish(env.DB, client.catalogue, some(next.published), Date.now() + 1_000);
        if (next.withCron) await cron();
      });
      await forgetClient(env, client.clientId);
      const { json } = await startWorker().get(client, "/api/products?include=details");
      const { products } = ProductList.parse(json);
      expect(products).toHaveLength(copy.size);
      for (const product of products) expect(copy.get(product.product_id)).toEqual(product);
    }),
    { numRuns: runs(20) },
  );
}, 60_000);

test("a page after an id is one round trip, and reads at most 3 rows for each product", async () => {
  const products = Array.from({ length: 120 }, () => simpleProduct());
  const client = await createClient({ products });
  const worker = startWorker();
  await worker.get(client, "/api/credit-balance");
  const after = products[39]?.product.id ?? 0;
  const { json, meter } = await worker.get(
    client,
    `/api/products?limit=50&after_id=${String(after)}`,
  );
  expect(json).toMatchObject({
    total_products: 120,
    total_products_in_query: 50,
    current_page: 1,
    total_pages: 3,
    next_after_id: products[89]?.product.id,
  });
  expect(meter).toMatchObject({ roundTrips: 1, kvReads: 0, kvWrites: 0, rowsWritten: 0 });
  expect(meter.rowsRead).toBeLessThanOrEqual(3 * 50 + 5);
});

test("after_id is refused together with a page or filters", async () => {
  const client = await createClient();
  const worker = startWorker();
  for (const [field, value] of Object.entries({
    page: "2",
    q: "tea",
    product_type: "digital",
    in_stock: "true",
    updated_since: "2026-01-01",
  })) {
    const path = `/api/products?after_id=0&${field}=${value}`;
    const { status, json } = await worker.get(client, path);
    expect([status, json.errors[0].field]).toEqual([400, field]);
  }
});

test("GET /api/product is at least as recent as the bookmark, and finds a product that the replica lacks", async () => {
  const [product, added] = [simpleProduct(), simpleProduct()];
  const client = await createClient({ products: [product] });
  const replica = await replicated(client);
  const worker = startWorker({ env: { DB: replica.DB } });
  const renamed = { ...product, product: { ...product.product, name: "Renamed" } };
  await publish(env.DB, client.catalogue, [renamed, added], Date.now() + 1_000);
  const read = async (id: number, headers?: HeadersInit) => {
    const answer = await worker.get(client, `/api/product?product_id=${String(id)}`, headers);
    return [answer.json.product_name, answer.headers.has("Regalo-Bookmark")];
  };
  expect(await read(product.product.id)).toEqual([product.product.name, false]);
  expect(await read(added.product.id)).toEqual([added.product.name, false]);
  const session = env.DB.withSession("first-primary");
  await session.prepare("SELECT 1").run();
  const bookmark = { "Regalo-Bookmark": session.getBookmark() ?? "" };
  expect(await read(product.product.id, bookmark)).toEqual(["Renamed", true]);
});
