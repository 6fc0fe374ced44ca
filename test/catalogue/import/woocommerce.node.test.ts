// What a WooCommerce export becomes, a column at a time.
import { describe, expect, test } from "vitest";
import type { FileProduct } from "../../../src/catalogue/import/product.ts";
import type { SourceDefaults } from "../../../src/catalogue/import/source.ts";
import { readText, wooCommerceFile } from "../../support/shop-files.ts";

type Fields = Record<string, string>;

const read = (rows: Fields[], changes?: Partial<SourceDefaults>) =>
  readText(wooCommerceFile(rows), changes);

/** The one product of one row. */
function productOf(row: Fields, changes?: Partial<SourceDefaults>): FileProduct | undefined {
  const { products, problems } = read([row], changes);
  expect(problems).toEqual([]);
  return products[0]?.product;
}

/** `field reason` of each problem, with its row. */
const problemsOf = (rows: Fields[], changes?: Partial<SourceDefaults>) =>
  read(rows, changes).problems.map(({ row, field, reason }) => `${String(row)} ${field} ${reason}`);

const at = (time: string) => ({ nowMs: Date.parse(time) });

describe("a sale price", () => {
  const sale = { "Sale price": "7.50" };
  const from = { ...sale, "Date sale price starts": "2026-05-10" };
  const until = { ...sale, "Date sale price ends": "2026-05-20" };

  test.for<[string, Fields, string, string]>([
    ["without dates", sale, "2026-05-01T00:00:00Z", "7.50"],
    ["a millisecond before its first day", from, "2026-05-09T23:59:59.999Z", "10.00"],
    ["when its first day begins", from, "2026-05-10T00:00:00.000Z", "7.50"],
    ["when its last day begins", until, "2026-05-20T00:00:00.000Z", "7.50"],
    ["in the last millisecond of its last day", until, "2026-05-20T23:59:59.999Z", "7.50"],
    ["when the day after begins", until, "2026-05-21T00:00:00.000Z", "10.00"],
    ["before both", { ...from, ...until }, "2026-05-09T12:00:00Z", "10.00"],
    ["between both", { ...from, ...until }, "2026-05-15T12:00:00Z", "7.50"],
    ["after both", { ...from, ...until }, "2026-05-25T12:00:00Z", "10.00"],
  ])("%s", ([, fields, time, price]) => {
    expect(productOf(fields, at(time))?.price).toBe(price);
  });

  test.for<[string, string, string]>([
    ["2030-01-01 0:00:00", "2030-01-01T00:00:00.999Z", "2030-01-01T00:00:01Z"],
    ["2030-01-01 9:30:15", "2030-01-01T09:30:15.999Z", "2030-01-01T09:30:16Z"],
    ["2030-01-01 23:59:59", "2030-01-01T23:59:59.999Z", "2030-01-02T00:00:00Z"],
    ["2030-01-01T09:30", "2030-01-01T09:30:00.999Z", "2030-01-01T09:30:01Z"],
  ])("that ends at %s is on until %s, no more at %s", ([end, last, first]) => {
    const ending = { ...sale, "Date sale price ends": end };
    expect(productOf(ending, at(last))?.price).toBe("7.50");
    expect(productOf(ending, at(first))?.price).toBe("10.00");
  });

  test("that starts at a time starts then", () => {
    const starting = { ...sale, "Date sale price starts": "2030-01-01 8:00:00" };
    expect(productOf(starting, at("2030-01-01T07:59:59.999Z"))?.price).toBe("10.00");
    expect(productOf(starting, at("2030-01-01T08:00:00Z"))?.price).toBe("7.50");
  });

  test.for(["31.05.2026", "2026-02-30", "2026-13-01", "2026-05-31 24:00:00", "soon"])(
    "with the date %s is refused",
    (date) => {
      expect(problemsOf([{ ...sale, "Date sale price ends": date }])).toEqual([
        `2 Date sale price ends must be a date such as 2026-05-31: ${date}`,
      ]);
    },
  );

  test("that is empty leaves the regular one, whatever its dates", () => {
    expect(productOf({ "Sale price": "", "Date sale price ends": "soon" })?.price).toBe("10.00");
  });

  test("that is not lower leaves the regular one, as in the shop", () => {
    expect(productOf({ "Sale price": "9.99" })?.price).toBe("9.99");
    expect(productOf({ "Sale price": "10" })?.price).toBe("10.00");
    expect(productOf({ "Sale price": "12.00" })?.price).toBe("10.00");
  });

  test("that is no amount is refused, and so is a regular one", () => {
    expect(problemsOf([{ "Sale price": "7.505" }, { "Regular price": "1.234" }])).toEqual([
      "2 Sale price must be an amount with at most two decimals: 7.505",
      "3 Regular price must be an amount with at most two decimals: 1.234",
    ]);
    expect(problemsOf([{ "Regular price": "" }])).toEqual([
      "2 Regular price is required for a simple product",
    ]);
  });
});

