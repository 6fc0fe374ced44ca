import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { productResponse } from "../../../src/features/catalogue/response.ts";
import { createClient, simpleProduct, variableProduct } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

test("GET /api/product sums the stock of the current variations, not of removed ones", async () => {
  const variable = variableProduct({}, 3);
  const { product } = variable;
  const client = await createClient({ products: [variable] });
  const [kept] = product.variations;
  if (!kept) throw new Error("a variable product has variations");
  await sql("UPDATE stock SET quantity = 0 WHERE variation_id = ?", kept.id).run();
  const reduced = { ...product, variations: [kept] };
  await publish(env.DB, client.catalogue, [{ product: reduced, stock: [] }], Date.now());
  const { json } = await startWorker().get(client, `/api/product?product_id=${String(product.id)}`);
  expect([json.stock_status, json.stock_qty]).toEqual(["out_of_stock", "0"]);
});

test.each([
  ["in stock, not counted", { quantity: null }, { quantity: 0 }, ["Y", "in_stock", ""]],
  ["in stock, not counted", { quantity: null }, { quantity: 7 }, ["Y", "in_stock", ""]],
  [
    "out of stock, not counted",
    { quantity: null, sellable: false },
    { quantity: 7 },
    ["Y", "in_stock", "7"],
  ],
  [
    "out of stock, not counted",
    { quantity: null, sellable: false },
    { quantity: 0 },
    ["Y", "out_of_stock", "0"],
  ],
  ["counted", { quantity: 3 }, { quantity: 7 }, ["Y", "in_stock", "10"]],
  ["in stock, not counted", { quantity: null }, { quantity: null }, ["N", "in_stock", ""]],
] as const)(
  "GET /api/product sums the stock of a variation that is %s (%j) and of one with %j",
  async (_, first, second, shown) => {
    const { product, stock } = variableProduct();
    const levels = stock.map((level, index) => ({ ...level, ...[first, second][index] }));
    const client = await createClient({ products: [{ product, stock: levels }] });
    const worker = startWorker();
    const { json } = await worker.get(client, `/api/product?product_id=${String(product.id)}`);
    expect([json.track_inventory, json.stock_status, json.stock_qty]).toEqual(shown);
    const list = await worker.get(client, "/api/products");
    expect(list.json.products).toEqual([json]);
  },
);

test("GET /api/product does not change image URLs of other hosts", () => {
  const { product, stock } = simpleProduct({ featuredImage: "//images.example/a.png" });
  expect(productResponse(product, stock, "https://api.example").featured_image).toBe(
    "//images.example/a.png",
  );
});
