import fc from "fast-check";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { fold } from "../../src/core/values/fold.ts";
import { publish } from "../../src/operator/catalogue/publish/publish.ts";
import { forgetClient } from "../../src/features/clients/cache.ts";
import { updateAvailability } from "../../src/features/catalogue/availability-queries.ts";
import type { Product } from "../../src/features/catalogue/product.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
  type TestProduct,
  variableProduct,
} from "../support/fixtures.ts";
import { ProductList } from "../support/shapes.ts";
import { runs } from "../support/runs.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

const idsOf = (products: readonly { product: Product }[]) =>
  products.map(({ product }) => product.id);

async function listed(client: TestClient, query: Record<string, string>, worker = startWorker()) {
  const answer = await worker.get(client, `/api/products?${String(new URLSearchParams(query))}`);
  expect(answer.status, answer.text).toBe(200);
  const list = ProductList.parse(answer.json);
  return { ...list, ids: list.products.map(({ product_id }) => product_id) };
}

const WORDS = ["mug", "Café", "TEA", "blue", "Straße", "Ёлка", "抹茶"];
const STARTS = ["te", "Ｍｕ", "ёл", "strass", "抹"];
const VENDORS = ["A & B", "Émile", 'C: "D"'];
const CATEGORIES = ["Home", "Home > Candles", "Home > Candles > Soy", "Food"];
const COUNTRIES = ["AU", "NZ", "DE"];
const CURRENCIES = ["AUD", "JPY"] as const;

/** The values of a product that the filters refer to. */
const product = fc.record({
  words: fc.subarray(WORDS),
  vendor: fc.constantFrom(...VENDORS),
  categories: fc.subarray(CATEGORIES),
  locations: fc.subarray(COUNTRIES),
  currency: fc.constantFrom(...CURRENCIES),
  prices: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 2 }),
  delivery: fc.constantFrom("physical" as const, "digital" as const),
  quantity: fc.constantFrom(0, 1, null),
});
type Generated = typeof product extends fc.Arbitrary<infer Value> ? Value : never;

function build({ words, vendor, prices, quantity, ...given }: Generated): TestProduct {
  const base = simpleProduct().product;
  const common = {
    ...given,
    name: `Nr ${words[0] ?? ""}`,
    description: `<p>${words.slice(1).join("</p><p>")}</p>`,
    shortDescription: "",
    vendor: { ...base.vendor, name: vendor },
  };
  if (prices.length === 1)
    return simpleProduct({ ...common, priceMinor: prices[0] ?? 0 }, { quantity });
  const made = variableProduct(common, quantity);
  for (const [index, variation] of made.product.variations.entries()) {
    variation.priceMinor = prices[index] ?? 0;
  }
  return made;
}

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined, freq: 1 });
const price = optional(fc.integer({ min: 0, max: 6 }));
const filters = fc.record({
  q: optional(fc.subarray([...WORDS, ...STARTS, "nr", "absent"], { minLength: 1, maxLength: 2 })),
  vendor: optional(fc.constantFrom(...VENDORS, "emile", "absent")),
  category: optional(fc.constantFrom(...CATEGORIES, "HOME > candles")),
  country: optional(fc.constantFrom(...COUNTRIES, "FR")),
  currency: optional(fc.constantFrom(...CURRENCIES)),
  min: price,
  max: price,
  product_type: optional(fc.constantFrom("physical", "digital")),
  in_stock: optional(fc.constantFrom("true", "false")),
  limit: fc.integer({ min: 1, max: 5 }),
  page: fc.integer({ min: 1, max: 3 }),
});
type Filters = typeof filters extends fc.Arbitrary<infer Value> ? Value : never;

/** What the filters mean, by the values with which the product was generated. */
function matches(it: Generated, by: Filters): boolean {
  const lowest = Math.min(...it.prices);
  return (
    (by.q ?? []).every((start) =>
      ["nr", ...it.words].map(fold).some((word) => word.startsWith(fold(start))),
    ) &&
    (by.vendor === undefined || fold(by.vendor) === fold(it.vendor)) &&
    (by.category === undefined ||
      it.categories
        .map(fold)
        .some((path) => `${path} >`.startsWith(`${fold(by.category ?? "")} >`))) &&
    (by.country === undefined || it.locations.length === 0 || it.locations.includes(by.country)) &&
    (by.currency === undefined ||
      (it.currency === by.currency && lowest >= (by.min ?? 0) && lowest <= (by.max ?? 9))) &&
    (by.product_type === undefined || by.product_type === it.delivery) &&
    (by.in_stock === undefined || (by.in_stock === "true") === (it.quantity !== 0))
  );
}

