// The costs of requests: round trips, rows and KV operations.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { EventData } from "../src/features/events/event.ts";
import { changeShipments } from "../src/features/fulfilment/change.ts";
import { MAX_LENGTHS } from "../src/features/redeem/form.ts";
import { overriding } from "./support/counting.ts";
import { MAILING } from "./support/emails.ts";
import {
  createClient,
  metadataOf,
  orderOf,
  recipients,
  simpleProduct,
  variableProduct,
  openShop,
} from "./support/fixtures.ts";
import { accept, createGift } from "./support/gift.ts";
import { sql } from "./support/sql.ts";
import { startWorker } from "./support/worker.ts";

const products = (count: number) => Array.from({ length: count }, () => simpleProduct());

test("GET /api/products costs nothing if client and page are in the isolate's memory, and two KV reads in a new isolate", async () => {
  const client = await createClient({ products: products(3) });
  const worker = startWorker();
  await worker.get(client, "/api/products");
  const free = { roundTrips: 0, kvReads: 0, kvWrites: 0 };
  expect((await worker.get(client, "/api/products")).meter).toMatchObject(free);
  const elsewhere = await startWorker().get(client, "/api/products");
  expect(elsewhere.meter).toMatchObject({ ...free, kvReads: 2 });
});

test("GET /api/products reads at most 3 rows for each product, for the first and the last page of a catalogue", async () => {
  const mixed = [...products(280), ...products(20).map(() => variableProduct())];
  mixed.push(
    ...products(30).map(({ product, stock }) => ({
      product: { ...product, delivery: "digital" as const },
      stock,
    })),
  );
  const client = await createClient({
    products: mixed.sort((a, b) => a.product.id - b.product.id),
  });
  const worker = startWorker();
  await worker.get(client, "/api/credit-balance");
  for (const query of [
    "limit=100",
    "limit=100&page=3",
    "limit=50&page=6",
    "limit=10&product_type=digital&page=3",
    "limit=150&product_type=physical&page=2",
  ]) {
    const { json, meter } = await worker.get(client, `/api/products?${query}`);
    const shown: number = json.total_products_in_query;
    expect(shown).toBeGreaterThanOrEqual(10);
    expect([query, meter.roundTrips]).toEqual([query, 1]);
    const variations = json.products.flatMap(
      (product: { variations?: unknown[] }) => product.variations ?? [],
    ).length as number;
    expect(meter.rowsRead).toBeLessThanOrEqual(3 * (shown + variations));
  }
  const beyond = await worker.get(client, "/api/products?page=1000000");
  expect(beyond.json.products).toEqual([]);
  expect(beyond.meter.rowsRead).toBeLessThanOrEqual(1);
});

test("reading one product, order or balance takes one round trip, and reads as few rows in a large catalogue with many orders", async () => {
  const costs = [];
  for (const count of [1, 60]) {
    const all = products(count);
    const client = await createClient({ products: all });
    const worker = startWorker();
    const [product = simpleProduct()] = all;
    for (let n = 0; n < count / 10; n++) {
      await worker.post(client, "/api/order", orderOf(product));
    }
    const placed = orderOf(product, { recipient_details: recipients(2) });
    const { json } = await worker.post(client, "/api/gift-link", placed);
    const { order_id, order_number } = json.order_data as Record<string, string>;
    const cost: Record<string, number> = {};
    for (const path of [
      `/api/product?product_id=${String(product.product.id)}`,
      `/api/order?order_id=${String(order_id)}`,
      `/api/order?order_number=${String(order_number)}`,
      `/api/order?order_ref_id=${placed.order_ref_id}`,
      "/api/credit-balance",
    ]) {
      const { status, meter } = await worker.get(client, path);
      expect([path, status, meter.roundTrips, meter.rowsWritten]).toEqual([path, 200, 1, 0]);
      cost[path.replace(/=.*/, "")] = meter.rowsRead;
    }
    costs.push(cost);
  }
  expect(costs[1]).toEqual(costs[0]);
});

test("reading one product, order or balance keeps every row of the largest order far below D1's limit of 2 MB", async () => {
  const { client, orderId } = await createLargestOrder();
  const { DB, rowBytes } = watchingRows();
  const path = `/api/order?order_id=${String(orderId)}&include=thank_you,delivery_email`;
  const { json } = await startWorker({ env: { DB } }).get(client, path);
  expect(json.recipients[499].thank_you.message).toBe("🎁".repeat(1_000));
  const numbers = json.recipients.map((each: { suborder_number: string }) =>
    Number(each.suborder_number.split("-")[2]),
  );
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, index) => index + 1));
  expect(Math.max(...rowBytes)).toBeGreaterThan(100_000);
  expect(Math.max(...rowBytes)).toBeLessThan(1_500_000);
});

