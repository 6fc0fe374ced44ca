// Shipping and delivering gifts: states, refusals, repeats, lost answers, costs, and races with cancellations.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import {
  changeShipments,
  planShipments,
  type RequestedShipment,
  type ShipmentRequest,
} from "../../../src/features/fulfilment/change.ts";
import { cancel as cancelGifts } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { type ShipmentStep, TEST_CODE } from "../../../src/features/fulfilment/shipment.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { errorOf } from "../../support/errors.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  type ClientOptions,
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
} from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";
import { eventsOf } from "../../support/events.ts";
import { orderNumberOf } from "../../support/orders.ts";

const worker = startWorker();
const DHL = { carrier: "DHL", trackingNumber: "JD01", trackingUrl: "https://dhl.example/JD01" };

/** The result for each gift. */
async function change(
  step: ShipmentStep,
  gifts: RequestedShipment[],
  { db = env.DB, ...changes }: Partial<ShipmentRequest> & { db?: D1Database } = {},
) {
  const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
  const outcomes = await changeShipments(db, step, gifts, { ...request, ...changes });
  return outcomes.map(({ result }) => result);
}

const withParcels = (gifts: RequestedShipment[]) => gifts.map((gift) => ({ ...gift, ...DHL }));

/** An order that was bought outright, with the keys of its gifts. */
async function buy(
  count: number,
  options: ClientOptions = {},
  item = simpleProduct({}, { quantity: 5_000 }),
) {
  const { product, client } = await openShop(item, options);
  const body = orderOf(product, { recipient_details: recipients(count) });
  const { json } = await worker.post(client, "/api/order", body);
  const orderId: number = json.order_data.order_id;
  const gifts = Array.from({ length: count }, (_, index) => ({ orderId, sequence: index + 1 }));
  /** Cancels the order, or these of its gifts. */
  const cancel = (...sequences: number[]) =>
    worker.post(client, "/api/order/cancel", {
      order_id: orderId,
      ...(sequences.length > 0 && { suborder_ids: sequences.map((n) => orderId * 1000 + n) }),
    });
  return { client, orderId, gifts, product, cancel };
}

/** A gift-link order for two recipients, of whom the first `count` have accepted. */
async function give(count: number) {
  const gift = await createGift(worker, [simpleProduct()], { recipient_details: recipients(2) });
  for (const path of gift.paths.slice(0, count)) await accept(worker, path);
  const { orderId, paths } = gift;
  return { orderId, paths, gifts: [1, 2].map((sequence) => ({ orderId, sequence })) };
}

const orderRow = (orderId: number) =>
  sql(
    "SELECT status, finished, shipped_gifts AS shipped FROM orders WHERE id = ?",
    orderId,
  ).first();

const shipmentEventsOf = async (client: TestClient) =>
  (await eventsOf(client)).filter(({ type }) =>
    /^gift\.(shipped|delivered|sent|returned|failed|reopened)$/.test(type),
  );