describe("a product's state", () => {
  test.for<[string, Fields]>([
    ["private", { Published: "0" }],
    ["a draft", { Published: "-1" }],
    ["pending review", { Published: "2" }],
    ["hidden", { "Visibility in catalog": "hidden" }],
    ["hidden, in capitals", { "Visibility in catalog": "Hidden" }],
    ["shown in searches only", { "Visibility in catalog": "search" }],
    ["a draft of a kind that is not supported", { Published: "-1", Type: "grouped" }],
  ])("%s leaves it out, and it is counted", ([, fields]) => {
    const { products, problems, unpublished } = read([fields, {}]);
    expect([products.length, problems, unpublished]).toEqual([1, [], 1]);
  });

  test.for<[string, Fields]>([
    ["published", { Published: "1" }],
    ["not said", { Published: "" }],
    ["shown in the shop, not in searches", { "Visibility in catalog": "catalog" }],
    ["of no said visibility", { "Visibility in catalog": "" }],
  ])("%s lists it", ([, fields]) => {
    const { products, problems, unpublished } = read([fields]);
    expect([products.length, problems, unpublished]).toEqual([1, [], 0]);
  });

  test.for(["grouped", "external", "subscription", "virtual", ""])(
    'of the kind "%s" is refused',
    (type) => {
      const named = type === "virtual" || type === "" ? type || "(empty)" : type;
      expect(problemsOf([{ Type: type }])).toEqual([`2 Type is not supported: ${named}`]);
    },
  );

  test.for<[string, string]>([
    ["simple", "physical"],
    ["simple, virtual", "digital"],
    ["simple, downloadable", "digital"],
    ["simple, downloadable, virtual", "digital"],
  ])("%s is %s, and only physical ones are shipped", ([type, kind]) => {
    const product = productOf({ Type: type });
    expect([product?.digital_physical, product?.shipping_cost]).toEqual([
      kind,
      kind === "physical" ? 9.5 : 0,
    ]);
  });
});

describe("stock", () => {
  const untracked = { track_inventory: "N", stock_status: "in_stock", stock_qty: "" };
  const tracked = (quantity: string) => ({
    track_inventory: "Y",
    stock_status: quantity === "0" ? "out_of_stock" : "in_stock",
    stock_qty: quantity,
  });
  const soldOut = { track_inventory: "N", stock_status: "out_of_stock", stock_qty: "" };

  test.for<[string, Fields, object]>([
    ["not counted", { Stock: "" }, untracked],
    ["not counted and out of stock", { Stock: "", "In stock?": "0" }, soldOut],
    ["not counted and on backorder", { Stock: "", "In stock?": "backorder" }, untracked],
    ["one left", { Stock: "1" }, tracked("1")],
    ["with decimals", { Stock: "4.00" }, tracked("4")],
    ["guarded from spreadsheets", { Stock: "'-3" }, tracked("0")],
    ["none left", { Stock: "0" }, tracked("0")],
    ["below zero", { Stock: "-3" }, tracked("0")],
    ["none left, in stock by hand", { Stock: "0", "In stock?": "1" }, tracked("0")],
    [
      "some left, out of stock by hand",
      { Stock: "7", "In stock?": "0" },
      { ...tracked("7"), stock_status: "out_of_stock" },
    ],
    ["one left with backorders", { Stock: "1", "Backorders allowed?": "1" }, tracked("1")],
    ["none left with backorders", { Stock: "0", "Backorders allowed?": "1" }, untracked],
    ["below zero with backorders", { Stock: "-3", "Backorders allowed?": "notify" }, untracked],
    ["none left without backorders", { Stock: "0", "Backorders allowed?": "0" }, tracked("0")],
    [
      "none left, out of stock with backorders",
      { Stock: "0", "Backorders allowed?": "1", "In stock?": "0" },
      tracked("0"),
    ],
  ])("%s", ([, fields, expected]) => {
    expect(productOf(fields)).toMatchObject(expected);
  });

  test.for(["2.5", "many", "1234567890"])("that is %s is refused", (stock) => {
    expect(problemsOf([{ Stock: stock }])).toEqual([`2 Stock must be a whole number: ${stock}`]);
  });
});

