// The settings of `catalogue publish`, and the inventory of a Shopify shop.
import { describe, expect, test } from "vitest";
import seed from "../../../seed/catalogue.json" with { type: "json" };
import { openOperatorApi } from "../operator-api.ts";
import { csv, INVENTORY_HEAD, OWN_PRODUCT, shopifyFile } from "./import/shop-files.ts";
import {
  addCatalogue,
  fileOf,
  openCatalogue,
  publishedIn,
  quantitiesIn,
  shopFile,
} from "./published.ts";

const api = await openOperatorApi(["engineer"]);

const PUBLISH = "catalogue publish";

const settingsOf = async (catalogue: string) => {
  const { facts } = await api.view("catalogue show", { catalogue });
  const { currency, shipping, locations, vendor, language } = facts;
  return { currency, shipping, locations, vendor, language };
};

describe("the settings", () => {
  test("apply to products, and are kept until an input changes them", async () => {
    const catalogue = await addCatalogue(api, {});
    const input = { catalogue, file: shopFile([{}]) };
    await api.run(PUBLISH, {
      ...input,
      currency: "AUD",
      shipping: "9.50",
      locations: "AU, NZ",
      vendor: "Acme",
      vendor_logo: "https://acme.example/logo.svg",
      language: "pt-br",
    });
    const expected = {
      shippingMinor: 950,
      locations: '["AU","NZ"]',
      quantity: null,
      image: "https://shop.example/image.jpg",
      vendor: "Acme",
      logo: "https://acme.example/logo.svg",
    };
    expect(await publishedIn(catalogue)).toMatchObject([expected]);
    const again = await api.plan(PUBLISH, input);
    expect([again.changes, again.facts["changed"]]).toEqual([[], 0]);
    await api.run(PUBLISH, { ...input, shipping: "12", locations: "none", language: "none" });
    expect(await publishedIn(catalogue)).toMatchObject([
      { ...expected, shippingMinor: 1_200, locations: "[]" },
    ]);
    expect(await settingsOf(catalogue)).toEqual({
      currency: "AUD",
      shipping: "12.00",
      vendor: "Acme",
    });
  });

  test("that have no shipping cost for physical products of a shop have a warning", async () => {
    const catalogue = await addCatalogue(api, { currency: "AUD" });
    const warnings = async (row: object, more = {}) =>
      (await api.plan(PUBLISH, { catalogue, file: shopFile([{ ...row }]), ...more })).warnings;
    expect(await warnings({})).toEqual([expect.stringContaining("shipping cost")]);
    expect(await warnings({}, { shipping: "0" })).toEqual([]);
  });

  test("name the digital products that are delivered as codes, and a warning counts the others", async () => {
    const catalogue = await addCatalogue(api, { currency: "AUD", shipping: "0" });
    const rows = ["Card", "Book", "Song"].map((Name) => ({ Name, Type: "simple, virtual" }));
    const input = { catalogue, file: shopFile(rows) };
    const warnings = async (codes: string) =>
      (await api.plan(PUBLISH, { ...input, codes })).warnings;
    expect(await warnings("none")).toEqual([expect.stringContaining("3 digital products")]);
    expect(await warnings("Card,SKU-2")).toEqual([expect.stringContaining("1 digital product ")]);
    expect(await warnings("Card,SKU-2,Song")).toEqual([]);
    await api.run(PUBLISH, { ...input, codes: "Card,SKU-2" });
    const again = await api.plan(PUBLISH, input);
    expect([again.changes, again.facts["changed"]]).toEqual([[], 0]);
    expect((await publishedIn(catalogue)).map(({ delivery }) => delivery)).toEqual([
      "code",
      "code",
      "manual",
    ]);
    const refused = await api.plan(PUBLISH, { ...input, codes: "Card" });
    expect([refused.will, refused.text]).toEqual([null, expect.stringContaining("codes")]);
  });

  test("do not change if a file is refused", async () => {
    const catalogue = await openCatalogue(api, [{}]);
    const before = await settingsOf(catalogue);
    const file = shopFile([{ Stock: "x" }]);
    const plan = await api.plan(PUBLISH, { catalogue, file, shipping: "1" });
    expect([plan.will, plan.changes]).toEqual([null, []]);
    expect(await settingsOf(catalogue)).toEqual(before);
  });

  test("have a shipping cost in their currency, with its decimals", async () => {
    const catalogue = await addCatalogue(api, { currency: "JPY", shipping: "800" });
    const input = { catalogue, file: shopFile([{ "Regular price": "1200.00" }]) };
    await api.run(PUBLISH, input);
    expect(await publishedIn(catalogue)).toMatchObject([{ shippingMinor: 800 }]);
    for (const wrong of [{ shipping: "9.50" }, { currency: "KWD" }]) {
      expect((await api.refusal(PUBLISH, { ...input, ...wrong })).fields).toEqual(["shipping"]);
    }
    const dinars = { currency: "KWD", shipping: "1.25", allow_large_changes: true };
    await api.run(PUBLISH, { ...input, ...dinars });
    expect(await publishedIn(catalogue)).toMatchObject([{ shippingMinor: 1_250 }]);
  });

  test("of shops' files do not apply to Regalo's own files", async () => {
    const catalogue = await addCatalogue(api, {});
    const file = fileOf(JSON.stringify(seed));
    const settings = { currency: "AUD", shipping: "5", vendor: "Acme" };
    expect((await api.refusal(PUBLISH, { catalogue, file, ...settings })).fields).toEqual([
      ...["currency", "shipping", "vendor"],
    ]);
  });

  test("have a placeholder for products without an image, also of Regalo's own files", async () => {
    const catalogue = await addCatalogue(api);
    const bare = { catalogue, file: shopFile([{ Images: "" }]) };
    const neutral = await api.plan(PUBLISH, bare);
    expect([neutral.will === null, neutral.warnings.length]).toEqual([false, 1]);
    await api.run(PUBLISH, { ...bare, placeholder: "/images/products/gift.svg" });
    await api.run(PUBLISH, bare);
    expect(await publishedIn(catalogue)).toMatchObject([
      { image: "/images/products/gift.svg", logo: "/images/vendors/vendor.svg" },
    ]);
    await api.run(PUBLISH, { ...bare, placeholder: "none" });
    expect(await publishedIn(catalogue)).toMatchObject([{ image: "/images/brand/wrapped.png" }]);
    const other = await addCatalogue(api, { placeholder: "/a.svg" });
    const own = fileOf(JSON.stringify([{ ...OWN_PRODUCT, product_id: 950_003 }]));
    await api.run(PUBLISH, { catalogue: other, file: own });
    expect(await publishedIn(other)).toMatchObject([{ image: "/a.svg", logo: "/b.svg" }]);
  });
});

