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

const currenciesOf = (product: (typeof products)[number]) =>
  product.price_currency ?? product.variations?.[0]?.price_currency;

const HIDDEN_FIELDS = [
  ...["digital_delivery", "code_valid_days", "redeem_instructions", "barcode", "recipient_info"],
];

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

  test("has exactly the fields of the response for a published product, and what they do not have", () => {
    for (const file of [...catalogue.products, ...japan.products]) {
      const { product, stock } = fromFileProduct(validate(FileProduct(), file));
      // The local environment does not track the stock of codes.
      const isCode = product.digital?.delivery === "code";
      const levels = stock.map((level) => (isCode ? { ...level, quantity: null } : level));
      const { categories, translations, ...others } = { translations: {}, ...file };
      const raw = Object.fromEntries(
        Object.entries(others).filter(([field]) => !HIDDEN_FIELDS.includes(field)),
      );
      expect(product.categories).toEqual(categories);
      expect(Object.keys(product.translations ?? {})).toEqual(Object.keys(translations));
      expect(productResponse(product, levels, "")).toEqual(raw);
    }
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
