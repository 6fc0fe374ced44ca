// The comparison of a catalogue file with the published catalogue.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { compare } from "../../../../src/operator/catalogue/publish/compare.ts";
import { listCatalogues } from "../../../../src/operator/catalogue/queries.ts";
import type { ProductWithStock } from "../../../../src/features/catalogue/product.ts";
import { publish } from "../../../../src/operator/catalogue/publish/publish.ts";
import type { Product } from "../../../../src/features/catalogue/product.ts";
import { meteredD1, newMeter } from "../../../support/counting.ts";
import { simpleProduct, unique, variableProduct, withStock } from "../../../support/fixtures.ts";
import { beforeCurrent, killed } from "./publishing.ts";

async function versionOf(name: string) {
  const [found] = await listCatalogues(env.DB, name);
  if (!found) throw new Error(`${name} is not published`);
  return found;
}

async function compared(before: ProductWithStock[], after: ProductWithStock[], d1 = env.DB) {
  const name = `catalogue ${String(unique())}`;
  await publish(env.DB, name, before, 1, { shareStock: true, untracked: true });
  return compare(d1, await versionOf(name), after);
}

const changed = ({ product, stock }: ProductWithStock, changes: Partial<Product>) => ({
  product: { ...product, ...changes },
  stock,
});

describe("a comparison", () => {
  test.for<[string, Partial<Product>]>([
    ["product_sku", { sku: "other" }],
    ["product_description", { description: "other" }],
    ["digital_physical", { delivery: "digital" }],
    ["recipient_info", { recipientInfo: "other" }],
    ["hs_code", { customs: { hs_code: "691200" } }],
    ["price_currency", { currency: "EUR" }],
    ["shipping_cost", { shippingMinor: 1 }],
    ["available_location", { locations: ["AU"] }],
    ["featured_image", { featuredImage: "/other.svg" }],
    ["additional_images", { additionalImages: [] }],
  ])("names the field %s", async ([field, changes]) => {
    const product = simpleProduct();
    const { changed: found } = await compared([product], [changed(product, changes)]);
    expect(found.map(({ fields }) => fields)).toEqual([[field]]);
  });

  test("names the changed fields of variations, and added or removed variations", async () => {
    const shirt = variableProduct();
    const [small, large] = shirt.product.variations;
    if (!small || !large) throw new Error("two variations");
    const fieldsWith = async (variations: Product["variations"]) => {
      const { changed: found } = await compared([shirt], [changed(shirt, { variations })]);
      return found[0]?.fields;
    };
    expect(await fieldsWith([small, { ...large, priceMinor: 1, sku: "x" }])).toEqual([
      "variations.sku",
      "variations.price",
    ]);
    expect(await fieldsWith([small])).toEqual(["variations"]);
    expect(await fieldsWith([small, { ...large, id: large.id + 1_000_000 }])).toEqual([
      "variations",
    ]);
  });

  test("names what comes and goes when a product gets variations, or loses them", async () => {
    const simple = simpleProduct();
    const { id, sku, name } = simple.product;
    const variable = variableProduct({ id, sku, name });
    for (const [before, after] of [
      [simple, variable],
      [variable, simple],
    ] as const) {
      const [found] = (await compared([before], [after])).changed;
      expect(found?.fields.toSorted()).toEqual([
        ...["attributes", "price", "price_currency", "product_type", "variations"],
      ]);
    }
  });

  test("reads the revisions of the catalogue, and each row once, in pages", async () => {
    const rowsRead = async (size: number) => {
      const products = Array.from({ length: size }, () => simpleProduct());
      const meter = newMeter();
      const found = await compared(products, products, meteredD1(env.DB, meter));
      expect(found.unchanged).toBe(size);
      expect(meter.roundTrips).toBe(1 + Math.ceil(size / 500));
      return meter.rowsRead;
    };
    const [few, many] = [await rowsRead(60), await rowsRead(600)];
    expect(many).toBeLessThanOrEqual(10 * few);
    expect(many).toBeLessThanOrEqual(4 * 600);
  });
});

describe("a comparison of stock", () => {
  test("names stock of one variation that would be counted, or sold, otherwise", async () => {
    const product = variableProduct();
    const [small, large] = product.stock;
    if (!small || !large) throw new Error("two variations");
    const fieldsWith = async (changes: object) => {
      const after = { ...product, stock: [small, { ...large, ...changes }] };
      return (await compared([product], [after])).changed.map(({ fields }) => fields);
    };
    expect(await fieldsWith({ quantity: 7 })).toEqual([]);
    expect(await fieldsWith({ quantity: null })).toEqual([["track_inventory"]]);
    expect(await fieldsWith({ sellable: false })).toEqual([["stock_status"]]);
  });

  test("names changes in tracking and sellability, but not in quantities", async () => {
    const product = simpleProduct();
    const fieldsWith = async (after: ProductWithStock) =>
      (await compared([product], [after])).changed.map(({ fields }) => fields);
    expect(await fieldsWith(withStock(product, 7))).toEqual([]);
    expect(await fieldsWith(withStock(product, null))).toEqual([["track_inventory"]]);
    expect(await fieldsWith(withStock(product, 100, false))).toEqual([["stock_status"]]);
    const uncounted = withStock(product, null);
    expect((await compared([uncounted], [product])).changed[0]?.fields).toEqual([
      "track_inventory",
    ]);
  });
});

describe("a published version", () => {
  /** A new catalogue: publishes its versions, and says what each has changed. */
  function newCatalogue() {
    const name = `catalogue ${String(unique())}`;
    const put = (products: ProductWithStock[], d1 = env.DB) =>
      publish(d1, name, products, 1, { shareStock: true });
    return {
      put,
      changes: async (products: ProductWithStock[]) => {
        const { added, changed, unpublished } = (await put(products)).comparison;
        return { added: added.length, changed: changed.length, unpublished: unpublished.length };
      },
    };
  }
  const renamed = (product: ProductWithStock) => changed(product, { name: "Renamed" });

  test("is compared with the last one that was completed, of the same catalogue", async () => {
    const product = simpleProduct();
    const { put, changes } = newCatalogue();
    await put([product]);
    await expect(put([], beforeCurrent(killed))).rejects.toThrow("killed");
    const other = newCatalogue();
    await other.put([]);
    await other.put([]);
    expect(await changes([renamed(product)])).toEqual({ added: 0, changed: 1, unpublished: 0 });
  });
});