describe("a Shopify export without quantities", () => {
  const without = { without: ["Variant Inventory Qty"] };
  const file = fileOf(shopifyFile([{}, { Handle: "other", Title: "Other" }], without));
  const inventory = fileOf(
    csv(
      [...INVENTORY_HEAD, "Paris", "Rome"],
      ["product", "other"].map((Handle) => ({
        Handle,
        "Option1 Name": "Title",
        "Option1 Value": "Default Title",
        Paris: "2",
        Rome: "3",
      })),
    ),
    "inventory.csv",
  );

  const isOfStock = (warning: string) => warning.includes("stock");

  test("is published with untracked stock, which is reported unless it is intended", async () => {
    const catalogue = await addCatalogue(api);
    const published = await api.run(PUBLISH, { catalogue, file });
    expect(published.warnings.filter(isOfStock)).toHaveLength(1);
    expect(await quantitiesIn(catalogue)).toEqual([null, null]);
    const { warnings } = await api.run(PUBLISH, { catalogue, file, untracked: true });
    expect(warnings.filter(isOfStock)).toEqual([]);
  });

  test("takes its quantities from an inventory, which is then required", async () => {
    const catalogue = await addCatalogue(api);
    const { warnings } = await api.run(PUBLISH, { catalogue, file, inventory });
    expect(warnings).toContainEqual(expect.stringContaining("Paris, Rome"));
    expect(await quantitiesIn(catalogue)).toEqual([5, 5]);
    expect((await api.plan(PUBLISH, { catalogue, file })).will).toBeNull();
    await api.run(PUBLISH, { catalogue, file, untracked: true });
    expect(await quantitiesIn(catalogue)).toEqual([null, null]);
  });

  test("accepts an inventory or untracked stock, and only an inventory of Shopify", async () => {
    const catalogue = await addCatalogue(api);
    const both = { catalogue, file, inventory, untracked: true };
    expect((await api.refusal(PUBLISH, both)).fields).toEqual(["inventory"]);
    const wrong = { catalogue, file, inventory: file };
    expect((await api.refusal(PUBLISH, wrong)).fields).toEqual(["inventory"]);
    const woo = { catalogue, file: shopFile([{}]), inventory };
    expect((await api.refusal(PUBLISH, woo)).fields).toEqual(["file"]);
  });
});
