// The operations `stock list` and `stock show`.
import { expect, test } from "vitest";
import {
  createClient,
  openShop,
  simpleProduct,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["fulfilment"]);

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
  expect(facts).toEqual({ product: id, name, catalogues: catalogue });
  expect(lists.records).toHaveLength(variations.length);
  expect(lists.records).toEqual(
    expect.arrayContaining(
      variations.map(({ id: variation, sku, options }) => ({
        variation,
        sku,
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
