// Product exports of WooCommerce, column by column.
import { describe, expect, test } from "vitest";
import { UnreadableFile } from "../../../../src/operator/files/unreadable-file.ts";
import {
  type Fields,
  readText,
  readWooCommerceRows as read,
  trackedAt as tracked,
  UNTRACKED as untracked,
  wooCommerceFile,
  wooCommerceProblems as problemsOf,
  wooCommerceProduct as productOf,
} from "./shop-files.ts";

const long = (count: number) => "x".repeat(count);
const size = { "Attribute 1 name": "Size", "Attribute 1 value(s)": "S" };

test("categories are paths, separated by commas", () => {
  const product = productOf({ Categories: "Home > Candles,Tea\\, Coffee, Home >  Candles" });
  expect(product?.categories).toEqual(["Home > Candles", "Tea, Coffee"]);
});

test("a sale price is not read, which a note names", () => {
  const { products, notes } = read([{ "Sale price": "7.50" }]);
  expect(products[0]?.product.price).toBe("10.00");
  expect(notes).toContain("Columns that are not read: Sale price.");
});

describe("a product's state", () => {
  test.for<[string, Fields, count: number]>([
    ["private", { Published: "0" }, 0],
    ["a draft of a kind that is not supported", { Published: "-1", Type: "grouped" }, 0],
    ["pending review", { Published: "2" }, 0],
    ["hidden", { "Visibility in catalog": "Hidden" }, 0],
    ["shown in searches only", { "Visibility in catalog": "search" }, 0],
    ["published without a word", { Published: "" }, 1],
    ["shown in the shop, not in searches", { "Visibility in catalog": "catalog" }, 1],
    ["of no said visibility", { "Visibility in catalog": "" }, 1],
  ])("%s: %j is read as %d products", ([, fields, count]) => {
    const { products, problems, unpublished } = read([fields]);
    expect([products.length, problems, unpublished.length]).toEqual([count, [], 1 - count]);
  });

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
    [
      "none left, out of stock with backorders",
      { Stock: "0", "Backorders allowed?": "1", "In stock?": "0" },
      tracked("0"),
    ],
  ])("%s", ([, fields, expected]) => {
    expect(productOf(fields)).toMatchObject(expected);
  });
});

