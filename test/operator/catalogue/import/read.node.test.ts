import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { attributeId, parsePrice } from "../../../../src/operator/catalogue/import/convert.ts";
import { readCatalogue } from "../../../../src/operator/catalogue/import/read.ts";
import { UnreadableFile } from "../../../../src/operator/files/unreadable-file.ts";
import { DEFAULTS, OWN_PRODUCT, readText, shopifyFile, wooCommerceFile } from "./shop-files.ts";

const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, "./files", name));
const read = (name: string) => readCatalogue(fixture(name), DEFAULTS);

describe("a WooCommerce export", () => {
  test("is read as simple, variable, virtual and downloadable products", () => {
    const { format, products, problems, unpublished } = read("woocommerce.csv");
    expect(format).toBe("woocommerce");
    expect(problems).toEqual([]);
    expect(unpublished).toHaveLength(1);
    expect(products.map(({ keys, product }) => [keys[0], product.digital_physical])).toEqual([
      ["id:11", "physical"],
      ["id:12", "digital"],
      ["id:13", "physical"],
      ["id:16", "digital"],
    ]);
  });

  test("keeps quotes, commas and line breaks, and is converted to kg and cm", () => {
    const [lamp, card] = read("woocommerce.csv").products;
    expect(lamp?.product).toMatchObject({
      product_name: "Reading lamp, brass",
      product_description: '<p>Says "hello" to your desk.</p>\n<p>Two metres of cord\\nap.</p>',
      price: "89.50",
      price_currency: "AUD",
      stock_qty: "12",
      track_inventory: "Y",
      featured_image: "https://shop.example/lamp.jpg",
      additional_images: ["https://shop.example/lamp-2.jpg"],
      shipping_cost: 9.5,
      shipping_details: { weight: "1.5", length: "20", width: "15", height: "40" },
      available_location: ["AU"],
      product_vendor: { name: "The Shop" },
    });
    expect(card?.product).toMatchObject({
      product_description: "A card\nof two lines",
      price: "20.00",
      track_inventory: "N",
      shipping_cost: 0,
    });
  });

  test("refers to the parents of variations by id:N or by SKU", () => {
    const shirt = read("woocommerce.csv").products[2];
    expect(shirt?.variationKeys).toEqual([
      ["id:14", "sku:SHIRT-S"],
      ["id:15", "sku:SHIRT-XL"],
    ]);
    expect(shirt?.product.attributes).toMatchObject([
      { name: "Size", option: ["S", "M", "Extra, large"] },
    ]);
    expect(shirt?.product.variations).toMatchObject([
      { price: "40.00", variation_qty: "4", options: [{ name: "Size", option: "S" }] },
      {
        price: "42.00",
        variation_qty: "0",
        variation_stock_status: "out_of_stock",
        options: [{ option: "Extra, large" }],
      },
    ]);
    expect(shirt?.product.variations?.[0]?.options[0]?.id).toBe(shirt?.product.attributes?.[0]?.id);
  });
});

describe("a Shopify export", () => {
  test("joins rows by handle, also with semicolons between fields", () => {
    const { format, products, problems, unpublished } = read("shopify.csv");
    expect(format).toBe("shopify");
    expect(problems).toEqual([]);
    expect(unpublished).toHaveLength(1);
    const [bowl, scarf, gift] = products;
    expect(bowl?.product).toMatchObject({
      product_type: "simple",
      product_sku: "BOWL",
      product_description: '<p>Thrown by hand; each one,\n"its own".</p>',
      price: "48.00",
      stock_qty: "9",
      featured_image: "https://shop.example/bowl-1.jpg",
      additional_images: ["https://shop.example/bowl-2.jpg"],
      product_vendor: { name: "Kiln & Co" },
      shipping_details: { weight: "0.35" },
    });
    expect(scarf?.keys).toEqual(["handle:scarf"]);
    expect(scarf?.product.attributes?.map(({ name }) => name)).toEqual([
      "Colour",
      "Length",
      "Yarn",
    ]);
    expect(scarf?.product.variations).toMatchObject([
      { sku: "SC-1", price: "30.00", variation_qty: "0", variation_stock_status: "out_of_stock" },
      { sku: "SC-2", price: "36.00", variation_qty: "", variation_stock_status: "in_stock" },
    ]);
    expect(scarf?.product.variations?.[1]?.options.map(({ option }) => option)).toEqual([
      "Moss",
      "Long",
      "Wool",
    ]);
    expect(gift?.product.digital_physical).toBe("digital");
    expect(gift?.product.variations).toHaveLength(2);
  });
});

