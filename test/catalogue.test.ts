// Catalogue files, and what a product shows when it has changed its form.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { publish } from "../src/catalogue/publish.ts";
import { readRegalo } from "../src/catalogue/import/regalo.ts";
import { toWire } from "../src/catalogue/wire.ts";
import { mintClient, simpleProduct, variableProduct } from "./support/mint.ts";
import { startWorker } from "./support/worker.ts";

const wire = ({ product, stock }: ReturnType<typeof simpleProduct>) =>
  toWire(product, stock, "https://api.example");

describe("a catalogue file", () => {
  test.each([
    [
      "a currency beside its variations' own",
      { ...wire(variableProduct()), price_currency: "USD" },
      "price_currency",
    ],
    [
      "a tracked product in stock without a quantity",
      { ...wire(simpleProduct()), stock_qty: "" },
      "stock_qty",
    ],
  ])("with %s is refused", (_, product, field) => {
    const { problems, products } = readRegalo(JSON.stringify({ products: [product] }));
    expect([problems.map((problem) => problem.field), products]).toEqual([[field], []]);
  });

  test("that lists a product twice is refused", () => {
    const product = wire(simpleProduct());
    const { problems } = readRegalo(JSON.stringify({ products: [product, product] }));
    expect(problems.map(({ row, field }) => [row, field])).toEqual([[2, "product_id"]]);
  });
});

describe("GET /api/product", () => {
  test("counts the stock of what is offered now, not of variations it had once", async () => {
    const variable = variableProduct({}, 3);
    const { product } = variable;
    const client = await mintClient({ products: [variable] });
    const [kept] = product.variations;
    if (!kept) throw new Error("a variable product has variations");
    await env.DB.prepare("UPDATE stock SET quantity = 0 WHERE variation_id = ?")
      .bind(kept.id)
      .run();
    const reduced = { ...product, variations: [kept] };
    await publish(env.DB, client.catalogue, [{ product: reduced, stock: [] }], Date.now());
    const { json } = await startWorker().get(
      client,
      `/api/product?product_id=${String(product.id)}`,
    );
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
    "adds up a variation that is %s (%j) and one with %j",
    async (_, first, second, shown) => {
      const { product, stock } = variableProduct();
      const levels = stock.map((level, index) => ({ ...level, ...[first, second][index] }));
      const client = await mintClient({ products: [{ product, stock: levels }] });
      const worker = startWorker();
      const { json } = await worker.get(client, `/api/product?product_id=${String(product.id)}`);
      expect([json.track_inventory, json.stock_status, json.stock_qty]).toEqual(shown);
      const list = await worker.get(client, "/api/products");
      expect(list.json.products).toEqual([json]);
    },
  );

  test("leaves addresses of other hosts as they are", () => {
    const { product, stock } = simpleProduct({ featuredImage: "//images.example/a.png" });
    expect(toWire(product, stock, "https://api.example").featured_image).toBe(
      "//images.example/a.png",
    );
  });
});
