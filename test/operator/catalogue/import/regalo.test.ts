// Regalo's own catalogue files: JSON as GET /api/products returns it.
import { describe, expect, test } from "vitest";
import { readRegalo } from "../../../../src/operator/catalogue/import/regalo.ts";
import { fromSource } from "../../../../src/operator/catalogue/publish/identity.ts";
import { UnreadableFile } from "../../../../src/operator/files/unreadable-file.ts";
import { productResponse } from "../../../../src/features/catalogue/response.ts";
import { createClient, simpleProduct, variableProduct } from "../../../support/fixtures.ts";
import { startWorker } from "../../../support/worker.ts";

const wire = ({ product, stock }: ReturnType<typeof simpleProduct>) =>
  productResponse(product, stock, "https://api.example");

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const attribute = (...option: string[]) => ({ id: 1, name: "Size", option });

describe("a catalogue file", () => {
  test.each([
    ["a list without its pages", { total_products: 3 }],
    ["one page of two", { current_page: 1, total_pages: 2 }],
    ["a later page", { current_page: 2 }],
  ])("that is %s is refused because it is incomplete", (_, envelope) => {
    const products = [wire(simpleProduct())];
    expect(() => readRegalo({ ...envelope, products })).toThrow(UnreadableFile);
  });

  test.each([
    ["a list that somebody has added to", { total_products: 0 }],
    ["products alone", {}],
  ])("that is %s is read", (_, envelope) => {
    const products = [wire(simpleProduct())];
    expect(readRegalo({ ...envelope, products }).products).toHaveLength(1);
  });

  test("that is the response to GET /api/products with a filter is refused", async () => {
    const products = [simpleProduct(), simpleProduct({ delivery: "digital" })];
    const client = await createClient({ products });
    const get = async (path: string) => (await startWorker().get(client, path)).json;
    const filtered = await get("/api/products?product_type=digital");
    expect(() => readRegalo(filtered)).toThrow(UnreadableFile);
    const unfiltered = await get("/api/products");
    const found = readRegalo(unfiltered, { codes: [products[1]?.product.sku ?? ""] }).products;
    // Responses do not contain how products are delivered, which a file must say.
    expect(found.map(({ product }) => product.digital_delivery)).toEqual([undefined, "code"]);
    expect(readRegalo(unfiltered.products).problems).toMatchObject([
      { row: 2, field: "digital_delivery" },
    ]);
  });

  test("has one delivery for all variations of a product", () => {
    const { variations, ...product } = wire(variableProduct()) as { variations?: object[] };
    const problemsOf = (sent: string) => {
      const given = variations?.map((each) => ({ ...each, digital_physical: sent }));
      return readRegalo([{ ...product, variations: given }]).problems;
    };
    expect(problemsOf("physical")).toEqual([]);
    expect(problemsOf("digital")).toMatchObject([{ row: 1, field: "variations" }]);
  });

  test("with a product that is too large is refused, and the error names the product and its largest field", () => {
    const product = { ...wire(simpleProduct({ name: "Large" })), attributes: [attribute("é", "")] };
    const rest = 250_000 - bytesOf(JSON.stringify(product));
    // Each option has at most 200 characters, plus two quotes and a comma.
    const filling = Array.from({ length: Math.floor(rest / 203) }, () => "x".repeat(200));
    const last = "x".repeat(rest - 203 * filling.length);
    const largest = { ...product, attributes: [attribute("é", last, ...filling)] };
    expect(bytesOf(JSON.stringify(largest))).toBe(250_000);
    expect(readRegalo([largest]).problems).toEqual([]);

    const tooLarge = { ...largest, product_sku: `${largest.product_sku}x` };
    const { products, problems } = readRegalo([tooLarge]);
    expect(products).toEqual([]);
    expect(problems).toMatchObject([{ row: 1, product: "Large", field: "attributes" }]);
  });

  test("has ids of at most 15 digits", () => {
    const largest = 999_999_999_999_999;
    const withIds = (id: number, variationId: number) => {
      const options = [{ id: 1, name: "Size", option: "S" }];
      const variation = { id: variationId, sku: "", priceMinor: 2000, options };
      return wire(variableProduct({ id, variations: [variation] }));
    };
    const read = (product: object) => readRegalo([product]);
    const kept = read(withIds(largest, largest));
    expect([kept.products.length, kept.problems]).toEqual([1, []]);
    for (const [product, field] of [
      [withIds(largest + 1, 1), "product_id"],
      [withIds(1, largest + 1), "variations.id"],
    ] as const) {
      const { products, problems } = read(product);
      expect(products).toEqual([]);
      expect(problems).toMatchObject([{ row: 1, field }]);
    }
  });
});

describe("the translations of a catalogue file", () => {
  const translated = (translations: unknown, product = simpleProduct({ name: "Vase" })) =>
    readRegalo([{ ...wire(product), translations }]);

  test("are read field by field", () => {
    const german = {
      product_name: "Vase",
      product_description: "<p>Schön.</p>",
      product_vendor: { shipping_info: "Bald." },
    };
    const { products, problems } = translated({ de: german, "zh-Hant": {} });
    expect(problems).toEqual([]);
    expect(products.map(fromSource)).toMatchObject([
      {
        product: {
          name: "Vase",
          translations: {
            de: { name: "Vase", description: "<p>Schön.</p>", shippingInfo: "Bald." },
            "zh-Hant": {},
          },
        },
      },
    ]);
  });

  test.for<[string, object, string]>([
    ["an unknown language", { jp: {} }, "jp"],
    ["a language that is misspelt", { zh_TW: {} }, "zh_TW"],
    ["a language that is not in its canonical form", { DE: {} }, "DE"],
    ["the name of a language", { German: {} }, "German"],
    ["a name that is too long", { de: { product_name: "x".repeat(501) } }, "de.product_name"],
    ["a control character", { de: { product_vendor: { bio: "\ud800" } } }, "de.product_vendor.bio"],
    ["a misspelt field", { de: { name: "Vase" } }, "de.name"],
    ["too few categories", { de: { categories: ["Haus"] } }, "de.categories"],
  ])("with %s are refused", ([, translations, field]) => {
    const { products, problems } = translated(translations);
    expect(products).toEqual([]);
    expect(problems).toMatchObject([{ row: 1, product: "Vase", field: `translations.${field}` }]);
  });

  test("have at most 100,000 bytes", () => {
    const de = { product_description: "x".repeat(50_000) };
    const { problems } = translated({ de, fr: { product_description: "é".repeat(25_000) } });
    expect(problems).toMatchObject([{ row: 1, product: "Vase", field: "translations" }]);
  });

  test("have all names and options of the variations, or none", () => {
    const options = { Size: "Größe", S: "Klein", L: "Groß" };
    const product = variableProduct({ name: "Vase" });
    expect(translated({ de: { options } }, product).problems).toEqual([]);
    const some = { Size: options.Size, S: options.S };
    const { problems } = translated({ de: { options: some } }, product);
    expect(problems).toMatchObject([{ product: "Vase", field: "translations.de.options" }]);
  });
});
