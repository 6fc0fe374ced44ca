// GET /api/collections, the filter `collection`, and collections in quotes and orders.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { ProductListResponse } from "../../src/features/catalogue/contract.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { collect, PICKS, uncollect } from "../support/collections.ts";
import { errorOf, refusalOf } from "../support/errors.ts";
import {
  ADDRESS,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  variableProduct,
} from "../support/fixtures.ts";
import { CHOICE } from "../support/gift.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();
const CHOSEN = { ...CHOICE, collection: PICKS };

/** For 30.00 AUD each: offered, for Australia, for New Zealand, for everyone, too dear, and sold out. */
async function openShop() {
  const offered = simpleProduct();
  const [au, nz, all, dear, gone] = [
    simpleProduct({ locations: ["AU"] }),
    simpleProduct({ locations: ["NZ"] }),
    simpleProduct({ priceMinor: 100 }),
    simpleProduct({ priceMinor: 99_00 }),
    simpleProduct({}, { quantity: 0 }),
  ] as const;
  const products = [offered, au, nz, all, dear, gone];
  const client = await createClient({ products });
  return { client, products, offered, au, nz, all, dear, gone };
}

test("collections are listed with the number of products for a country and a price", async () => {
  const { client, au, nz, all, dear } = await openShop();
  await collect(client, [au, nz, all, dear], { description: "By hand" });
  await collect(client, [], { id: "empty", name: "Empty" });
  await collect((await openShop()).client, [], { id: "others" });
  const counts = async (query: string) => {
    const answer = await worker.get(client, `/api/collections${query}`);
    expect(answer.meter).toMatchObject({ rowsWritten: 0 });
    expect(answer.meter.roundTrips).toBeLessThanOrEqual(4);
    return answer.json.collections as object[];
  };
  expect(await counts("")).toEqual([
    { collection: "empty", name: "Empty", description: "", product_count: 0 },
    { collection: PICKS, name: "Our picks", description: "By hand", product_count: 4 },
  ]);
  for (const [query, count] of [
    ["?country=AU", 3],
    ["?country=FR", 2],
    ["?currency=AUD&price_max=25", 3],
    ["?country=NZ&currency=AUD&price_max=1.00", 1],
    ["?currency=USD", 0],
  ] as const) {
    expect((await counts(query))[1], query).toMatchObject({ product_count: count });
  }
  const refused = errorOf(await worker.get(client, "/api/collections?price_max=5"));
  expect(refused).toMatchObject({ http: 400, errors: [{ field: "price_max" }] });
  const empty = await createClient();
  await collect(empty, [au]);
  expect((await worker.get(empty, "/api/collections")).json.collections).toMatchObject([
    { collection: PICKS, product_count: 0 },
  ]);
});

test("products are filtered by collection", async () => {
  const { client, au, nz, gone } = await openShop();
  await collect(client, [gone, au, nz]);
  const listed = async (query: string, by = worker) => {
    const { json } = await by.get(client, `/api/products?page=1&limit=10&${query}`);
    const { products, total_matched } = json as ProductListResponse;
    expect(products).toHaveLength(total_matched ?? 0);
    return products.map(({ product_id }) => product_id).sort();
  };
  const idsOf = (...products: { product: { id: number } }[]) =>
    products.map(({ product }) => product.id).sort();
  expect(await listed(`collection=${PICKS}`)).toEqual(idsOf(au, nz, gone));
  expect(await listed(`collection=${PICKS}&country=AU`)).toEqual(idsOf(au, gone));
  expect(await listed(`collection=${PICKS}&in_stock=true`)).toEqual(idsOf(au, nz));
  const empty = await createClient({ products: [] });
  for (const by of [client, empty]) {
    const answer = await worker.get(by, "/api/products?collection=nope");
    expect(errorOf(answer)).toMatchObject({ http: 400, errors: [{ field: "collection" }] });
  }
  // A page stays in the memory of a Worker for a minute.
  await collect(client, [nz]);
  expect(await listed(`collection=${PICKS}`, startWorker())).toEqual(idsOf(nz));
});

