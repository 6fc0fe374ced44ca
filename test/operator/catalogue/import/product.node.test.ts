// The rules for a product in a catalogue file, and the conversion to a published product.
import { describe, expect, test } from "vitest";
import { fromFileProduct, FileProduct } from "../../../../src/features/catalogue/file-product.ts";
import { ApiError } from "../../../../src/core/api-error.ts";
import { validate } from "../../../../src/core/validation/validate.ts";
import { OWN_PRODUCT } from "./shop-files.ts";

const SIMPLE = {
  ...OWN_PRODUCT,
  track_inventory: "Y",
  stock_qty: "5",
  featured_image: "/a.svg",
  additional_images: ["/b.svg"],
  shipping_cost: 9.5,
  shipping_details: { weight: "1", length: "2", width: "3", height: "4" },
  available_location: ["AU"],
};

const variation = (id: number, more: object = {}) => ({
  id,
  sku: `V-${String(id)}`,
  price: "20.00",
  price_currency: "AUD",
  variation_qty: "3",
  variation_stock_status: "in_stock",
  options: [{ id: 1, name: "Size", option: String(id) }],
  ...more,
});

const DIGITAL = { ...SIMPLE, digital_physical: "digital", digital_delivery: "code" };

const { price, price_currency, ...common } = SIMPLE;
const VARIABLE = {
  ...common,
  product_type: "variable",
  stock_qty: "",
  attributes: [{ id: 1, name: "Size", option: ["1", "2"] }],
  variations: [variation(1), variation(2)],
};

/** The fields that are refused; none if the product is valid. */
function faultsOf(product: unknown): string[] {
  try {
    validate(FileProduct(), product);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.fields ?? []).map(({ field }) => field);
  }
}
const first = (changes: object) => ({ variations: [variation(1, changes), variation(2)] });
const option = (changes: object) =>
  first({ options: [{ id: 1, name: "Size", option: "1", ...changes }] });
const attribute = (name: string, text = "1") => ({ attributes: [{ id: 1, name, option: [text] }] });
const images = (count: number) => ({
  additional_images: Array.from({ length: count }, (_, n) => `/${String(n)}.svg`),
});
const variations = (count: number) => ({
  variations: Array.from({ length: count }, (_, n) => variation(n + 1)),
});

const YEN = { price: "1500", price_currency: "JPY", shipping_cost: 99_999_999_999 };

const AMOUNTS = ["1", "1.0", "1.000", "-1.00", "1,00", "", "1000000000.00"];
const QUANTITIES = ["1000000000", "-1", "1.5", "many"];

test.for<[field: string, changes: object[]]>([
  ["product_name", [{ product_name: " " }]],
  ["price", [...AMOUNTS.map((amount) => ({ price: amount })), { price: undefined }]],
  ["price", [{ ...YEN, price: "100000000000" }]],
  ["price_currency", [{ price_currency: undefined }]],
  ["shipping_cost", [1_000_000_000, -0.01, 1.234].map((amount) => ({ shipping_cost: amount }))],
  // Required for a tracked product that is in stock.
  ["stock_qty", [...QUANTITIES, ""].map((quantity) => ({ stock_qty: quantity }))],
  ["additional_images", [images(51)]],
  ["additional_images[0]", [{ additional_images: [""] }]],
  ["variations", [{ variations: [variation(1)] }]],
])("a simple product is refused for its %s", ([field, changes]) => {
  for (const each of changes) {
    expect([each, faultsOf({ ...SIMPLE, ...each })]).toEqual([each, [field]]);
  }
});

test("a digital product says how it is delivered, and only digital ones", () => {
  for (const days of [0, 3_650])
    expect(faultsOf({ ...DIGITAL, code_valid_days: days })).toEqual([]);
  for (const days of [-1, 3_651, 0.5]) {
    expect(faultsOf({ ...DIGITAL, code_valid_days: days })).toEqual(["code_valid_days"]);
  }
  // Its codes are its stock.
  expect(faultsOf({ ...DIGITAL, stock_qty: "" })).toEqual([]);
  expect(faultsOf({ ...DIGITAL, digital_delivery: undefined })).toEqual(["digital_delivery"]);
  expect(faultsOf({ ...DIGITAL, barcode: "ean13" })).toEqual(["barcode"]);
  const fields = { digital_delivery: "manual", redeem_instructions: "", barcode: "qr" };
  expect(faultsOf({ ...SIMPLE, ...fields })).toEqual(Object.keys(fields));
});

const CUSTOMS = { hs_code: "6912.00", origin_country: "PT", customs_value: "20.00" };

test.for<[keyof typeof CUSTOMS, string[], string[]]>([
  ["hs_code", ["691200", "6912.00.48.10", "6912 00"], ["", "6912", "69120", "mug"]],
  ["origin_country", ["PT"], ["", "XX", "Portugal"]],
  ["customs_value", ["0.00", "1234.50"], ["", "1", "1.5", "-1.00"]],
])("for customs, %s may be %j and not %j", ([field, valid, invalid]) => {
  for (const value of valid) expect(faultsOf({ ...SIMPLE, [field]: value })).toEqual([]);
  for (const value of invalid) expect(faultsOf({ ...SIMPLE, [field]: value })).toEqual([field]);
});

