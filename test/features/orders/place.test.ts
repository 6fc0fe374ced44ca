// Orders whose product, stock or credit changes between read and write: the state at the time of the write
// decides. Simultaneous orders: stock and credit are never oversold, and the ledger adds up.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { laggingDatabase, replicate } from "../../support/replica.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  createClient,
  openShop,
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
import { type Answer, expectReplay, startWorker } from "../../support/worker.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import { sql } from "../../support/sql.ts";
import { replacingBatch } from "../../support/faults.ts";

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

const changed = ({ product, stock }: TestProduct, changes: Partial<TestProduct["product"]>) => ({
  product: { ...product, ...changes },
  stock,
});

/** D1 in which one of `events`, in turn, happens before each write of an order. */
function beforeWriting(...events: (() => Promise<unknown>)[]): D1Database {
  return replacingBatch(async (statements, run) => {
    await events.shift()?.();
    return run(statements);
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
  await adjustCredit(env.DB, {
    clientId,
    currency: "AUD",
    amountMinor,
    reference: "set",
    note: null,
    nowMs: Date.now(),
  });
}

const tookStock = (orderId: number) =>
  sql("SELECT took_stock FROM orders WHERE id = ?", orderId).first<number>("took_stock");

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

/** What happens between read and write, and the code of the refusal. */
const REFUSALS: [string, string, (shop: Shop) => Promise<unknown>][] = [
  [
    "the stock falls below what is ordered",
    "out_of_stock",
    (shop) => setStock(shop, "quantity = 1"),
  ],
  ["the stock runs out", "out_of_stock", (shop) => setStock(shop, "quantity = 0")],
  ["it cannot be sold", "out_of_stock", (shop) => setStock(shop, "sellable = 0")],
  [
    "the stock record disappears",
    "out_of_stock",
    ({ item }) => sql("DELETE FROM stock WHERE product_id = ?", item.product.id).run(),
  ],
  [
    "the credit falls a cent below the total, with any balance of other accounts",
    "insufficient_credit",
    (shop) => setCredit(shop, TOTAL_MINOR - 1),
  ],
  [
    "the product changes its currency",
    "currency_not_available",
    ({ item, republish }) => republish(changed(item, { currency: "USD" })),
  ],
  [
    "the product changes where it is available",
    "location_not_available",
    ({ item, republish }) => republish(changed(item, { locations: ["NZ"] })),
  ],
  [
    "the product leaves the client's catalogue, also if another catalogue has it",
    "product_not_found",
    async ({ item, republish }) => [await createClient({ products: [item] }), await republish()],
  ],
  [
    "the variation is removed",
    "variation_not_found",
    ({ item, republish }) =>
      republish(changed(item, { variations: item.product.variations.slice(1) })),
  ],
];

test.each(REFUSALS)("a placement is refused if %s", async (_, code, event) => {
  const isVariable = code === "variation_not_found";
  const shop = await shopWith(isVariable ? variableProduct() : simpleProduct());
  const { clientId } = shop.client;
  const variationId = shop.item.product.variations[0]?.id;
  const accounts = async () =>
    [await stockOf(shop.item.product.id, variationId), await balanceOf(clientId)] as const;
  let before: Awaited<ReturnType<typeof accounts>> | undefined;
  const { json } = await order(shop, async () => {
    await event(shop);
    before = await accounts();
  });
  expect(json.code).toBe(code);
  expect(await accounts()).toEqual(before);
  expect(await ordersOf(clientId)).toBe(0);
});

test("a placement of a product or variation without a stock record is refused", async () => {
  const [simple, variable] = [simpleProduct(), variableProduct()];
  const client = await createClient({
    products: [simple, variable].map(({ product }) => ({ product, stock: [] })),
  });
  for (const item of [simple, variable]) {
    const placed = await worker.post(client, "/api/gift-link", orderOf(item));
    expect([placed.status, placed.json.code]).toEqual([409, "out_of_stock"]);
    const { product_id, variation_id, currency, base_location } = orderOf(item);
    const quoted = { product_id, variation_id, currency, base_location, qty: 1 };
    const { status, json } = await worker.post(client, "/api/quote", quoted);
    expect([status, json.stock_sufficient]).toEqual([200, false]);
  }
});

test.each([
  ["succeeds if the stock falls to the ordered quantity", 100, "quantity = 2", 0, 1],
  ["takes no stock if the product becomes untracked", 100, "quantity = NULL", null, 0],
  ["takes stock if the product becomes tracked", null, "quantity = 5", 3, 1],
])("a placement %s", async (_, quantity, set, left, took) => {
  const shop = await shopWith(simpleProduct({}, { quantity }));
  const { status, json } = await order(shop, () => setStock(shop, set));
  expect([status, await stockOf(shop.item.product.id)]).toEqual([200, left]);
  expect(await tookStock(json.order_data.order_id)).toBe(took);
});

test("a placement succeeds if the credit falls to the total, and debits no other account", async () => {
  const shop = await shopWith();
  const { clientId } = shop.client;
  expect((await order(shop, () => setCredit(shop, TOTAL_MINOR))).status).toBe(200);
  expect(await balanceOf(clientId)).toBe(0);
  for (const [currency, minor] of Object.entries(OTHER_ACCOUNTS)) {
    expect(await balanceOf(clientId, currency as Currency)).toBe(minor);
  }
});

test("an invoice client's order needs no credit when the price changes, either", async () => {
  const shop = await shopWith(simpleProduct(), { billing: "invoice", creditMinor: 0 });
  const { status, json } = await order(shop, () =>
    shop.republish(changed(shop.item, { priceMinor: 9900 })),
  );
  expect([status, json.order_totals?.product_price]).toEqual([200, 99]);
});

test("a placement charges the changed price", async () => {
  const shop = await shopWith();
  const { json, meter } = await order(shop, () =>
    shop.republish(changed(shop.item, { priceMinor: 9900, shippingMinor: 0 })),
  );
  expect(json.order_totals).toMatchObject({ product_price: 99, shipping_cost: 0, subtotal: 198 });
  // The client, the offer, the write whose guard fails, the second write.
  expect(meter.roundTrips).toBe(4);
  expect(await ordersOf(shop.client.clientId)).toBe(1);
});

test("a placement conflicts with a different order that is placed under the same reference", async () => {
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

test("a placement replays the same order that another request has placed", async () => {
  const shop = await shopWith();
  const body = orderOf(shop.item, { recipient_details: recipients(2) });
  const first: Answer[] = [];
  const place = async () => first.push(await worker.post(shop.client, "/api/order", body));
  const second = await order(shop, place, body);
  expectReplay(second, first[0] as Answer);
  expect(await stockOf(shop.item.product.id)).toBe(98);
  expect(await balanceOf(shop.client.clientId)).toBe(100_000_000 - TOTAL_MINOR);
});

test.each([
  [2, 200],
  [3, 500],
])("a placement whose price changes %d times in a row is a %d", async (times, status) => {
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

/** A shop with these quantities of the two variations. */
async function shopOfTwo(...quantities: (number | null)[]) {
  const item = variableProduct();
  for (const [index, level] of item.stock.entries()) level.quantity = quantities[index] ?? null;
  const { client } = await shopWith(item);
  const [small, large] = item.product.variations.map(({ id }) => id) as [number, number];
  const place = async (variation_id: number) =>
    (await worker.post(client, "/api/order", orderOf(item, { variation_id }))).json;
  return { productId: item.product.id, small, large, place };
}

test("one of several variations has its own stock", async () => {
  const { productId, small, large, place } = await shopOfTwo(3, null);
  expect(await tookStock((await place(small)).order_data.order_id)).toBe(1);
  expect(await tookStock((await place(large)).order_data.order_id)).toBe(0);
  expect(await stockOf(productId, small)).toBe(2);
  expect(await stockOf(productId, large)).toBeNull();
});

test("one of several variations that is sold out is refused while the others are sold", async () => {
  const { small, large, place } = await shopOfTwo(0, 1);
  expect(await place(small)).toMatchObject({ code: "out_of_stock" });
  expect(await place(large)).toMatchObject({ status: "success" });
  expect(await place(large)).toMatchObject({ code: "out_of_stock" });
});

test.each(["/api/order", "/api/gift-link"])(
  "at the limit %s sells the whole stock for the whole credit",
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

test("at the limit credit in another currency is not used", async () => {
  const { item, client } = await shopWith(simpleProduct(), { creditMinor: 0 });
  const { json } = await startWorker().post(client, "/api/order", orderOf(item));
  expect(json.code).toBe("insufficient_credit");
});

test("a cached offer is used for 10 seconds", async () => {
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

test("a cached offer is separate for each catalogue with the product", async () => {
  const item = simpleProduct();
  const first = await shopWith(item);
  const second = await createClient({ products: [changed(item, { priceMinor: 1_000 })] });
  const priceFor = async (client: TestClient) =>
    (await worker.post(client, "/api/order", orderOf(item))).json.order_totals.product_price;
  expect([await priceFor(first.client), await priceFor(second)]).toEqual([25, 10]);
  expect([await priceFor(first.client), await priceFor(second)]).toEqual([25, 10]);
});

describe("with a replica that lags behind", () => {
  const far = () => startWorker({ env: { DB: laggingDatabase() } });

  test("an order is placed once, and can be read at once", async () => {
    const shop = await shopWith();
    await replicate(shop.client);
    const body = orderOf(shop.item);
    const first = await startWorker().post(shop.client, "/api/order", body);
    const again = await far().post(shop.client, "/api/order", body);
    expectReplay(again, first);
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

/** A piece for 25.00 plus 5.00 shipping and a fee of 4 %. */
const ORDER_TOTAL_MINOR = 3120;
const CREDIT_MINOR = 100_000_000;

const statuses = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

test("POST /api/order sells 5 pieces to exactly 5 of 20 simultaneous orders", async () => {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 5 }));
  // Several isolates, so that the memory of one does not matter.
  const workers = [startWorker(), startWorker(), startWorker()];
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (workers[index % 3] ?? startWorker()).post(client, "/api/order", orderOf(product)),
    ),
  );
  expect(statuses(answers, 200)).toHaveLength(5);
  const refused = statuses(answers, 409);
  expect(refused).toHaveLength(15);
  for (const { json } of refused) expect(json.code).toBe("out_of_stock");
  expect(await stockOf(product.product.id)).toBe(0);
  expect(await ordersOf(client.clientId)).toBe(5);
  expect(await balanceOf(client.clientId)).toBe(CREDIT_MINOR - 5 * ORDER_TOTAL_MINOR);
});

test("POST /api/order accepts exactly 3 of 10 simultaneous orders if the credit suffices for 3", async () => {
  const { product, client } = await openShop(simpleProduct(), {
    creditMinor: 3 * ORDER_TOTAL_MINOR + 1,
  });
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => worker.post(client, "/api/order", orderOf(product))),
  );
  expect(statuses(answers, 200)).toHaveLength(3);
  const refused = statuses(answers, 402);
  expect(refused).toHaveLength(7);
  for (const { json } of refused) expect(json.code).toBe("insufficient_credit");
  expect(await balanceOf(client.clientId)).toBe(1);
  expect(await stockOf(product.product.id)).toBe(97);
});

test("POST /api/order places an order for 500 recipients completely or not at all", async () => {
  const { product, client } = await openShop(variableProduct({}, 999));
  const [variation] = product.product.variations;
  const order = () => orderOf(product, { recipient_details: recipients(500) });
  const first = await worker.post(client, "/api/order", order());
  expect(first.status).toBe(200);
  expect(first.json.order_totals.qty).toBe(500);
  const second = await worker.post(client, "/api/order", order());
  expect(second.json.code).toBe("out_of_stock");
  expect(await stockOf(product.product.id, variation?.id)).toBe(499);
  const orderId = String(first.json.order_data.order_id);
  const { json } = await worker.get(client, `/api/order?order_id=${orderId}`);
  expect(json.recipients).toHaveLength(500);
  expect(json.recipients[499].suborder_number).toBe(`${String(json.order_number)}-500`);
});

test("POST /api/order shares one product's stock between clients with different catalogues", async () => {
  const product = simpleProduct({}, { quantity: 4 });
  const clients = await Promise.all([
    createClient({ products: [product] }),
    createClient({ products: [product, simpleProduct()] }),
  ]);
  const answers = await Promise.all(
    clients.flatMap((client) =>
      Array.from({ length: 5 }, () => worker.post(client, "/api/order", orderOf(product))),
    ),
  );
  expect(statuses(answers, 200)).toHaveLength(4);
  expect(await stockOf(product.product.id)).toBe(0);
});

test("POST /api/order places free orders, also for a credit client without an account", async () => {
  const { product, client } = await openShop(simpleProduct({ priceMinor: 0, shippingMinor: 0 }), {
    creditMinor: 0,
  });
  const answer = await startWorker().post(client, "/api/order", orderOf(product));
  expect([answer.status, answer.json.order_totals?.order_total]).toEqual([200, 0]);
  expect(await stockOf(product.product.id)).toBe(99);
});
