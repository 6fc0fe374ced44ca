// The operation `gift list`: unredeemed gifts.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { suborderNumber } from "../../../src/core/values/ids.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import {
  listUnredeemed,
  type UnredeemedPosition,
} from "../../../src/operator/orders/unredeemed-queries.ts";
import { openConsole } from "../../console/console.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const NOW_MS = Date.now();
const at = (ms: number) => startWorker({ now: () => ms });
const api = await openOperatorApi(["viewer"]);

async function createShop(billing: "credit" | "invoice" = "credit") {
  const shop = await openShop(simpleProduct({}, { quantity: null }), { billing });
  const place = (ms: number, count: number, changes = {}) => {
    const body = orderOf(shop.product, { recipient_details: recipients(count), ...changes });
    return placeGiftLink(at(ms), shop.client, body);
  };
  const list = async (input: object = {}, using = api) => {
    const { rows } = await using.all("gift list", { client: shop.client.clientId, ...input }, 2);
    return rows.map(({ gift }) => gift);
  };
  return { ...shop, clientId: shop.client.clientId, place, list };
}

test("lists the open gifts of paid orders with links, oldest first, and records each", async () => {
  const { product, client, clientId, place, list } = await createShop();
  const redeem_by = dayIn(40, NOW_MS);
  const late = await place(NOW_MS - 5 * DAY_MS, 1);
  const early = await place(NOW_MS - 9 * DAY_MS, 3, { redeem_by });
  await accept(startWorker(), early.recipient_return[1]?.gift_url ?? "");
  await placeOrder(at(NOW_MS - 7 * DAY_MS), client, orderOf(product));
  const cancelled = await place(NOW_MS - 7 * DAY_MS, 1);
  await transition(env.DB, cancelled.order_data.order_id, "cancel", NOW_MS);
  const [first, second] = [early.order_data.order_id, late.order_data.order_id];
  const old = [1, 3].map((sequence) => suborderNumber(first, sequence));
  expect(await list()).toEqual([...old, suborderNumber(second, 1)]);
  const entries = await listAudit(env.DB, { orderId: first, limit: 9 });
  expect(entries.map(({ action, subject }) => [action, subject]).sort()).toEqual(
    old.map((number) => ["gift list", number]),
  );
  const { rows } = await api.list("gift list", { client: clientId });
  expect(rows[1]).toMatchObject({
    client: clientId,
    email: "recipient2@example.com",
    last_day: redeem_by,
  });
  expect(await list({ older_than: "6d" })).toEqual(old);
  expect(await list({ older_than: "220h" })).toEqual([]);
  expect(await api.refusal("gift list", { older_than: "30" })).toMatchObject({
    fields: ["older_than"],
  });
});

test("excludes unpaid orders, and gifts that have expired", async () => {
  const { place, list } = await createShop("invoice");
  const placed = await place(NOW_MS - DAY_MS, 1, { redeem_by: dayIn(2, NOW_MS) });
  const { order_id } = placed.order_data;
  expect(await list()).toEqual([]);
  await transition(env.DB, order_id, "pay", NOW_MS - DAY_MS);
  expect(await list()).toEqual([suborderNumber(order_id, 1)]);
  const later = await openConsole({ now: () => NOW_MS + 5 * DAY_MS });
  expect(await list({}, await openOperatorApi(["viewer"], later))).toEqual([]);
});

test("lists all clients' gifts by client", async () => {
  const shops = [await createShop(), await createShop()];
  for (const { place } of shops) await place(NOW_MS - DAY_MS, 1);
  const clients = (await api.all("gift list", {}, 2)).rows.map(({ client }) => client as string);
  expect(clients).toEqual(expect.arrayContaining(shops.map(({ clientId }) => clientId)));
  expect(clients).toEqual(clients.toSorted());
});

test("reads as many rows with hundreds of finished orders as without", async () => {
  const { product, client } = await createShop();
  const order = { reference: "1", status: "paid", method: "api-giftlink" } as const;
  const open = await importListed(client, product, { ...order, gifts: [null], createdAtMs: 1_000 });
  const finished = { ...order, reference: "2", gifts: ["redeemed" as const], createdAtMs: 500 };
  const done = await importListed(client, product, finished);
  const found = (limit: number, after: UnredeemedPosition | undefined, db = env.DB) => {
    const range = { placedBeforeMs: NOW_MS, nowMs: NOW_MS, limit, after };
    return listUnredeemed(db, { clientId: client.clientId, ...range });
  };
  async function cost(after?: UnredeemedPosition) {
    const meter = newMeter();
    const gifts = await found(50, after, meteredD1(env.DB, meter));
    expect(meter.roundTrips).toBe(1);
    return { gifts: gifts.length, rows: meter.rowsRead };
  }
  const few = await cost();
  expect(few.gifts).toBe(1);
  await copyOrder(done, 600, 600, { redeemed_gifts: "1", finished: "1" });
  expect(await cost()).toEqual(few);

  await copyOrder(open, 100, 2_000);
  await sql(
    `INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, product_id)
     SELECT id, 1, 'A', 'B', 'a@example.com', product_id FROM orders
     WHERE client_id = ?1 AND finished = 0 AND id <> ?2`,
    ...[client.clientId, open],
  ).run();
  const many = await cost();
  expect(many.gifts).toBe(50);
  expect(many.rows).toBeLessThanOrEqual(few.rows + 3 * 50);
  const next = await cost((await found(61, undefined))[60]);
  expect(next.gifts).toBe(40);
  expect(next.rows).toBeLessThanOrEqual(few.rows + 3 * 41);
});
