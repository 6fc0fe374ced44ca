// Variable products in product exports of WooCommerce.
import { describe, expect, test } from "vitest";
import {
  type Fields,
  readWooCommerceRows as read,
  wooCommerceProblems as problemsOf,
} from "./shop-files.ts";

const attribute = (n: number, name: string, value: string) => ({
  [`Attribute ${String(n)} name`]: name,
  [`Attribute ${String(n)} value(s)`]: value,
});

const shirt = {
  Type: "variable",
  ID: "10",
  SKU: "SHIRT",
  "Regular price": "",
  ...attribute(1, "Size", "S, M, L"),
  Images: "https://shop.example/shirt.jpg",
};
const variation = (ID: string, option: string, more: Fields = {}) => ({
  Type: "variation",
  ID,
  SKU: `SHIRT-${ID}`,
  Parent: "SHIRT",
  "Regular price": "30.00",
  Images: "",
  ...attribute(1, "Size", option),
  ...more,
});

const variationsOf = (rows: Fields[]) => {
  const { products, problems } = read(rows);
  expect(problems).toEqual([]);
  const { product, variationKeys } = products[0] ?? {};
  return (product?.variations ?? []).map(({ options, price }, index) => [
    options.map(({ name, option }) => `${name}=${option}`).join(" "),
    price,
    variationKeys?.[index]?.[0],
  ]);
};

const shirts = (count: number) =>
  Array.from({ length: count }, (_, n) => variation(`v${String(n)}`, String(n)));
const OPTIONS = "Attribute 1 value(s)";
/** A product with this number of options, and one variation for all of them. */
const offering = (count: number, more: Fields = {}) => [
  { ...shirt, [OPTIONS]: Array.from({ length: count }, (_, n) => String(n)).join(", "), ...more },
  variation("11", "", more),
];

test.for<[what: string, rows: Fields[], problems: string[]]>([
  ["without a variation", [shirt], ["2 Type"]],
  ["without a published variation", [shirt, variation("11", "S", { Published: "0" })], ["2 Type"]],
  ["with too many variations", [shirt, ...shirts(501)], ["2 Type"]],
  [
    "with an SKU and an ID twice",
    [shirt, variation("11", "S"), variation("11", "M"), {}],
    ["4 ID", "4 SKU"],
  ],
  ["without an ID or SKU", [{ ID: "", SKU: "" }], ["2 SKU"]],
  ["with a variation without both", [shirt, variation("", "S", { SKU: "" })], ["3 SKU"]],
  ["with one quantity", [{ ...shirt, Stock: "9" }, variation("11", "S")], ["2 Stock"]],
  ["with its parent's quantity", [shirt, variation("11", "S", { Stock: "parent" })], ["3 Stock"]],
  ["with one quantity for all options", [shirt, variation("11", "", { Stock: "5" })], ["3 Stock"]],
  ["without options", offering(0), [`3 ${OPTIONS}`]],
  ["with too many options", offering(501), [`3 ${OPTIONS}`]],
  ["with as many options as possible", offering(500), []],
  [
    "without an option of one name",
    offering(0, { "Attribute 2 name": "Colour" }),
    [`3 ${OPTIONS}`],
  ],
  ["that is simple", [{ ID: "20" }, variation("11", "S", { Parent: "id:20" })], ["3 Parent"]],
  ["that is not in the file", [variation("11", "S", { Parent: "id:99" }), {}], ["2 Parent"]],
  ["that is not named", [variation("11", "S", { Parent: "" }), {}], ["2 Parent"]],
  ["of which none is published", [variation("11", "S", { Parent: "x", Published: "-1" }), {}], []],
])("a variable product %s", ([, rows, expected]) => {
  expect(problemsOf(rows)).toEqual(expected);
});

describe("the variations of a product", () => {
  test("has no disabled variations", () => {
    const rows = [shirt, variation("11", "S"), variation("12", "M", { Published: "0" })];
    expect(variationsOf(rows).map(([, , key]) => key)).toEqual(["id:11"]);
  });

  test("that is hidden hides its variations, also published ones", () => {
    const rows = [{ ...shirt, "Visibility in catalog": "hidden" }, variation("11", "S"), {}];
    const { products, problems, unpublished } = read(rows);
    expect([products.length, problems, unpublished.length]).toEqual([1, [], 1]);
  });

  test("has variations in any rows of the file, whose problems name their own rows", () => {
    expect(variationsOf([variation("11", "S", { Parent: "ID: 10" }), shirt])).toHaveLength(1);
    const rows = [variation("11", "S", { Stock: "x" }), shirt, variation("12", "M")];
    expect(problemsOf(rows)).toEqual(["2 Stock"]);
    expect(read(rows).products).toEqual([]);
  });

  test.for(["id:10x", "xid:10", "id 10"])("is found by its SKU %s, which is not an id", (SKU) => {
    const rows = [{ ...shirt, ID: "20", SKU }, variation("11", "S", { Parent: SKU })];
    expect(variationsOf(rows)).toHaveLength(1);
  });
});

