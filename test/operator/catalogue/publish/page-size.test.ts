import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { checkPageSizes } from "../../../../src/operator/catalogue/publish/page-size.ts";
import type { Product } from "../../../../src/features/catalogue/product.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import { createClient, simpleProduct, unique } from "../../../support/fixtures.ts";
import { startWorker } from "../../../support/worker.ts";

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
