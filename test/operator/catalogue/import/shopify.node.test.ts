// Product exports of Shopify, column by column, in both templates.
import { describe, expect, test } from "vitest";
import {
  type Fields,
  readShopifyRows as read,
  readText,
  shopifyFile,
  type ShopifyOptions,
  shopifyProblems as problemsOf,
  shopifyProduct as productOf,
  trackedAt as tracked,
  UNTRACKED as untracked,
} from "./shop-files.ts";

const TRACKER = "Variant Inventory Tracker";
const MISSING = { without: ["Variant Inventory Qty"] };
const MOSS = { "Option2 Name": "Colour", "Option2 Value": "Moss" };
const stock = (quantity: string, policy = "deny") => ({
  "Variant Inventory Qty": quantity,
  "Variant Inventory Policy": policy,
});
const untrackedRow = { [TRACKER]: "" };

describe.each(["older", "current"] as const)("the %s template", (template) => {
  const full: Fields = {
    "Body (HTML)": "<p>One\r\ntwo\rthree.</p>",
    "Variant SKU": "BOWL",
    "Variant Grams": "350",
    "Image Src": "https://shop.example/b.jpg",
    "Image Position": "2",
    "Variant Image": "https://shop.example/v.jpg",
  };
  const image = { "Image Src": "https://shop.example/a.jpg", "Image Position": "1" };

  test("supplies every field", () => {
    expect(productOf([full, image], { template })).toEqual({
      product_id: 1,
      product_sku: "BOWL",
      product_name: "Product",
      product_description: "<p>One\ntwo\nthree.</p>",
      product_short_description: "",
      product_type: "simple",
      digital_physical: "physical",
      price: "10.00",
      price_currency: "AUD",
      track_inventory: "Y",
      stock_status: "in_stock",
      stock_qty: "5",
      featured_image: "https://shop.example/a.jpg",
      additional_images: ["https://shop.example/b.jpg", "https://shop.example/v.jpg"],
      product_vendor: {
        name: "Maker",
        bio: "",
        logo: "/images/vendors/vendor.svg",
        shipping_info: null,
        returns_info: null,
      },
      shipping_cost: 9.5,
      shipping_details: { weight: "0.35", length: "", width: "", height: "" },
      available_location: ["AU"],
      categories: [],
    });
  });

  test.for<[string, Fields, object]>([
    ["continue selling", { "Variant Inventory Policy": "CONTINUE" }, { track_inventory: "N" }],
    ["no tracker", { "Variant Inventory Tracker": "" }, { track_inventory: "N", stock_qty: "" }],
    ["no shipping", { "Variant Requires Shipping": "FALSE" }, { digital_physical: "digital" }],
    ["gift card", { "Gift Card": "TRUE" }, { digital_physical: "digital", shipping_cost: 0 }],
    [
      "categories, without the tags",
      { "Product Category": "Home>Candles ", Type: "Gifts", Tags: "sale" },
      { categories: ["Home > Candles", "Gifts"] },
    ],
    ["vendor", { Vendor: "" }, { product_vendor: { name: "The Shop" } }],
  ])("has a column for %s", ([, fields, expected]) => {
    const row = { "Variant Inventory Qty": "0", ...fields };
    expect(productOf([row], { template })).toMatchObject(expected);
  });

  test("is refused with problems that name its own columns and the product", () => {
    const rows = [{ "Variant Price": "1.234" }, { Handle: "draft", Published: "false" }];
    const { products, problems, unpublished } = read(rows, { template });
    expect(products).toEqual([]);
    const field = template === "older" ? "Variant Price" : "Price";
    expect(problems).toMatchObject([{ row: 2, product: "Product", field }]);
    expect(unpublished).toHaveLength(1);
  });

  test("names variants as the other template does, so that their ids do not change", () => {
    const rows = [
      { "Option1 Name": "Size", "Option1 Value": "S", "Variant SKU": "A" },
      { "Option1 Value": "M", "Variant SKU": "B", "Variant Price": "12.00" },
    ];
    const [product] = read(
      rows.map((row) => ({ ...row, "Variant Inventory Tracker": "" })),
      { template },
    ).products;
    expect(product).toMatchObject({
      keys: ["handle:product"],
      variationKeys: [
        ["handle:product sku:A", 'handle:product options:["S"]'],
        ["handle:product sku:B", 'handle:product options:["M"]'],
      ],
    });
  });
});

describe("a product's state", () => {
  test.for<[string, Fields, count: number]>([
    ["a draft", { Status: "draft" }, 0],
    ["archived", { Status: "Archived" }, 0],
    ["unlisted", { Status: "unlisted" }, 0],
    ["taken out of the online store", { Published: "FALSE" }, 0],
    ["active", { Status: "Active" }, 1],
    ["not said", { Status: "" }, 1],
    ["published without a word", { Published: "" }, 1],
  ])("%s: %j is read as %d products", ([, fields, count]) => {
    const { products, problems, unpublished } = read([fields]);
    expect([products.length, problems, unpublished.length]).toEqual([count, [], 1 - count]);
  });
});

