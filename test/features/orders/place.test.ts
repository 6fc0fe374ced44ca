// Orders whose product, stock or credit changes between read and write: the state at the time of the write
// decides.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { adjustCredit } from "../../../src/operator/credit/queries.ts";
import { laggingDatabase, replicate } from "../../support/replica.ts";
import { overriding } from "../../support/counting.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  createClient,
  orderOf,
  ordersOf,
  OTHER_ACCOUNTS,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  variableProduct,
  withStock,
} from "../../support/fixtures.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();

/** Two pieces of 25.00 with 5.00 shipping each and a fee of 4 %. */
const TOTAL_MINOR = 6240;

interface Shop {
  client: TestClient;
  item: TestProduct;
  /** Publishes the client's catalogue with these products in place of the present ones. */
  republish: (...products: TestProduct[]) => Promise<unknown>;
}

async function shopWith(item = simpleProduct(), options: ClientOptions = {}): Promise<Shop> {
  const client = await createClient({ products: [item], ...options });
  return {
    client,
    item,
    republish: (...products) => publish(env.DB, client.catalogue, products, Date.now()),
  };
}

const changed = (
  { product, stock }: TestProduct,
  changes: Partial<TestProduct["product"]>,
): TestProduct => ({
  product: { ...product, ...changes },
  stock,
});

/** D1 in which one of `events`, in turn, happens before each write of an order. */
function beforeWriting(...events: (() => Promise<unknown>)[]): D1Database {
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      await events.shift()?.();
      return env.DB.batch(statements);
    },
  });
}

/** Orders two pieces; `event` happens between read and write. */
async function order(
  { client, item }: Shop,
  event: () => Promise<unknown>,
  changes: Record<string, unknown> = {},
) {
  const worker = startWorker({ env: { DB: beforeWriting(event) } });
  const body = orderOf(item, { recipient_details: recipients(2), ...changes });
  return worker.post(client, "/api/order", body);
}

const setStock = ({ item }: Shop, set: string) =>
  sql(`UPDATE stock SET ${set} WHERE product_id = ?`, item.product.id).run();

async function setCredit({ client: { clientId } }: Shop, minor: number) {
  const amountMinor = minor - (await balanceOf(clientId));
  const nowMs = Date.now();
  const adjustment = {
    clientId,
    currency: "AUD",
    amountMinor,
    reference: "set",
    note: null,
    nowMs,
  };
  await adjustCredit(env.DB, adjustment);
}