describe("a row", () => {
  test("that is too long is refused alone, by its name", () => {
    const [head = "", first = "", second = ""] = wooCommerceFile([{}, {}]).split("\n");
    const { products, problems } = readText(`${head}\n${first},more\n${second}\n`);
    expect(products.map(({ keys }) => keys[0])).toEqual(["id:2"]);
    expect(problems).toMatchObject([{ row: 2, product: "Product 1", field: "row" }]);
  });

  test("of a variation that is too long is refused with its product, as one problem", () => {
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

test.for<[column: string, changes: Fields[]]>([
  ["ID", [{ ID: "7\u0007" }]],
  ["Type", ["grouped", "external", "subscription", "virtual", ""].map((Type) => ({ Type }))],
  ["Name", [{ Name: long(501) }]],
  ["Description", [{ Description: long(50_001) }]],
  ["Short description", [{ "Short description": long(5_001) }]],
  ["SKU", [{ SKU: long(201) }, { SKU: "A\nB" }]],
  ["Images", ["javascript:alert(1)", "/a.jpg, x, y"].map((Images) => ({ Images }))],
  ["Regular price", [{ "Regular price": "" }, { "Regular price": "1.234" }]],
  ["Stock", ["2.5", "many", "1234567890"].map((Stock) => ({ Stock }))],
])("an invalid %s is refused", ([column, changes]) => {
  for (const each of changes) expect([each, problemsOf([each])]).toEqual([each, [`2 ${column}`]]);
});

describe("an invalid field", () => {
  test("is named as in the interface where it comes from no column", () => {
    const [problem, ...others] = problemsOf([{}], { currency: "XXX" as "AUD" });
    expect([problem, others]).toEqual(["2 price_currency", []]);
  });

  test.for<[string, Fields, number]>([
    ["SKU", { SKU: "x".repeat(201) }, 3],
    ["Attribute 1 value(s)", { "Attribute 1 value(s)": "x".repeat(201) }, 3],
    ["Attribute 1 name", { "Attribute 1 name": "x".repeat(201) }, 2],
  ])("of variations is reported with its row: %s", ([column, fields, row]) => {
    const rows = [
      { Type: "variable", ...size, ...(row === 2 && fields) },
      { Type: "variation", Parent: "id:1", ...size, ...fields },
    ];
    expect(problemsOf(rows)).toContain(`${String(row)} ${column}`);
  });
});

describe("other fields", () => {
  test("lose the prefix that protects them from spreadsheets", () => {
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

  test("have line breaks in place of escaped ones", () => {
    const description = "a\\nb\r\nc\rd\\\\n";
    const product = productOf({ Description: description, "Meta: recipient_info": description });
    expect(product?.product_description).toBe("a\nb\nc\nd\\n");
    expect(product?.recipient_info).toBe("a\nb\nc\nd\\n");
  });

  test("may be in columns that are not read, which a note names", () => {
    const { notes } = readText(
      "Type,Name,Regular price,Images,SKU,Meta: code\nsimple,Bowl,10,/a.jpg,B,x\n",
    );
    expect(notes).toContain("Columns that are not read: Meta: code.");
  });

  test("have the next picture in place of one that browsers do not show", () => {
    for (const url of ["/a.heic", "/a.HEIF", "/a.tif", "https://shop.example/a.TIFF?v=17"]) {
      expect(productOf({ Images: `${url},/b.jpg,/c.png` })).toMatchObject({
        featured_image: "/b.jpg",
        additional_images: ["/c.png", url],
      });
      expect(productOf({ Images: url })?.featured_image).toBe(url);
    }
  });

  test("have the first picture if a service converts it, and none that is no picture", () => {
    const shop = "https://shop.example";
    for (const url of ["/heic.jpg", `${shop}/a.heic?format=webp`, `${shop}/f_auto/a.tif`]) {
      expect(productOf({ Images: `${url},/b.jpg` })?.featured_image).toBe(url);
    }
    expect(problemsOf([{ Images: "/a.pdf" }])).toEqual(["2 Images"]);
  });

  test("list images in their order, encoded", () => {
    const images = "https://shop.example/a b.jpg, https://shop.example/c\\,d.jpg";
    expect(productOf({ Images: images })).toMatchObject({
      featured_image: "https://shop.example/a%20b.jpg",
      additional_images: ["https://shop.example/c,d.jpg"],
    });
  });

  test("have the placeholder in place of a missing image", () => {
    expect(productOf({ Images: "" }, { placeholder: "/images/none.svg" })?.featured_image).toBe(
      "/images/none.svg",
    );
  });

  test("include the vendor, with its own or a neutral logo", () => {
    const neutral = { name: "The Shop", logo: "/images/vendors/vendor.svg" };
    expect(productOf({})?.product_vendor).toMatchObject(neutral);
    expect(productOf({}, { vendorLogo: "/acme.svg" })?.product_vendor.logo).toBe("/acme.svg");
  });

  test("keeps its own quantities if the tracking of others may end", () => {
    expect(productOf({ Stock: "3" }, { stock: "untracked" })).toMatchObject({ stock_qty: "3" });
  });

  test("must not have quantities from an inventory", () => {
    const stock = {
      quantityOf: () => 1,
      locations: ["Paris"],
      unread: [],
      customsOf: () => undefined,
    };
    expect(() => read([{}], { stock })).toThrow(UnreadableFile);
  });

  test.for<[string, Fields, object]>([
    ["Weight (kg)", { weight: "1.5" }, { weight: "1.5" }],
    ["Weight (g)", { weight: "1500" }, { weight: "1.5" }],
    ["Weight (stone)", { weight: "2" }, { weight: "" }],
    ["Weight (kg)", { weight: "heavy" }, { weight: "" }],
    ["Weight (kg)", { weight: "1,25" }, { weight: "1.25" }],
    ["Length (cm)", { side: "12" }, { length: "12", width: "12", height: "12" }],
    ["Length (foot)", { side: "12" }, { length: "", width: "", height: "" }],
    ["Weight (lbs)", { weight: "2" }, { weight: "0.9072" }],
    ["Weight (oz)", { weight: "16" }, { weight: "0.4536" }],
    ["Length (mm)", { side: "125" }, { length: "12.5", width: "12.5", height: "12.5" }],
    ["Length (m)", { side: "1.2" }, { length: "120", width: "120", height: "120" }],
    ["Length (in)", { side: "10" }, { length: "25.4", width: "25.4", height: "25.4" }],
    ["Length (yd)", { side: "1" }, { length: "91.44", width: "91.44", height: "91.44" }],
  ])(
    "include sizes in the units of the head: %s",
    ([column, { weight = "", side = "" }, parcel]) => {
      const unit = /\((\w+)\)/.exec(column)?.[1] ?? "";
      const file = wooCommerceFile([
        { "Weight (kg)": weight, "Length (cm)": side, "Width (cm)": side, "Height (cm)": side },
      ]).replaceAll(weight === "" ? "(cm)" : "(kg)", `(${unit})`);
      expect(readText(file).products[0]?.product.shipping_details).toMatchObject(parcel);
    },
  );
});
