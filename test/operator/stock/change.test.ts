// The operations `stock set`, `stock adjust`, `stock list` and `stock show`.
import { formatAmount } from "../../../src/core/values/money.ts";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import {
  adjustStock,
  setQuantities,
  setStock,
} from "../../../src/operator/catalogue/stock-queries.ts";
import { OF_CODES } from "../../../src/operator/stock/target.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  openShop,
  simpleProduct,
  stockOf,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["fulfilment"]);

const entriesOf = async (productId: number) =>
  (await listAudit(env.DB, { limit: 50 })).filter(({ subject }) =>
    subject.startsWith(String(productId)),
  );

const newProduct = async (quantity: number | null) =>
  (await openShop(simpleProduct({}, { quantity }))).product.product.id;

test("sets the stock", async () => {
  const product = await newProduct(40);
  const input = { product, quantity: 25, reason: "Stocktaking" };
  const plan = await api.plan("stock set", input);
  expect(plan.changes).toEqual([{ label: "Quantity", before: "40", after: "25" }]);
  expect((await api.run("stock set", input)).facts).toEqual({ product, before: 40, after: 25 });
  expect(await stockOf(product)).toBe(25);
  expect(await entriesOf(product)).toMatchObject([{ subject: String(product) }]);
  expect((await api.plan("stock set", input)).will).toBeNull();
});

test("stock of codes is changed only by its codes, and shown as such", async () => {
  const shop = codeProduct();
  await openShop(shop);
  await addCodesTo(shop, 3);
  const { id: product } = shop.product;
  const reason = "Stocktaking";
  for (const [name, input] of [
    ["stock set", { quantity: 5 }],
    ["stock set", { untracked: true }],
    ["stock adjust", { pieces: 2 }],
  ] as const) {
    expect((await api.refusal(name, { product, reason, ...input })).message).toContain(OF_CODES);
  }
  const file = new File([`product,quantity\n${String(product)},5`], "counts.csv");
  const { lists } = await api.plan("stock upload", { file, reason });
  expect(lists["refused"]).toMatchObject([{ row: 2, reason: OF_CODES }]);
  const key = { productId: product, variationId: 0 };
  expect(await setStock(env.DB, key, 5)).toBeNull();
  expect(await adjustStock(env.DB, key, 1)).toBeNull();
  expect(await setQuantities(env.DB, [{ ...key, quantity: 5 }])).toBe(0);
  expect(await stockOf(product)).toBe(3);
  const shown = await api.view("stock show", { product });
  expect(shown.lists["records"]).toMatchObject([{ quantity: 3, codes: true }]);
});

test("ends the tracking of a variation", async () => {
  const shop = variableProduct({}, 7);
  await createClient({ products: [shop] });
  const { id: product, variations } = shop.product;
  const [variation, other] = variations.map(({ id }) => id);
  await api.run("stock set", { product, variation, untracked: true, reason: "Made to order" });
  expect([await stockOf(product, variation), await stockOf(product, other)]).toEqual([null, 7]);
  expect(await entriesOf(product)).toMatchObject([
    { subject: `${String(product)}/${String(variation)}`, after: { quantity: null } },
  ]);
});

test("adds and removes pieces", async () => {
  const product = await newProduct(5);
  const adjust = (pieces: number | string) => ({ product, pieces, reason: "Delivery" });
  expect((await api.run("stock adjust", adjust("+12"))).facts).toEqual({
    product,
    before: 5,
    after: 17,
  });
  await api.run("stock adjust", adjust(-3));
  expect(await stockOf(product)).toBe(14);
  for (const pieces of [-15, 999_999_986]) {
    expect((await api.refusal("stock adjust", adjust(pieces))).code).toBe("refused");
  }
  for (const [pieces, after] of [
    [-14, 0],
    [999_999_999, 999_999_999],
  ] as const) {
    expect((await api.run("stock adjust", adjust(pieces))).facts["after"]).toBe(after);
  }
  await api.run("stock set", { product, untracked: true, reason: "Made to order" });
  expect((await api.refusal("stock adjust", adjust(1))).code).toBe("refused");
});

test("counts orders that change the stock before it is confirmed", async () => {
  const product = await newProduct(5);
  const input = { product, pieces: 2, reason: "Found" };
  const late = await api.confirm("stock adjust", input, () =>
    sql("UPDATE stock SET quantity = 4 WHERE product_id = ?", product).run(),
  );
  expect(JSON.parse(late.html)).toMatchObject({ facts: { before: 4, after: 6 } });
  expect(await stockOf(product)).toBe(6);
});

test("changes a variation that its id or a key of the shop's file selects", async () => {
  const shop = variableProduct({}, 9);
  const { catalogue, catalogueId } = await createClient({ products: [shop] });
  const { id: product, variations } = shop.product;
  const variation = variations[0]?.id;
  await sql(
    "INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id) VALUES (?, 'sku:MUG-L', ?, ?)",
    catalogueId,
    product,
    variation,
  ).run();
  const change = { product: "MUG-L", catalogue, pieces: -1, reason: "Broken" };
  expect((await api.run("stock adjust", change)).facts).toEqual({
    product,
    variation,
    before: 9,
    after: 8,
  });
  const status = async (input: object) =>
    (await api.refusal("stock adjust", { ...change, ...input })).status;
  expect(await status({ variation: 7 })).toBe(409);
  expect(await status({ product, catalogue: undefined })).toBe(409);
  expect(await status({ product: "MUG", catalogue })).toBe(404);
});

