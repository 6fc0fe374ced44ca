// The cost of publishing: rows read, rows written and bytes sent grow only with the number of products. The size of pages.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { KeyedProduct } from "../../../../src/operator/catalogue/publish/identity.ts";
import {
  publish,
  type PublishOptions,
} from "../../../../src/operator/catalogue/publish/publish.ts";
import { meteredD1, newMeter, overriding } from "../../../support/counting.ts";
import { createClient, simpleProduct, unique, variableProduct } from "../../../support/fixtures.ts";
import { runs } from "../../../support/runs.ts";
import { beforeCurrent, killed } from "./publishing.ts";
import { checkPageSizes } from "../../../../src/operator/catalogue/publish/page-size.ts";
import type { Product } from "../../../../src/features/catalogue/product.ts";
import { startWorker } from "../../../support/worker.ts";

const FEW = runs(400, 20);

const catalogueName = () => `catalogue ${String(unique())}`;

/** A file with ids. Every other product has two variations. */
const ownFile = (count: number): KeyedProduct[] =>
  Array.from({ length: count }, (_, n) => (n % 2 === 0 ? variableProduct() : simpleProduct()));

/** A shop's file: each product has an id and a SKU. */
const shopFile = (count: number): KeyedProduct[] =>
  ownFile(count).map((each, n) => ({
    ...each,
    keys: [`id:${String(n)}`, `sku:${String(n)}`],
    variationKeys: each.product.variations.map((_, v) => [
      `id:${String(n)}-${String(v)}`,
      `sku:${String(n)}-${String(v)}`,
    ]),
  }));

const renamed = (sources: KeyedProduct[], name: string) =>
  sources.map((source) => ({ ...source, product: { ...source.product, name } }));

/** The shop has assigned the SKUs to other rows. */
const shuffled = (sources: KeyedProduct[]) =>
  sources.map((source, n) => {
    const other = sources[(n + 2) % sources.length] ?? source;
    const { keys = [], variationKeys = [] } = other;
    return { ...source, keys, variationKeys };
  });

async function costOf(catalogue: string, sources: KeyedProduct[], options: PublishOptions = {}) {
  const meter = newMeter();
  const d1 = meteredD1(env.DB, meter);
  await publish(d1, catalogue, sources, 1, options);
  return meter;
}

/** The cost of publishing the file again, after a change. */
async function costOfSecond(
  file: KeyedProduct[],
  change: (file: KeyedProduct[]) => KeyedProduct[],
  options: PublishOptions = {},
) {
  const shop = catalogueName();
  await costOf(shop, file);
  return costOf(shop, change(file), options);
}

/** Ends like a process that is killed after the last chunk. */
async function dies(catalogue: string, sources: KeyedProduct[]): Promise<void> {
  const publishing = publish(beforeCurrent(killed), catalogue, sources, 1);
  await expect(publishing).rejects.toThrow("killed");
}

const CASES: [string, (count: number) => Promise<{ rowsRead: number; rowsWritten: number }>][] = [
  ["a file with its own ids", (count) => costOf(catalogueName(), ownFile(count))],
  ["a shop's file", (count) => costOf(catalogueName(), shopFile(count))],
  ["a shop's file again", (count) => costOfSecond(shopFile(count), (file) => file)],
  [
    "a shop's file whose products are all changed",
    (count) => costOfSecond(shopFile(count), (file) => renamed(file, "changed")),
  ],
  ["a shop's file whose names have moved", (count) => costOfSecond(shopFile(count), shuffled)],
  [
    "a file that replaces the stock",
    (count) => costOfSecond(ownFile(count), (file) => file, { stock: "replace" }),
  ],
  [
    "a file of another catalogue's products",
    async (count) => {
      const file = ownFile(count);
      await costOf(catalogueName(), file);
      return costOf(catalogueName(), file, { shareStock: true });
    },
  ],
  [
    "a file after publications that were killed",
    async (count) => {
      const [shop, file] = [catalogueName(), ownFile(count)];
      await costOf(shop, file);
      for (const name of ["first", "second"]) await dies(shop, renamed(file, name));
      return costOf(shop, renamed(file, "third"));
    },
  ],
];

