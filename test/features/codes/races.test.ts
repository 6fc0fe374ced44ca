// Codes that are bound, uploaded and made void at the same time, with lost responses, and gifts for which no code is left.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { failingBatches, LOST, type When } from "../../support/faults.ts";
import {
  addCodesTo,
  codeProduct,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
  type TestProduct,
  variableProduct,
} from "../../support/fixtures.ts";
import { accept, changingAfterRead, CHOICE, choose, createGift } from "../../support/gift.ts";
import { brokenCodes, differencesOf, voidFreeCodes } from "../../support/invariants.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();
const INVOICE = { billing: "invoice" } as const;

/** The gifts of the order with their codes, `gift.sent` events and whether e-mails are planned. */
async function giftsOf(orderId: number) {
  const { results } = await sql(
    `SELECT s.sequence, c.id AS code, s.next_email_ms > 0 AS isMailed, (SELECT count(*) FROM events e
       WHERE e.order_id = s.order_id AND e.gift_sequence = s.sequence AND e.type = 'gift.sent') AS sent
     FROM gifts s LEFT JOIN codes c ON c.order_id = s.order_id AND c.sequence = s.sequence
     WHERE s.order_id = ? ORDER BY s.sequence`,
    orderId,
  ).all<{ sequence: number; code: number | null; isMailed: 1 | null; sent: number }>();
  return results;
}

const SENT = { code: expect.any(Number) as number, isMailed: 1, sent: 1 };
const OWED = { code: null, isMailed: null, sent: 0 };

const pay = (orderId: number, d1: D1Database = env.DB) =>
  payOrders(d1, [{ ...operatorKey(orderId), reference: null, owedMinor: null, nowMs: Date.now() }]);

async function place(client: TestClient, product: TestProduct, qty = 1) {
  const body = orderOf(product, { recipient_details: recipients(qty) });
  const { json } = await worker.post(client, "/api/order", body);
  return { body, orderId: json.order_data.order_id as number };
}

const expectSound = async (client: Parameters<typeof differencesOf>[0][number], ids: number[]) => {
  expect(await brokenCodes(ids)).toEqual([]);
  expect(await differencesOf([client])).toEqual([]);
};

const idOf = ({ product }: TestProduct) => product.id;

