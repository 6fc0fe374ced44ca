// What the plan of `catalogue publish` shows of prices, new products and doubtful changes.
import { expect, test } from "vitest";
import { openOperatorApi } from "../operator-api.ts";
import { addCatalogue, openCatalogue, shopFile, tracked } from "./published.ts";

const api = await openOperatorApi(["engineer"]);

const PUBLISH = "catalogue publish";

const shirt = (small: string, large: string) => [
  { ID: "90", SKU: "T", Name: "Shirt", Type: "variable", "Regular price": "" },
  ...[small, large].map((price, n) => ({
    ID: `9${String(n + 1)}`,
    SKU: `T-${String(n)}`,
    Type: "variation",
    Parent: "id:90",
    "Regular price": price,
  })),
];

const ofSizes = (rows: Record<string, string>[]) =>
  rows.map((row, n) => ({
    ...row,
    "Attribute 1 name": "Size",
    "Attribute 1 value(s)": n === 0 ? "S, L" : n === 1 ? "S" : "L",
  }));

test("lists the prices that change, the largest change first, with those of variations", async () => {
  const rows = tracked(6);
  const catalogue = await openCatalogue(api, [...ofSizes(shirt("20", "30")), ...rows]);
  const file = shopFile([
    ...ofSizes(shirt("20", "33")),
    { ...rows[0], "Regular price": "9.00" },
    ...rows.slice(1),
  ]);
  const { facts, lists, will } = await api.plan(PUBLISH, { catalogue, file });
  expect(will).not.toBeNull();
  expect(facts).toMatchObject({ raised: 1, lowered: 1, largest_rise: "10", largest_fall: "-10" });
  expect(lists["prices"]).toMatchObject([
    {
      name: "Shirt",
      sku: "T-1",
      options: "Size L",
      change: "10",
      before: { amount: "30.00", currency: "AUD" },
      after: { amount: "33.00", currency: "AUD" },
    },
    { name: "Product 4", sku: "SKU-4", options: null, change: "-10" },
  ]);
  expect(lists["changed"]?.map(({ changes }) => changes)).toEqual([
    "variations.price",
    "price from 10.00 to 9.00",
  ]);
});

test("shows new products with what recipients see, and hidden ones by name", async () => {
  const catalogue = await addCatalogue(api);
  const file = shopFile([
    ...ofSizes(shirt("20", "30")),
    { Name: "Vase", SKU: "V", Stock: "5", "Weight (kg)": "1.2" },
    { Name: "Secret", Published: "-1" },
  ]);
  const { lists } = await api.plan(PUBLISH, { catalogue, file });
  expect(lists["added"]).toEqual([
    {
      name: "Shirt",
      sku: "T",
      price: "20.00–30.00 AUD",
      options: "Size: S, L",
      picture: "https://shop.example/image.jpg",
      quantity: null,
      weight: null,
    },
    {
      name: "Vase",
      sku: "V",
      price: "10.00 AUD",
      options: null,
      picture: "https://shop.example/image.jpg",
      quantity: 5,
      weight: "1.2 kg",
    },
  ]);
  expect(lists["hidden"]).toEqual([{ name: "Secret" }]);
});

test.for<[string, Record<string, string>, object]>([
  ["prices that change by more than half", { "Regular price": "16" }, {}],
  ["products that lose their picture", { Images: "" }, {}],
  ["products that can no longer be ordered", { Stock: "0" }, { stock: "replace" }],
])("needs a confirmation of many %s, and warns of few", async ([, changes, more]) => {
  const rows = tracked(20);
  const catalogue = await openCatalogue(api, rows);
  const plan = (count: number, input = {}) =>
    api.plan(PUBLISH, {
      catalogue,
      ...more,
      ...input,
      file: shopFile(rows.map((row, n) => (n < count ? { ...row, ...changes } : row))),
    });
  const few = await plan(2);
  expect(few.will).not.toBeNull();
  expect(few.warnings).toContainEqual(expect.stringContaining("2 of 20"));
  const many = await plan(5);
  expect(many).toMatchObject({
    will: null,
    hasProblems: true,
    text: expect.stringContaining("5 of 20"),
  });
  expect((await plan(5, { allow_large_changes: true })).will).not.toBeNull();
});

test("warns of pictures that browsers do not show, and publishes their products", async () => {
  const Images = "https://shop.example/a.heic,https://shop.example/b.jpg";
  const file = shopFile(tracked(1).map((row) => ({ ...row, Images })));
  const plan = await api.plan(PUBLISH, { catalogue: await addCatalogue(api), file });
  expect(plan.will).not.toBeNull();
  expect(plan.warnings.filter((each) => each.includes("shop.example/a.heic"))).toHaveLength(1);
  expect(plan.lists["added"]).toMatchObject([{ picture: "https://shop.example/b.jpg" }]);
});
