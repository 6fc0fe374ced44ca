// What a Shopify export becomes, a column at a time, in both templates.
import { describe, expect, test } from "vitest";
import { readInventory } from "../../../src/catalogue/import/inventory.ts";
import type { SourceDefaults } from "../../../src/catalogue/import/source.ts";
import {
  ALL_STATES,
  csv,
  INVENTORY_HEAD,
  readText,
  shopifyFile,
  type ShopifyOptions,
} from "../../support/shop-files.ts";

type Fields = Record<string, string>;

const read = (rows: Fields[], options?: ShopifyOptions, changes?: Partial<SourceDefaults>) =>
  readText(shopifyFile(rows, options), changes);

/** The one product of the rows of one handle. */
function productOf(rows: Fields[], options?: ShopifyOptions, changes?: Partial<SourceDefaults>) {
  const { products, problems } = read(rows, options, changes);
  expect(problems).toEqual([]);
  return products[0]?.product;
}

const problemsOf = (rows: Fields[], options?: ShopifyOptions, changes?: Partial<SourceDefaults>) =>
  read(rows, options, changes).problems.map(
    ({ row, field, reason }) => `${String(row)} ${field} ${reason}`,
  );

const MISSING = { without: ["Variant Inventory Qty"] };

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

  test("gives every field", () => {
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
    });
  });

  test.for<[string, Fields, object]>([
    ["continue selling", { "Variant Inventory Policy": "CONTINUE" }, { track_inventory: "N" }],
    ["no tracker", { "Variant Inventory Tracker": "" }, { track_inventory: "N", stock_qty: "" }],
    ["no shipping", { "Variant Requires Shipping": "FALSE" }, { digital_physical: "digital" }],
    ["gift card", { "Gift Card": "TRUE" }, { digital_physical: "digital", shipping_cost: 0 }],
    ["vendor", { Vendor: "" }, { product_vendor: { name: "The Shop" } }],
  ])("has the column of %s", ([, fields, expected]) => {
    const row = { "Variant Inventory Qty": "0", ...fields };
    expect(productOf([row], { template })).toMatchObject(expected);
  });

  test("names its own columns in problems, and the product", () => {
    const rows = [{ "Variant Price": "1.234" }, { Handle: "draft", Published: "false" }];
    const { products, problems, unpublished } = read(rows, { template });
    expect(products).toEqual([]);
    expect(problems).toEqual([
      {
        row: 2,
        product: "Product",
        field: template === "older" ? "Variant Price" : "Price",
        reason: "must be an amount with at most two decimals: 1.234",
      },
    ]);
    expect(unpublished).toBe(1);
  });

  test("keeps a variant's names, so that ids stay when the template changes", () => {
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
  test.for<[string, Fields]>([
    ["a draft", { Status: "draft" }],
    ["archived", { Status: "Archived" }],
    ["unlisted", { Status: "unlisted" }],
    ["taken out of the online store", { Published: "false" }],
    ["taken out of it, in capitals", { Published: "FALSE" }],
  ])("%s leaves it out, and it is counted", ([, fields]) => {
    const { products, problems, unpublished } = read([{ Handle: "other", ...fields }, {}]);
    expect([products.length, problems, unpublished]).toEqual([1, [], 1]);
  });

  test.for<[string, Fields]>([
    ["active", { Status: "Active" }],
    ["not said", { Status: "" }],
    ["published without a word", { Published: "" }],
  ])("%s lists it", ([, fields]) => {
    const { products, unpublished } = read([fields]);
    expect([products.length, unpublished]).toEqual([1, 0]);
  });
});