describe("a gift that was bought outright", () => {
  test("is shipped and then delivered, with one event for each step", async () => {
    const { client, orderId, gifts } = await buy(2);
    const [first, second] = [gifts.slice(0, 1), gifts.slice(1)];
    expect(await change("ship", withParcels(first))).toEqual(["shipped"]);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 0, shipped: 1 });
    expect(await change("ship", second)).toEqual(["shipped"]);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 2 });
    expect(await change("deliver", first)).toEqual(["delivered"]);
    const [one, two] = [1, 2].map((n) => orderId * 1000 + n);
    const shipped = { type: "gift.shipped", data: { shipment_status: "shipped" } };
    expect(await shipmentEventsOf(client)).toMatchObject([
      { ...shipped, suborder_id: one },
      { ...shipped, suborder_id: two },
      { type: "gift.delivered", suborder_id: one, data: { shipment_status: "delivered" } },
    ]);
    const { results } = await sql("SELECT * FROM shipments WHERE order_id = ?", orderId).all();
    expect(results).toMatchObject([
      {
        sequence: 1,
        client_id: client.clientId,
        status: "delivered",
        carrier: "DHL",
        tracking_number: "JD01",
        tracking_url: "https://dhl.example/{tracking_number}",
      },
      {
        sequence: 2,
        status: "shipped",
        carrier: null,
        tracking_number: null,
        delivered_at_ms: null,
      },
    ]);
  });

  test("is unchanged if the request is repeated, and refused with another parcel", async () => {
    const { client, orderId, gifts } = await buy(1);
    const parcel = { ...(gifts[0] as RequestedShipment), ...DHL };
    expect(await change("ship", [parcel])).toEqual(["shipped"]);
    expect(await change("ship", [parcel])).toEqual(["unchanged"]);
    const another = [{ ...parcel, trackingNumber: "JD02" }];
    expect(await change("ship", another)).toEqual(["refused"]);
    expect(await change("correct", another)).toEqual(["corrected"]);
    expect(await change("correct", another)).toEqual(["unchanged"]);
    expect(await change("deliver", gifts)).toEqual(["delivered"]);
    expect(await change("deliver", gifts)).toEqual(["unchanged"]);
    expect(await shipmentEventsOf(client)).toHaveLength(2);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 1 });
  });

  test("is not shipped before its order is paid, nor after it has failed or was cancelled", async () => {
    const { orderId, gifts } = await buy(1, { billing: "invoice" });
    expect(await change("ship", gifts)).toEqual(["refused"]);
    await transition(env.DB, orderId, "pay", Date.now());
    expect(await change("deliver", gifts)).toEqual(["refused"]);
    expect(await change("ship", gifts)).toEqual(["shipped"]);

    const failed = await buy(1, { billing: "invoice" });
    await transition(env.DB, failed.orderId, "fail", Date.now());
    expect(await change("ship", failed.gifts)).toEqual(["refused"]);
    const cancelled = await buy(1);
    await transition(env.DB, cancelled.orderId, "cancel", Date.now());
    expect(await change("ship", cancelled.gifts)).toEqual(["refused"]);
  });

  test("is neither corrected nor reopened when its earlier tracking is too long to be kept", async () => {
    const { client, orderId, gifts } = await buy(1);
    await change("ship", gifts);
    const set = "UPDATE shipments SET earlier_tracking = ? WHERE order_id = ?";
    const earlier = (length: number) => JSON.stringify([{ carrier: "x".repeat(length) }]);
    await sql(set, earlier(989_900), orderId).run();
    expect(await change("correct", withParcels(gifts))).toEqual(["corrected"]);
    await sql(set, earlier(990_000), orderId).run();
    for (const step of ["correct", "reopen"] as const)
      expect(await change(step, gifts)).toEqual(["refused"]);
    expect(await change("correct", withParcels(gifts))).toEqual(["unchanged"]);
    expect(await change("deliver", gifts)).toEqual(["delivered"]);
    expect(await shipmentEventsOf(client)).toHaveLength(2);
  });

  test("does not exist for another client", async () => {
    const { client, orderId, gifts } = await buy(1);
    const other = await createClient();
    const missing = { orderId, sequence: 2 };
    expect(await change("ship", gifts, { clientId: other.clientId })).toEqual(["refused"]);
    expect(await change("ship", [missing], { clientId: client.clientId })).toEqual(["refused"]);
    expect(await change("ship", gifts, { clientId: client.clientId })).toEqual(["shipped"]);
  });
});

describe("a gift with a link", () => {
  test("is shipped only after it was redeemed, and finishes its order without a shipment", async () => {
    const { orderId, gifts, paths } = await give(0);
    expect(await change("ship", gifts)).toEqual(["refused", "refused"]);
    await accept(worker, paths[0] ?? "");
    expect(await orderRow(orderId)).toMatchObject({ finished: 0 });
    expect(await change("ship", gifts)).toEqual(["shipped", "refused"]);
    await accept(worker, paths[1] ?? "");
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 1 });
    expect(await change("ship", gifts)).toEqual(["unchanged", "shipped"]);
  });

  test("is still shipped, and shipped again, if its order is cancelled after the redemption", async () => {
    const { orderId, gifts } = await give(1);
    await transition(env.DB, orderId, "cancel", Date.now());
    expect(await change("ship", gifts)).toEqual(["shipped", "refused"]);
    expect(await orderRow(orderId)).toEqual({ status: "cancieled", finished: 0, shipped: 1 });
    expect(await change("reopen", gifts.slice(0, 1))).toEqual(["reopened"]);
    expect(await change("ship", gifts.slice(0, 1))).toEqual(["shipped"]);
  });
});

test("a digital gift is sent, and has no parcel and no delivery", async () => {
  const { client, gifts } = await buy(1, {}, simpleProduct({ delivery: "digital" }));
  const gift = { orderId: 0, sequence: 0, ...gifts[0], code: TEST_CODE };
  expect(await change("ship", [{ ...gift, ...DHL }])).toEqual(["refused"]);
  expect(await change("ship", [gift])).toEqual(["sent"]);
  expect(await change("ship", [gift])).toEqual(["unchanged"]);
  expect(await change("deliver", [gift])).toEqual(["refused"]);
  expect(await change("correct", [{ ...gift, ...DHL }])).toEqual(["refused"]);
  expect(await shipmentEventsOf(client)).toMatchObject([
    { type: "gift.sent", data: { shipment_status: "sent" } },
  ]);
});

