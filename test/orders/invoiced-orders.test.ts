// Orders on invoice: which orders are included, their sequence, and the rows that are read.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  type InvoicedFilter,
  type InvoicedOrder,
  readInvoicedOrders,
} from "../../src/orders/invoiced-orders.ts";
import { DAY_MS } from "../../src/values/time.ts";
import { meteredD1, newMeter } from "../support/counting.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../support/fixtures.ts";
import { copyOrder, importListed, type ListedGift } from "../support/listed-orders.ts";
import { placeOrder } from "../support/orders.ts";
import { transition } from "../support/transition.ts";
import { startWorker } from "../support/worker.ts";

const MARCH = Date.UTC(2031, 2, 1);
const APRIL = Date.UTC(2031, 3, 1);
const MONTH = { fromMs: MARCH, toMs: APRIL };

async function pagesOf(
  { clientId }: TestClient,
  filter: InvoicedFilter = MONTH,
  pageOrders?: number,
  db = env.DB,
): Promise<InvoicedOrder[][]> {
  const pages: InvoicedOrder[][] = [];
  for await (const page of readInvoicedOrders(db, clientId, filter, pageOrders)) pages.push(page);
  return pages;
}

const product = () => simpleProduct({ priceMinor: 3_333, shippingMinor: 0 });

test("an order on invoice has its fee, its total, and the share of its cancelled gifts", async () => {
  const sold = product();
  const client = await createClient({ products: [sold], billing: "invoice", feeBasisPoints: 415 });
  const worker = startWorker({ now: () => MARCH });
  const body = orderOf(sold, { recipient_details: recipients(3) });
  const { order_data, order_totals } = await placeOrder(worker, client, body);
  const totalMinor = Math.round(order_totals.order_total * 100);
  const id = order_data.order_id;
  const expected = {
    ...{ id, orderRefId: body.order_ref_id, giftOrderMethod: "api-purchase", status: "created" },
    ...{ currency: "AUD", qty: 3, feeMinor: 415, totalMinor: 10_414 },
    ...{ endedQty: 0, endedMinor: 0, createdAtMs: MARCH },
  };
  expect(totalMinor).toBe(10_414);
  expect(await pagesOf(client)).toEqual([[expected]]);

  await worker.post(client, "/api/order/cancel", {
    order_id: id,
    suborder_ids: [id * 1000 + 1, id * 1000 + 2],
  });
  // Two thirds of 104.14, rounded down as a refund is.
  const cancelled = { ...expected, endedQty: 2, endedMinor: 6_942 };
  expect(await pagesOf(client)).toEqual([[cancelled]]);
  await transition(env.DB, id, "pay", MARCH);
  expect(await pagesOf(client)).toEqual([[{ ...cancelled, status: "paid" }]]);
  await transition(env.DB, id, "cancel", MARCH);
  const ended = { status: "cancieled", endedQty: 3, endedMinor: totalMinor };
  expect(await pagesOf(client)).toEqual([[{ ...cancelled, ...ended }]]);
});

test.each([
  [true, { endedQty: 2, endedMinor: 6_942 }],
  [false, { endedQty: 1, endedMinor: 3_471 }],
])(
  "a declined gift is among the ended gifts only if refundDeclined is true: %j",
  async (refundDeclined, ended) => {
    const sold = product();
    const profile = { billing: "invoice", feeBasisPoints: 415, refundDeclined } as const;
    const client = await createClient({ products: [sold], ...profile });
    const worker = startWorker({ now: () => MARCH });
    const body = orderOf(sold, { recipient_details: recipients(3) });
    const { order_data } = await placeOrder(worker, client, body);
    const id = order_data.order_id;
    await worker.post(client, "/api/order/cancel", {
      order_id: id,
      suborder_ids: [id * 1000 + 1, id * 1000 + 2],
    });
    await env.DB.prepare(
      "UPDATE sub_orders SET declined_at_ms = 1 WHERE order_id = ? AND sequence = 2",
    )
      .bind(id)
      .run();
    expect(await pagesOf(client)).toEqual([[expect.objectContaining({ qty: 3, ...ended })]]);
  },
);

test("orders that were paid from credit or in the online store, and other clients' orders, are left out", async () => {
  const sold = product();
  const other = await createClient({ products: [sold], billing: "invoice" });
  const client = await createClient({ products: [sold] });
  const worker = startWorker({ now: () => MARCH });
  await placeOrder(worker, client, orderOf(sold));
  await placeOrder(worker, other, orderOf(sold));
  const imported = { reference: null, status: "paid", method: "email" } as const;
  await importListed(client, sold, { ...imported, createdAtMs: MARCH, gifts: [null] });
  expect(await pagesOf(client)).toEqual([]);
  expect((await pagesOf(other)).flat()).toHaveLength(1);
});

test("every status is included, in the order of placement, across pages and months", async () => {
  const sold = product();
  const client = await createClient({ products: [sold] });
  const variants: Pick<ListedGift, "status" | "method" | "gifts">[] = [
    { status: "created", method: "api-purchase", gifts: [null] },
    { status: "paid", method: "api-giftlink", gifts: ["redeemed"] },
    { status: "paid", method: "api-purchase", gifts: [null, null] },
    { status: "failed", method: "api-giftlink", gifts: ["cancelled"] },
    { status: "cancieled", method: "api-purchase", gifts: ["cancelled"] },
  ];
  const ids: number[] = [];
  // Several orders have the same time.
  for (const [index, day] of [-1, 0, 0, 0, 1, 1, 30, 30, 31].entries()) {
    const createdAtMs = MARCH + day * DAY_MS + (day === -1 ? DAY_MS - 1 : 0);
    const variant = variants[index % variants.length] as (typeof variants)[number];
    const id = await importListed(client, sold, {
      ...{ ...variant, reference: `invoiced ${String(index)}`, createdAtMs },
    });
    ids.push(id);
  }
  await env.DB.prepare(
    `UPDATE orders SET finished = 1 WHERE client_id = ? AND status = 'paid' AND redeemed_gifts = qty`,
  )
    .bind(client.clientId)
    .run();
  for (const size of [1, 2, 3, 7, 100]) {
    const pages = await pagesOf(client, MONTH, size);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.slice(1, -1));
    expect(pages.every((page) => page.length <= size)).toBe(true);
  }
  const [april] = await pagesOf(client, { fromMs: APRIL, toMs: APRIL + DAY_MS });
  expect(april?.map(({ id }) => id)).toEqual(ids.slice(-1));
  expect(await pagesOf(client, { ...MONTH, currency: "USD" })).toEqual([]);
  expect((await pagesOf(client, { ...MONTH, currency: "AUD" })).flat()).toHaveLength(7);
});

test("the rows that are read do not depend on the orders of other months", async () => {
  const sold = product();
  const client = await createClient({ products: [sold], billing: "invoice" });
  const worker = startWorker({ now: () => MARCH - 100 * DAY_MS });
  const { order_data } = await placeOrder(worker, client, orderOf(sold));
  await copyOrder(order_data.order_id, 3_000, MARCH - 3_000_000);
  await copyOrder(order_data.order_id, 3_000, APRIL);
  await copyOrder(order_data.order_id, 250, MARCH + DAY_MS);
  const meter = newMeter();
  const pages = await pagesOf(client, MONTH, 100, meteredD1(env.DB, meter));
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
  expect(meter.roundTrips).toBe(3);
  // An order is read from the index and from its table. Each range may read one row past its end.
  expect(meter.rowsRead).toBeLessThanOrEqual(2 * 250 + 3 * 2 * 10);
});