/** An order for 500 recipients, all of whose texts are as long as possible. */
async function createLargestOrder() {
  const { product, client } = await openShop(simpleProduct({}, { quantity: 500 }));
  const people = recipients(500).map((person) => ({
    ...person,
    redemption_message: "お".repeat(550),
  }));
  const body = orderOf(product, { recipient_details: people });
  const { json } = await startWorker().post(client, "/api/gift-link", body);
  const orderId = json.order_data.order_id as number;
  const { delivery_notes, ...lengths } = MAX_LENGTHS;
  const address = Object.fromEntries(
    Object.entries(lengths).map(([part, length]) => [part, "東".repeat(length)]),
  );
  await sql(
    `UPDATE gifts SET delivery_address = ?, delivery_notes = ?, redemption_status = 'redeemed',
       redeemed_at_ms = 1, thank_you = ?, thanked_at_ms = 2, delivery_email = ?
     WHERE order_id = ?`,
    JSON.stringify(address),
    "注".repeat(delivery_notes),
    "🎁".repeat(1_000),
    `${"a".repeat(64)}@${"b".repeat(60)}.example`,
    orderId,
  ).run();
  return { client, orderId };
}

/** A database, and the sizes of the rows that are read from it. */
function watchingRows() {
  const rowBytes: number[] = [];
  const watched = (statement: D1PreparedStatement): D1PreparedStatement =>
    overriding(statement, {
      bind: (...values) => watched(statement.bind(...values)),
      all: async () => {
        const answer = await statement.all();
        for (const row of answer.results) {
          rowBytes.push(new TextEncoder().encode(JSON.stringify(row)).length);
        }
        return answer;
      },
    });
  const session = env.DB.withSession("first-primary");
  const prepare = (sql: string) => watched(session.prepare(sql));
  const DB = overriding(env.DB, { withSession: () => overriding(session, { prepare }) });
  return { DB, rowBytes };
}

describe.each(["/api/order", "/api/gift-link"])("POST %s", (path) => {
  test.each([1, 500])("places %d recipients within its budget", async (count) => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 5_000 }));
    const worker = startWorker();
    await worker.get(client, "/api/credit-balance");

    for (const roundTrips of [2, 1]) {
      const order = orderOf(product, { recipient_details: recipients(count) });
      const { status, meter } = await worker.post(client, path, order);
      expect([status, meter.roundTrips]).toEqual([200, roundTrips]);
      expect(meter.statements - (roundTrips - 1)).toBeLessThanOrEqual(9);
      expect(meter.rowsWritten).toBeLessThanOrEqual(12 + 6 * count);
      expect(meter.kvReads + meter.kvWrites).toBe(0);

      const replay = await worker.post(client, path, order);
      expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
      expect(replay.meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    }
  });

  // An index has the paid orders that are to be shipped.
  const toShip = path === "/api/order" ? 1 : 0;

  test.each<[string, number | null, "credit" | "invoice", number]>([
    ["11 rows, and six for each recipient, of which five are search terms", 100, "credit", 23],
    ["one more row if it takes the last piece", 2, "credit", 24],
    ["no stock for a product that is not tracked", null, "credit", 22],
    [
      "its entry of the ledger, the first one with one row more, and no account for a client with invoices",
      100,
      "invoice",
      24,
    ],
  ])("writes %s", async (_, quantity, billing, rows) => {
    const { product, client } = await openShop(simpleProduct({}, { quantity }), { billing });
    const order = orderOf(product, { recipient_details: recipients(2) });
    const { meter } = await startWorker().post(client, path, order);
    expect(meter.rowsWritten).toBe(rows + (billing === "credit" ? toShip : 0));
  });

  test("reads at most 60 rows, however large the catalogue and many the orders", async () => {
    const all = products(60);
    const client = await createClient({ products: all });
    const worker = startWorker();
    const place = (product = simpleProduct(), changes = {}) =>
      worker.post(client, path, orderOf(product, changes));
    for (const product of all.slice(0, 20)) await place(product);
    const placed = [await place(all[0]), await place(all.at(-1))];
    const refused = [
      await place(),
      await place(all.at(-1), { recipient_details: recipients(101) }),
    ];
    expect(placed.map(({ status }) => status)).toEqual([200, 200]);
    expect(refused.map(({ json }) => json.code as string)).toEqual([
      "product_not_found",
      "out_of_stock",
    ]);
    for (const { meter } of [...placed, ...refused]) expect(meter.rowsRead).toBeLessThan(60);
  });

  test("places an order of a client in no cache with one read near by, and the same writes", async () => {
    const { product, client } = await openShop();
    const order = () => orderOf(product, { recipient_details: recipients(2) });
    const cold = await startWorker().post(client, path, order());
    const inKv = await startWorker().post(client, path, order());
    // The replica and the primary. After the response, the record is read from the primary, or from KV.
    expect(cold.meter).toMatchObject({ roundTrips: 3, kvReads: 1, kvWrites: 1 });
    expect(inKv.meter).toMatchObject({ roundTrips: 2, kvReads: 1, kvWrites: 0 });
    for (const { meter } of [cold, inKv]) {
      expect(meter.rowsWritten).toBe(23 + toShip);
      expect(meter.rowsRead).toBeLessThan(100);
    }
  });

  test("replays in a new isolate in one round trip", async () => {
    const { product, client } = await openShop();
    const order = orderOf(product);
    await startWorker().post(client, path, order);
    const { meter } = await startWorker().post(client, path, order);
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0, kvWrites: 0 });
  });
});

