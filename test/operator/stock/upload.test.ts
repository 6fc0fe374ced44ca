// The operation `stock upload`.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openConsole } from "../../console/console.ts";
import { overriding } from "../../support/counting.ts";
import {
  createClient,
  openShop,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import { openOperatorApi } from "../operator-api.ts";
import { shopifyFile } from "../catalogue/import/shop-files.ts";
import { addCatalogue, fileOf, quantitiesIn, shopFile, tracked } from "../catalogue/published.ts";

const api = await openOperatorApi(["fulfilment"]);
const engineer = await openOperatorApi(["engineer"]);

const reason = "Stocktaking";

const file = (...rows: readonly unknown[][]) =>
  fileOf(rows.map((row) => `${row.map(String).join(";")}\n`).join(""), "counts.csv");

test("sets the quantities of products and variations, and lists the rows that it refuses", async () => {
  const { id } = (await openShop(simpleProduct({}, { quantity: 5 }))).product.product;
  const shop = variableProduct({}, 7);
  await createClient({ products: [shop] });
  const { id: variable, variations } = shop.product;
  const [small = 0, large = 0] = variations.map((each) => each.id);
  const counts = file(
    ["Product", "Variation", "Quantity"],
    [id, "", 9],
    [variable, small, "untracked"],
    [variable, large, 7],
    [variable, "", 1],
    [999_999_999, "", 1],
    [variable, "", 1],
    [id, "x", 8],
    ["MUG", "", 8],
    [id, "", -1],
    [id, "", "1.2E+5"],
  );
  const input = { file: counts, reason };
  const plan = await api.plan("stock upload", input);
  expect(plan.facts).toEqual({ changed: 2, unchanged: 1, refused: 7 });
  expect(plan.lists["refused"]?.map(({ row }) => row)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  const done = await api.run("stock upload", input);
  expect(done).toMatchObject({ hasProblems: true, facts: plan.facts });
  expect(await stockOf(id)).toBe(9);
  expect([await stockOf(variable, small), await stockOf(variable, large)]).toEqual([null, 7]);
  expect((await api.plan("stock upload", input)).will).toBeNull();
});

test("lists the stock that becomes limited or unlimited, and the columns that are not read", async () => {
  const [open, counted] = [
    (await openShop(simpleProduct({}, { quantity: null }))).product.product,
    (await openShop(simpleProduct({}, { quantity: 5 }))).product.product,
  ];
  const counts = file(
    ["product", "quantity", "name", "Lagerort"],
    [open.id, 3, "x", "A7"],
    [counted.id, "untracked", "y", ""],
  );
  const { warnings } = await api.plan("stock upload", { file: counts, reason });
  expect(warnings).toEqual([
    expect.stringContaining("Lagerort"),
    expect.stringMatching(new RegExp(`not limited before .*${String(open.id)}`)),
    expect.stringMatching(new RegExp(`no longer limited .*${String(counted.id)}`)),
  ]);
  expect(warnings[0]).not.toContain("name");
  const empty = { file: file(["product", "quantity"]), reason };
  expect(await api.plan("stock upload", empty)).toMatchObject({
    will: null,
    warnings: ["The file has no rows."],
  });
});

test("shows each change with the names and SKUs of what is sold, and what becomes untracked", async () => {
  const shop = variableProduct({ name: "Shirt" }, 7);
  await createClient({ products: [shop] });
  const { id, variations } = shop.product;
  const [small, large] = variations;
  const counts = file(
    ["product", "variation", "quantity"],
    [id, small?.id, 9],
    [id, large?.id, "untracked"],
  );
  const { lists } = await api.plan("stock upload", { file: counts, reason });
  const options = (of: typeof small) => of?.options.map(({ option }) => option).join(", ");
  const named = { product: id, name: "Shirt", before: "7" };
  expect(lists["changes"]).toEqual([
    { ...named, row: 2, options: options(small), sku: small?.sku, after: "9" },
    { ...named, row: 3, options: options(large), sku: large?.sku, after: "untracked" },
  ]);
});

test("finds products by the keys of a shop", async () => {
  const catalogue = await addCatalogue(engineer);
  const rows = ["MUG", "CUP", "JUG"].map((SKU) => ({ SKU, Name: SKU, Stock: "5" }));
  await engineer.run("catalogue publish", { catalogue, file: shopFile(rows) });
  const counts = file(["sku", "qty"], ["MUG", 1], ["sku:CUP", 2], ["POT", 3]);
  const { facts } = await api.run("stock upload", { file: counts, catalogue, reason });
  expect(facts).toEqual({ changed: 2, unchanged: 0, refused: 1 });
  expect(await quantitiesIn(catalogue)).toEqual([1, 2, 5]);
  const unnamed = await api.plan("stock upload", { file: counts, reason });
  expect([unnamed.will, unnamed.facts["refused"]]).toEqual([null, 3]);
  const none = { file: counts, catalogue: "none", reason };
  expect((await api.refusal("stock upload", none)).status).toBe(404);
});

test("finds products and variants of Shopify by their SKUs", async () => {
  const catalogue = await addCatalogue(engineer);
  const variants = ["S", "L"].map((size) => ({
    ...SHIRT,
    "Option1 Value": size,
    "Variant SKU": size,
  }));
  const rows = [{ Handle: "mug", "Variant SKU": "MUG" }, ...variants];
  const products = fileOf(shopifyFile(rows));
  await engineer.run("catalogue publish", { catalogue, file: products });
  const counts = file(["sku", "qty"], ["MUG", 3], ["S", 4], ["shirt", 5]);
  const { facts } = await api.run("stock upload", { file: counts, catalogue, reason });
  expect(facts).toEqual({ changed: 2, unchanged: 0, refused: 1 });
  expect(await quantitiesIn(catalogue)).toContain(3);
});

/** A variant of a product in Shopify's export. */
const SHIRT = { Handle: "shirt", "Option1 Name": "Size", "Variant Price": "10.00" };

test("asks which warehouse counts, and sets neither of two quantities of a product", async () => {
  const { id } = (await openShop(simpleProduct({}, { quantity: 5 }))).product.product;
  const counts = (pieces: number) =>
    file(["product", "pieces", "Warehouse"], [id, pieces, "Perth"], [id, 2, "Ulm"]);
  const input = { file: counts(7), reason };
  const plan = await api.plan("stock upload", input);
  expect(plan.questions?.map(({ options }) => options.map(({ value }) => value))).toEqual([
    ["quantity = pieces", "quantity = (none)"],
    ["Perth", "Ulm", "(none)", "(any)"].map((each) => `Warehouse is ${each}`),
  ]);
  const columns = ["quantity = pieces"];
  const any = { ...input, columns, only: ["Warehouse is (any)"] };
  expect(await api.plan("stock upload", any)).toMatchObject({ will: null, facts: { refused: 2 } });
  await api.run("stock upload", { ...input, columns, only: ["Warehouse is Perth"] });
  expect(await stockOf(id)).toBe(7);
  const next = await api.run("stock upload", { file: counts(8), reason });
  expect(next.lists["refused"]).toMatchObject([{ row: 3 }]);
  expect(await stockOf(id)).toBe(8);
});

test("uploads many rows in several transactions, and says how many are done if the database stops", async () => {
  const catalogue = await addCatalogue(engineer);
  await engineer.run("catalogue publish", { catalogue, file: shopFile(tracked(450)) });
  const { rows } = await api.list("stock list", { catalogue }, { limit: 1_000 });
  const counts = file(["product", "quantity"], ...rows.map(({ product }) => [product, 8]));
  const input = { file: counts, reason };
  let batches = 0;
  const DB = overriding(env.DB, {
    batch: (statements: D1PreparedStatement[]) =>
      ++batches > 1 ? Promise.reject(new Error("D1 DB is overloaded")) : env.DB.batch(statements),
  });
  const silent = await openOperatorApi(["fulfilment"], await openConsole({ env: { DB } }));
  const half = await silent.confirm("stock upload", input);
  expect([half.status, JSON.parse(half.html).message]).toEqual([
    409,
    expect.stringContaining("200 of 450"),
  ]);
  expect((await quantitiesIn(catalogue)).filter((quantity) => quantity === 8)).toHaveLength(200);
  const { digest } = await api.plan("stock upload", input);
  const query = { digest, request_id: crypto.randomUUID() };
  const init = { headers: { Accept: "application/x-ndjson" } };
  const { html } = await api.call("stock upload", input, query, init);
  const steps = html
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(steps).toMatchObject([
    { done: 200, total: 250 },
    { done: 250, total: 250 },
    { status: 200, body: { facts: { changed: 250, unchanged: 200 } } },
  ]);
  expect(new Set(await quantitiesIn(catalogue))).toEqual(new Set([8]));
});