describe("a catalogue file", () => {
  test.for([
    [0xff, 0xfe, 0x48, 0x00],
    [0xfe, 0xff, 0x00, 0x48],
    [0x48, 0x00, 0x61, 0x00],
    [0x00, 0x48, 0x00, 0x61],
    [...fixture("latin-1.csv")],
  ])("in another encoding is refused: %j", (bytes) => {
    expect(() => readCatalogue(new Uint8Array(bytes), DEFAULTS)).toThrow("UTF-8");
  });

  test.for<[text: string, missing: string]>([
    ["name,price\nA,1\n", "Type, Regular price"],
    ["name,price\nA,1\n", "URL handle or Handle, Title, Option1 value"],
    ["", "Type, Name, Regular price"],
  ])("of an unknown format is refused, with the missing columns: %j", ([text, missing]) => {
    expect(() => readText(text)).toThrow(missing);
  });

  test.for([
    ...["{", '{"items": []}', '{"products": [], "total_pages": 3}'],
    'Type,Name,Published,Regular price\nsimple,"A',
  ])("that is broken or incomplete is refused: %j", (text) => {
    expect(() => readText(text)).toThrow(UnreadableFile);
  });

  test("of a shop is refused without a currency", () => {
    const settings = { ...DEFAULTS, currency: undefined };
    expect(() => readCatalogue(fixture("shopify.csv"), settings)).toThrow(UnreadableFile);
  });

  test("of Regalo names its format, and is refused if an element of its list is not a product", () => {
    const { format, problems, unpublished, quantities } = readText('{"products": [null, 5, "x"]}');
    expect([format, unpublished, quantities]).toEqual(["regalo", [], "file"]);
    expect(problems.map(({ row }) => row)).toEqual([1, 2, 3]);
  });

  test("of Regalo may begin with a byte order mark, and may be a list of products", () => {
    const text = fixture("../../../../../seed/catalogue.json").toString();
    expect(readText(`\ufeff${text}`).products.length).toBeGreaterThan(1);
    const { products } = JSON.parse(text) as { products: unknown[] };
    expect(readText(`\n ${JSON.stringify(products)}`).products).toHaveLength(products.length);
  });

  test("of Regalo keeps its ids, which must be unique", () => {
    const text = fixture("../../../../../seed/catalogue.json").toString();
    const { products, problems } = readText(text);
    expect(problems).toEqual([]);
    expect(products[0]).toMatchObject({ keys: [], product: { product_id: 1001 } });
    const { products: drafts } = JSON.parse(text) as { products: unknown[] };
    const repeated = readText(JSON.stringify([drafts[0], drafts[0], { product_id: "x" }]));
    expect(repeated.products).toHaveLength(1);
    expect(repeated.problems[0]).toMatchObject({
      row: 2,
      product: "The Long Table Hamper",
      field: "product_id",
    });
    expect(repeated.problems.filter(({ row }) => row === 3).length).toBeGreaterThan(5);
  });
});

test.each([
  ["AUD", "25", 2_500],
  ["AUD", "19.9", 1_990],
  ["AUD", "19,90", 1_990],
  ["AUD", "12.5000", 1_250],
  ["AUD", "1.500", undefined],
  ["AUD", "1,500", undefined],
  ["AUD", "1.", undefined],
  ["VND", "150000", 150_000],
  ["VND", "150000.00", 150_000],
  ["VND", "150000.50", undefined],
  ["VND", "150,000", undefined],
  ["KWD", "1.5", 1_500],
  ["KWD", "1.250", 1_250],
  ["KWD", "19,90", 19_900],
  ["KWD", "1,500", undefined],
  ["KWD", "1.2345", undefined],
  ["CLF", "1.500", 15_000],
  ["CLF", "1.2345", 12_345],
] as const)(
  "a shop's file has in %s the price %s: ambiguous thousands are refused",
  (currency, text, minor) => {
    expect(parsePrice(text, currency)).toBe(minor);
  },
);

test("the ids of a shop's attributes depend on their names only", () => {
  expect(attributeId("Size")).toBe(298_871_983);
  expect(attributeId(" SIZE ")).toBe(attributeId("Size"));
  expect(attributeId("Größe")).toBe(1_721_530_958);
});

describe("a price of zero", () => {
  const card = { product_name: "Card", product_sku: "C-1", price: "0.00" };
  test.each([
    [wooCommerceFile([{ Name: "Card", SKU: "C-1", "Regular price": "0,00" }]), "Regular price"],
    [shopifyFile([{ Title: "Card", "Variant SKU": "C-1", "Variant Price": "0" }]), "Variant Price"],
    [JSON.stringify([{ ...OWN_PRODUCT, featured_image: "/a.svg", ...card }]), "price"],
  ])("is a problem unless the product is named: %j", (text, field) => {
    const read = (free?: string[]) => readText(text, { free });
    expect(read().problems).toMatchObject([{ field }]);
    expect(read(["Other"]).products).toEqual([]);
    for (const name of ["Card", "C-1"]) {
      expect(read([name])).toMatchObject({
        problems: [],
        products: [{ product: { price: "0.00" } }],
      });
    }
  });
});

describe("JSON that needs more memory than its text", () => {
  test.each([
    ["small objects", `[${"{},".repeat(6_000_000)}{}]`],
    ["deep arrays", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`],
  ])("is refused before it is parsed: %s", (_, text) => {
    expect(() => readText(text)).toThrow(UnreadableFile);
  });

  test("is a problem of the product if a single one has it", () => {
    const products = `[{"product_name":"Vase","variations":[${"{},".repeat(400_000)}{}]}]`;
    expect(readText(products).problems).toMatchObject([{ row: 1, product: "Vase" }]);
  });

  test("counts no characters of texts", () => {
    expect(readText(`[{"product_name":"${'{[,\\"'.repeat(500_000)}"}]`).problems).not.toEqual([]);
  });
});