test("one of two recipients who choose the last code at the same time gets it", async () => {
  const [offered, code] = [simpleProduct(), codeProduct()];
  const changes = { ...CHOICE, recipient_details: recipients(2) };
  const { client, orderId, paths } = await createGift(worker, [offered, code], changes);
  await addCodesTo(code, 1);
  const answers = await Promise.all(paths.map((path) => accept(startWorker(), path, choose(code))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect((await giftsOf(orderId)).filter((gift) => gift.code !== null)).toMatchObject([SENT]);
  expect(await stockOf(idOf(code))).toBe(0);
  await expectSound(client, [idOf(code)]);
});

test("codes that are uploaded during sales are sold and given out once", async () => {
  const product = codeProduct();
  const { client } = await openShop(product);
  await addCodesTo(product, 1);
  const buy = () => startWorker().post(client, "/api/order", orderOf(product));
  await Promise.all([...Array.from({ length: 6 }, buy), addCodesTo(product, 3), buy(), buy()]);
  const { results } = await sql(
    "SELECT order_id FROM codes WHERE product_id = ? AND order_id IS NOT NULL",
    idOf(product),
  ).all();
  expect(results).toHaveLength(4 - Number(await stockOf(idOf(product))));
  await expectSound(client, [idOf(product)]);
});

test("a code that becomes void before it is bound is not given out", async () => {
  const product = codeProduct();
  const { client } = await openShop(product);
  await addCodesTo(product, 2);
  const { json } = await worker.post(client, "/api/gift-link", orderOf(product));
  const { pathname } = new URL(json.recipient_return[0].gift_url as string);
  const d1 = changingAfterRead(() => voidFreeCodes(idOf(product), 2));
  expect((await accept(startWorker({ env: { DB: d1 } }), pathname)).status).toBe(303);
  const [gift] = await giftsOf(json.order_data.order_id as number);
  expect(gift).toMatchObject(SENT);
  const used = await sql("SELECT voided_at_ms FROM codes WHERE id = ?", gift?.code).first();
  expect(used).toEqual({ voided_at_ms: null });
  await expectSound(client, [idOf(product)]);
});

const LOSSES: [When, number][] = [
  ["before the commit", 1],
  ["after the commit", 1],
  ["after the commit", 3],
];

test.each(LOSSES)(
  "lost %s, %d times, and repeated: one code and event for each gift",
  async (when, times) => {
    const product = codeProduct();
    const { client } = await openShop(product);
    const invoiced = await createClient({ products: [product], ...INVOICE });
    await addCodesTo(product, 5);
    const losing = (skipped: number) =>
      startWorker({ env: { DB: failingBatches(new Error(LOST), when, times, skipped) } });
    const body = orderOf(product, { recipient_details: recipients(2) });
    await losing(1).post(client, "/api/order", body);
    const first = await worker.post(client, "/api/order", body);
    const direct = first.json.order_data.order_id as number;
    const codes = await giftsOf(direct);
    expect((await worker.post(client, "/api/order", body)).text).toBe(first.text);
    expect(await giftsOf(direct)).toEqual(codes);

    const unpaid = await worker.post(invoiced, "/api/order", orderOf(product));
    const owing = unpaid.json.order_data.order_id as number;
    await pay(owing, failingBatches(new Error(LOST), when, times)).catch(() => null);
    await pay(owing);

    const linked = await worker.post(client, "/api/gift-link", orderOf(product));
    const { pathname } = new URL(linked.json.recipient_return[0].gift_url as string);
    await accept(losing(1), pathname);
    await accept(worker, pathname);

    for (const id of [direct, owing, linked.json.order_data.order_id as number]) {
      for (const gift of await giftsOf(id)) expect(gift).toMatchObject(SENT);
    }
    await expectSound(client, [idOf(product)]);
  },
);

test("without a valid code, a gift stays owed, also when the request is repeated after an upload", async () => {
  const [product, chosen] = [codeProduct(), codeProduct()];
  const products = [product, chosen];
  const client = await createClient({ products });
  const invoiced = await createClient({ products, ...INVOICE });
  const expired = { expiresAtMs: Date.now() - DAY_MS };
  for (const each of products) await addCodesTo(each, [expired, expired]);
  const { body, orderId } = await place(client, product);
  const unpaid = await place(invoiced, chosen);
  await pay(unpaid.orderId);
  const gift = await createGift(worker, products, CHOICE);
  const fields = choose(chosen);
  expect((await accept(worker, gift.path, fields)).status).toBe(303);
  const orders = [orderId, unpaid.orderId, gift.orderId];
  for (const id of orders) expect(await giftsOf(id)).toMatchObject([OWED]);
  for (const each of products) await addCodesTo(each, 3);
  const replay = await worker.post(client, "/api/order", body);
  const other = await worker.post(client, "/api/order", { ...body, metadata: { other: "1" } });
  const again = await accept(worker, gift.path, fields);
  expect([other.status, replay.status]).toEqual([409, 200]);
  for (const { meter } of [replay, other, again]) expect(meter.rowsWritten).toBe(0);
  for (const id of orders) expect(await pay(id)).toEqual([false]);
  for (const id of orders) expect(await giftsOf(id)).toMatchObject([OWED]);
  await expectSound(client, products.map(idOf));
});

test("ten orders are paid at once, with codes of two variations", async () => {
  const { product } = variableProduct({
    delivery: "digital",
    digital: codeProduct().product.digital,
  });
  const stock = product.variations.map(({ id }) => ({
    variationId: id,
    quantity: 0,
    sellable: true,
    codeDays: 30,
  }));
  const client = await createClient({ products: [{ product, stock }], ...INVOICE });
  const orders: number[] = [];
  for (const { variationId } of stock) {
    await addCodesTo({ product }, 12, variationId);
    for (let n = 0; n < 5; n++) {
      const changes = { variation_id: variationId, recipient_details: recipients(2) };
      const { json } = await worker.post(client, "/api/order", orderOf({ product }, changes));
      orders.push(json.order_data.order_id as number);
    }
  }
  const payments = orders.map((id) => ({
    ...operatorKey(id),
    reference: null,
    owedMinor: null,
    nowMs: 1,
  }));
  expect(await payOrders(env.DB, payments)).toEqual(orders.map(() => true));
  for (const id of orders) expect(await giftsOf(id)).toMatchObject([SENT, SENT]);
  for (const { variationId } of stock) expect(await stockOf(product.id, variationId)).toBe(2);
  await expectSound(client, [product.id]);
});