test("GET /api/events reads at most 4 rows for each of the largest events, of which 500 have at most 6 MB", async () => {
  const gifts = 125;
  const { product, client } = await openShop(simpleProduct({}, { quantity: gifts }));
  const worker = startWorker();
  const emojis = (length: number) => "\u{1f381}".repeat(length);
  const { json: placed } = await worker.post(client, "/api/order", {
    ...orderOf(product),
    order_ref_id: emojis(100),
    metadata: metadataOf(4_096),
    recipient_details: recipients(gifts).map((person) => ({
      ...person,
      external_id: emojis(100),
      metadata: metadataOf(4_096),
    })),
  });
  const parcels = Array.from({ length: gifts }, (_, index) => ({
    orderId: placed.order_data.order_id as number,
    sequence: index + 1,
    carrier: emojis(60),
    trackingNumber: emojis(60),
    trackingUrl: `https://dhl.example/${emojis(480)}`,
  }));
  const request = { requestId: "largest events", clientId: null, nowMs: Date.now() };
  await changeShipments(env.DB, "ship", parcels, request);
  const { json, text, meter } = await worker.get(client, "/api/events?after=1&limit=500");
  expect([json.events.length, json.has_more]).toEqual([gifts, false]);
  expect([meter.roundTrips, meter.rowsWritten]).toEqual([1, 0]);
  expect(meter.rowsRead).toBeLessThanOrEqual(4 * gifts + 2);
  const bytesOf500 = (new TextEncoder().encode(text).byteLength * 500) / gifts;
  expect(bytesOf500).toBeGreaterThan(5_000_000);
  expect(bytesOf500).toBeLessThan(6_000_000);
});