const REPEATED_ID = [
  { id: 1, name: "Size", option: "1" },
  { id: 1, name: "Colour", option: "Red" },
];

test.for<[field: string, changes: object[]]>([
  ["price", [{ price }]],
  ["price_currency", [{ price_currency }]],
  ["attributes[0].name", [attribute("")]],
  ["attributes[0].option[0]", [attribute("S", "")]],
  ["variations", [{ variations: [] }, variations(501), first({ price_currency: "EUR" })]],
  ["variations", [{ variations: [variation(1), { ...variation(2), id: 1 }] }]],
  ["variations[0].price", AMOUNTS.map((amount) => first({ price: amount }))],
  ["variations[0].variation_qty", QUANTITIES.map((quantity) => first({ variation_qty: quantity }))],
  ["variations[0].options", [first({ options: [] }), first({ options: REPEATED_ID })]],
  ["variations[0].options[0].name", [option({ name: "" })]],
  ["variations[0].options[0].option", [option({ option: "" })]],
  // The options of another variation.
  ["variations[1].options", [{ variations: [variation(1), { ...variation(1), id: 2 }] }]],
])("a variable product is refused for its %s", ([field, changes]) => {
  for (const each of changes) {
    expect([each, faultsOf({ ...VARIABLE, ...each })]).toEqual([each, [field]]);
  }
});

describe("the published form", () => {
  const published = (product: object) => fromFileProduct(validate(FileProduct(), product));

  test("of a simple product has amounts in minor units and one stock level", () => {
    const { product, stock } = published(SIMPLE);
    expect(product).toMatchObject({
      priceMinor: 1_000,
      shippingMinor: 950,
      currency: "AUD",
      variations: [],
      attributes: [],
    });
    expect(stock).toEqual([{ variationId: 0, quantity: 5, sellable: true }]);
  });

  test("of a variable product has a stock level for each variation", () => {
    const { product, stock } = published({
      ...VARIABLE,
      ...first({ variation_qty: "0", variation_stock_status: "out_of_stock" }),
    });
    expect([product.priceMinor, product.currency]).toEqual([null, "AUD"]);
    expect(product.variations.map(({ priceMinor }) => priceMinor)).toEqual([2_000, 2_000]);
    expect(stock).toEqual([
      { variationId: 1, quantity: 0, sellable: true },
      { variationId: 2, quantity: 3, sellable: true },
    ]);
  });

  test("of a digital product has its delivery, and the stock of one with codes is empty", () => {
    const { product, stock } = published({
      ...DIGITAL,
      code_valid_days: 5,
      redeem_instructions: "<p>Enter it.</p>",
      barcode: "code128",
      translations: { de: { redeem_instructions: "<p>Eingeben.</p>" } },
    });
    const instructions = "<p>Enter it.</p>";
    const expected = { delivery: "code", codeDays: 5, instructions, barcode: "code128" };
    expect(product.digital).toEqual(expected);
    expect(product.translations?.["de"]?.instructions).toBe("<p>Eingeben.</p>");
    expect(stock).toEqual([{ variationId: 0, quantity: 0, sellable: true, codeDays: 5 }]);
    const manual = published({ ...DIGITAL, digital_delivery: "manual" });
    expect(manual.product.digital).toMatchObject({ codeDays: 30, instructions: "", barcode: null });
    expect(manual.stock).toEqual([{ variationId: 0, quantity: 5, sellable: true }]);
    expect(published(SIMPLE).product.digital).toBeNull();
  });

  test("has what is given for customs", () => {
    expect(published({ ...SIMPLE, ...CUSTOMS }).product.customs).toEqual(CUSTOMS);
    const one = { hs_code: "691200" };
    expect(published({ ...SIMPLE, ...one }).product.customs).toEqual(one);
    expect(published(SIMPLE).product).not.toHaveProperty("customs");
  });

  test.for<[string, object, number | null, boolean]>([
    ["tracked", {}, 5, true],
    ["tracked, some left, not sold", { stock_status: "out_of_stock" }, 5, false],
    ["tracked, none left", { stock_status: "out_of_stock", stock_qty: "0" }, 0, true],
    ["tracked, not said", { stock_status: "out_of_stock", stock_qty: "" }, 0, true],
    ["not tracked", { track_inventory: "N" }, null, true],
    ["not tracked, not sold", { track_inventory: "N", stock_status: "out_of_stock" }, null, false],
  ])("of stock that is %s", ([, changes, quantity, sellable]) => {
    expect(published({ ...SIMPLE, ...changes }).stock).toEqual([
      { variationId: 0, quantity, sellable },
    ]);
  });

  test("of a variation in stock without a quantity is untracked, even if other variations are tracked", () => {
    const { stock } = published({ ...VARIABLE, ...first({ variation_qty: "" }) });
    expect(stock.map(({ quantity }) => quantity)).toEqual([null, 3]);
  });
});
