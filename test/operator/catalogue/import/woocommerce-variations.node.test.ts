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
  ["with a variation for all options", [shirt, variation("11", "")], [`3 ${OPTIONS}`]],
  [
    "without an attribute of the others",
    [shirt, variation("11", "S"), variation("12", "M", attribute(1, "", ""))],
    [`4 ${OPTIONS}`],
  ],
  ["with an option twice", [shirt, variation("11", "S"), variation("12", "S")], [`4 ${OPTIONS}`]],
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

  test("may have any number of attributes", () => {
    const colour = (value: string) => ({
      ...attribute(1, "", ""),
      ...attribute(25, "Colour", value),
    });
    const rows = [{ ...shirt, ...colour("Moss, Sand") }, variation("11", "", colour("Sand"))];
    expect(variationsOf(rows)).toEqual([["Colour=Sand", "30.00", "id:11"]]);
  });
});
