// The operator's changes of stock, with orders that are placed at the same time.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  adjustStock,
  listLowStock,
  readProductStock,
} from "../../../src/operator/catalogue/stock-queries.ts";
import { readIdsOf } from "../../../src/operator/stock/target.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestProduct,
  unique,
  variableProduct,
} from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";

const NOW_MS = 1_000;
const catalogueName = () => `stock ${String(unique())}`;
const keyOf = ({ product }: TestProduct, variationId = 0) => ({
  productId: product.id,
  variationId,
});

/** The product without its first variation. */
const withoutFirst = ({ product, stock }: TestProduct): TestProduct => ({
  product: { ...product, variations: product.variations.slice(1) },
  stock: stock.slice(1),
});

async function published(...products: TestProduct[]): Promise<string> {
  const name = catalogueName();
  await publish(env.DB, name, products, NOW_MS);
  return name;
}

describe("readProductStock", () => {
  test("tells whether each variation can be ordered, and which are no longer published", async () => {
    const [empty, untracked, stopped, variable] = [
      simpleProduct({}, { quantity: 0 }),
      simpleProduct({}, { quantity: null }),
      simpleProduct({}, { sellable: false }),
      variableProduct({}, 7),
    ];
    const name = await published(empty, untracked, stopped, variable);
    const records = async ({ product }: TestProduct) =>
      (await readProductStock(env.DB, product.id))?.records ?? [];
    const orderable = async (product: TestProduct) =>
      (await records(product)).map(({ canBeOrdered }) => canBeOrdered);
    expect(await orderable(empty)).toEqual([false]);
    expect(await orderable(untracked)).toEqual([true]);
    expect(await orderable(stopped)).toEqual([false]);
    expect(await orderable(variable)).toEqual([true, true]);
    await publish(env.DB, name, [withoutFirst(variable)], NOW_MS);
    const left = await records(variable);
    const removed = { sku: null, options: null, published: false, canBeOrdered: false };
    expect(left.filter(({ published }) => !published)).toMatchObject([
      { variationId: variable.product.variations[0]?.id, quantity: 7, ...removed },
    ]);
  });

  test("names the owner of shared stock first, and no catalogue for an unpublished product", async () => {
    const [product, other] = [simpleProduct(), simpleProduct()];
    const owner = `z ${await published(product, other)}`;
    await env.DB.prepare("UPDATE catalogues SET name = ?1 WHERE 'z ' || name = ?1")
      .bind(owner)
      .run();
    const sharing = `a ${catalogueName()}`;
    await publish(env.DB, sharing, [product], NOW_MS, { shareStock: true });
    const stock = () => readProductStock(env.DB, product.product.id);
    expect((await stock())?.catalogues).toEqual([owner, sharing]);
    await publish(env.DB, owner, [other], NOW_MS);
    await publish(env.DB, sharing, [], NOW_MS);
    expect(await stock()).toMatchObject({
      name: null,
      type: null,
      catalogues: [],
      records: [{ quantity: 100, published: false, canBeOrdered: false }],
    });
  });
});

describe("keysOf", () => {
  async function withKeys(...keys: [key: string, productId: number, variationId: number][]) {
    const name = await published(simpleProduct());
    for (const key of keys) {
      await env.DB.prepare(
        `INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id)
         SELECT id, ?2, ?3, ?4 FROM catalogues WHERE name = ?1`,
      )
        .bind(name, ...key)
        .run();
    }
    return name;
  }

  test("finds source keys, SKUs and handles of the catalogue only", async () => {
    const name = await withKeys(["id:7", 1, 0], ["sku:MUG", 1, 0], ["sku:MUG-L", 1, 5]);
    const shopify = await withKeys(
      ["handle:mug", 2, 0],
      ["handle:mug sku:RED", 2, 8],
      ["handle:cup sku:RED", 3, 9],
      ["handle:cup sku:RED-L", 3, 10],
    );
    const find = async (key: string, catalogue = name) => (await readIdsOf(env.DB, catalogue))(key);
    expect(await find("id:7")).toEqual([{ productId: 1, variationId: 0 }]);
    expect(await find("MUG")).toEqual([{ productId: 1, variationId: 0 }]);
    expect(await find("sku:MUG-L")).toEqual([{ productId: 1, variationId: 5 }]);
    expect(await find("mug", shopify)).toEqual([{ productId: 2, variationId: 0 }]);
    expect(await find("RED-L", shopify)).toEqual([{ productId: 3, variationId: 10 }]);
    expect(await find("sku:RED-L", shopify)).toEqual([{ productId: 3, variationId: 10 }]);
    expect(await find("RED", shopify)).toEqual([
      { productId: 3, variationId: 9 },
      { productId: 2, variationId: 8 },
    ]);
    expect(await find("MUG", shopify)).toEqual([]);
    await expect(find("MUG", "none of this name")).rejects.toMatchObject({ code: "not_found" });
  });
});