describe("stock", () => {
  const untracked = { track_inventory: "N", stock_status: "in_stock", stock_qty: "" };
  const tracked = (quantity: string) => ({
    track_inventory: "Y",
    stock_status: quantity === "0" ? "out_of_stock" : "in_stock",
    stock_qty: quantity,
  });
  const stock = (quantity: string, policy = "deny") => ({
    "Variant Inventory Qty": quantity,
    "Variant Inventory Policy": policy,
  });

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

  test.for(["2.5", "many", "1234567890"])("that is %s is refused", (quantity) => {
    expect(problemsOf([stock(quantity)])).toEqual([
      `2 Variant Inventory Qty must be a whole number: ${quantity}`,
    ]);
  });

  test("is required where the file has a column for it and a tracker is set", () => {
    expect(problemsOf([stock("")])).toEqual([
      "2 Variant Inventory Qty is required where an inventory tracker is set",
    ]);
  });

  test("is counted without a column for trackers where there is a quantity", () => {
    const options = { without: ["Variant Inventory Tracker"] };
    expect(productOf([stock("3")], options)).toMatchObject(tracked("3"));
    expect(productOf([stock("")], options)).toMatchObject(untracked);
  });

  test("is not tracked where the file has no quantities, which is said", () => {
    const { products, problems, quantities } = read([{}, { Handle: "b" }], MISSING);
    expect(products.map(({ product }) => product)).toMatchObject([untracked, untracked]);
    expect([problems, quantities]).toEqual([[], "missing"]);
  });

  test("is missing when one of the products is counted", () => {
    const rows = [{ "Variant Inventory Tracker": "" }, { Handle: "counted" }];
    expect(read(rows, MISSING).quantities).toBe("missing");
  });

  test("is not missing where nothing is counted, or where it was decided", () => {
    expect(read([{}]).quantities).toBe("file");
    expect(read([{ "Variant Inventory Tracker": "" }], MISSING).quantities).toBe("file");
    expect(read([{}], MISSING, { stock: "untracked" }).quantities).toBe("file");
    const bare = { without: ["Variant Inventory Qty", "Variant Inventory Tracker"] };
    expect(read([{}], bare).quantities).toBe("file");
  });

  test("is not tracked at all where that is decided, whatever the file says", () => {
    expect(productOf([stock("0")], {}, { stock: "untracked" })).toMatchObject(untracked);
    expect(productOf([stock("x")], {}, { stock: "untracked" })).toMatchObject(untracked);
  });
});