describe("a variable product", () => {
  const shirt = {
    Type: "variable",
    ID: "10",
    SKU: "SHIRT",
    "Regular price": "",
    "Attribute 1 name": "Size",
    "Attribute 1 value(s)": "S, M, L",
    Images: "https://shop.example/shirt.jpg",
  };
  const variation = (ID: string, option: string, more: Fields = {}) => ({
    Type: "variation",
    ID,
    SKU: `SHIRT-${ID}`,
    Parent: "SHIRT",
    "Regular price": "30.00",
    Images: "",
    "Attribute 1 name": "Size",
    "Attribute 1 value(s)": option,
    ...more,
  });

  const variationsOf = (rows: Fields[]) => {
    const { products, problems } = read(rows);
    expect(problems).toEqual([]);
    const { product, variationKeys } = products[0] ?? {};
    return (product?.variations ?? []).map(({ options, price }, index) => ({
      options: options.map(({ name, option }) => `${name}=${option}`).join(" "),
      price,
      key: variationKeys?.[index]?.[0],
    }));
  };

  test("leaves out variations that are switched off", () => {
    const rows = [shirt, variation("11", "S"), variation("12", "M", { Published: "0" })];
    expect(variationsOf(rows).map(({ key }) => key)).toEqual(["id:11"]);
  });

  test("without a published variation says so", () => {
    const reason = "is variable, but the product has no published variation in this file";
    expect(problemsOf([shirt])).toEqual([`2 Type ${reason}`]);
    expect(problemsOf([shirt, variation("11", "S", { Published: "0" })])).toEqual([
      `2 Type ${reason}`,
    ]);
  });

  test("that is not shown takes its variations with it, also when they are published", () => {
    const rows = [{ ...shirt, "Visibility in catalog": "hidden" }, variation("11", "S"), {}];
    const { products, problems, unpublished } = read(rows);
    expect([products.length, problems, unpublished]).toEqual([1, [], 1]);
  });

  test("joins variations wherever they stand, each with its own row's problems", () => {
    expect(variationsOf([variation("11", "S", { Parent: "ID: 10" }), shirt])).toHaveLength(1);
    const rows = [variation("11", "S", { Stock: "x" }), shirt, variation("12", "M")];
    expect(problemsOf(rows)).toEqual(["2 Stock must be a whole number: x"]);
    expect(read(rows).products).toEqual([]);
  });

  test("is refused with one of its variations, and another product is not", () => {
    const rows = [shirt, variation("11", "S"), variation("12", "M", { "Regular price": "" }), {}];
    const { products, problems } = read(rows);
    expect(products.map(({ keys }) => keys[0])).toEqual(["id:4"]);
    expect(problems.map(({ row, field }) => [row, field])).toEqual([[4, "Regular price"]]);
  });

  test("is refused when a variation repeats an SKU or an ID", () => {
    const rows = [shirt, variation("11", "S"), variation("11", "M", { SKU: "SHIRT-11" }), {}];
    expect(problemsOf(rows)).toEqual([
      "4 ID must not repeat that of row 3",
      "4 SKU must not repeat that of row 3",
    ]);
    expect(read(rows).products.map(({ keys }) => keys[0])).toEqual(["id:4"]);
  });

  test("needs names for its rows: an ID or an SKU", () => {
    const nameless = variation("11", "S", { ID: "", SKU: "" });
    expect(problemsOf([shirt, nameless])).toEqual(["3 SKU is required where there is no ID"]);
    expect(problemsOf([{ ID: "", SKU: "" }])).toEqual(["2 SKU is required where there is no ID"]);
  });

  test("does not have a quantity for all of its variations", () => {
    expect(problemsOf([{ ...shirt, Stock: "9" }, variation("11", "S")])).toEqual([
      "2 Stock of a variable product must stand with its variations",
    ]);
    expect(problemsOf([shirt, variation("11", "S", { Stock: "parent" })])).toEqual([
      "3 Stock shared with the parent is not supported: each variation needs its own",
    ]);
  });

  test("reports a variation without a product, unless it is switched off", () => {
    expect(problemsOf([{ ID: "20" }, variation("11", "S", { Parent: "id:20" })])).toEqual([
      "3 Parent names no variable product of this file: id:20",
    ]);
    const lost = variation("11", "S", { Parent: "id:99" });
    expect(problemsOf([lost, variation("12", "S", { Parent: "" })])).toEqual([
      "2 Parent names no variable product of this file: id:99",
      "3 Parent is required for a variation",
    ]);
    expect(problemsOf([{ ...lost, Published: "-1" }, {}])).toEqual([]);
  });

  test("has at most 500 variations, each with its own SKU", () => {
    const options = Array.from({ length: 501 }, (_, n) => String(n));
    const rows = options.map((option) => variation(`v${option}`, option));
    expect(problemsOf([shirt, ...rows])).toEqual(["2 Type must have at most 500 elements"]);
    const { products, quantities } = read([shirt, ...rows.slice(1)]);
    expect(products[0]?.product.variations?.[499]?.sku).toBe("SHIRT-v500");
    expect(quantities).toBe("file");
  });

  test("is digital when all of its variations are, and tracked when one is", () => {
    const virtual = { Type: "variation, virtual" };
    const rows = [shirt, variation("11", "S", virtual), variation("12", "M", { Stock: "3" })];
    expect(read(rows).products[0]?.product).toMatchObject({
      digital_physical: "physical",
      track_inventory: "Y",
      stock_status: "in_stock",
    });
    const digital = [shirt, variation("11", "S", virtual), variation("12", "M", virtual)];
    expect(read(digital).products[0]?.product).toMatchObject({
      digital_physical: "digital",
      track_inventory: "N",
      shipping_cost: 0,
    });
  });

  test("is out of stock when all of its variations are", () => {
    const out = { "In stock?": "0" };
    const rows = [shirt, variation("11", "S", out), variation("12", "M", out)];
    expect(read(rows).products[0]?.product.stock_status).toBe("out_of_stock");
  });

  test("shows the attributes that its variations have, and images of both without repeats", () => {
    const rows = [
      { ...shirt, "Attribute 2 name": "Fabric", "Attribute 2 value(s)": "Linen" },
      variation("11", "S", { Images: "https://shop.example/s.jpg" }),
      variation("12", "M", { Images: "https://shop.example/shirt.jpg" }),
    ];
    const product = read(rows).products[0]?.product;
    expect(product?.attributes).toMatchObject([{ name: "Size", option: ["S", "M", "L"] }]);
    expect([product?.featured_image, product?.additional_images]).toEqual([
      "https://shop.example/shirt.jpg",
      ["https://shop.example/s.jpg"],
    ]);
  });

  test("sells the first of two variations with the same option", () => {
    const rows = [shirt, variation("11", "S"), variation("12", "S", { "Regular price": "35.00" })];
    expect(variationsOf(rows)).toEqual([{ options: "Size=S", price: "30.00", key: "id:11" }]);
  });

  test("may have any number of attributes", () => {
    const colour = (value: string) => ({
      "Attribute 1 name": "",
      "Attribute 1 value(s)": "",
      "Attribute 25 name": "Colour",
      "Attribute 25 value(s)": value,
    });
    const rows = [{ ...shirt, ...colour("Moss, Sand") }, variation("11", "", colour("Sand"))];
    expect(variationsOf(rows)).toMatchObject([{ options: "Colour=Sand" }]);
  });

  describe("with a variation for any option", () => {
    test("offers each option, but those that have a row of their own", () => {
      const rows = [shirt, variation("11", ""), variation("12", "M", { "Regular price": "35" })];
      expect(variationsOf(rows)).toEqual([
        { options: "Size=S", price: "30.00", key: 'id:11 any:[["Size","S"]]' },
        { options: "Size=L", price: "30.00", key: 'id:11 any:[["Size","L"]]' },
        { options: "Size=M", price: "35.00", key: "id:12" },
      ]);
    });

    test("offers every combination, of which the row that names more decides", () => {
      const two = {
        ...shirt,
        "Attribute 1 value(s)": "S, M",
        "Attribute 2 name": "Colour",
        "Attribute 2 value(s)": "Moss, Sand",
      };
      const colour = (value: string, price: string) => ({
        "Attribute 2 name": "Colour",
        "Attribute 2 value(s)": value,
        "Regular price": price,
      });
      const rows = [
        two,
        variation("11", "", colour("", "30")),
        variation("12", "S", colour("", "31")),
        variation("13", "S", colour("Sand", "32")),
      ];
      expect(variationsOf(rows)).toEqual([
        {
          options: "Size=M Colour=Moss",
          price: "30.00",
          key: 'id:11 any:[["Colour","Moss"],["Size","M"]]',
        },
        {
          options: "Size=M Colour=Sand",
          price: "30.00",
          key: 'id:11 any:[["Colour","Sand"],["Size","M"]]',
        },
        { options: "Size=S Colour=Moss", price: "31.00", key: 'id:12 any:[["Colour","Moss"]]' },
        { options: "Size=S Colour=Sand", price: "32.00", key: "id:13" },
      ]);
    });

    test("is known by its options, whatever the order of the columns", () => {
      const colour = { "Attribute 2 name": "Colour", "Attribute 2 value(s)": "Moss" };
      const swapped = {
        "Attribute 1 name": "Colour",
        "Attribute 1 value(s)": "Moss",
        "Attribute 2 name": "Size",
        "Attribute 2 value(s)": "S",
      };
      const any = { "Attribute 1 value(s)": "", "Attribute 2 value(s)": "" };
      const keys = (head: Fields, row: Fields) =>
        read([head, { ...variation("11", ""), ...row, ...any }]).products[0]?.variationKeys;
      const one = { ...shirt, "Attribute 1 value(s)": "S", ...colour };
      expect(keys(one, colour)).toEqual([
        [
          'id:11 any:[["Colour","Moss"],["Size","S"]]',
          'sku:SHIRT-11 any:[["Colour","Moss"],["Size","S"]]',
        ],
      ]);
      expect(keys({ ...shirt, ...swapped }, swapped)).toEqual(keys(one, colour));
    });

    test("goes with any option also where its row lacks the attribute", () => {
      const bare = { "Attribute 1 name": "", "Attribute 1 value(s)": "" };
      const rows = [shirt, variation("11", "S"), variation("12", "", bare)];
      expect(variationsOf(rows).map(({ options }) => options)).toEqual([
        "Size=S",
        "Size=M",
        "Size=L",
      ]);
    });

    test("is refused with one quantity for several options", () => {
      const counted = variation("11", "", { Stock: "5" });
      expect(problemsOf([shirt, counted])).toEqual([
        "3 Stock is one quantity for 3 variations: each needs a row of its own",
      ]);
      expect(variationsOf([{ ...shirt, "Attribute 1 value(s)": "S" }, counted])).toHaveLength(1);
    });

    test("is refused without an option, and with more than a product may have", () => {
      const many = Array.from({ length: 501 }, (_, n) => String(n));
      const offering = (options: string[]) =>
        problemsOf([
          { ...shirt, "Attribute 1 value(s)": options.join(", ") },
          variation("11", ""),
        ]).join("\n");
      expect(offering([])).toContain("3 Attribute 1 value(s) goes with any Size, which is 0");
      const none = { "Attribute 1 value(s)": "", "Attribute 2 name": "Colour" };
      expect(problemsOf([{ ...shirt, ...none }, variation("11", "", none)])[0]).toBe(
        "3 Attribute 1 value(s) goes with any Size and Colour, which is 0 variations: " +
          "there must be 1 to 500",
      );
      expect(offering(many)).toContain("3 Attribute 1 value(s) goes with any Size, which is 501");
      expect(offering(many.slice(1))).toBe("");
    });
  });
});