type StockAction = { kind: "adjust" | "order"; pieces: number } | { kind: "cancel" };

const STOCK_ACTION = fc.oneof(
  fc.record({ kind: fc.constant("adjust" as const), pieces: fc.integer({ min: -6, max: 8 }) }),
  fc.record({ kind: fc.constant("order" as const), pieces: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("cancel" as const) }),
);

/** Runs actions on the stock of a product, which has none at first. */
async function openCounter() {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 0 }));
  const worker = startWorker();
  const placed: { order_id: number; pieces: number }[] = [];

  /** Returns by how much the action has changed the stock. */
  async function run(action: StockAction): Promise<number> {
    if (action.kind === "cancel") {
      const order = placed.pop();
      if (!order) return 0;
      const { order_id, pieces } = order;
      const { status } = await worker.post(client, "/api/order/cancel", { order_id });
      expect(status).toBe(200);
      return pieces;
    }
    const { kind, pieces } = action;
    if (kind === "adjust") {
      const change = await adjustStock(env.DB, keyOf(product), pieces);
      const made = Number(change?.after) - Number(change?.before);
      expect([0, pieces]).toContain(made);
      return made;
    }
    const body = orderOf(product, { recipient_details: recipients(pieces) });
    const { status, json } = await worker.post(client, "/api/order", body);
    if (status === 200) placed.push({ order_id: json.order_data.order_id, pieces });
    return status === 200 ? -pieces : 0;
  }
  return { run, quantity: async () => Number(await stockOf(product.product.id)) };
}

test("stock is the sum of all sales, cancellations and adjustments, in any order", async () => {
  const { run, quantity } = await openCounter();
  const rounds = fc.array(fc.array(STOCK_ACTION, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      for (const actions of all) {
        const before = await quantity();
        const changes = await Promise.all(actions.map(run));
        const after = await quantity();
        expect(after).toBe(changes.reduce((sum, change) => sum + change, before));
        expect(after).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: runs(25) },
  );
});

describe("listLowStock", () => {
  test("omits removed variations and products, and lists shared stock once", async () => {
    const [variable, gone, shared] = [
      variableProduct({}, 1),
      simpleProduct({}, { quantity: 1 }),
      simpleProduct({}, { quantity: 1 }),
    ];
    const large = variable.product.variations[1]?.id ?? 0;
    const name = await published(variable, gone, shared);
    await publish(env.DB, name, [withoutFirst(variable), shared], NOW_MS);
    const sharing = catalogueName();
    await publish(env.DB, sharing, [shared], NOW_MS, { shareStock: true });
    const own = new Set([variable, gone, shared].map(({ product }) => product.id));
    const low = await listLowStock(env.DB, { catalogue: null, below: 2, limit: 10_000 });
    expect(
      low
        .filter(({ productId }) => own.has(productId))
        .map(({ productId, variationId, catalogues }) => [productId, variationId, catalogues]),
    ).toEqual([
      [variable.product.id, large, name],
      [shared.product.id, 0, `${name}, ${sharing}`],
    ]);
  });

  test("reads each product of the current version once", async () => {
    const products = Array.from({ length: 60 }, (_, index) =>
      simpleProduct({}, { quantity: index < 5 ? 1 : 50 }),
    );
    const catalogue = await published(...products);
    for (let version = 2; version <= 4; version++) {
      await publish(env.DB, catalogue, products, NOW_MS);
    }
    const meter = newMeter();
    const low = await listLowStock(meteredD1(env.DB, meter), { catalogue, below: 10, limit: 3 });
    expect(low).toHaveLength(3);
    const catalogues = Number(
      await env.DB.prepare("SELECT count(*) AS n FROM catalogues").first("n"),
    );
    expect(meter.roundTrips).toBe(1);
    expect(meter.rowsRead).toBeLessThanOrEqual(catalogues + 3 * products.length + 40);
  });
});

test("reading and changing a product's stock reads rows of this product only", async () => {
  const products = Array.from({ length: 30 }, () => simpleProduct());
  const [product = simpleProduct()] = products;
  await published(...products);
  const meter = newMeter();
  const d1 = meteredD1(env.DB, meter);
  await adjustStock(d1, keyOf(product), 5);
  expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 1 });
  expect(meter.rowsRead).toBeLessThanOrEqual(4);
});