function queryOf({ q, min, max, currency, ...others }: Filters): Record<string, string> {
  const amount = (minor: number) => (currency === "JPY" ? String(minor) : (minor / 100).toFixed(2));
  const query = {
    ...others,
    q: q?.join(" ").toUpperCase(),
    currency,
    ...(currency && {
      price_min: min === undefined ? undefined : amount(min),
      price_max: max === undefined ? undefined : amount(max),
    }),
  };
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}

test("GET /api/products with filters lists exactly the products that meet all filters, on each page", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(product, { maxLength: 12 }),
      fc.array(filters, { minLength: 10, maxLength: 10 }),
      async (generated, queries) => {
        const products = generated.map(build);
        const client = await createClient({ products });
        const worker = startWorker();
        for (const by of queries) {
          const all = idsOf(
            products.filter((_, index) => matches(generated[index] as Generated, by)),
          );
          const list = await listed(client, queryOf(by), worker);
          const skip = (by.page - 1) * by.limit;
          expect(list).toMatchObject({
            ids: all.slice(skip, skip + by.limit),
            total_products: products.length,
            total_pages: Math.max(1, Math.ceil(all.length / by.limit)),
          });
          const unfiltered = ["limit", "page", "product_type"];
          const isFiltered = Object.keys(queryOf(by)).some((name) => !unfiltered.includes(name));
          expect(list.total_matched).toBe(isFiltered ? all.length : undefined);
        }
      },
    ),
    { numRuns: runs(30) },
  );
});

test("updated_since of GET /api/products lists what a publication has added or changed, and no change of the stock", async () => {
  const [same, changed, added] = [simpleProduct(), simpleProduct(), simpleProduct()];
  const client = await createClient();
  const publishAt = async (day: string, products: TestProduct[]) => {
    await publish(env.DB, client.catalogue, products, Date.parse(day), { stock: "replace" });
    await forgetClient(env, client.clientId);
  };
  const since = async (updated_since: string) => (await listed(client, { updated_since })).ids;
  await publishAt("2030-01-01", [same, changed]);
  const renamed = { ...changed, product: { ...changed.product, name: "Renamed" } };
  const restocked = { ...same, stock: [{ variationId: 0, quantity: 3, sellable: true }] };
  await publishAt("2030-01-02T10:00:00Z", [restocked, renamed]);
  await publishAt("2030-01-03", [restocked, renamed, added]);
  expect(await since("2030-01-01")).toEqual(idsOf([same, changed, added]));
  expect(await since("2030-01-01T00:00:00.001Z")).toEqual(idsOf([changed, added]));
  expect(await since("2030-01-02T12:00:00+02:00")).toEqual(idsOf([changed, added]));
  expect(await since("2030-01-02T10:00:01Z")).toEqual(idsOf([added]));
  expect(await since("2030-01-04")).toEqual([]);
});

test("in_stock of GET /api/products follows orders, cancellations and publications, with and without the cron handler", async () => {
  const product = simpleProduct({}, { quantity: 2 });
  const other = variableProduct({}, 1);
  const client = await createClient({ products: [product, other] });
  const available = async () => (await listed(client, { in_stock: "true" })).ids;
  const both = idsOf([product, other]);
  for (const withCron of [false, true]) {
    const check = async (ids: number[]) => {
      if (withCron) await updateAvailability(env.DB, Date.now());
      expect(await available()).toEqual(ids);
      const unavailable = (await listed(client, { in_stock: "false" })).ids;
      expect(unavailable).toEqual(both.filter((id) => !ids.includes(id)));
    };
    await check(both);
    const order = orderOf(product, { recipient_details: recipients(2) });
    const { json } = await startWorker().post(client, "/api/order", order);
    await check([other.product.id]);
    const { order_id } = json.order_data as { order_id: number };
    await startWorker().post(client, "/api/order/cancel", { order_id });
    await check(both);
    await sql("UPDATE stock SET quantity = 0 WHERE product_id = ?", other.product.id).run();
    await check([product.product.id]);
    await sql("UPDATE stock SET quantity = 1 WHERE product_id = ?", other.product.id).run();
    await check(both);
  }
});