describe("a shipment that was recorded by mistake", () => {
  test("is open again, and can be shipped or cancelled", async () => {
    const { client, orderId, gifts, cancel } = await buy(2);
    await change("ship", withParcels(gifts));
    await change("deliver", gifts.slice(0, 1));
    expect(await orderRow(orderId)).toMatchObject({ finished: 1 });
    expect(await change("reopen", gifts)).toEqual(["reopened", "reopened"]);
    expect(await change("reopen", gifts)).toEqual(["unchanged", "unchanged"]);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 0, shipped: 0 });
    expect(await change("deliver", gifts.slice(0, 1))).toEqual(["refused"]);
    expect((await cancel(2)).status).toBe(200);
    expect(await change("ship", gifts)).toEqual(["shipped", "refused"]);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 1 });
    const events = await shipmentEventsOf(client);
    expect(events.map(({ type, suborder_id }) => [type, suborder_id])).toEqual([
      ["gift.shipped", orderId * 1000 + 1],
      ["gift.shipped", orderId * 1000 + 2],
      ["gift.delivered", orderId * 1000 + 1],
      ["gift.reopened", orderId * 1000 + 1],
      ["gift.reopened", orderId * 1000 + 2],
      ["gift.shipped", orderId * 1000 + 1],
    ]);
    expect(events[3]?.data).toEqual({ shipment_status: "open" });
  });

  test("of a digital or a redeemed gift is sent or shipped again", async () => {
    const bought = await buy(1, {}, simpleProduct({ delivery: "digital" }));
    const sent = bought.gifts.map((gift) => ({ ...gift, code: TEST_CODE }));
    expect(await change("ship", sent)).toEqual(["sent"]);
    expect(await change("reopen", sent)).toEqual(["reopened"]);
    expect(await change("ship", sent)).toEqual(["sent"]);
    const { orderId, gifts } = await give(2);
    for (const [step, result] of [
      ["ship", "shipped"],
      ["reopen", "reopened"],
      ["ship", "shipped"],
    ] as const) {
      expect(await change(step, gifts)).toEqual([result, result]);
      expect(await orderRow(orderId)).toMatchObject({ finished: 1 });
    }
  });

  test("stays recorded if its order was cancelled, because it could not be shipped or refunded", async () => {
    const { client, orderId, gifts, cancel } = await buy(2);
    const first = gifts.slice(0, 1);
    await change("ship", first);
    await cancel();
    const planned = await planShipments(env.DB, "reopen", gifts, { clientId: null });
    expect(planned).toMatchObject([{ result: "refused" }, { result: "unchanged" }]);
    expect(await change("reopen", gifts)).toEqual(["refused", "unchanged"]);
    expect(await orderRow(orderId)).toEqual({ status: "cancieled", finished: 0, shipped: 1 });
    expect(await shipmentEventsOf(client)).toHaveLength(1);
    expect(await change("correct", withParcels(first))).toEqual(["corrected"]);
  });
});