describe("a row", () => {
  test("that is shorter than the head is read", () => {
    const [head = "", row = ""] = wooCommerceFile([{}]).split("\n");
    const short = row.replace(/,+$/, "");
    expect(short.length).toBeLessThan(row.length);
    const { products, problems } = readText(`${head}\n${short}\n`);
    expect([products.length, problems]).toEqual([1, []]);
  });

  test("that is longer is refused by itself, by its name", () => {
    const [head = "", first = "", second = ""] = wooCommerceFile([{}, {}]).split("\n");
    const { products, problems } = readText(`${head}\n${first},more\n${second}\n`);
    expect(products.map(({ keys }) => keys[0])).toEqual(["id:2"]);
    expect(problems).toEqual([
      {
        row: 2,
        product: "Product 1",
        field: "row",
        reason: "has 50 fields where the head has 49",
      },
    ]);
  });

  test("that is a variation and longer refuses its product, with one problem", () => {
    const variable = { Type: "variable", "Attribute 1 name": "Size", "Attribute 1 value(s)": "S" };
    const text = wooCommerceFile([
      { ...variable, "Regular price": "" },
      { ...variable, Type: "variation", Parent: "id:1" },
      {},
    ]);
    const { products, problems } = readText(text.replace(/^(2,.*)$/m, "$1,more"));
    expect(products.map(({ keys }) => keys[0])).toEqual(["id:3"]);
    expect(problems.map(({ row, field }) => [row, field])).toEqual([[3, "row"]]);
  });

  test("keeps its number after blank rows and fields with line breaks", () => {
    const text = wooCommerceFile([{ Description: "one\ntwo" }, { Stock: "x" }]);
    const [head = "", ...rows] = text.split("\n");
    expect(readText([head, "", ...rows].join("\n")).problems.map(({ row }) => row)).toEqual([4]);
  });
});