test("a product that was sold out when it was removed is in stock when it returns with stock", async () => {
  const [product, other] = [simpleProduct({}, { quantity: 1 }), simpleProduct()];
  const client = await createClient({ products: [product, other] });
  const { json } = await startWorker().post(client, "/api/order", orderOf(product));
  const { order_id } = json.order_data as { order_id: number };
  await updateAvailability(env.DB, Date.now());
  await publish(env.DB, client.catalogue, [other], Date.now());
  await updateAvailability(env.DB, Date.now());
  await startWorker().post(client, "/api/order/cancel", { order_id });
  await updateAvailability(env.DB, Date.now());
  await publish(env.DB, client.catalogue, [product, other], Date.now());
  await forgetClient(env, client.clientId);
  const both = idsOf([product, other]);
  expect((await listed(client, { in_stock: "true" })).ids).toEqual(both);
});

test("a catalogue that was never published has no products, vendors or categories", async () => {
  const client = await createClient();
  const name = `empty-${client.clientId}`;
  await sql("INSERT INTO catalogues (name) VALUES (?)", name).run();
  const ids = "(SELECT id FROM catalogues WHERE name = ?1)";
  await sql(`UPDATE clients SET catalogue_id = ${ids} WHERE id = ?2`, name, client.clientId).run();
  await forgetClient(env, client.clientId);
  expect((await listed(client, { q: "mug" })).ids).toEqual([]);
  const { json } = await startWorker().get(client, "/api/products/facets");
  expect(json).toEqual({ status: "success", vendors: [], categories: [] });
});

test("a publication that removes the variation in stock makes the product unavailable, and back", async () => {
  const product = variableProduct();
  const [small, large] = product.product.variations;
  const [noSmall, stockLarge] = product.stock;
  if (!small || !large || !noSmall || !stockLarge) throw new Error("two variations");
  noSmall.quantity = 0;
  const client = await createClient({ products: [product] });
  const only = { product: { ...product.product, variations: [small] }, stock: [noSmall] };
  for (const withCron of [false, true]) {
    for (const [published, ids] of [
      [only, []],
      [product, [product.product.id]],
    ] as const) {
      await publish(env.DB, client.catalogue, [published], Date.now());
      await forgetClient(env, client.clientId);
      if (withCron) await updateAvailability(env.DB, Date.now());
      expect((await listed(client, { in_stock: "true" })).ids).toEqual(ids);
    }
  }
});

test("GET /api/products/facets counts the products of the client's catalogue, and those of subcategories", async () => {
  const of = (name: string, categories: string[]) => {
    const { product } = simpleProduct();
    return simpleProduct({ categories, vendor: { ...product.vendor, name } });
  };
  const products = [
    of("ZOË: LTD", ["Home > Candles", "Gifts"]),
    of("Zoe\u0308: Ltd", []),
    of("Zoë: Ltd", ["Home"]),
    of("An > Other", ["Home > Candles", "Home > Candles > Soy"]),
    of("", []),
  ];
  const client = await createClient({ products });
  const other = await createClient({ products: [of("Theirs", ["Theirs"])] });
  const facetsOf = async (reader: TestClient) =>
    (await startWorker().get(reader, "/api/products/facets")).json;
  const { vendors, categories } = await facetsOf(client);
  expect(vendors).toEqual([
    { name: "An > Other", product_count: 1 },
    { name: "Zoë: Ltd", product_count: 3 },
  ]);
  expect(categories).toEqual([
    { name: "Gifts", product_count: 1 },
    { name: "Home", product_count: 3 },
    { name: "Home > Candles", product_count: 2 },
    { name: "Home > Candles > Soy", product_count: 1 },
  ]);
  expect((await facetsOf(other)).vendors).toEqual([{ name: "Theirs", product_count: 1 }]);
  expect((await listed(client, { vendor: "Theirs" })).ids).toEqual([]);
});