describe("an inventory export", () => {
  const inventory = (head: string[], rows: Fields[]) =>
    readInventory(new TextEncoder().encode(csv([...INVENTORY_HEAD, ...head], rows)));
  const one = { Handle: "product", "Option1 Name": "Title", "Option1 Value": "Default Title" };
  const leftOf = (head: string[], rows: Fields[]) =>
    inventory(
      head,
      rows.map((row) => ({ ...one, ...row })),
    ).quantityOf("product", ["Default Title"]);

  test.for<[string, string[], Fields[], number]>([
    [
      "of all states",
      ALL_STATES,
      [
        { Location: "A", "Available (not editable)": "4", "On hand (current)": "6" },
        { Location: "B", "Available (not editable)": "3", "On hand (current)": "3" },
      ],
      7,
    ],
    [
      "of all states, as it was named before",
      ["Location", "Incoming", "Unavailable", "Committed", "Available", "On hand"],
      [
        { Location: "A", Incoming: "9", Committed: "2", Available: "4", "On hand": "6" },
        { Location: "B", Available: "not stocked", "On hand": "not stocked" },
      ],
      4,
    ],
    [
      "without what is available",
      ["Location", "Committed (not editable)", "On hand (current)"],
      [{ Location: "A", "Committed (not editable)": "2", "On hand (current)": "6" }],
      6,
    ],
    [
      "without what is available, as it was named before",
      ["Location", "Committed", "On hand"],
      [{ Location: "A", Committed: "2", "On hand": "6" }],
      6,
    ],
    ["with a column for each location", ["Paris", "Rome"], [{ Paris: "4", Rome: "3" }], 7],
    ["with places that never have it", ["Paris", "Rome"], [{ Paris: "Not stocked", Rome: "" }], 0],
    ["with less than nothing in one place", ["Paris", "Rome"], [{ Paris: "5", Rome: "-2" }], 3],
  ])("%s", ([, head, rows, left]) => {
    expect(leftOf(head, rows)).toBe(left);
  });

  test("names its locations", () => {
    expect(inventory(["Paris", "Rome"], [{ ...one, Paris: "1", Rome: "2" }]).locations).toEqual([
      "Paris",
      "Rome",
    ]);
    const rows = ["Paris", "Rome", "Paris"].map((Location, n) => ({
      ...one,
      Handle: String(n),
      Location,
      "On hand (current)": "1",
    }));
    expect(inventory(ALL_STATES, rows).locations).toEqual(["Paris", "Rome"]);
  });

  test("tells variants of one handle apart, and knows no others", () => {
    const rows = ["S", "M"].map((size, n) => ({
      Handle: "shirt",
      "Option1 Name": "Size",
      "Option1 Value": size,
      "Option2 Value": "Moss",
      Paris: String(n + 1),
    }));
    const { quantityOf } = inventory(["Paris"], rows);
    expect(quantityOf("shirt", ["S", "Moss"])).toBe(1);
    expect(quantityOf("shirt", ["M", "Moss"])).toBe(2);
    expect(quantityOf("shirt", ["M"])).toBeUndefined();
    expect(quantityOf("coat", ["S", "Moss"])).toBeUndefined();
  });

  test.for<[string, string[], Fields[], string]>([
    ["a fraction", ["Paris"], [{ Paris: "1.5" }], "row 2 must have a whole number in Paris: 1.5"],
    ["too much", ["Paris"], [{ Paris: "1234567890" }], "row 2 must have a whole number"],
    ["a place twice", ["Paris"], [{ Paris: "1" }, { Paris: "1" }], "row 3 repeats row 2"],
    [
      "a location twice",
      ALL_STATES,
      [{ Location: "A" }, { Location: "B" }, { Location: "A" }],
      "row 4 repeats row 2",
    ],
    ["no quantities", ["Bin name"], [{}], "has no column with quantities"],
  ])("with %s is refused", ([, head, rows, message]) => {
    expect(() => leftOf(head, rows)).toThrow(message);
  });

  test("of something else, or with a row that is too long, is refused", () => {
    const read = (text: string) => readInventory(new TextEncoder().encode(text));
    expect(() => read("SKU,Qty\nA,1\n")).toThrow("it lacks Handle, Option1 Value");
    expect(() => read("Handle,Paris\nA,1\n")).toThrow("it lacks Option1 Value");
    expect(() => read("Handle,Option1 Value,Paris\na,b,1,2\n")).toThrow(
      "row 2 has 4 fields where the head has 3",
    );
  });

  describe("beside a product export", () => {
    const stock = inventory(["Paris"], [{ ...one, Paris: "8" }]);

    test("gives its quantities, with or without a column for them", () => {
      for (const options of [{}, MISSING]) {
        const { products, quantities } = read([{}], options, { stock });
        expect(products[0]?.product).toMatchObject({ track_inventory: "Y", stock_qty: "8" });
        expect(quantities).toBe("file");
      }
    });

    test("must list what is counted, and need not list what is not", () => {
      const other = { Handle: "other" };
      expect(problemsOf([other], MISSING, { stock })).toEqual([
        "2 Inventory quantity is not in the inventory file",
      ]);
      const uncounted = { ...other, "Variant Inventory Tracker": "" };
      expect(productOf([uncounted], MISSING, { stock })).toMatchObject({ track_inventory: "N" });
    });

    test("says what is counted where the file has no column for trackers", () => {
      const options = { without: ["Variant Inventory Qty", "Variant Inventory Tracker"] };
      expect(productOf([{}], options, { stock })).toMatchObject({ stock_qty: "8" });
      expect(productOf([{ Handle: "b" }], options, { stock })).toMatchObject({ stock_qty: "" });
    });
  });
});