describe("a cancellation", () => {
  test("keeps shipped gifts, refuses to name them, and refunds only the others", async () => {
    const { orderId, gifts, product, cancel } = await buy(3);
    await change("ship", gifts.slice(0, 1));
    const named = await cancel(1, 2);
    expect(errorOf(named)).toMatchObject({ http: 409, code: "not_cancellable" });
    // The message names the gift.
    expect(named.json.message).toContain(`${orderNumberOf(orderId)}-1 `);
    expect((await cancel()).json).toMatchObject({
      order_status: "cancieled",
      recipients: [null, "cancelled", "cancelled"].map((redemption_status) => ({
        redemption_status,
      })),
    });
    expect(await stockOf(product.product.id)).toBe(4_999);
    expect(await change("deliver", gifts)).toEqual([...["delivered", "refused", "refused"]]);
  });

  test("is refused if all gifts are shipped, and finishes an order whose other gifts are", async () => {
    const { orderId, gifts, cancel } = await buy(2);
    await change("ship", gifts.slice(0, 1));
    expect((await cancel(2)).status).toBe(200);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 1 });
    const shipped = await buy(1);
    await change("ship", shipped.gifts);
    expect(errorOf(await shipped.cancel()).code).toBe("not_cancellable");
  });

  test("at the same time as a shipment: each gift is cancelled or shipped, never both", async () => {
    const { client, orderId, gifts, cancel } = await buy(8);
    const [shipped] = await Promise.all([
      change("ship", gifts),
      ...gifts.map(({ sequence }) => cancel(sequence)),
      change("ship", gifts.slice(4)),
    ]);
    const { results } = await sql(
      `SELECT count(*) FILTER (WHERE s.redemption_status = 'cancelled') AS cancelled, count(h.status) AS shipped,
         count(*) FILTER (WHERE (s.fulfilment IS NULL) <> (h.status IS NULL)) AS wrong
       FROM gifts s LEFT JOIN shipments h USING (order_id, sequence) WHERE s.order_id = ?`,
      orderId,
    ).all<{ cancelled: number; shipped: number; wrong: number }>();
    const [counts] = results;
    expect(counts?.wrong).toBe(0);
    expect((counts?.cancelled ?? 0) + (counts?.shipped ?? 0)).toBe(8);
    expect(shipped).toHaveLength(8);
    expect(await shipmentEventsOf(client)).toHaveLength(counts?.shipped ?? -1);
  });
});

describe.each(["before the commit", "after the commit"] as const)("an answer lost %s", (when) => {
  test("ships and delivers each gift once", async () => {
    const { client, orderId, gifts } = await buy(3);
    for (const [step, result] of [
      ["ship", "shipped"],
      ["deliver", "delivered"],
    ] as const) {
      const db = failingBatches(new Error(LOST), when, 2);
      expect(await change(step, gifts, { db })).toEqual([result, result, result]);
    }
    expect(await shipmentEventsOf(client)).toHaveLength(6);
    expect(await orderRow(orderId)).toMatchObject({ shipped: 3, finished: 1 });
  });

  test("does not correct or reopen a shipment a second time", async () => {
    const { client, gifts } = await buy(1);
    await change("ship", gifts);
    for (const step of ["correct", "reopen"] as const) {
      const parcels = withParcels(gifts);
      const db = failingBatches(new Error(LOST), when, 1);
      await expect(change(step, parcels, { db })).rejects.toThrow(LOST);
      const done = step === "correct" ? "corrected" : "reopened";
      expect(await change(step, parcels)).toEqual([
        when === "after the commit" ? "unchanged" : done,
      ]);
    }
    expect(await shipmentEventsOf(client)).toHaveLength(2);
  });
});

describe("the cost", () => {
  test("is one round trip, and rows in proportion to the gifts", async () => {
    const costs: number[][] = [];
    for (const count of [20, 100]) {
      // An e-mail costs two more rows.
      const { gifts } = await buy(count, { notifyShipped: false });
      const meter = newMeter();
      const db = meteredD1(env.DB, meter);
      const results = await change("ship", gifts, { db });
      expect(new Set(results)).toEqual(new Set(["shipped"]));
      expect(meter.roundTrips).toBe(1);
      costs.push([meter.rowsRead, meter.rowsWritten]);
    }
    const [[smallRead, smallWritten] = [], [largeRead, largeWritten] = []] = costs;
    // A shipment, the gift, the event and three rows of indexes for each gift, and two rows for the order.
    expect([smallWritten, largeWritten]).toEqual([6 * 20 + 2, 6 * 100 + 2]);
    expect(largeRead).toBeLessThan(5.5 * (smallRead ?? 0));
    expect(largeRead).toBeLessThan(40 * 100);
  });

  test("does not depend on the number of other shipments", async () => {
    const { gifts, orderId } = await buy(100);
    await change("ship", gifts.slice(0, 99));
    const meter = newMeter();
    expect(await change("ship", gifts.slice(99), { db: meteredD1(env.DB, meter) })).toEqual([
      "shipped",
    ]);
    expect(meter.rowsRead).toBeLessThan(49);
    expect(await orderRow(orderId)).toMatchObject({ finished: 1 });
  });
});

test("the time of a change is after all earlier changes of the client, even if a clock goes back", async () => {
  const { gifts } = await buy(2);
  const nowMs = Date.now();
  await change("ship", gifts.slice(0, 1), { nowMs: nowMs + 60_000 });
  await change("ship", gifts.slice(1), { nowMs });
  await change("deliver", gifts.slice(0, 1), { nowMs });
  const { results } = await sql(
    "SELECT sequence, updated_at_ms - ?2 AS later FROM shipments WHERE order_id = ?1 ORDER BY sequence",
    gifts[0]?.orderId ?? 0,
    nowMs,
  ).all();
  expect(results).toEqual([
    { sequence: 1, later: 60_002 },
    { sequence: 2, later: 60_001 },
  ]);
});