describe("a field at fault", () => {
  test.for<[string, Fields, string]>([
    ["Name", { Name: "x".repeat(501) }, "must have at most 500 characters"],
    ["Description", { Description: "x".repeat(50_001) }, "must have at most 50000 characters"],
    [
      "Short description",
      { "Short description": "x".repeat(5_001) },
      "must have at most 5000 characters",
    ],
    ["SKU", { SKU: "x".repeat(201) }, "must have at most 200 characters"],
    [
      "Images",
      { Images: "https://shop.example/a.jpg, x, y" },
      "must be an http(s) URL, or a path that starts with one /",
    ],
  ])("is named by its column: %s", ([column, fields, reason]) => {
    expect(problemsOf([fields])).toEqual([`2 ${column} ${reason}`]);
  });

  test.for<[string, Fields, number]>([
    ["SKU", { SKU: "x".repeat(201) }, 3],
    ["Attribute 1 value(s)", { "Attribute 1 value(s)": "x".repeat(201) }, 3],
    ["Attribute 1 name", { "Attribute 1 name": "x".repeat(201) }, 2],
  ])("of variations is in the row that has it: %s", ([column, fields, row]) => {
    const size = { "Attribute 1 name": "Size", "Attribute 1 value(s)": "S" };
    const rows = [
      { Type: "variable", ...size, ...(row === 2 && fields) },
      { Type: "variation", Parent: "id:1", ...size, ...fields },
    ];
    expect(problemsOf(rows)).toContainEqual(
      `${String(row)} ${column} must have at most 200 characters`,
    );
  });
});

