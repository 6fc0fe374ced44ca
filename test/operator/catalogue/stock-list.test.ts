// The operations `stock list` and `stock show`.
import { expect, test } from "vitest";
import { createClient, openShop, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { openOperatorApi } from "../operator-api.ts";

const api = await openOperatorApi(["fulfilment"]);

test("lists products with low stock, lowest first", async () => {
  const [low, lower, enough] = [
    simpleProduct({}, { quantity: 3 }),
    simpleProduct({}, { quantity: 2 }),
    simpleProduct({}, { quantity: 10 }),
  ];
  const { catalogue } = await createClient({ products: [low, lower, enough] });
  const ids = async (below?: number) => {
    const { rows } = await api.list("stock list", { catalogue, ...(below && { below }) });
    return rows.map(({ product }) => product);
  };
  expect(await ids()).toEqual([lower.product.id, low.product.id]);
  expect(await ids(11)).toEqual([lower.product.id, low.product.id, enough.product.id]);
  expect(await ids(1)).toEqual([]);
  expect((await api.call("stock list", { catalogue })).meter.roundTrips).toBe(1);
  expect(await api.refusal("stock list", { catalogue: "none" })).toMatchObject({ status: 404 });
});

test("has pages with each product once", async () => {
  const products = Array.from({ length: 110 }, (_, i) =>
    simpleProduct({}, { quantity: Math.floor(i / 60) }),
  );
  const { catalogue } = await createClient({ products });
  const seen: unknown[] = [];
  let after: string | undefined;
  do {
    const page = await api.list(
      "stock list",
      { catalogue },
      { limit: 50, ...(after && { after }) },
    );
    seen.push(...page.rows.map(({ product }) => product));
    after = page.next ?? undefined;
  } while (after !== undefined);
  expect(seen.toSorted()).toEqual(products.map(({ product }) => product.id).toSorted());
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
        tracked: true,
        published: true,
        on_sale: true,
        can_be_ordered: true,
      })),
    ),
  );
  expect(await api.refusal("stock show", { product: "999999999" })).toMatchObject({ status: 404 });
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