describe("variants", () => {
  const size = (option: string, more: Fields = {}) => ({
    "Option1 Name": "Size",
    "Option1 Value": option,
    "Variant Price": "12.00",
    ...more,
  });

  test("are in stock, tracked and shipped when one of them is", () => {
    const rows = [
      size("S", { "Variant Inventory Qty": "0", "Variant Requires Shipping": "false" }),
      size("M", { "Variant Requires Shipping": "true" }),
    ];
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

  test("are one when a product has one option with a name", () => {
    const product = productOf([size("S")]);
    expect([product?.product_type, product?.variations?.length]).toEqual(["variable", 1]);
  });

  test("of a product without options are itself", () => {
    const bare = { "Option1 Name": "", "Option1 Value": "" };
    const product = productOf([bare, { "Image Src": "https://shop.example/2.jpg" }]);
    expect([product?.product_type, product?.additional_images]).toEqual([
      "simple",
      ["https://shop.example/2.jpg"],
    ]);
  });

  test("must differ, have a value for each option, and a price", () => {
    const rows = [
      size("S", { "Option2 Name": "Colour", "Option2 Value": "Moss" }),
      size("S", { "Option2 Value": "Moss" }),
      size("M"),
      size("L", { "Option2 Value": "Moss", "Variant Price": "" }),
    ];
    expect(problemsOf(rows)).toEqual([
      "3 Option1 Value must not repeat that of row 2",
      "4 Option1 Value must have a value for each of Size, Colour",
      '5 Variant Price must be an amount with two decimals, such as "110.00"',
    ]);
  });

  test("without an option are none", () => {
    const price = { "Variant Price": "12.00" };
    expect(problemsOf([size("S"), price])).toContainEqual(
      "3 Option1 Value must have a value for each of Size",
    );
    expect(problemsOf([{ "Option1 Name": "", "Option1 Value": "" }, price])).not.toEqual([]);
  });

  test("are known by an SKU only where no other variant has it", () => {
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

  test("share the weight of the first", () => {
    const rows = [size("S", { "Variant Grams": "100" }), size("M", { "Variant Grams": "200" })];
    expect(productOf(rows)?.shipping_details.weight).toBe("0.1");
  });

  test("show each option once, in their order", () => {
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

describe("a row", () => {
  test("without a handle is refused by itself", () => {
    const { products, problems } = read([{ Handle: "", Title: "Lost" }, {}]);
    expect(products).toHaveLength(1);
    expect(problems).toEqual([{ row: 2, field: "Handle", reason: "is required" }]);
  });

  test("that is longer refuses its product and no other", () => {
    const text = shopifyFile([{}, { "Option1 Value": "More" }, { Handle: "other" }]);
    const { products, problems } = readText(text.replace(/^(.*More.*)$/m, "$1,,"));
    expect(products.map(({ keys }) => keys[0])).toEqual(["handle:other"]);
    expect(problems).toEqual([
      {
        row: 3,
        product: "Product",
        field: "row",
        reason: "has 45 fields where the head has 43",
      },
    ]);
  });

  test("that is shorter is read", () => {
    const [head = "", row = ""] = shopifyFile([{ Status: "" }]).split("\n");
    const { products, problems } = readText(`${head}\n${row.replace(/,+$/, "")}\n`);
    expect([products.length, problems]).toEqual([1, []]);
  });

  test("is named by its handle where the product has no title", () => {
    expect(read([{ Title: "" }]).problems).toEqual([
      { row: 2, product: "product", field: "Title", reason: "must not be empty" },
    ]);
  });
});

describe("a field at fault", () => {
  test.for<[string, Fields, string]>([
    ["Title", { Title: "x".repeat(501) }, "must have at most 500 characters"],
    ["Body (HTML)", { "Body (HTML)": "x".repeat(50_001) }, "must have at most 50000 characters"],
    ["Vendor", { Vendor: "x".repeat(201) }, "must have at most 200 characters"],
    ["Variant SKU", { "Variant SKU": "x".repeat(201) }, "must have at most 200 characters"],
    ["Variant Price", { "Variant Price": "" }, "is required for a simple product"],
    [
      "Image Src",
      { "Variant Image": "x" },
      "must be an http(s) URL, or a path that starts with one /",
    ],
    [
      "Option1 Name",
      { "Option1 Name": "x".repeat(201), "Option1 Value": "S" },
      "must have at most 200 characters",
    ],
    ["Option1 Value", { "Option1 Value": "x".repeat(201) }, "must have at most 200 characters"],
  ])("is named by its column: %s", ([column, fields, reason]) => {
    expect(problemsOf([fields])).toContainEqual(`2 ${column} ${reason}`);
  });

  test("is that of a variant in the variant's row", () => {
    const rows = [
      { "Option1 Name": "Size", "Option1 Value": "S" },
      { "Option1 Value": "M", "Variant Price": "12", "Variant SKU": "x".repeat(201) },
    ];
    expect(problemsOf(rows)).toEqual(["3 Variant SKU must have at most 200 characters"]);
  });
});

describe("images", () => {
  const noImage = { "Image Src": "" };

  test("have the placeholder where there is none, or are refused without one", () => {
    const placeholder = "https://shop.example/none.png";
    expect(productOf([noImage], {}, { placeholder })?.featured_image).toBe(placeholder);
    expect(problemsOf([noImage])).toEqual([
      "2 Image Src is empty: --placeholder sets an image for products that have none",
    ]);
  });

  test("are those of a variant where the product has none", () => {
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

  test.for(["//cdn.example/a.jpg", "ftp://shop.example/a.jpg", "a.jpg", "data:image/png,x"])(
    "are refused at %s",
    (address) => {
      expect(problemsOf([{ "Image Src": address }])).toEqual([
        "2 Image Src must be an http(s) URL, or a path that starts with one /",
      ]);
    },
  );
});
