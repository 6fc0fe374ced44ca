// The demo catalogue.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import catalogue from "../seed/catalogue.json" with { type: "json" };
import japan from "../seed/catalogue-jp.json" with { type: "json" };
import { readRegalo } from "../src/operator/catalogue/import/regalo.ts";
import { fromFileProduct, FileProduct } from "../src/features/catalogue/file-product.ts";
import { productResponse } from "../src/features/catalogue/response.ts";
import { seed } from "../src/cli/seed.ts";
import { GIFT_LINKS, ORDER } from "../src/features/orders/samples.ts";
import type { Bindings } from "../src/platform/env.ts";
import { validate } from "../src/core/validation/validate.ts";

const PUBLIC = path.resolve(import.meta.dirname, "../public");
const read = (content: object) => readRegalo(content);
const { products: sources, problems } = read(catalogue);
const products = sources.map(({ product }) => product);
const { products: inYen, problems: problemsInYen } = read(japan);
const all = [...products, ...inYen.map(({ product }) => product)];

const count = (matches: (product: (typeof products)[number]) => boolean) =>
  products.filter(matches).length;
const currenciesOf = (product: (typeof products)[number]) =>
  product.price_currency ?? product.variations?.[0]?.price_currency;

const DIGITAL_FIELDS = ["digital_delivery", "code_valid_days", "redeem_instructions", "barcode"];

describe("seed/catalogue.json", () => {
  test("has at least 60 products of at least 10 vendors", () => {
    expect(products.length).toBeGreaterThanOrEqual(60);
    expect(new Set(products.map((p) => p.product_vendor.name)).size).toBeGreaterThanOrEqual(10);
  });

  test("is valid", () => {
    expect([...problems, ...problemsInYen]).toEqual([]);
  });

  test("has unique ids of products and variations", () => {
    const ids = all.map((product) => product.product_id);
    const variations = all.flatMap(({ variations = [] }) => variations.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(variations).size).toBe(variations.length);
  });

  test("has exactly the fields of the response for a published product, categories and translations", () => {
    for (const file of [...catalogue.products, ...japan.products]) {
      const { product, stock } = fromFileProduct(validate(FileProduct(), file));
      // The local environment does not track the stock of codes.
      const isCode = product.digital?.delivery === "code";
      const levels = stock.map((level) => (isCode ? { ...level, quantity: null } : level));
      const { categories, translations, ...others } = { translations: {}, ...file };
      const raw = Object.fromEntries(
        Object.entries(others).filter(([field]) => !DIGITAL_FIELDS.includes(field)),
      );
      expect(product.categories).toEqual(categories);
      expect(Object.keys(product.translations ?? {})).toEqual(Object.keys(translations));
      expect(productResponse(product, levels, "")).toEqual(raw);
    }
  });

  test.for<[string, Parameters<typeof count>[0], number]>([
    ["in AUD, most of all", (p) => currenciesOf(p) === "AUD", 40],
    ["in USD", (p) => currenciesOf(p) === "USD", 3],
    ["in GBP", (p) => currenciesOf(p) === "GBP", 3],
    ["simple", (p) => p.product_type === "simple", 10],
    ["variable with one attribute", (p) => p.attributes?.length === 1, 3],
    ["variable with two attributes", (p) => p.attributes?.length === 2, 3],
    ["physical", (p) => p.digital_physical === "physical", 10],
    ["digital", (p) => p.digital_physical === "digital", 5],
    ["delivered as codes", (p) => p.digital_delivery === "code", 10],
    ["with codes for scanners", (p) => p.barcode !== undefined, 5],
    ["that operators send", (p) => p.digital_delivery === "manual", 2],
    ["tracked", (p) => p.track_inventory === "Y", 10],
    ["untracked", (p) => p.track_inventory === "N", 5],
    ["in stock", (p) => p.stock_status === "in_stock", 50],
    ["out of stock", (p) => p.stock_status === "out_of_stock", 1],
    ["down to the last piece", (p) => p.stock_qty === "1", 1],
    ["described in HTML with line breaks", (p) => /<p>.*\n/.test(p.product_description), 10],
    ["without a SKU", (p) => p.product_sku === "", 1],
    ["without a short description", (p) => p.product_short_description === "", 1],
    ["of vendors without shipping info", (p) => p.product_vendor.shipping_info === null, 1],
    ["of vendors without a returns policy", (p) => p.product_vendor.returns_info === null, 1],
    ["with several further images", (p) => p.additional_images.length > 1, 5],
    ["available everywhere", (p) => p.available_location.length === 0, 1],
    ["available in one country", (p) => p.available_location.length === 1, 1],
    ["available in several countries", (p) => p.available_location.length > 1, 1],
  ])("has products %s", ([, matches, atLeast]) => {
    expect(count(matches)).toBeGreaterThanOrEqual(atLeast);
  });

  test("refers only to existing images", () => {
    const images = all.flatMap((product) => [
      product.featured_image,
      ...product.additional_images,
      product.product_vendor.logo,
    ]);
    expect(images.filter((image) => !image.startsWith("/images/"))).toEqual([]);
    expect(images.filter((image) => !existsSync(path.join(PUBLIC, image)))).toEqual([]);
  });
});

test("seed/catalogue-jp.json has simple and variable, physical and digital products in yen", () => {
  const kinds = inYen.map(({ product }) => `${product.product_type} ${product.digital_physical}`);
  expect(new Set(kinds).size).toBe(4);
  expect(new Set(inYen.map(({ product }) => currenciesOf(product)))).toEqual(new Set(["JPY"]));
});

describe("the example orders of the reference", () => {
  const firstOrder = readFileSync("src/docs/first-order.sh", "utf8");
  const inFirstOrder = Number(/"product_id": (\d+)/.exec(firstOrder)?.[1]);

  test("take no stock, so that they succeed for every partner", () => {
    const ids = new Set([ORDER.product_id, GIFT_LINKS.product_id, inFirstOrder]);
    const shown = products.filter(({ product_id }) => ids.has(product_id));
    expect(shown).toHaveLength(ids.size);
    expect(shown.filter(({ track_inventory }) => track_inventory === "Y")).toEqual([]);
  });
});

describe("seeding", () => {
  test.for(["sandbox", "production"] as const)("refuses %s before any change", (name) => {
    // A database that throws on any use, so that the refusal must come first.
    const untouchable: object = new Proxy(
      {},
      {
        get: () => {
          throw new Error("the database was touched");
        },
      },
    );
    const env = { ENVIRONMENT: name, DB: untouchable } as unknown as Bindings;
    return expect(seed(env, 0)).rejects.toThrow(`not for ${name}`);
  });
});