describe("stock", () => {
  test.for<[string, Fields, object]>([
    ["one left", stock("1"), tracked("1")],
    ["none left", stock("0"), tracked("0")],
    ["below zero", stock("-3"), tracked("0")],
    ["one left, sold on", stock("1", "continue"), tracked("1")],
    ["none left, sold on", stock("0", "continue"), untracked],
    ["none left, sold on, in the current words", stock("0", "TRUE"), untracked],
    ["below zero, sold on", stock("-3", "continue"), untracked],
    ["not counted", { ...stock("7"), "Variant Inventory Tracker": "" }, untracked],
  ])("%s", ([, fields, expected]) => {
    expect(productOf([fields])).toMatchObject(expected);
  });

  test("is tracked if the file has quantities and no column for trackers", () => {
    const options = { without: ["Variant Inventory Tracker"] };
    expect(productOf([stock("3")], options)).toMatchObject(tracked("3"));
    expect(productOf([stock("")], options)).toMatchObject(untracked);
  });

  test.for<[string, Fields[], ShopifyOptions, "file" | "missing"]>([
    ["missing if a product is tracked", [untrackedRow, { Handle: "b" }], MISSING, "missing"],
    ["complete if the file has them", [{}], {}, "file"],
    ["complete if no product is tracked", [untrackedRow], MISSING, "file"],
    ["complete without trackers", [{}], { without: [...MISSING.without, TRACKER] }, "file"],
  ])("has quantities that are %s", ([, rows, options, quantities]) => {
    const found = read(rows, options);
    expect([found.problems, found.quantities]).toEqual([[], quantities]);
    if (quantities === "missing") {
      expect(found.products.map(({ product }) => product)).toMatchObject([untracked, untracked]);
    }
    expect(read(rows, options, { stock: "untracked" }).quantities).toBe("file");
  });

  test("is untracked if that was chosen, even if the file has quantities", () => {
    expect(productOf([stock("0")], {}, { stock: "untracked" })).toMatchObject(untracked);
    expect(productOf([stock("x")], {}, { stock: "untracked" })).toMatchObject(untracked);
  });
});

const long = (count: number) => "x".repeat(count);
const size = (option: string, more: Fields = {}) => ({
  "Option1 Name": "Size",
  "Option1 Value": option,
  "Variant Price": "12.00",
  "Variant Inventory Tracker": "",
  ...more,
});
const BOTH = ["2 Option1 Name", "2 Option1 Value"];
const sizes = (count: number) => Array.from({ length: count }, (_, n) => size(String(n)));

test.for<[what: string, rows: Fields[], problems: string[]]>([
  ["no handle", [{ Handle: "" }, {}], ["2 Handle"]],
  ["control characters", [{ Handle: "a\u0007b" }], ["2 Handle"]],
  ["line breaks", [{ Handle: "a\nb" }], ["2 Handle"]],
  ["a long handle", [{ Handle: long(256) }], ["2 Handle"]],
  ["no title", [{ Title: "" }], ["2 Title"]],
  ["a long title", [{ Title: long(501) }], ["2 Title"]],
  ["a long description", [{ "Body (HTML)": long(50_001) }], ["2 Body (HTML)"]],
  ["a long vendor", [{ Vendor: long(201) }], ["2 Vendor"]],
  ["a long SKU", [{ "Variant SKU": long(201) }], ["2 Variant SKU"]],
  ["no price", [{ "Variant Price": "" }], ["2 Variant Price"]],
  ["a fraction", [stock("2.5")], ["2 Variant Inventory Qty"]],
  ["a word as stock", [stock("many")], ["2 Variant Inventory Qty"]],
  ["too much", [stock("1234567890")], ["2 Variant Inventory Qty"]],
  ["no tracked stock", [stock("")], ["2 Variant Inventory Qty"]],
  ["a wrong variant image", [{ "Variant Image": "x" }], ["2 Image Src"]],
  ["an image without a scheme", [{ "Image Src": "//cdn.example/a.jpg" }], ["2 Image Src"]],
  ["an image of FTP", [{ "Image Src": "ftp://shop.example/a.jpg" }], ["2 Image Src"]],
  ["a relative image", [{ "Image Src": "a.jpg" }], ["2 Image Src"]],
  ["an image as data", [{ "Image Src": "data:image/png,x" }], ["2 Image Src"]],
  ["a long option", [size(long(201))], BOTH],
  ["a long option's name", [size("S", { "Option1 Name": long(201) })], BOTH],
  ["too many variants", sizes(501), ["2 Option1 Value"]],
  ["a variant's SKU", [size("S"), size("M", { "Variant SKU": long(201) })], ["3 Variant SKU"]],
  ["a row without options", [size("S"), { "Variant Price": "12" }], ["3 Option1 Value"]],
  ["an option twice", [size("S"), size("S")], ["3 Option1 Value"]],
  ["an option too few", [size("S", MOSS), size("M")], ["3 Option1 Value"]],
  ["no variant price", [size("S"), size("L", { "Variant Price": "" })], ["3 Variant Price"]],
])("%s is refused", ([, rows, expected]) => {
  expect(problemsOf(rows)).toEqual(expected);
});

