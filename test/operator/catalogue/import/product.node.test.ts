// The rules for a product in a catalogue file, each at its limit, and the conversion to a published product.
import { describe, expect, test } from "vitest";
import { fromFileProduct, FileProduct } from "../../../../src/features/catalogue/file-product.ts";
import { ApiError } from "../../../../src/core/api-error.ts";
import { validate } from "../../../../src/core/validation/validate.ts";

const SIMPLE = {
  product_id: 1001,
  product_sku: "VASE",
  product_name: "Vase",
  product_description: "<p>Blue.</p>",
  product_short_description: "Blue",
  product_type: "simple",
  digital_physical: "physical",
  price: "10.00",
  price_currency: "AUD",
  track_inventory: "Y",
  stock_status: "in_stock",
  stock_qty: "5",
  featured_image: "/a.svg",
  additional_images: ["/b.svg"],
  product_vendor: {
    name: "Kiln",
    bio: "",
    logo: "/c.svg",
    shipping_info: null,
    returns_info: "None",
  },
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

const { price, price_currency, ...common } = SIMPLE;
const VARIABLE = {
  ...common,
  product_type: "variable",
  stock_qty: "",
  attributes: [{ id: 1, name: "Size", option: ["1", "2"] }],
  variations: [variation(1), variation(2)],
};

/** `field message` of each problem; none if the product is valid. */
function faultsOf(product: unknown): string[] {
  try {
    validate(FileProduct(), product);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return (error.fields ?? []).map(({ field, message }) => `${field} ${message}`);
  }
}

const x = (length: number) => "x".repeat(length);
const vendor = (changes: object) => ({ product_vendor: { ...SIMPLE.product_vendor, ...changes } });
const details = (side: string, text: string) => ({
  shipping_details: { ...SIMPLE.shipping_details, [side]: text },
});
const first = (changes: object) => ({ variations: [variation(1, changes), variation(2)] });
const option = (changes: object) =>
  first({ options: [{ id: 1, name: "Size", option: "1", ...changes }] });

describe("a text", () => {
  test.for<[string, number, (text: string) => object]>([
    ["product_sku", 200, (text) => ({ product_sku: text })],
    ["product_name", 500, (text) => ({ product_name: text })],
    ["product_description", 50_000, (text) => ({ product_description: text })],
    ["product_short_description", 5_000, (text) => ({ product_short_description: text })],
    ["product_vendor.name", 200, (name) => vendor({ name })],
    ["product_vendor.bio", 20_000, (bio) => vendor({ bio })],
    ["product_vendor.shipping_info", 20_000, (info) => vendor({ shipping_info: info })],
    ["product_vendor.returns_info", 20_000, (info) => vendor({ returns_info: info })],
    ["shipping_details.weight", 50, (text) => details("weight", text)],
    ["shipping_details.length", 50, (text) => details("length", text)],
    ["shipping_details.width", 50, (text) => details("width", text)],
    ["shipping_details.height", 50, (text) => details("height", text)],
  ])("%s has at most %i characters", ([field, max, change]) => {
    expect(faultsOf({ ...SIMPLE, ...change(x(max)) })).toEqual([]);
    expect(faultsOf({ ...SIMPLE, ...change(x(max + 1)) })).toEqual([
      `${field} must have at most ${String(max)} characters`,
    ]);
  });

  test.for<[string, (text: string) => object]>([
    ["variations[0].sku", (sku) => first({ sku })],
    ["variations[0].options[0].name", (name) => option({ name })],
    ["variations[0].options[0].option", (text) => option({ option: text })],
    ["attributes[0].name", (name) => ({ attributes: [{ id: 1, name, option: ["1"] }] })],
    ["attributes[0].option[0]", (text) => ({ attributes: [{ id: 1, name: "S", option: [text] }] })],
  ])("%s has at most 200 characters", ([field, change]) => {
    expect(faultsOf({ ...VARIABLE, ...change(x(200)) })).toEqual([]);
    expect(faultsOf({ ...VARIABLE, ...change(x(201)) })).toEqual([
      `${field} must have at most 200 characters`,
    ]);
  });

  test.for<[string, object]>([
    ["product_name", { product_name: " " }],
    ["variations[0].options[0].name", option({ name: "" })],
    ["variations[0].options[0].option", option({ option: "" })],
    ["attributes[0].name", { attributes: [{ id: 1, name: "", option: [] }] }],
    ["attributes[0].option[0]", { attributes: [{ id: 1, name: "S", option: [""] }] }],
  ])("%s must not be empty", ([field, changes]) => {
    expect(faultsOf({ ...VARIABLE, ...changes })).toEqual([`${field} must not be empty`]);
  });
});

describe("an amount", () => {
  const PRICE = 'must be an amount in AUD, which has 2 decimals, such as "110.00"';
  test.for(["0.00", "99999999.99"])("may be %s", (amount) => {
    expect(faultsOf({ ...SIMPLE, price: amount })).toEqual([]);
    expect(faultsOf({ ...VARIABLE, ...first({ price: amount }) })).toEqual([]);
  });

  test("may not be above the maximum", () => {
    expect(faultsOf({ ...SIMPLE, price: "100000000.00" })).toEqual([
      "price must be at most 99999999.99 AUD",
    ]);
    const yen = { price: "1500", price_currency: "JPY", shipping_cost: 9_999_999_999 };
    expect(faultsOf({ ...SIMPLE, ...yen })).toEqual([]);
    expect(faultsOf({ ...SIMPLE, ...yen, price: "10000000000" })).toEqual([
      "price must be at most 9999999999 JPY",
    ]);
  });

  test.for(["1", "1.0", "1.000", "-1.00", "1,00", ""])("may not be %s", (amount) => {
    expect(faultsOf({ ...SIMPLE, price: amount })).toEqual([`price ${PRICE}`]);
    expect(faultsOf({ ...VARIABLE, ...first({ price: amount }) })).toEqual([
      `variations[0].price ${PRICE}`,
    ]);
  });

  test.for<[number, string | null]>([
    [0, null],
    [0.01, null],
    [99_999_999.99, null],
    [100_000_000, "must be at most 99999999.99 AUD"],
    [-0.01, "must be at least 0"],
    [1.234, "must be an amount in AUD, which has 2 decimals"],
  ])("of shipping %d: %s", ([cost, fault]) => {
    expect(faultsOf({ ...SIMPLE, shipping_cost: cost })).toEqual(
      fault === null ? [] : [`shipping_cost ${fault}`],
    );
  });
});

describe("a quantity", () => {
  test.for(["0", "999999999", ""])("may be %j", (quantity) => {
    expect(faultsOf({ ...SIMPLE, stock_qty: quantity, stock_status: "out_of_stock" })).toEqual([]);
    expect(faultsOf({ ...VARIABLE, ...first({ variation_qty: quantity }) })).toEqual([]);
  });

  test.for(["1000000000", "-1", "1.5", "many"])("may not be %j", (quantity) => {
    expect(faultsOf({ ...SIMPLE, stock_qty: quantity })).toEqual([
      "stock_qty must be a whole number as text, or empty",
    ]);
    expect(faultsOf({ ...VARIABLE, ...first({ variation_qty: quantity }) })).toEqual([
      "variations[0].variation_qty must be a whole number as text, or empty",
    ]);
  });

  test("is required if stock is tracked and in stock", () => {
    expect(faultsOf({ ...SIMPLE, stock_qty: "" })).toEqual([
      "stock_qty is required for a tracked product that is in stock",
    ]);
    expect(faultsOf({ ...SIMPLE, stock_qty: "", track_inventory: "N" })).toEqual([]);
    expect(faultsOf({ ...SIMPLE, stock_qty: "", stock_status: "out_of_stock" })).toEqual([]);
  });
});

describe("a list", () => {
  test("of images has at most 50 elements", () => {
    const images = (count: number) => ({
      ...SIMPLE,
      additional_images: Array.from({ length: count }, (_, n) => `/${String(n)}.svg`),
    });
    expect(faultsOf(images(50))).toEqual([]);
    expect(faultsOf(images(51))).toEqual(["additional_images must have at most 50 elements"]);
    expect(faultsOf({ ...SIMPLE, additional_images: [""] })).toEqual([
      "additional_images[0] must not be empty",
    ]);
  });

  test("of variations has at most 500 elements, each with an option", () => {
    const variations = (count: number) => ({
      ...VARIABLE,
      variations: Array.from({ length: count }, (_, n) => variation(n + 1)),
    });
    expect(faultsOf(variations(500))).toEqual([]);
    expect(faultsOf(variations(501))).toEqual(["variations must have at most 500 elements"]);
    expect(faultsOf({ ...VARIABLE, ...first({ options: [] }) })).toEqual([
      "variations[0].options must have at least 1 element",
    ]);
  });
});

describe("a simple product", () => {
  test.for<[string, object, string]>([
    ["a price", { price: undefined }, "price is required for a simple product"],
    [
      "a currency",
      { price_currency: undefined },
      "price_currency is required for a simple product",
    ],
    ["no variations", { variations: [variation(1)] }, "variations is for variable products only"],
  ])("has %s", ([, changes, fault]) => {
    expect(faultsOf({ ...SIMPLE, ...changes })).toEqual([fault]);
  });

  test("may have an empty list of variations", () => {
    expect(faultsOf({ ...SIMPLE, variations: [], attributes: [] })).toEqual([]);
  });
});

describe("a variable product", () => {
  test.for<[string, object, string]>([
    ["variations", { variations: [] }, "variations must not be empty for a variable product"],
    ["no price", { price }, "price is for simple products only"],
    ["no currency", { price_currency }, "price_currency is for simple products only"],
    [
      "ids of its own for them",
      { variations: [variation(1), { ...variation(2), id: 1 }] },
      "variations must not repeat an id",
    ],
    [
      "a combination of options for each of them",
      { variations: [variation(1), { ...variation(1), id: 2 }] },
      "variations[1].options must not be those of another variation",
    ],
    [
      "an option for each attribute",
      first({
        options: [
          { id: 1, name: "Size", option: "1" },
          { id: 1, name: "Colour", option: "Red" },
        ],
      }),
      "variations[0].options must not repeat an id",
    ],
    [
      "one currency",
      first({ price_currency: "EUR" }),
      "variations must all have the same price_currency",
    ],
  ])("has %s", ([, changes, fault]) => {
    expect(faultsOf({ ...VARIABLE, ...changes })).toEqual([fault]);
  });
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
