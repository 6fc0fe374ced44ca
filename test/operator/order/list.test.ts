// The operations `order list` and `gift list`.
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { listMatchingOrders } from "../../../src/operator/order/queries.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  createClient,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { copyOrder, importListed, type ListedGift } from "../../support/listed-orders.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../operator-api.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { listUnredeemed } from "../../../src/operator/gift/queries.ts";
import { accept } from "../../support/gift.ts";
import { placeGiftLink, placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";

/** A client with `count` orders, each a second after the one before. */
async function newOrders(count: number) {
  const { client, product } = await openShop();
  const id = await importListed(client, product, {
    reference: "PO",
    status: "paid",
    method: "api-purchase",
    createdAtMs: 1_000,
    gifts: [null],
  });
  await copyOrder(id, count - 1, 2_000);
  return { client: client.clientId, id };
}

test("lists orders by pages, newest first, in one round trip each", async () => {
  const opened = await openConsole();
  const api = await openOperatorApi(["viewer"], opened);
  const { client, id } = await newOrders(60);
  const first = await api.list("order list", { client }, { limit: 50 });
  const after = first.next ?? "";
  const second = await api.list("order list", { client }, { limit: 50, after });
  const orders = [...first.rows, ...second.rows].map(({ order }) => order);
  expect([first.rows.length, second.next, new Set(orders).size]).toEqual([50, null, 60]);
  expect(orders.at(-1)).toBe(orderNumber(id));
  const page = await (await opened.signIn("viewer")).get(`/order/list?client=${client}`);
  // The second one reads the clients that the filter suggests.
  expect(page.meter.roundTrips).toBe(2);
  expect(page.html).toMatch(new RegExp(`<datalist id="client">.*value="${client}"`));
  expect(page.html.length).toBeLessThan(60_000);
});

describe("the orders of a filter", async () => {
  const api = await openOperatorApi(["viewer"]);
  const FROM_MS = Date.UTC(2040, 0);
  const at = (ms: number) => new Date(FROM_MS + ms).toISOString();
  const shown: Record<string, unknown>[] = [];
  let client = "";

  /** 1, 2 and 3 s after the time: an order of one gift, two gifts with links, and three gifts. */
  beforeAll(async () => {
    const shop = await openShop();
    client = shop.client.clientId;
    for (const qty of [1, 2, 3]) {
      const worker = startWorker({ now: () => FROM_MS + qty * 1_000 });
      const path = qty === 2 ? "/api/gift-link" : "/api/order";
      const body = orderOf(shop.product, { recipient_details: recipients(qty) });
      const { json } = await worker.post(shop.client, path, body);
      const id = json.order_data.order_id as number;
      if (qty === 2) await transition(env.DB, id, "cancel", FROM_MS + 4_000);
      shown.push({
        order: orderNumber(id),
        reference: body.order_ref_id,
        placed: at(qty * 1_000),
        quantity: qty,
        product: shop.product.product.name,
        progress: `0 of ${String(qty)} ${qty === 2 ? "accepted" : "shipped"}`,
        total: { amount: (31.2 * qty).toFixed(2), currency: "AUD" },
      });
    }
  });

  test.each<[object, number[]]>([
    [{}, [3, 2, 1]],
    [{ status: "paid" }, [3, 1]],
    [{ status: "cancelled" }, [2]],
    [{ status: "failed" }, []],
    [{ method: "api-giftlink" }, [2]],
    [{ method: "api-purchase" }, [3, 1]],
    [{ since: at(2_000) }, [3, 2]],
    [{ since: at(2_001) }, [3]],
    [{ until: at(2_000) }, [1]],
    [{ until: at(2_001) }, [2, 1]],
    [{ since: at(1_000), until: at(3_000), method: "api-purchase", status: "paid" }, [1]],
  ])("%j are %j", async (filter, expected) => {
    const { rows } = await api.list("order list", { client, ...filter });
    expect(rows).toMatchObject(expected.map((n) => shown[n - 1]));
    const all = await api.list("order list", { since: at(0), ...filter });
    expect(all.rows).toEqual(rows);
  });
});

test("lists the orders of a client and of all by reading at most a page, with its products, for each status and method", async () => {
  const product = simpleProduct();
  const [client, other] = [
    await createClient({ products: [product] }),
    await createClient({ products: [product] }),
  ];
  const states = { method: "api-purchase", status: "paid" } as const;
  const order: ListedGift = { ...states, gifts: [null], reference: "1", createdAtMs: 1_000 };
  const id = await importListed(client, product, order);
  const otherId = await importListed(other, product, order);
  await copyOrder(id, 400, 2_000, { status: "iif(n % 2, 'paid', 'created')" });
  await copyOrder(otherId, 400, 2_000);
  for (const [filter, orders, after = { createdAtMs: Number.MAX_SAFE_INTEGER, id: 0 }] of [
    [{}, 20],
    [{ since: 300_000 }, 20],
    [{ status: "created" }, 20],
    [{ status: "created", method: "api-purchase" }, 20],
    [{ method: "link" }, 0],
    [{}, 20, { createdAtMs: 300_000, id: 0 }],
    [{ method: "api-purchase" }, 20, { createdAtMs: 300_000, id }],
  ] as const) {
    for (const of of [client.clientId, undefined]) {
      const meter = newMeter();
      const db = meteredD1(env.DB, meter);
      const page = { after, limit: 20 };
      const found = await listMatchingOrders(db, { ...filter, client: of }, page);
      // Other tests have orders, too.
      expect(of ? found.length : Math.min(found.length, orders)).toBe(orders);
      const ranges = ("status" in filter ? 1 : 4) * ("method" in filter ? 1 : 5);
      expect(meter.rowsRead).toBeLessThanOrEqual(ranges * (21 + 20));
    }
  }
});

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
  const old = [1, 3].map((sequence) => toGiftNumber(first, sequence));
  expect(await list()).toEqual([...old, toGiftNumber(second, 1)]);
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
  expect(await list()).toEqual([toGiftNumber(order_id, 1)]);
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
  const first = { clientId: "", createdAtMs: 0, orderId: 0, sequence: 0 };
  const found = (limit: number, after = first, db = env.DB) => {
    const range = { placedBeforeMs: NOW_MS, nowMs: NOW_MS, campaign: null, limit };
    return listUnredeemed(db, { ...after, client: client.clientId, ...range });
  };
  async function cost(after?: typeof first) {
    const meter = newMeter();
    const gifts = await found(50, after, meteredD1(env.DB, meter));
    expect(meter.roundTrips).toBe(1);
    return { gifts: gifts.length, rows: meter.rowsRead };
  }
  const few = await cost();
  expect(few.gifts).toBe(1);
  await copyOrder(done, 600, 600, { redeemed_gifts: "1" });
  expect(await cost()).toEqual(few);

  await copyOrder(open, 100, 2_000);
  await sql(
    `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
     SELECT id, 1, 'A', 'B', 'a@example.com', 0, 0, 0, product_id FROM orders
     WHERE client_id = ?1 AND finished = 0 AND id <> ?2`,
    ...[client.clientId, open],
  ).run();
  const many = await cost();
  expect(many.gifts).toBe(50);
  expect(many.rows).toBeLessThanOrEqual(few.rows + 3 * 50);
  const next = await cost((await found(61))[60]);
  expect(next.gifts).toBe(40);
  expect(next.rows).toBeLessThanOrEqual(few.rows + 3 * 41);
});

