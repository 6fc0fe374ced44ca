// Regalo's own catalogue files: JSON as GET /api/products returns it.
import { describe, expect, test } from "vitest";
import { readRegalo } from "../../../../src/operator/catalogue/import/regalo.ts";
import { fromSource } from "../../../../src/operator/catalogue/publish/identity.ts";
import { productResponse } from "../../../../src/features/catalogue/response.ts";
import { createClient, simpleProduct, variableProduct } from "../../../support/fixtures.ts";
import { startWorker } from "../../../support/worker.ts";

const wire = ({ product, stock }: ReturnType<typeof simpleProduct>) =>
  productResponse(product, stock, "https://api.example");

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

const attribute = (...option: string[]) => ({ id: 1, name: "Size", option });

describe("a catalogue file", () => {
  test.each([
    [
      "a filtered list",
      { total_products: 3, total_products_in_query: 1, current_page: 1, total_pages: 1 },
    ],
    ["a list without its pages", { total_products: 3 }],
    ["one page of two", { current_page: 1, total_pages: 2 }],
    ["a later page", { current_page: 2 }],
  ])("that is %s is refused because it is incomplete", (_, envelope) => {
    const products = [wire(simpleProduct())];
    expect(() => readRegalo(JSON.stringify({ ...envelope, products }))).toThrow(
      "is a part of a catalogue",
    );
  });

  test.each([
    [
      "a whole list",
      { total_products: 1, total_products_in_query: 1, current_page: 1, total_pages: 1 },
    ],
    ["a list that somebody has added to", { total_products: 0 }],
    ["products alone", {}],
  ])("that is %s is read", (_, envelope) => {
    const products = [wire(simpleProduct())];
    expect(readRegalo(JSON.stringify({ ...envelope, products })).products).toHaveLength(1);
  });

  test("that is the response to GET /api/products with a filter is refused", async () => {
    const client = await createClient({
      products: [simpleProduct(), simpleProduct({ delivery: "digital" })],
    });
    const worker = startWorker();
    const filtered = await worker.get(client, "/api/products?product_type=digital");
    expect(() => readRegalo(filtered.text)).toThrow("1 of 2 products");
    const whole = await worker.get(client, "/api/products");
    expect(readRegalo(whole.text).products).toHaveLength(2);
  });

  test("is counted with all its products, also those with problems", () => {
    const file = { total_products: 2, products: [wire(simpleProduct()), { product_id: "x" }] };
    expect(readRegalo(JSON.stringify(file)).products).toHaveLength(1);
  });

  test("with a product that is too large is refused, and the error names the product and its largest field", () => {
    const product = { ...wire(simpleProduct({ name: "Large" })), attributes: [attribute("é", "")] };
    const rest = 250_000 - bytesOf(JSON.stringify(product));
    // Each option has at most 200 characters, plus two quotes and a comma.
    const filling = Array.from({ length: Math.floor(rest / 203) }, () => "x".repeat(200));
    const last = "x".repeat(rest - 203 * filling.length);
    const largest = { ...product, attributes: [attribute("é", last, ...filling)] };
    expect(bytesOf(JSON.stringify(largest))).toBe(250_000);
    expect(readRegalo(JSON.stringify([largest])).problems).toEqual([]);

    const tooLarge = { ...largest, product_sku: `${largest.product_sku}x` };
    const { products, problems } = readRegalo(JSON.stringify([tooLarge]));
    expect(products).toEqual([]);
    expect(problems).toEqual([
      {
        row: 1,
        product: "Large",
        field: "attributes",
        reason: expect.stringMatching(
          /^has \d{3},\d{3} of the product's 250,001 bytes: a product can have at most 250,000$/,
        ) as string,
      },
    ]);
  });

  test("has ids of at most 15 digits", () => {
    const largest = 999_999_999_999_999;
    const withIds = (id: number, variationId: number) => {
      const options = [{ id: 1, name: "Size", option: "S" }];
      const variation = { id: variationId, sku: "", priceMinor: 2000, options };
      return wire(variableProduct({ id, variations: [variation] }));
    };
    const read = (product: object) => readRegalo(JSON.stringify([product]));
    const kept = read(withIds(largest, largest));
    expect([kept.products.length, kept.problems]).toEqual([1, []]);
    for (const [product, field] of [
      [withIds(largest + 1, 1), "product_id"],
      [withIds(1, largest + 1), "variations.id"],
    ] as const) {
      const { products, problems } = read(product);
      expect(products).toEqual([]);
      expect(problems).toMatchObject([
        { row: 1, field, reason: `must be at most ${String(largest)}` },
      ]);
    }
  });
});

describe("the translations of a catalogue file", () => {
  const translated = (translations: unknown, product = simpleProduct({ name: "Vase" })) =>
    readRegalo(JSON.stringify([{ ...wire(product), translations }]));

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

  const notALanguage = "is not the tag of a language, such as de, pt-BR or zh-Hant";
  test.for<[string, object, string, string]>([
    ["an unknown language", { jp: {} }, "translations.jp", notALanguage],
    ["a language that is misspelt", { zh_TW: {} }, "translations.zh_TW", notALanguage],
    ["a language that is not in its canonical form", { DE: {} }, "translations.DE", notALanguage],
    ["the name of a language", { German: {} }, "translations.German", notALanguage],
    [
      "a name that is too long",
      { de: { product_name: "x".repeat(501) } },
      "translations.de.product_name",
      "must have at most 500 characters",
    ],
    [
      "a control character",
      { de: { product_vendor: { bio: "\ud800" } } },
      "translations.de.product_vendor.bio",
      "must be well-formed text, without U+D800",
    ],
    [
      "a misspelt field",
      { de: { name: "Vase" } },
      "translations.de.name",
      "is not a field of this request",
    ],
    [
      "too few categories",
      { de: { categories: ["Haus"] } },
      "translations.de.categories",
      "must translate all 0 categories",
    ],
    [
      "too much text",
      {
        de: { product_description: "x".repeat(50_000) },
        fr: { product_description: "é".repeat(25_000) },
      },
      "translations",
      "must have at most 100000 bytes as JSON",
    ],
  ])("with %s are refused", ([, translations, field, reason]) => {
    const { products, problems } = translated(translations);
    expect(products).toEqual([]);
    expect(problems).toEqual([{ row: 1, product: "Vase", field, reason }]);
  });

  test("have all names and options of the variations, or none", () => {
    const options = { Size: "Größe", S: "Klein", L: "Groß" };
    const product = variableProduct({ name: "Vase" });
    expect(translated({ de: { options } }, product).problems).toEqual([]);
    expect(translated({ de: { options: { ...options, L: undefined } } }, product).problems).toEqual(
      [
        {
          row: 1,
          product: "Vase",
          field: "translations.de.options",
          reason: "must also translate L",
        },
      ],
    );
  });
});