describe("publishing", () => {
  test.each(CASES)(
    "%s reads and writes rows in proportion to its products",
    { timeout: 120_000 },
    async (_, cost) => {
      const small = await cost(FEW);
      const large = await cost(FEW * 4);
      expect(large.rowsRead).toBeLessThan(small.rowsRead * 4 * 1.25);
      expect(large.rowsWritten).toBeLessThan(small.rowsWritten * 4 * 1.25);
      // It does not read the entries of other catalogues either.
      const again = await cost(FEW);
      expect(again.rowsRead).toBeLessThan(small.rowsRead * 1.25);
    },
  );

  test.each([
    ["its own ids", ownFile],
    ["a shop's names", shopFile],
  ])(
    "a file with %s is sent to the database once, in values within D1's limit",
    async (_, file) => {
      const description = `<p class="large">${"Handgemacht für Ömer, 手作り. ".repeat(400)}</p>\n`;
      const products = file(50).map((source) => ({
        ...source,
        product: { ...source.product, description },
      }));
      const fileBytes = bytesOf(
        JSON.stringify({ products: products.map(({ product }) => product) }),
      );
      const { d1, sent } = watched();
      await publish(d1, catalogueName(), products, 1);
      expect(sent.total).toBeGreaterThan(fileBytes / 2);
      expect(sent.total).toBeLessThan(fileBytes * 2);
      expect(sent.largest).toBeGreaterThan(400_000);
      expect(sent.largest).toBeLessThan(510_000);
    },
  );

  test("measures chunks in bytes, not in characters", async () => {
    const products = ownFile(12).map((source) => ({
      ...source,
      product: { ...source.product, description: "お".repeat(50_000) },
    }));
    const { d1, sent } = watched();
    await publish(d1, catalogueName(), products, 1);
    expect(sent.largest).toBeGreaterThan(400_000);
    expect(sent.largest).toBeLessThan(510_000);
  });
});

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** The database, the bytes sent to it (statements as JSON, as in the binding), and the largest single value. */
function watched() {
  const sent = { total: 0, largest: 0 };
  const d1 = overriding(env.DB, {
    prepare: (sql: string) => {
      const statement = env.DB.prepare(sql);
      return overriding(statement, {
        bind: (...params: unknown[]) => {
          sent.total += bytesOf(JSON.stringify({ sql, params }));
          sent.largest = Math.max(sent.largest, ...params.map((value) => bytesOf(String(value))));
          return statement.bind(...params);
        },
      });
    },
  });
  return { d1, sent };
}

const products = (count: number, description: string, changes: Partial<Product> = {}) =>
  Array.from({ length: count }, () => simpleProduct({ description, ...changes }).product);

/** Products of 200 kB each: 39 of them fit on a page, 40 do not. */
const large = (count: number) => products(count, "x".repeat(200_000));

test("a page of the product list is as large as publishing computes", async () => {
  const wide = products(5, "お".repeat(50_000));
  const level = { variationId: 0, quantity: 999_999_999, sellable: false };
  const client = await createClient({
    products: wide.map((product) => ({ product, stock: [level] })),
  });
  const { text } = await startWorker().get(client, "/api/products?limit=500");
  const bytes = new TextEncoder().encode(text).length;
  checkPageSizes(wide, bytes * 1.01);
  expect(() => {
    checkPageSizes(wide, bytes * 0.99);
  }).toThrow();
});

test("a catalogue with a page that would be too large is refused by publishing", async () => {
  const name = `catalogue ${String(unique())}`;
  const list = large(40).map((product) => ({ product, stock: [] }));
  const published = publish(env.DB, name, list, 1);
  await expect(published).rejects.toMatchObject({ code: "validation_error" });
  const found = env.DB.prepare("SELECT id FROM catalogues WHERE name = ?").bind(name).first();
  expect(await found).toBeNull();
});

test("a page consists of any 500 products, because of the filters", () => {
  const list = [...large(20), ...products(2_000, ""), ...large(20)];
  expect(() => {
    checkPageSizes(list);
  }).toThrow();
  checkPageSizes(list.slice(5));
});
