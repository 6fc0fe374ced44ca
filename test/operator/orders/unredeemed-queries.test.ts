// The operator's list of gifts that nobody has redeemed.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import {
  listUnredeemed,
  type UnredeemedPosition,
} from "../../../src/operator/orders/unredeemed-queries.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { startWorker } from "../../support/worker.ts";
import { transition } from "../../support/transition.ts";

const NOW_MS = Date.now();
const at = (ms: number) => startWorker({ now: () => ms });

async function createShop() {
  const { product, client } = await openShop(simpleProduct({}, { quantity: null }));
  const place = (ms: number, count: number, changes = {}) => {
    const body = orderOf(product, { recipient_details: recipients(count), ...changes });
    return placeGiftLink(at(ms), client, body);
  };
  return { product, client, place };
}

async function list(
  clientId: string | null,
  changes: { placedBeforeMs?: number; limit?: number } = {},
) {
  const params = {
    clientId,
    placedBeforeMs: NOW_MS,
    nowMs: NOW_MS,
    limit: 100,
    ...changes,
  };
  return listUnredeemed(env.DB, params);
}

const keys = (gifts: { orderId: number; sequence: number }[]) =>
  gifts.map(({ orderId, sequence }) => [orderId, sequence]);

test("lists open gifts of paid gift-link orders, oldest first", async () => {
  const { product, client, place } = await createShop();
  const late = await place(NOW_MS - 5 * DAY_MS, 1);
  const early = await place(NOW_MS - 9 * DAY_MS, 3);
  await accept(startWorker(), early.recipient_return[1]?.gift_url ?? "");
  await placeOrder(at(NOW_MS - 7 * DAY_MS), client, orderOf(product));
  const cancelled = await place(NOW_MS - 7 * DAY_MS, 1);
  await transition(env.DB, cancelled.order_data.order_id, "cancel", NOW_MS);
  const [first, second] = [early.order_data.order_id, late.order_data.order_id];
  const found = await list(client.clientId);
  expect(keys(found)).toEqual([
    [first, 1],
    [first, 3],
    [second, 1],
  ]);
  expect(found[1]).toMatchObject({
    clientId: client.clientId,
    firstName: "First2",
    lastName: "Last2",
    email: "recipient2@example.com",
    expiresAtMs: null,
    language: null,
    createdAtMs: NOW_MS - 9 * DAY_MS,
  });
  const older = { placedBeforeMs: NOW_MS - 6 * DAY_MS };
  expect(keys(await list(client.clientId, older))).toEqual([
    [first, 1],
    [first, 3],
  ]);
  expect(await list(client.clientId, { placedBeforeMs: NOW_MS - 9 * DAY_MS })).toEqual([]);
  expect(keys(await list(client.clientId, { limit: 1 }))).toEqual([[first, 1]]);
  expect(await list("nobody")).toEqual([]);
});

test("excludes unpaid orders, and gifts that have expired", async () => {
  const { product, client } = await openShop(simpleProduct({}, { quantity: null }), {
    billing: "invoice",
  });
  const redeem_by = new Date(NOW_MS + 2 * DAY_MS).toISOString().slice(0, 10);
  const body = orderOf(product, { redeem_by });
  const { order_data } = await placeGiftLink(at(NOW_MS - DAY_MS), client, body);
  expect(await list(client.clientId)).toEqual([]);
  await transition(env.DB, order_data.order_id, "pay", NOW_MS - DAY_MS);
  expect(keys(await list(client.clientId))).toEqual([[order_data.order_id, 1]]);
  const nowMs = NOW_MS + 5 * DAY_MS;
  const params = { clientId: client.clientId, placedBeforeMs: nowMs, nowMs, limit: 9 };
  expect(await listUnredeemed(env.DB, params)).toEqual([]);
});

test("lists all clients' gifts by client", async () => {
  const shops = [await createShop(), await createShop()];
  for (const { place } of shops) await place(NOW_MS - DAY_MS, 1);
  const own = shops.map(({ client }) => client.clientId);
  const all = await list(null, { limit: 10_000 });
  expect(all.map(({ clientId }) => clientId).filter((id) => own.includes(id))).toEqual(own.sort());
  const clients = all.map(({ clientId }) => clientId);
  expect(clients).toEqual([...clients].sort());
});

test("reads as many rows with hundreds of finished orders as without", async () => {
  const { product, client } = await createShop();
  const order = { reference: "1", status: "paid", method: "api-giftlink" } as const;
  const open = await importListed(client, product, { ...order, gifts: [null], createdAtMs: 1_000 });
  const done = await importListed(client, product, {
    ...order,
    reference: "2",
    gifts: ["redeemed"],
    createdAtMs: 500,
  });
  async function rowsRead(limit: number, after?: UnredeemedPosition) {
    const meter = newMeter();
    const found = await listUnredeemed(meteredD1(env.DB, meter), {
      clientId: client.clientId,
      placedBeforeMs: NOW_MS,
      nowMs: NOW_MS,
      limit,
      after,
    });
    expect(meter.roundTrips).toBe(1);
    return { found: found.length, rows: meter.rowsRead };
  }
  const few = await rowsRead(50);
  expect(few.found).toBe(1);
  await copyOrder(done, 600, 600, { redeemed_gifts: "1", finished: "1" });
  expect(await rowsRead(50)).toEqual(few);

  await copyOrder(open, 100, 2_000);
  await env.DB.prepare(
    `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id)
     SELECT id, 1, 'A', 'B', 'a@example.com', product_id FROM orders
     WHERE client_id = ?1 AND finished = 0 AND id <> ?2`,
  )
    .bind(client.clientId, open)
    .run();
  const many = await rowsRead(50);
  expect(many.found).toBe(50);
  expect(many.rows).toBeLessThanOrEqual(few.rows + 3 * 50);
  const [last] = (await list(client.clientId, { limit: 61 })).slice(60);
  const next = await rowsRead(50, last);
  expect(next.found).toBe(40);
  expect(next.rows).toBeLessThanOrEqual(few.rows + 3 * 41);
});