const tookStock = (orderId: number) =>
  sql("SELECT took_stock FROM orders WHERE id = ?", orderId).first<number>("took_stock");

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("a placement", () => {
  test.each([
    ["falls below what is ordered", "quantity = 1", "1 left, 2 ordered"],
    ["runs out", "quantity = 0", "0 left, 2 ordered"],
    ["is marked as not sellable", "sellable = 0", "0 left, 2 ordered"],
  ])("is refused if the stock %s", async (_, set, message) => {
    const shop = await shopWith();
    const before = await databaseState();
    const { status, json } = await order(shop, () => setStock(shop, set));
    expect([status, json.code]).toEqual([409, "out_of_stock"]);
    expect(json.message).toContain(message);
    const { orders, subOrders, credit } = await databaseState();
    expect({ orders, subOrders, credit }).toEqual({
      orders: before.orders,
      subOrders: before.subOrders,
      credit: before.credit,
    });
  });

  test("of a product or variation without a stock record is refused", async () => {
    const [simple, variable] = [simpleProduct(), variableProduct()];
    const client = await createClient({
      products: [simple, variable].map(({ product }) => ({ product, stock: [] })),
    });
    for (const item of [simple, variable]) {
      const placed = await worker.post(client, "/api/gift-link", orderOf(item));
      expect([placed.status, placed.json.code]).toEqual([409, "out_of_stock"]);
      expect(placed.json.message).toContain("0 left, 1 ordered");
      const { product_id, variation_id, currency, base_location } = orderOf(item);
      const quoted = { product_id, variation_id, currency, base_location, qty: 1 };
      const { status, json } = await worker.post(client, "/api/quote", quoted);
      expect([status, json.stock_sufficient]).toEqual([200, false]);
    }
  });

  test("is refused if the stock record disappears", async () => {
    const shop = await shopWith();
    const { id } = shop.item.product;
    const remove = sql("DELETE FROM stock WHERE product_id = ?", id);
    const { status, json } = await order(shop, () => remove.run());
    expect([status, json.code]).toEqual([409, "out_of_stock"]);
  });

  test("succeeds if the stock falls to the ordered quantity", async () => {
    const shop = await shopWith();
    expect((await order(shop, () => setStock(shop, "quantity = 2"))).status).toBe(200);
    expect(await stockOf(shop.item.product.id)).toBe(0);
  });

  test("takes no stock if the product becomes untracked", async () => {
    const shop = await shopWith();
    const { status, json } = await order(shop, () => setStock(shop, "quantity = NULL"));
    expect(status).toBe(200);
    expect(await stockOf(shop.item.product.id)).toBeNull();
    expect(await tookStock(json.order_data.order_id)).toBe(0);
  });

  test("takes stock if the product becomes tracked", async () => {
    const shop = await shopWith(simpleProduct({}, { quantity: null }));
    const { json } = await order(shop, () => setStock(shop, "quantity = 5"));
    expect(await stockOf(shop.item.product.id)).toBe(3);
    expect(await tookStock(json.order_data.order_id)).toBe(1);
  });

  test("is refused if the credit falls a cent below the total, with any balance of other accounts", async () => {
    const shop = await shopWith();
    const { status, json } = await order(shop, () => setCredit(shop, TOTAL_MINOR - 1));
    expect([status, json.code]).toEqual([402, "insufficient_credit"]);
    expect(json.message).toContain("balance is 62.39 AUD");
    expect(json.message).toContain("total is 62.40 AUD");
    expect(await stockOf(shop.item.product.id)).toBe(100);
  });

  test("succeeds if the credit falls to the total, and debits no other account", async () => {
    const shop = await shopWith();
    const { clientId } = shop.client;
    expect((await order(shop, () => setCredit(shop, TOTAL_MINOR))).status).toBe(200);
    expect(await balanceOf(clientId)).toBe(0);
    for (const [currency, minor] of Object.entries(OTHER_ACCOUNTS)) {
      expect(await balanceOf(clientId, currency)).toBe(minor);
    }
  });

  test("an invoice client's order needs no credit when the price changes, either", async () => {
    const shop = await shopWith(simpleProduct(), { billing: "invoice", creditMinor: 0 });
    const { status, json } = await order(shop, () =>
      shop.republish(changed(shop.item, { priceMinor: 9900 })),
    );
    expect([status, json.order_totals?.product_price]).toEqual([200, 99]);
  });

  test("charges the changed price", async () => {
    const shop = await shopWith();
    const { json, meter } = await order(shop, () =>
      shop.republish(changed(shop.item, { priceMinor: 9900, shippingMinor: 0 })),
    );
    expect(json.order_totals).toMatchObject({ product_price: 99, shipping_cost: 0, subtotal: 198 });
    // The client, the offer, the write whose guard fails, the second write.
    expect(meter.roundTrips).toBe(4);
    expect(await ordersOf(shop.client.clientId)).toBe(1);
  });

  test.each<[string, Partial<TestProduct["product"]>, string]>([
    ["its currency", { currency: "USD" }, "currency_not_available"],
    ["where it is available", { locations: ["NZ"] }, "location_not_available"],
  ])("is refused if the product changes %s", async (_, changes, code) => {
    const shop = await shopWith();
    const { json } = await order(shop, () => shop.republish(changed(shop.item, changes)));
    expect(json.code).toBe(code);
    expect(await ordersOf(shop.client.clientId)).toBe(0);
  });

  test("is refused if the product leaves the client's catalogue, also if another catalogue has it", async () => {
    const shop = await shopWith();
    await createClient({ products: [shop.item] });
    const { status, json } = await order(shop, () => shop.republish());
    expect([status, json.code]).toEqual([422, "product_not_found"]);
    expect(await stockOf(shop.item.product.id)).toBe(100);
  });

  test("is refused if the variation is removed", async () => {
    const shop = await shopWith(variableProduct());
    const [gone, ...variations] = shop.item.product.variations;
    const { json } = await order(shop, () => shop.republish(changed(shop.item, { variations })), {
      variation_id: gone?.id,
    });
    expect(json.code).toBe("variation_not_found");
  });

  test("conflicts with a different order that is placed under the same reference", async () => {
    const shop = await shopWith();
    const order_ref_id = orderOf(shop.item).order_ref_id;
    const other = orderOf(shop.item, { order_ref_id });
    const { status, json } = await order(
      shop,
      () => startWorker().post(shop.client, "/api/order", other),
      { order_ref_id },
    );
    expect([status, json.code]).toEqual([409, "order_ref_conflict"]);
    expect(await ordersOf(shop.client.clientId)).toBe(1);
    expect(await stockOf(shop.item.product.id)).toBe(99);
  });

  test("replays the same order that another request has placed", async () => {
    const shop = await shopWith();
    const body = orderOf(shop.item, { recipient_details: recipients(2) });
    const first = { text: "" };
    const second = await order(
      shop,
      async () => {
        first.text = (await startWorker().post(shop.client, "/api/order", body)).text;
      },
      body,
    );
    expect(second.text).toBe(first.text);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    expect(await stockOf(shop.item.product.id)).toBe(98);
    expect(await balanceOf(shop.client.clientId)).toBe(100_000_000 - TOTAL_MINOR);
  });

  test.each([
    [2, 200],
    [3, 500],
  ])("whose price changes %d times in a row is a %d", async (times, status) => {
    const shop = await shopWith();
    const events = Array.from(
      { length: times },
      (_, n) => () => shop.republish(changed(shop.item, { priceMinor: 1000 + n })),
    );
    vi.spyOn(console, "error").mockReturnValue();
    const worker = startWorker({ env: { DB: beforeWriting(...events) } });
    const answer = await worker.post(shop.client, "/api/order", orderOf(shop.item));
    expect(answer.status).toBe(status);
    expect(await ordersOf(shop.client.clientId)).toBe(status === 200 ? 1 : 0);
  });
});