describe("a variable product", () => {
  test("is refused if one of its variations is, and other products are not", () => {
    const rows = [shirt, variation("11", "S"), variation("12", "M", { "Regular price": "" }), {}];
    const { products, problems } = read(rows);
    expect(products.map(({ keys }) => keys[0])).toEqual(["id:4"]);
    expect(problems.map(({ row, field }) => [row, field])).toEqual([[4, "Regular price"]]);
  });
});

describe("the values of a variable product", () => {
  test("has at most 500 variations, each with its own SKU", () => {
    const { products, quantities } = read([shirt, ...shirts(500)]);
    expect(products[0]?.product.variations?.[499]?.sku).toBe("SHIRT-v499");
    expect(quantities).toBe("file");
  });

  test("is digital if all of its variations are, and tracked if one is", () => {
    const virtual = { Type: "variation, virtual" };
    const mixed = read([shirt, variation("11", "S", virtual), variation("12", "M")]);
    expect(mixed.products).toEqual([]);
    expect(mixed.problems).toMatchObject([{ row: 4, field: "Type" }]);
    const rows = [shirt, variation("11", "S"), variation("12", "M", { Stock: "3" })];
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
    const out = { "In stock?": "0" };
    const gone = [shirt, variation("11", "S", out), variation("12", "M", out)];
    expect(read(gone).products[0]?.product.stock_status).toBe("out_of_stock");
  });

  test("has the attributes of its variations, and each of their images once", () => {
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
    expect(variationsOf(rows)).toEqual([["Size=S", "30.00", "id:11"]]);
  });

  test("may have any number of attributes", () => {
    const colour = (value: string) => ({
      ...attribute(1, "", ""),
      ...attribute(25, "Colour", value),
    });
    const rows = [{ ...shirt, ...colour("Moss, Sand") }, variation("11", "", colour("Sand"))];
    expect(variationsOf(rows)).toEqual([["Colour=Sand", "30.00", "id:11"]]);
  });
});

describe("a variation for every option", () => {
  test("offers each option that has no row of its own", () => {
    const rows = [shirt, variation("11", ""), variation("12", "M", { "Regular price": "35" })];
    expect(variationsOf(rows)).toEqual([
      ["Size=S", "30.00", 'id:11 any:[["Size","S"]]'],
      ["Size=L", "30.00", 'id:11 any:[["Size","L"]]'],
      ["Size=M", "35.00", "id:12"],
    ]);
  });

  test("offers every combination, with the values of the most specific row", () => {
    const two = {
      ...shirt,
      "Attribute 1 value(s)": "S, M",
      ...attribute(2, "Colour", "Moss, Sand"),
    };
    const colour = (value: string, price: string) => ({
      ...attribute(2, "Colour", value),
      "Regular price": price,
    });
    const rows = [
      two,
      variation("11", "", colour("", "30")),
      variation("12", "S", colour("", "31")),
      variation("13", "S", colour("Sand", "32")),
    ];
    expect(variationsOf(rows)).toEqual([
      ["Size=M Colour=Moss", "30.00", 'id:11 any:[["Colour","Moss"],["Size","M"]]'],
      ["Size=M Colour=Sand", "30.00", 'id:11 any:[["Colour","Sand"],["Size","M"]]'],
      ["Size=S Colour=Moss", "31.00", 'id:12 any:[["Colour","Moss"]]'],
      ["Size=S Colour=Sand", "32.00", "id:13"],
    ]);
  });

  test("is identified by its options, not by the order of the columns", () => {
    const colour = attribute(2, "Colour", "Moss");
    const swapped = { ...attribute(1, "Colour", "Moss"), ...attribute(2, "Size", "S") };
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

  test("applies to every option also if its row lacks the attribute", () => {
    const bare = attribute(1, "", "");
    const rows = [shirt, variation("11", "S"), variation("12", "", bare)];
    const options = variationsOf(rows).map(([each]) => each);
    expect(options).toEqual(["Size=S", "Size=M", "Size=L"]);
  });
});
