// Simultaneous orders: stock and credit are never oversold, and the ledger adds up.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { publish } from "../../../src/operator/catalogue/publish/publish.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  ordersOf,
  recipients,
  simpleProduct,
  stockOf,
  variableProduct,
} from "../../support/fixtures.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

/** A piece for 25.00 plus 5.00 shipping and a fee of 4 %. */
const ORDER_TOTAL_MINOR = 3120;
const CREDIT_MINOR = 100_000_000;

const statuses = (answers: Answer[], status: number) =>
  answers.filter((answer) => answer.status === status);

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("POST /api/order", () => {
  test("sells 10 pieces to exactly 10 of 50 simultaneous orders", async () => {
    const product = simpleProduct({}, { quantity: 10 });
    const client = await createClient({ products: [product] });
    // Several isolates, so that the memory of one does not matter.
    const workers = [startWorker(), startWorker(), startWorker()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (workers[index % 3] ?? startWorker()).post(client, "/api/order", orderOf(product)),
      ),
    );
    expect(statuses(answers, 200)).toHaveLength(10);
    const refused = statuses(answers, 409);
    expect(refused).toHaveLength(40);
    for (const { json } of refused) {
      expect(json.code).toBe("out_of_stock");
      expect(json.message).toContain("0 left");
    }
    expect(await stockOf(product.product.id)).toBe(0);
    expect(await ordersOf(client.clientId)).toBe(10);
    expect(await balanceOf(client.clientId)).toBe(CREDIT_MINOR - 10 * ORDER_TOTAL_MINOR);
  });

  test("accepts exactly 3 of 20 simultaneous orders if the credit suffices for 3", async () => {
    const product = simpleProduct();
    const client = await createClient({
      products: [product],
      creditMinor: 3 * ORDER_TOTAL_MINOR + 1,
    });
    const worker = startWorker();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => worker.post(client, "/api/order", orderOf(product))),
    );
    expect(statuses(answers, 200)).toHaveLength(3);
    const refused = statuses(answers, 402);
    expect(refused).toHaveLength(17);
    for (const { json } of refused) {
      expect(json.message).toContain("balance is 0.01 AUD");
      expect(json.message).toContain("total is 31.20 AUD");
    }
    expect(await balanceOf(client.clientId)).toBe(1);
    expect(await stockOf(product.product.id)).toBe(97);
  });

  test("places an order for 500 recipients completely or not at all", async () => {
    const product = variableProduct({}, 999);
    const client = await createClient({ products: [product] });
    const worker = startWorker();
    const [variation] = product.product.variations;
    const order = () => orderOf(product, { recipient_details: recipients(500) });
    const first = await worker.post(client, "/api/order", order());
    expect(first.status).toBe(200);
    expect(first.json.order_totals.qty).toBe(500);
    const second = await worker.post(client, "/api/order", order());
    expect(second.json.code).toBe("out_of_stock");
    expect(second.json.message).toContain("499 left");
    expect(await stockOf(product.product.id, variation?.id)).toBe(499);
    const orderId = String(first.json.order_data.order_id);
    const { json } = await worker.get(client, `/api/order?order_id=${orderId}`);
    expect(json.recipients).toHaveLength(500);
    expect(json.recipients[499].suborder_number).toBe(`${String(json.order_number)}-500`);
  });

  test("shares one product's stock between clients with different catalogues", async () => {
    const product = simpleProduct({}, { quantity: 4 });
    const clients = await Promise.all([
      createClient({ products: [product] }),
      createClient({ products: [product, simpleProduct()] }),
    ]);
    const worker = startWorker();
    const answers = await Promise.all(
      clients.flatMap((client) =>
        Array.from({ length: 5 }, () => worker.post(client, "/api/order", orderOf(product))),
      ),
    );
    expect(statuses(answers, 200)).toHaveLength(4);
    expect(await stockOf(product.product.id)).toBe(0);
  });

  test("does not change the stock of an untracked product", async () => {
    const product = simpleProduct({}, { quantity: null });
    const client = await createClient({ products: [product] });
    const worker = startWorker();
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
    expect(await stockOf(product.product.id)).toBeNull();
  });

  test("refuses a product that is not sellable, with any quantity", async () => {
    const product = simpleProduct({}, { quantity: null, sellable: false });
    const client = await createClient({ products: [product] });
    const { json } = await startWorker().post(client, "/api/order", orderOf(product));
    expect(json.code).toBe("out_of_stock");
  });

  test("charges the current price, not the price in the isolate's memory", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const worker = startWorker();
    await worker.post(client, "/api/order", orderOf(product));
    const dearer = { ...product, product: { ...product.product, priceMinor: 5000 } };
    await publish(env.DB, client.catalogue, [dearer], Date.now());
    const answer = await worker.post(client, "/api/order", orderOf(product));
    expect(answer.json.order_totals.product_price).toBe(50);
    expect(answer.meter.roundTrips).toBe(2);
    await publish(env.DB, client.catalogue, [], Date.now());
    const gone = await worker.post(client, "/api/order", orderOf(product));
    expect(gone.json.code).toBe("product_not_found");
  });

  test("places free orders, also for a credit client without an account", async () => {
    const product = simpleProduct({ priceMinor: 0, shippingMinor: 0 });
    const client = await createClient({ products: [product], creditMinor: 0 });
    const answer = await startWorker().post(client, "/api/order", orderOf(product));
    expect([answer.status, answer.json.order_totals?.order_total]).toEqual([200, 0]);
    expect(await stockOf(product.product.id)).toBe(99);
  });

  test("does not change the credit of an invoice client", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product], billing: "invoice", creditMinor: 0 });
    const worker = startWorker();
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    const order = await worker.get(
      client,
      `/api/order?order_id=${String(json.order_data.order_id)}`,
    );
    expect(order.json.order_status).toBe("created");
    expect(await stockOf(product.product.id)).toBe(99);
  });
});