test("orders and gifts of a campaign are listed, found and shown with the credential set that placed and changed them", async () => {
  const api = await openOperatorApi(["viewer"]);
  const { client, product } = await openShop(simpleProduct(), { billing: "credit" });
  const campaign = `Spring ${client.clientId}`;
  const worker = startWorker();
  const { order_data } = await placeGiftLink(worker, client, { ...orderOf(product), campaign });
  await placeGiftLink(worker, client, orderOf(product));
  const order = orderNumber(order_data.order_id);
  const gift = toGiftNumber(order_data.order_id, 1);
  await worker.post(client, "/api/order/correct", {
    suborder_id: order_data.order_id * 1000 + 1,
    first_name: "Eve",
  });
  const { json } = await worker.get(client, "/api/credentials");
  const [set] = json.credentials as { credential_id: number }[];
  const id = set?.credential_id;
  for (const filter of [{ campaign }, { campaign, client: client.clientId }]) {
    const orders = await api.list("order list", filter);
    expect(orders.rows).toMatchObject([{ order, campaign, set: id }]);
    expect((await api.list("gift list", filter)).rows).toMatchObject([{ gift, campaign }]);
  }
  const found = await api.list("order find", { text: campaign.toUpperCase() });
  expect(found.rows).toMatchObject([{ gift }]);
  const shown = await api.view("order show", { order });
  expect(shown.facts).toMatchObject({ campaign, placed_with: id });
  expect(shown.lists["gifts"]).toMatchObject([{ gift, changed_with: id }]);
  const [corrected] = shown.lists["timeline"] ?? [];
  expect(corrected?.["what"]).toMatch(
    new RegExp(`corrected.*, with credential set ${String(id)}$`),
  );
});