test("a delivery is not before its shipment, even if a clock goes back", async () => {
  const { client, gifts } = await buy(1);
  const shippedMs = Date.now();
  await change("ship", gifts, { nowMs: shippedMs });
  await change("deliver", gifts, { nowMs: shippedMs - 60_000 });
  const { json } = await worker.get(client, "/api/shipments?updated_from=2026-01-01");
  const shipped_at = new Date(shippedMs).toISOString();
  expect(json.shipments).toMatchObject([{ shipped_at, delivered_at: shipped_at }]);
});

describe("a parcel that came back or did not arrive", () => {
  const setup = async () => {
    const shop = await buy(2, {}, simpleProduct({}, { quantity: 10 }));
    const [first] = shop.gifts;
    await change("ship", withParcels(shop.gifts));
    const stock = () => stockOf(shop.product.product.id);
    return { ...shop, first: { ...(first as RequestedShipment) }, stock };
  };

  test("waits for a decision, and may still arrive", async () => {
    const { client, first, orderId, cancel } = await setup();
    const lost = { ...first, problem: "lost" } as const;
    expect(await change("return", [{ ...first, problem: "refused" }])).toEqual(["returned"]);
    expect(await change("return", [{ ...first, problem: "refused" }])).toEqual(["unchanged"]);
    expect(await change("fail", [lost])).toEqual(["failed"]);
    expect(await change("ship", withParcels([first]))).toEqual(["refused"]);
    expect((await cancel(1)).json).toMatchObject({ code: "not_cancellable" });
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 2 });
    expect(await change("deliver", [first])).toEqual(["delivered"]);
    expect(await change("return", [lost])).toEqual(["returned"]);
    const { json } = await worker.get(client, `/api/shipments?order_id=${String(orderId)}`);
    expect(json.shipments).toMatchObject([
      { shipment_status: "returned", shipment_problem: "lost", tracking_number: "JD01" },
      {},
    ]);
    expect((await shipmentEventsOf(client)).map(({ type }) => type)).toEqual([
      ...["gift.shipped", "gift.shipped", "gift.returned", "gift.failed", "gift.delivered"],
      "gift.returned",
    ]);
  });

  test("changes no more when its gift is cancelled, and arrives after its order is cancelled", async () => {
    const { client, first, orderId, gifts } = await setup();
    await change("return", [{ ...first, problem: "refused" }]);
    await change("fail", [{ ...(gifts[1] as RequestedShipment), problem: "lost" }]);
    await cancelGifts(env.DB, {
      ...operatorKey(orderId),
      giftIds: [orderId * 1000 + 1],
      undelivered: { restocks: false, keepsShipping: false },
      requestId: crypto.randomUUID(),
      nowMs: Date.now(),
    });
    await sql("UPDATE orders SET status = 'cancieled' WHERE id = ?", orderId).run();
    const problem = "other";
    for (const step of ["return", "fail", "deliver", "correct"] as const)
      expect(await change(step, [{ ...first, problem, carrier: "UPS" }]), step).toEqual([
        "refused",
      ]);
    expect(await change("deliver", gifts.slice(1))).toEqual(["delivered"]);
    expect((await shipmentEventsOf(client)).slice(2).map(({ type }) => type)).toEqual([
      ...["gift.returned", "gift.failed", "gift.delivered"],
    ]);
  });

  test("is shipped again with another piece, but not with the earlier tracking", async () => {
    const { first, orderId, stock } = await setup();
    await change("return", [{ ...first, problem: "refused" }]);
    expect(await stock()).toBe(8);
    expect(await change("reship", [first])).toEqual(["reopened"]);
    expect(await stock()).toBe(7);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 0, shipped: 1 });
    expect(await change("reship", [first])).toEqual(["refused"]);
    expect(await change("ship", withParcels([first]))).toEqual(["refused"]);
    expect(await change("ship", [{ ...first, trackingNumber: "JD02" }])).toEqual(["shipped"]);
    expect(await orderRow(orderId)).toEqual({ status: "paid", finished: 1, shipped: 2 });
    await change("return", [{ ...first, problem: "damaged" }]);
    await sql("UPDATE stock SET quantity = 0 WHERE quantity = 7").run();
    expect(await change("reship", [first])).toEqual(["refused"]);
  });
});