describe("one of several variations", () => {
  test("has its own price and stock, which a cancellation returns", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map(({ id }) => id) as [number, number];
    item.stock = [
      { variationId: small, quantity: 3, sellable: true },
      { variationId: large, quantity: null, sellable: true },
    ];
    const { client } = await shopWith(item);
    const place = async (variation_id: number) => {
      const { json } = await worker.post(client, "/api/order", orderOf(item, { variation_id }));
      return json.order_data.order_id as number;
    };
    expect(await tookStock(await place(small))).toBe(1);
    expect(await tookStock(await place(large))).toBe(0);
    expect(await stockOf(item.product.id, small)).toBe(2);
    expect(await stockOf(item.product.id, large)).toBeNull();
  });

  test("that is sold out is refused while the others are sold", async () => {
    const item = variableProduct();
    const [small, large] = item.product.variations.map(({ id }) => id) as [number, number];
    item.stock = [
      { variationId: small, quantity: 0, sellable: true },
      { variationId: large, quantity: 1, sellable: true },
    ];
    const { client } = await shopWith(item);
    const place = (variation_id: number) =>
      worker.post(client, "/api/order", orderOf(item, { variation_id }));
    const refused = await place(small);
    expect(refused.json.message).toBe(
      `variation_id ${String(small)} is out of stock: 0 left, 1 ordered.`,
    );
    expect((await place(large)).status).toBe(200);
    expect((await place(large)).json.code).toBe("out_of_stock");
  });
});