test("a quote tells how many products recipients in each country could choose", async () => {
  const { client, offered, au, nz, all, dear, gone } = await openShop();
  const small = variableProduct({}, 0);
  // Only its large variation is in stock, which costs more than 30.00.
  const [, large] = small.stock;
  if (large) large.quantity = 5;
  await publish(env.DB, client.catalogue, [offered, au, nz, all, dear, gone, small], Date.now());
  await collect(client, [au, nz, all, dear, gone, small]);
  const quoted = async (changes: object) =>
    (
      await worker.post(client, "/api/quote", {
        ...orderOf(offered, { qty: 2, gift_order_method: "api-giftlink" }),
        recipient_details: undefined,
        ...changes,
      })
    ).json;
  expect((await quoted(CHOSEN)).choices).toEqual([
    { country: "AU", product_count: 2 },
    { country: "NZ", product_count: 2 },
  ]);
  expect(await quoted({ gift_of_choice: "Y" })).not.toHaveProperty("choices");
  for (const changes of [
    { collection: PICKS },
    { ...CHOSEN, gift_of_choice: "N" },
    { ...CHOSEN, collection: "unknown" },
    { ...CHOSEN, collection: "No id" },
    { collection: PICKS, gift_order_method: "api-purchase" },
  ]) {
    expect(await quoted(changes)).toMatchObject({ errors: [{ field: "collection" }] });
  }
});

test("an order with a collection costs a round trip more, and rows that are linear in the collection", async () => {
  const offered = simpleProduct();
  const others = Array.from({ length: 60 }, () => simpleProduct());
  const client = await createClient({ products: [offered, ...others] });
  await collect(client, others.slice(0, 40));
  await worker.post(client, "/api/gift-link", orderOf(offered, CHOICE));
  const costOf = async (changes: Record<string, unknown>) => {
    const { meter } = await worker.post(client, "/api/gift-link", orderOf(offered, changes));
    return { trips: meter.roundTrips, rows: meter.rowsRead };
  };
  const [plain, collected] = [await costOf(CHOICE), await costOf(CHOSEN)];
  expect(collected.trips).toBe(plain.trips + 1);
  // Each product with its entry, its revision and its stock.
  expect(collected.rows - plain.rows).toBeLessThan(4 * 40 + 10);
});

test("an order with a collection is refused if none of its recipients could choose anything", async () => {
  const { client, offered, nz, dear, gone } = await openShop();
  const order = (country: string) =>
    orderOf(offered, {
      ...CHOSEN,
      recipient_details: recipients(1).map((recipient) => ({
        ...recipient,
        delivery_address: { ...ADDRESS, state: "", postcode_zipcode: "6011", country },
      })),
    });
  const refused = async (body: object) => {
    expect(await refusalOf(worker, client, "/api/gift-link", body)).toMatchObject({
      code: "validation_error",
      errors: [{ field: "collection" }],
    });
  };
  await refused(order("NZ"));
  await collect(client, [dear, gone]);
  await refused(order("NZ"));
  await collect(client, [offered, dear]);
  await refused(orderOf(offered, CHOSEN));
  await collect(client, [nz]);
  await refused(orderOf(offered, CHOSEN));
  await refused({ ...order("NZ"), gift_of_choice: "N" });
  await refused({ ...order("NZ"), collection: ["picks"] });
  const body = order("NZ");
  const placed = await worker.post(client, "/api/gift-link", body);
  expect(placed.status, placed.text).toBe(200);
  const id = String(placed.json.order_data.order_id);
  const { json } = await worker.get(client, `/api/order?order_id=${id}&include=details`);
  expect(json.collection).toBe(PICKS);
  // A replay is answered also if the collection has gone.
  await uncollect(client);
  expect((await worker.post(client, "/api/gift-link", body)).text).toBe(placed.text);
  await refused(order("NZ"));
  const another = { ...body, collection: "others" };
  expect((await worker.post(client, "/api/gift-link", another)).status).toBe(409);
  await refused(orderOf(offered, { ...CHOSEN, gift_of_choice: undefined }));
});
