// Simultaneous orders: stock and credit are never oversold, and the ledger adds up.
import { afterEach, expect, test } from "vitest";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  openShop,
  orderOf,
  ordersOf,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();

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