test("refuses invalid quantities, variations that do not exist, and changes without a reason", async () => {
  const product = await newProduct(5);
  const fields = async (name: string, input: object) =>
    (await api.refusal(name, { product, reason: "Count", ...input })).fields;
  expect(await fields("stock set", {})).toEqual(["quantity"]);
  expect(await fields("stock set", { quantity: 1, untracked: true })).toEqual(["quantity"]);
  expect(await fields("stock set", { quantity: -1 })).toEqual(["quantity"]);
  expect(await fields("stock set", { quantity: 1_000_000_000 })).toEqual(["quantity"]);
  expect(await fields("stock adjust", { pieces: 0 })).toEqual(["pieces"]);
  expect(await fields("stock adjust", { pieces: "1.5" })).toEqual(["pieces"]);
  const wrong = { product, variation: 7, pieces: 1, reason: "Count" };
  expect((await api.refusal("stock adjust", wrong)).code).toBe("refused");
  expect(await entriesOf(product)).toEqual([]);
});

test("lists published products and variations with low tracked stock, lowest first", async () => {
  const [few, none, stopped, enough, untracked, variable] = [
    simpleProduct({}, { quantity: 4 }),
    simpleProduct({}, { quantity: 0 }),
    simpleProduct({}, { quantity: 3, sellable: false }),
    simpleProduct({}, { quantity: 10 }),
    simpleProduct({}, { quantity: null }),
    variableProduct({}, 2),
  ];
  const products = [few, none, stopped, enough, untracked, variable];
  const { catalogue } = await createClient({ products });
  await createClient({ products: [simpleProduct({}, { quantity: 0 })] });
  const [small, large] = variable.product.variations;
  await sql("UPDATE stock SET quantity = 50 WHERE variation_id = ?", large?.id).run();
  const of = async (input: object) =>
    (await api.all("stock list", { catalogue, ...input }, 2)).rows;
  const row = ({ product }: TestProduct, quantity: number, changes: object = {}) => {
    const { id, name, sku } = product;
    const values = {
      product: id,
      name,
      variation: null,
      sku,
      quantity,
      codes: false,
      on_sale: true,
    };
    return { ...values, catalogues: catalogue, ...changes };
  };
  const low = [
    row(none, 0),
    row(variable, 2, { variation: small?.id, sku: small?.sku }),
    row(stopped, 3, { on_sale: false }),
    row(few, 4),
  ];
  expect(await of({})).toEqual(low);
  expect(await of({ below: 11 })).toEqual([...low, row(enough, 10)]);
  expect(await of({ below: 4 })).toEqual(low.slice(0, -1));
  expect(await of({ below: 0 })).toEqual([]);
  expect((await api.call("stock list", { catalogue })).meter.roundTrips).toBe(1);
});

test("shows the stock of a product's variations", async () => {
  const shop = variableProduct({}, 7);
  const { catalogue } = await createClient({ products: [shop] });
  const { id, name, variations } = shop.product;
  const answer = await api.call("stock show", { product: id });
  expect(answer.meter.roundTrips).toBe(1);
  const { facts, lists } = JSON.parse(answer.html);
  expect(facts).toEqual({
    product: id,
    name,
    catalogues: catalogue,
    picture: "/images/products/product.svg",
    price: "20.00–30.00 AUD",
    shipping: { amount: "5.00", currency: "AUD" },
    delivery: "physical",
    vendor: "A Vendor",
    description: "Made by hand.\nIn small numbers.",
  });
  expect(lists.records).toHaveLength(variations.length);
  expect(lists.records).toEqual(
    expect.arrayContaining(
      variations.map(({ id: variation, sku, options, priceMinor }) => ({
        variation,
        sku,
        price: { amount: formatAmount(priceMinor, "AUD"), currency: "AUD" },
        options: `Size ${String(options[0]?.option)}`,
        quantity: 7,
        codes: false,
        tracked: true,
        published: true,
        on_sale: true,
        can_be_ordered: true,
      })),
    ),
  );
});

test("shows a product by its key in a shop", async () => {
  const { product, client } = await openShop();
  const { id } = product.product;
  await sql(
    "INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id) VALUES (?, 'sku:MUG', ?, 0)",
    client.catalogueId,
    id,
  ).run();
  const { catalogue } = client;
  const { facts } = await api.view("stock show", { product: "MUG", catalogue });
  expect(facts).toMatchObject({ product: id });
  const { rows } = await api.list("stock list", { product: "MUG", catalogue });
  expect(rows).toMatchObject([{ product: id, quantity: 100 }]);
  const status = async (input: object) => (await api.refusal("stock show", { ...input })).status;
  expect(await status({ product: "CUP", catalogue })).toBe(404);
  expect(await status({ product: "MUG", catalogue: "none" })).toBe(404);
  expect(await status({ product: "MUG" })).toBe(400);
  expect(await status({ product: id, catalogue })).toBe(400);
});