describe("POST /api/order/cancel", () => {
  /** A placed order, with the names by which it can be cancelled. */
  async function placeGifts(qty: number, billing: "credit" | "invoice" = "credit") {
    const product = simpleProduct({}, { quantity: 1_000 });
    const worker = startWorker();
    const changes = { recipient_details: recipients(qty) };
    const { client, orderId } = await createGift(worker, [product], changes, { billing });
    const cancel = (gifts?: number[], name: object = { order_id: orderId }) =>
      worker.post(client, "/api/order/cancel", {
        ...name,
        suborder_ids: gifts?.map((sequence) => orderId * 1000 + sequence),
      });
    return { cancel, orderId };
  }

  test("takes one round trip, and writes 12 rows and one for each gift to cancel an order of 500", async () => {
    const { cancel, orderId } = await placeGifts(500);
    const { status, meter } = await cancel();
    expect([status, meter.roundTrips, meter.rowsWritten]).toEqual([200, 1, 512]);
    const again = await cancel();
    expect([again.status, again.meter.roundTrips, again.meter.rowsWritten]).toEqual([200, 1, 0]);
    const data = await sql(
      "SELECT data FROM events WHERE order_id = ? AND type = 'order.cancelled'",
      orderId,
    ).first<string>("data");
    const { cancelledSequences } = JSON.parse(data ?? "") as EventData;
    expect(cancelledSequences).toHaveLength(500);
    expect(data?.length).toBeLessThanOrEqual(2_000);
  });

  test("writes two more rows for each gift that is cancelled alone, and none if it is refused", async () => {
    const { cancel } = await placeGifts(50);
    const one = await cancel([7]);
    expect([one.meter.roundTrips, one.meter.rowsWritten]).toEqual([1, 13]);
    const many = await cancel(Array.from({ length: 40 }, (_, n) => n + 8));
    expect([many.meter.roundTrips, many.meter.rowsWritten]).toEqual([1, 130]);
    const refused = await cancel([1, 51]);
    expect([refused.status, refused.meter.rowsWritten]).toEqual([400, 0]);
    const invoiced = await placeGifts(3, "invoice");
    expect((await invoiced.cancel()).meter.rowsWritten).toBe(14);
  });

  test("reads rows in proportion to the gifts, and a few more with a reference", async () => {
    const cost = async (qty: number, all: boolean, byReference = false) => {
      const { cancel, orderId } = await placeGifts(qty);
      const select = "SELECT order_ref_id FROM orders WHERE id = ?";
      const reference = await sql(select, orderId).first<string>("order_ref_id");
      const gifts = all ? undefined : Array.from({ length: qty / 2 }, (_, n) => n + 1);
      const answer = await cancel(gifts, byReference ? { order_ref_id: reference } : undefined);
      expect([answer.status, answer.meter.roundTrips]).toEqual([200, 1]);
      return answer.meter.rowsRead;
    };
    for (const all of [true, false]) {
      const [small, large] = [await cost(20, all), await cost(120, all)];
      expect(large - small).toBeLessThanOrEqual(100 * 18);
      expect((await cost(20, all, true)) - small).toBeLessThanOrEqual(40);
    }
  });
});

test("a gift link writes 8 rows to redeem a gift, 2 more for another product, and 1 fewer for the order's last gift", async () => {
  const products = [simpleProduct(), simpleProduct()];
  const worker = startWorker();
  const { paths } = await createGift(worker, products, {
    gift_of_choice: "Y",
    recipient_details: recipients(3),
  });
  const chosen = { product_id: String(products[1]?.product.id) };
  for (const [index, fields, rowsWritten] of [
    [0, {}, 8],
    [1, chosen, 10],
    [2, {}, 7],
  ] as const) {
    const { status, meter } = await accept(worker, paths[index] ?? "", fields);
    expect([status, meter.roundTrips, meter.rowsWritten]).toEqual([303, 2, rowsWritten]);
  }
  const again = await accept(worker, paths[0] ?? "");
  expect(again.meter.rowsWritten).toBe(0);
});

const paid = { billing: "credit" } as const;
const unpaid = { billing: "invoice" } as const;

test.each([
  ["order.paid", unpaid, 1, 9],
  ["order.failed", unpaid, 1, 13],
  ["gift.redeemed", paid, 3, 8],
  ["gift.expired", paid, 3, 13],
  ["gift.declined", paid, 4, 6],
] as const)(
  "the event %s of an order for two recipients writes the rows of its change, and none if it is repeated",
  async (event, options, roundTrips, rowsWritten) => {
    const worker = startWorker();
    const changes = { recipient_details: recipients(2) };
    const { client, orderId } = await createGift(worker, products(1), changes, options);
    const body = event.startsWith("order")
      ? { event, order_id: orderId }
      : { event, suborder_id: orderId * 1000 + 1 };
    const send = () => worker.post(client, "/api/sandbox/event", body);
    const [first, again] = [await send(), await send()];
    expect(first.meter).toMatchObject({ roundTrips, rowsWritten });
    expect(again.meter).toMatchObject({ rowsWritten: 0 });
  },
);

test("a sandbox control of all orders writes 2 rows for each order and gift to advance the clock", async () => {
  const worker = startWorker({ env: MAILING });
  const { product, client } = await openShop();
  const redeem_by = "2029-12-31";
  const orders = 5;
  for (let order = 0; order < orders; order++) {
    const changes = { recipient_details: recipients(10), redeem_by, send_method: "email" };
    expect((await worker.post(client, "/api/gift-link", orderOf(product, changes))).status).toBe(
      200,
    );
  }
  const clock = (await worker.post(client, "/api/sandbox/clock", { advance: "P1D" })).meter;
  expect(clock.roundTrips).toBe(3);
  expect(clock.rowsWritten).toBeLessThanOrEqual(1 + orders * 22);
  expect(clock.rowsRead).toBeLessThanOrEqual(20 + orders * 45);
});