describe("at the limit", () => {
  test.each(["/api/order", "/api/gift-link"])(
    "%s sells the whole stock for the whole credit",
    async (path) => {
      const { item, client } = await shopWith(simpleProduct({}, { quantity: 2 }), {
        creditMinor: TOTAL_MINOR,
      });
      const body = (count: number) => orderOf(item, { recipient_details: recipients(count) });
      expect((await worker.post(client, path, body(3))).json.code).toBe("out_of_stock");
      expect((await worker.post(client, path, body(2))).status).toBe(200);
      expect(await stockOf(item.product.id)).toBe(0);
      expect(await balanceOf(client.clientId)).toBe(0);
    },
  );

  test("credit in another currency is not used", async () => {
    const { item, client } = await shopWith(simpleProduct(), { creditMinor: 0 });
    const { json } = await startWorker().post(client, "/api/order", orderOf(item));
    expect(json.code).toBe("insufficient_credit");
    expect(json.message).toContain("balance is 0.00 AUD");
  });
});

describe("a cached offer", () => {
  test("is used for 10 seconds", async () => {
    const shop = await shopWith();
    let nowMs = Date.now();
    const worker = startWorker({ now: () => nowMs });
    const roundTrips = async () =>
      (await worker.post(shop.client, "/api/order", orderOf(shop.item))).meter.roundTrips;
    // The client, the offer, the order.
    expect(await roundTrips()).toBe(3);
    nowMs += 9_999;
    expect(await roundTrips()).toBe(1);
    nowMs += 1;
    expect(await roundTrips()).toBe(2);
  });

  test("is separate for each catalogue with the product", async () => {
    const item = simpleProduct();
    const first = await shopWith(item);
    const second = await createClient({ products: [changed(item, { priceMinor: 1_000 })] });
    const priceFor = async (client: TestClient) =>
      (await worker.post(client, "/api/order", orderOf(item))).json.order_totals.product_price;
    expect([await priceFor(first.client), await priceFor(second)]).toEqual([25, 10]);
    expect([await priceFor(first.client), await priceFor(second)]).toEqual([25, 10]);
  });
});

describe("with a replica that lags behind", () => {
  const far = () => startWorker({ env: { DB: laggingDatabase() } });

  test("an order is placed once, and can be read at once", async () => {
    const shop = await shopWith();
    await replicate(shop.client);
    const body = orderOf(shop.item);
    const first = await startWorker().post(shop.client, "/api/order", body);
    const again = await far().post(shop.client, "/api/order", body);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    // The replica, then the primary. The client is cached in KV.
    expect(again.meter).toMatchObject({ roundTrips: 2, rowsWritten: 0 });
    const read = await far().get(shop.client, `/api/order?order_ref_id=${body.order_ref_id}`);
    expect(read.json.order_id).toBe(String(first.json.order_data.order_id));
    const balance = await far().get(shop.client, "/api/credit-balance");
    expect(balance.json.credit_balance).toBe(1_000_000 - 31.2);
  });

  test("a new product is sold", async () => {
    const shop = await shopWith();
    await replicate(shop.client);
    const added = simpleProduct();
    await shop.republish(shop.item, added);
    expect((await far().post(shop.client, "/api/order", orderOf(added))).status).toBe(200);
  });

  test("a product is sold at its new price, and a removed product is refused", async () => {
    const shop = await shopWith();
    await replicate(shop.client);
    await shop.republish(changed(shop.item, { priceMinor: 4000 }));
    const { json } = await far().post(shop.client, "/api/order", orderOf(shop.item));
    expect(json.order_totals.product_price).toBe(40);
    await shop.republish();
    const gone = await far().post(shop.client, "/api/order", orderOf(shop.item));
    expect(gone.json.code).toBe("product_not_found");
  });

  test("stock and credit are those of the primary", async () => {
    const shop = await shopWith(simpleProduct({}, { quantity: 0 }), { creditMinor: 0 });
    await replicate(shop.client);
    const refused = await far().post(shop.client, "/api/order", orderOf(shop.item));
    expect(refused.json.code).toBe("out_of_stock");
    await shop.republish(withStock(shop.item, 1));
    await setStock(shop, "quantity = 1");
    const poor = await far().post(shop.client, "/api/order", orderOf(shop.item));
    expect(poor.json.code).toBe("insufficient_credit");
  });
});