describe("other fields", () => {
  test("are plain text where the export guards them from spreadsheets", () => {
    const product = productOf({
      Name: "'-40 degrees",
      SKU: "'=SKU",
      Description: "'@home",
      "Short description": "'+1",
    });
    expect(product).toMatchObject({
      product_name: "-40 degrees",
      product_sku: "=SKU",
      product_description: "@home",
      product_short_description: "+1",
    });
    expect(productOf({ Name: "'Twas" })?.product_name).toBe("'Twas");
  });

  test("have line breaks where the export escapes them", () => {
    const description = "a\\nb\r\nc\rd\\\\n";
    expect(productOf({ Description: description })?.product_description).toBe("a\nb\nc\nd\\n");
  });

  test("are images by their order, encoded; others are refused", () => {
    const images = "https://shop.example/a b.jpg, https://shop.example/c\\,d.jpg";
    expect(productOf({ Images: images })).toMatchObject({
      featured_image: "https://shop.example/a%20b.jpg",
      additional_images: ["https://shop.example/c,d.jpg"],
    });
    expect(problemsOf([{ Images: "javascript:alert(1)" }])).toEqual([
      "2 Images must be an http(s) URL, or a path that starts with one /",
    ]);
  });

  test("have the placeholder where there is no image, or are refused without one", () => {
    expect(productOf({ Images: "" }, { placeholder: "/images/none.svg" })?.featured_image).toBe(
      "/images/none.svg",
    );
    expect(problemsOf([{ Images: "" }])).toEqual([
      "2 Images is empty: --placeholder sets an image for products that have none",
    ]);
  });

  test("are the vendor's, with a logo of its own or a neutral one", () => {
    expect(productOf({})?.product_vendor).toEqual({
      name: "The Shop",
      bio: "",
      logo: "/images/vendors/vendor.svg",
      shipping_info: null,
      returns_info: null,
    });
    expect(productOf({}, { vendorLogo: "/acme.svg" })?.product_vendor.logo).toBe("/acme.svg");
  });

  test("have no quantities from elsewhere", () => {
    expect(() => read([{}], { stock: "untracked" })).toThrow("for product exports of Shopify");
  });

  test.for<[string, Fields, object]>([
    ["Weight (kg)", { weight: "1.5" }, { weight: "1.5" }],
    ["Weight (g)", { weight: "1500" }, { weight: "1.5" }],
    ["Weight (LBS)", { weight: "2" }, { weight: "0.9072" }],
    ["Weight (stone)", { weight: "2" }, { weight: "" }],
    ["Weight (kg)", { weight: "heavy" }, { weight: "heavy" }],
    ["Weight (kg)", { weight: "1,25" }, { weight: "1.25" }],
    ["Length (cm)", { side: "12" }, { length: "12", width: "12", height: "12" }],
    ["Length (CM)", { side: "12" }, { length: "12", width: "12", height: "12" }],
    ["Length (foot)", { side: "12" }, { length: "", width: "", height: "" }],
    ["Weight (lbs)", { weight: "2" }, { weight: "0.9072" }],
    ["Weight (oz)", { weight: "16" }, { weight: "0.4536" }],
    ["Length (mm)", { side: "125" }, { length: "12.5", width: "12.5", height: "12.5" }],
    ["Length (m)", { side: "1.2" }, { length: "120", width: "120", height: "120" }],
    ["Length (in)", { side: "10" }, { length: "25.4", width: "25.4", height: "25.4" }],
    ["Length (yd)", { side: "1" }, { length: "91.44", width: "91.44", height: "91.44" }],
  ])("are sizes in the units of the head: %s", ([column, { weight = "", side = "" }, parcel]) => {
    const unit = /\((\w+)\)/.exec(column)?.[1] ?? "";
    const file = wooCommerceFile([
      { "Weight (kg)": weight, "Length (cm)": side, "Width (cm)": side, "Height (cm)": side },
    ]).replaceAll(weight === "" ? "(cm)" : "(kg)", `(${unit})`);
    expect(readText(file).products[0]?.product.shipping_details).toMatchObject(parcel);
  });
});