test("a row that is too long is refused with its product and no other", () => {
  const text = shopifyFile([{}, { "Option1 Value": "More" }, { Handle: "other" }]);
  const { products, problems } = readText(text.replace(/^(.*More.*)$/m, "$1,,"));
  expect(products.map(({ keys }) => keys[0])).toEqual(["handle:other"]);
  expect(problems).toMatchObject([{ row: 3, product: "Product", field: "row" }]);
  expect(problemsOf(sizes(500))).toEqual([]);
});

describe("images", () => {
  const noImage = { "Image Src": "" };

  test("are replaced by the placeholder, or a neutral picture, if there are none", () => {
    expect(productOf([noImage])?.featured_image).toBe("/images/brand/wrapped.png");
    const placeholder = "https://shop.example/none.png";
    expect(productOf([noImage], {}, { placeholder })?.featured_image).toBe(placeholder);
  });

  test("are those of a variant if the product has none", () => {
    const variant = { ...noImage, "Variant Image": "https://shop.example/v.jpg" };
    expect(productOf([variant])?.featured_image).toBe("https://shop.example/v.jpg");
  });

  test("are encoded, and listed once", () => {
    const rows = [
      { "Image Src": "https://shop.example/ä b.jpg" },
      { "Image Src": "https://shop.example/%C3%A4%20b.jpg", "Image Position": "2" },
    ];
    const product = productOf(rows);
    expect([product?.featured_image, product?.additional_images]).toEqual([
      "https://shop.example/%C3%A4%20b.jpg",
      [],
    ]);
  });
});

describe("variants", () => {
  const size = (option: string, more: Fields = {}) => ({
    "Option1 Name": "Size",
    "Option1 Value": option,
    "Variant Price": "12.00",
    ...more,
  });

  test("make a product in stock or tracked if one of them is", () => {
    const rows = [size("S", { "Variant Inventory Qty": "0" }), size("M")];
    expect(productOf(rows)).toMatchObject({
      product_type: "variable",
      track_inventory: "Y",
      stock_status: "in_stock",
      digital_physical: "physical",
    });
    const none = rows.map((row) => ({
      ...row,
      "Variant Inventory Tracker": "shopify",
      "Variant Inventory Qty": "0",
      "Variant Requires Shipping": "false",
    }));
    expect(productOf(none)).toMatchObject({
      stock_status: "out_of_stock",
      digital_physical: "digital",
    });
  });

  test("are all shipped, or none", () => {
    const rows = [size("Book"), size("PDF", { "Variant Requires Shipping": "false" })];
    const { products, problems } = read(rows);
    expect(products).toEqual([]);
    expect(problems).toMatchObject([{ row: 3, field: "Variant Requires Shipping" }]);
  });

  test("may be a single one with a named option", () => {
    const product = productOf([size("S")]);
    expect([product?.product_type, product?.variations?.length]).toEqual(["variable", 1]);
  });

  test("of a product without options make a simple product", () => {
    const bare = { "Option1 Name": "", "Option1 Value": "" };
    const product = productOf([bare, { "Image Src": "https://shop.example/2.jpg" }]);
    expect([product?.product_type, product?.additional_images]).toEqual([
      "simple",
      ["https://shop.example/2.jpg"],
    ]);
  });

  test("are identified by an SKU only if no other variant has it", () => {
    const rows = [
      size("S", { "Variant SKU": "A" }),
      size("M", { "Variant SKU": "B" }),
      size("L", { "Variant SKU": "A" }),
    ];
    expect(read(rows).products[0]?.variationKeys.map(([key]) => key)).toEqual([
      'handle:product options:["S"]',
      "handle:product sku:B",
      'handle:product options:["L"]',
    ]);
  });

  test("have the weight of the first variant", () => {
    const rows = [size("S", { "Variant Grams": "100" }), size("M", { "Variant Grams": "200" })];
    expect(productOf(rows)?.shipping_details.weight).toBe("0.1");
  });

  test("list each option once, in their order", () => {
    const colours = (first: string, second: string) => size(first, { "Option2 Value": second });
    const rows = [
      { ...colours("S", "Moss"), "Option2 Name": "Colour" },
      colours("S", "Sand"),
      colours("M", "Moss"),
    ];
    expect(productOf(rows)?.attributes).toMatchObject([
      { name: "Size", option: ["S", "M"] },
      { name: "Colour", option: ["Moss", "Sand"] },
    ]);
  });
});
