import type { CredentialListResponse } from "../../src/features/credentials/contract.ts";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { listClientEvents } from "../../src/operator/event/queries.ts";
import { eventResponse } from "../../src/features/events/response.ts";
import { errorOf } from "../support/errors.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../support/fixtures.ts";
import { accept, changeParcels, createGift, takeStep } from "../support/gift.ts";
import { createSampleShop, placeOrder } from "../support/orders.ts";
import { eventList } from "../support/events.ts";
import { startWorker } from "../support/worker.ts";
import { sql } from "../support/sql.ts";

const worker = startWorker();

async function readFeed(client: TestClient, query = "") {
  const answer = await worker.get(client, `/api/events${query}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return eventList(answer.json);
}

/** A client with an order, and `count` copies of its event. */
async function createClientWithEvents(count: number) {
  const { client, product } = await createSampleShop();
  if (count > 0) await placeOrder(worker, client, orderOf(product));
  await sql(
    `INSERT INTO events (client_id, sequence, type, order_id, created_at_ms, data)
     WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ?2)
     SELECT client_id, n, type, order_id, created_at_ms, data FROM events, n
     WHERE client_id = ?1 AND sequence = 1 AND n <= ?2 ORDER BY n`,
    client.clientId,
    count,
  ).run();
  return client;
}

test("GET /api/events has an event for an order that was paid with credit", async () => {
  const { client, product } = await createSampleShop();
  const atMs = Date.parse("2026-03-04T05:06:07.089Z");
  const body = orderOf(product, { recipient_details: recipients(2) });
  const then = startWorker({ now: () => atMs });
  const { order_data } = await placeOrder(then, client, body);
  const { json } = await worker.get(client, "/api/credentials");
  const [credential] = (json as CredentialListResponse).credentials;
  expect(await readFeed(client)).toEqual({
    status: "success",
    events: [
      {
        sequence: 1,
        type: "order.paid",
        created_at: "2026-03-04T05:06:07.089Z",
        order_id: order_data.order_id,
        order_ref_id: body.order_ref_id,
        suborder_id: null,
        data: {
          order_status: "paid",
          recipient_count: 2,
          currency: "AUD",
          order_total: "251.68",
          credential_id: credential?.credential_id,
        },
      },
    ],
    next_after: 1,
    has_more: false,
  });
});

test("GET /api/events has an event for a redeemed gift with the recipient's choice, and the refund of the others", async () => {
  const [offered, chosen] = [simpleProduct(), simpleProduct({ priceMinor: 2000 })];
  const gift = await createGift(worker, [offered, chosen], {
    gift_of_choice: "Y",
    recipient_details: recipients(3),
  });
  const fields = { product_id: String(chosen.product.id) };
  expect((await accept(worker, gift.paths[1] ?? "", fields)).status).toBe(303);
  await takeStep(gift, "cancel");
  const { events } = await readFeed(gift.client);
  expect(events).toMatchObject([
    { type: "order.paid" },
    {
      type: "gift.redeemed",
      order_id: gift.orderId,
      suborder_id: gift.orderId * 1000 + 2,
      data: { product_id: chosen.product.id, variation_id: null },
    },
    // 3 × 30.00 and a fee of 3.60: two thirds are 62.40.
    {
      type: "order.cancelled",
      suborder_id: null,
      data: {
        recipient_count: 3,
        order_total: "93.60",
        cancelled_count: 2,
        refund: "62.40",
        suborder_ids: [gift.orderId * 1000 + 1, gift.orderId * 1000 + 3],
      },
    },
  ]);
});

test("GET /api/events has pages of at most `limit` events after the sequence `after`", async () => {
  const client = await createClientWithEvents(5);
  const page = async (query: string) => {
    const { events, next_after, has_more } = await readFeed(client, query);
    return [events.map(({ sequence }) => sequence), next_after, has_more];
  };
  expect(await page("")).toEqual([[1, 2, 3, 4, 5], 5, false]);
  expect(await page("?limit=2")).toEqual([[1, 2], 2, true]);
  expect(await page("?limit=2&after=2")).toEqual([[3, 4], 4, true]);
  expect(await page("?limit=2&after=4")).toEqual([[5], 5, false]);
  expect(await page("?limit=1&after=4")).toEqual([[5], 5, false]);
  expect(await page("?after=5")).toEqual([[], 5, false]);
  expect(await page("?after=0&limit=500")).toEqual([[1, 2, 3, 4, 5], 5, false]);
  expect(await page("?after=latest")).toEqual([[], 5, false]);
  const none = { status: "success", events: [], next_after: 0, has_more: false };
  for (const query of ["", "?after=latest"]) {
    expect(await readFeed(await createClient(), query)).toEqual(none);
  }
});

test.each([2, 0])(
  "GET /api/events refuses a position beyond the last of %d events",
  async (count) => {
    const client = await createClientWithEvents(count);
    const error = errorOf(await worker.get(client, `/api/events?after=${String(count + 1)}`));
    expect(error).toMatchObject({
      http: 400,
      code: "validation_error",
      errors: [{ field: "after" }],
    });
  },
);

test("GET /api/events has the events of the caller only, each client with its own sequence", async () => {
  const product = simpleProduct();
  const clients = [
    await createClient({ products: [product] }),
    await createClient({ products: [product] }),
  ];
  const placed = new Map<TestClient, number[]>(clients.map((client) => [client, []]));
  for (const client of [...clients, ...clients]) {
    const { order_data } = await placeOrder(worker, client, orderOf(product));
    placed.get(client)?.push(order_data.order_id);
  }
  for (const client of clients) {
    const { events } = await readFeed(client);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(events.map(({ order_id }) => order_id)).toEqual(placed.get(client));
    expect((await worker.get(client, "/api/events?after=3")).status).toBe(400);
  }
});

test("GET /api/events takes one round trip, and reads two rows for each event, also in a long feed", async () => {
  const client = await createClientWithEvents(30);
  const cost = async (query: string) => {
    const { status, json, meter } = await worker.get(client, `/api/events${query}`);
    const { roundTrips, rowsWritten, kvReads, kvWrites } = meter;
    expect([status, roundTrips, rowsWritten, kvReads + kvWrites]).toEqual([200, 1, 0, 0]);
    const { events } = eventList(json);
    return meter.rowsRead - 2 * events.length;
  };
  await worker.get(client, "/api/credit-balance");
  for (const query of ["", "?limit=1", "?limit=5&after=3", "?limit=5&after=25", "?after=30"]) {
    expect([query, await cost(query)]).toEqual([query, expect.toSatisfy((n: number) => n <= 2)]);
  }
  // A position that is refused costs the same.
  const { meter } = await worker.get(client, "/api/events?after=31");
  expect(meter.roundTrips).toBe(1);
  expect(meter.rowsRead).toBeLessThanOrEqual(2);
});

test("GET /api/events has no personal data, also after a redemption and a cancellation", async () => {
  const address = (n: string) => ({
    address_line_1: `Secretlane ${n}`,
    address_line_2: `Secretunit ${n}`,
    suburb: `Secretsuburb ${n}`,
    postcode_zipcode: "3056",
    country: "AU",
  });
  const gift = await createGift(worker, [simpleProduct()], {
    gift_of_choice: "Y",
    recipient_details: ["1", "2"].map((n) => ({
      first_name: `Secretfirst${n}`,
      last_name: `Secretlast${n}`,
      email: `secret${n}@example.com`,
      phone_number: `+61 2 5550 011${n}`,
      redemption_message: `Secretmessage ${n}`,
      delivery_address: address(n),
    })),
  });
  const entered = { ...address("entered"), state: "VIC", delivery_notes: "Secretnotes" };
  expect((await accept(worker, gift.path, entered)).status).toBe(303);
  await takeStep(gift, "cancel");

  const { json, text } = await worker.get(gift.client, "/api/events");
  expect(eventList(json).events.map(({ type }) => type)).toEqual([
    ...["order.paid", "gift.redeemed", "order.cancelled"],
  ]);
  const { clientId } = gift.client;
  const { results } = await sql("SELECT * FROM events WHERE client_id = ?", clientId).all();
  expect(results).toHaveLength(3);
  for (const shown of [text, JSON.stringify(results)]) {
    expect(shown).not.toMatch(/secret|5550|3056|redeem\/|@/i);
  }
});

describe("the events of a parcel", () => {
  const DHL = { carrier: "DHL", trackingNumber: "JD01", trackingUrl: "https://dhl.example/JD01" };
  const CORRECTED = { ...DHL, trackingNumber: "JD02" };
  const shown = ({ carrier, trackingNumber, trackingUrl }: typeof DHL) => ({
    carrier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrl,
  });

  test("have its present tracking, in the feed and for the operator, and no other event has it", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    const key = { orderId: gift.orderId, sequence: 1 };
    await accept(worker, gift.path);
    await changeParcels("ship", [{ ...key, ...DHL }]);
    const shipped = { shipment_status: "shipped", ...shown(DHL) };
    expect((await readFeed(gift.client)).events.at(-1)?.data).toEqual(shipped);
    await changeParcels("correct", [{ ...key, ...CORRECTED }]);
    await changeParcels("deliver", [key]);
    const { events } = await readFeed(gift.client);
    expect(events.map(({ type, data }) => [type, "carrier" in data])).toEqual([
      ["order.paid", false],
      ["gift.redeemed", false],
      ["gift.shipped", true],
      ["gift.delivered", true],
    ]);
    expect(events.slice(2).map(({ data }) => data)).toEqual([
      { ...shipped, ...shown(CORRECTED) },
      { shipment_status: "delivered", ...shown(CORRECTED) },
    ]);
    const listed = await listClientEvents(env.DB, { clientId: gift.client.clientId, limit: 10 });
    expect(listed.map(eventResponse).reverse()).toEqual(events);
    const stored = await sql(
      "SELECT count(*) AS n FROM events WHERE client_id = ? AND data LIKE '%JD0%'",
      gift.client.clientId,
    ).first("n");
    expect(stored).toBe(0);
  });

  test("without tracking have nulls, and the event of a digital gift has none", async () => {
    for (const delivery of ["physical", "digital"] as const) {
      const gift = await createGift(worker, [simpleProduct({ delivery })]);
      await accept(worker, gift.path);
      await changeParcels("ship", [{ orderId: gift.orderId, sequence: 1 }]);
      const { events } = await readFeed(gift.client);
      const none = { carrier: null, tracking_number: null, tracking_url: null };
      expect(events.at(-1)?.data).toEqual(
        delivery === "digital"
          ? { shipment_status: "sent" }
          : { shipment_status: "shipped", ...none },
      );
    }
  });

  test("read one row more each, and the other events of a shipped gift read none", async () => {
    const gift = await createGift(worker, [simpleProduct()]);
    await accept(worker, gift.path);
    const costOf = async (query: string) => {
      const { json, meter } = await worker.get(gift.client, `/api/events?${query}`);
      return [json.events.length as number, meter.roundTrips, meter.rowsRead];
    };
    const others = await costOf("limit=2");
    await changeParcels("ship", [{ orderId: gift.orderId, sequence: 1 }]);
    expect(await costOf("limit=2")).toEqual(others);
    const [, , redeemed = 0] = await costOf("after=1&limit=1");
    expect(await costOf("after=2&limit=1")).toEqual([1, 1, redeemed + 1]);
  });
});
