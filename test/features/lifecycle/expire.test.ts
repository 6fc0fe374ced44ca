// The expiry of gifts, and the reminders before.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { transition } from "../../support/transition.ts";
import { expireGifts, MAX_ORDERS } from "../../../src/features/lifecycle/expire.ts";
import { extend, extendGift } from "../../../src/features/lifecycle/extend.ts";
import { dayIn, expiryOf, redeemByOf } from "../../../src/core/values/redeem-by.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import {
  countDue,
  createExpiring,
  daysBefore,
  type ExpiringGift,
  expiryColumns,
  laterEvents,
  laterTypes,
  sweep,
} from "../../support/expiry.ts";
import { failingBatches, LOST, watchLog } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  unique,
} from "../../support/fixtures.ts";
import { accept, decline } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();

const stockLeft = ({ product }: ExpiringGift) => stockOf(product.product.id);

/** The types of the client's later events, without the reminders. */
const endings = async ({ client }: ExpiringGift) =>
  (await laterTypes(client)).filter((type) => type !== "gift.expiring");

/** D1 that runs `change` after the due orders were read, before the first transaction. */
function changingBeforeWrite(change: () => Promise<unknown>): D1Database {
  let isFirst = true;
  return overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      if (isFirst) {
        isFirst = false;
        await change();
      }
      return env.DB.batch(statements);
    },
  });
}

/** An order of three gifts, of which the second is redeemed. */
async function createPartlyRedeemed() {
  const gift = await createExpiring({ qty: 3 });
  expect((await accept(worker, gift.paths[1] ?? "")).status).toBe(303);
  return gift;
}

test("open gifts with a last day are reported 14 and 3 days before", async () => {
  const gift = await createPartlyRedeemed();
  const { client, orderId } = gift;
  const reportedAt = async (nowMs: number) => {
    await sweep(nowMs);
    return (await laterEvents(client)).slice(1);
  };
  expect(await reportedAt(daysBefore(gift, 14) - 1)).toEqual([]);
  const reminders = [1, 3].map((sequence) => ({
    type: "gift.expiring",
    created_at: new Date(daysBefore(gift, 14)).toISOString(),
    order_id: orderId,
    suborder_id: orderId * 1000 + sequence,
    data: { redeem_by: gift.redeemBy },
  }));
  expect(await reportedAt(daysBefore(gift, 14))).toMatchObject(reminders);
  expect(await reportedAt(daysBefore(gift, 3) - 1)).toHaveLength(2);
  for (const nowMs of [daysBefore(gift, 3), gift.expiresAtMs - 1]) {
    const types = (await reportedAt(nowMs)).map(({ type }) => type);
    expect(types).toEqual(Array(4).fill("gift.expiring"));
  }
});

test("open gifts with a last day expire when the day has ended everywhere", async () => {
  const gift = await createPartlyRedeemed();
  const { client, orderId, expiresAtMs } = gift;
  const before = await balanceOf(client.clientId);
  await sweep(expiresAtMs - 1);
  expect([await stockLeft(gift), await balanceOf(client.clientId)]).toEqual([97, before]);

  for (const nowMs of [expiresAtMs, expiresAtMs + DAY_MS]) {
    await sweep(nowMs);
    const events = await laterEvents(client);
    expect(events.filter(({ type }) => type === "gift.expired")).toMatchObject(
      [1, 3].map((sequence) => ({
        created_at: new Date(expiresAtMs).toISOString(),
        suborder_id: orderId * 1000 + sequence,
        data: { redemption_status: "expired", currency: "AUD", refund: "31.20" },
      })),
    );
  }
  expect([await stockLeft(gift), await balanceOf(client.clientId)]).toEqual([99, before + 6240]);
  expect(await expiryColumns(gift)).toMatchObject({ status: "paid", nextCheckMs: null });
  const { json } = await worker.get(client, "/api/orders?redemption_status=expired");
  expect(json.orders).toMatchObject([
    {
      order_id: orderId,
      updated_at: new Date(expiresAtMs).toISOString(),
      order_totals: { order_total: "93.60", refunded: "62.40" },
      recipient_count: 3,
      redeemed_count: 1,
      cancelled_count: 0,
      expired_count: 2,
      redeem_by: gift.redeemBy,
    },
  ]);
  expect(await brokenAccounts()).toEqual([]);
});

test("gifts with a last day end their order with the last one, if none is redeemed", async () => {
  const gift = await createExpiring({ qty: 2, days: 2 });
  await sweep(gift.expiresAtMs);
  expect(await laterTypes(gift.client)).toEqual([
    ...["gift.expired", "gift.expired", "order.cancelled"],
  ]);
  expect(await expiryColumns(gift)).toMatchObject({ status: "cancieled", expired: 2 });
  const { json } = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
  expect(json.recipients).toMatchObject([
    { redemption_status: "expired" },
    { redemption_status: "expired" },
  ]);
});

test("gifts with a last day of an unpaid order are not reported, and expire", async () => {
  const gift = await createExpiring({ qty: 2 }, { billing: "invoice" });
  await sweep(daysBefore(gift, 14));
  expect(await laterTypes(gift.client)).toEqual([]);
  expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: daysBefore(gift, 3) });
  await transition(env.DB, gift.orderId, "pay", daysBefore(gift, 4));
  await sweep(daysBefore(gift, 3));
  expect(await laterTypes(gift.client)).toEqual(["order.paid", "gift.expiring", "gift.expiring"]);

  const unpaid = await createExpiring({ qty: 2, days: 1 }, { billing: "invoice" });
  await sweep(unpaid.expiresAtMs);
  expect(await laterTypes(unpaid.client)).toEqual([
    ...["gift.expired", "gift.expired", "order.cancelled"],
  ]);
  expect(await stockLeft(unpaid)).toBe(100);
});

test("gifts with a last day are not checked again once all are redeemed or cancelled", async () => {
  const redeemed = await createExpiring({ qty: 2 });
  for (const path of redeemed.paths) expect((await accept(worker, path)).status).toBe(303);
  const cancelled = await createExpiring();
  await transition(env.DB, cancelled.orderId, "cancel", Date.now());
  expect(await expiryColumns(cancelled)).toMatchObject({ nextCheckMs: null });
  await sweep(daysBefore(redeemed, 14));
  expect(await expiryColumns(redeemed)).toMatchObject({ nextCheckMs: null, status: "paid" });
  await sweep(redeemed.expiresAtMs + DAY_MS);
  expect(await laterTypes(redeemed.client)).toEqual(["gift.redeemed", "gift.redeemed"]);
  expect(await laterTypes(cancelled.client)).toEqual(["order.cancelled"]);
});

test.each(["cancelled", "declined", "redeemed"])(
  "gifts with a last day are still checked after another gift of the order is %s",
  async (ending) => {
    const gift = await createExpiring({ qty: 2 });
    const [path = ""] = gift.paths;
    if (ending === "cancelled") {
      const suborder_ids = [gift.orderId * 1000 + 1];
      const body = { order_id: gift.orderId, suborder_ids };
      expect((await worker.post(gift.client, "/api/order/cancel", body)).status).toBe(200);
    } else {
      const end = ending === "declined" ? decline : accept;
      expect((await end(worker, path)).status).toBe(303);
    }
    await sweep(Date.now() + HOUR_MS);
    expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: daysBefore(gift, 14) });
    await sweep(daysBefore(gift, 14));
    await sweep(gift.expiresAtMs);
    expect(await laterTypes(gift.client)).toEqual([
      ...[`gift.${ending}`, ...(ending === "declined" ? ["gift.cancelled"] : [])],
      ...["gift.expiring", "gift.expired"],
      ...(ending === "redeemed" ? [] : ["order.cancelled"]),
    ]);
  },
);

test("gifts with a last day are reported at most once in a run after a pause, and not after their expiry", async () => {
  for (const [days, nowOf, types, nextOf] of [
    [30, 5, ["gift.expiring"], 3],
    [31, 1, ["gift.expiring"], 0],
    [32, -30, ["gift.expired", "order.cancelled"], null],
  ] as const) {
    const gift = await createExpiring({ days });
    await sweep(daysBefore(gift, nowOf));
    expect(await laterTypes(gift.client)).toEqual(types);
    expect(await expiryColumns(gift)).toMatchObject({
      nextCheckMs: nextOf === null ? null : daysBefore(gift, nextOf),
    });
  }
});

test("gifts without a last day are never checked", async () => {
  const { product, client } = await openShop();
  const { json } = await worker.post(client, "/api/gift-link", orderOf(product));
  const order = { orderId: json.order_data.order_id as number };
  expect(await expiryColumns(order)).toMatchObject({ expiresAtMs: null, nextCheckMs: null });
});

test("gifts whose last day has passed end some days later, with their stock and credit, unless they get another one", async () => {
  const gift = await createExpiring({ qty: 2 }, { finalAfterDays: 3 });
  const { orderId, client } = gift;
  const before = await balanceOf(client.clientId);
  await sweep(gift.expiresAtMs + 2.9 * DAY_MS);
  expect(await endings(gift)).toEqual([]);
  const nowMs = gift.expiresAtMs + 2.95 * DAY_MS;
  const key = { orderId, sequence: 1, ...NO_CLIENT };
  const { changed } = await extendGift(env.DB, key, dayIn(30, nowMs), nowMs);
  expect(changed).toBe(true);
  await sweep(gift.expiresAtMs + 3 * DAY_MS);
  expect(await endings(gift)).toEqual(["gift.extended", "gift.expired"]);
  expect(await balanceOf(client.clientId)).toBe(before + 3_120);
  expect(await stockLeft(gift)).toBe(99);
  await expect(
    extendGift(env.DB, { ...key, sequence: 2 }, dayIn(30, nowMs), nowMs),
  ).rejects.toMatchObject({ code: "not_allowed_in_state" });
  const later = startWorker({ now: () => nowMs + DAY_MS });
  expect((await accept(later, gift.paths[0] ?? "")).status).toBe(303);
});

test("gifts of an unpaid order end with their last day", async () => {
  const gift = await createExpiring({}, { finalAfterDays: 30, billing: "invoice" });
  await sweep(gift.expiresAtMs);
  expect(await endings(gift)).toEqual(["gift.expired", "order.cancelled"]);
});

test("simultaneous runs report and expire each gift once", async () => {
  const gifts = await Promise.all(
    [1, 2, 3].map(async (qty) => ({ qty, gift: await createExpiring({ qty, days: 20 }) })),
  );
  const { gift: first } = gifts[0] as { gift: ExpiringGift };
  for (const nowMs of [daysBefore(first, 14), daysBefore(first, 3), first.expiresAtMs]) {
    await Promise.all([sweep(nowMs), sweep(nowMs), sweep(nowMs)]);
  }
  for (const { gift, qty } of gifts) {
    const each = (type: string) => Array<string>(qty).fill(type);
    expect(await laterTypes(gift.client)).toEqual([
      ...[...each("gift.expiring"), ...each("gift.expiring"), ...each("gift.expired")],
      "order.cancelled",
    ]);
    expect(await stockLeft(gift)).toBe(100);
    expect(await expiryColumns(gift)).toMatchObject({ refundedMinor: qty * 3120 });
  }
  expect(await brokenAccounts()).toEqual([]);
});

test.each([
  ["before the commit", 1],
  ["before the commit", 3],
  ["after the commit", 1],
  ["after the commit", 3],
] as const)(
  "a run whose response is lost %s, %d times, and the next one report and expire each gift once",
  async (when, times) => {
    const log = watchLog();
    const gift = await createExpiring({ qty: 2, days: 20 });
    const fails = when === "before the commit" && times === 3;
    for (const [nowMs, types] of [
      [daysBefore(gift, 14), ["gift.expiring", "gift.expiring"]],
      [gift.expiresAtMs, ["gift.expired", "gift.expired", "order.cancelled"]],
    ] as const) {
      await sweep(nowMs - 1);
      const known = (await laterTypes(gift.client)).length;
      const run = expireGifts(failingBatches(new Error(LOST), when, times), nowMs);
      if (fails) await expect(run).rejects.toThrow(String(gift.orderId));
      else await run.catch(String);
      await sweep(nowMs + HOUR_MS);
      expect((await laterTypes(gift.client)).slice(known)).toEqual(types);
    }
    expect(await stockLeft(gift)).toBe(100);
    expect(await brokenAccounts()).toEqual([]);
    if (fails) expect(log).toHaveBeenCalledWith(expect.stringContaining("expiry.failed"));
  },
);

test("a run that ends at any of its transactions is completed by the next run", async () => {
  const gifts: ExpiringGift[] = [];
  for (let n = 0; n < 4; n++) gifts.push(await createExpiring({ qty: 2, days: 3 }));
  const nowMs = (gifts[0] as ExpiringGift).expiresAtMs;
  await sweep(nowMs - 1);
  for (let survived = 0; survived < 4; survived++) {
    let calls = 0;
    const { promise: killed, resolve: kill } = Promise.withResolvers<undefined>();
    const DB = overriding(env.DB, {
      // The run is abandoned, as if its process had been killed.
      batch: (statements: D1PreparedStatement[]) => {
        if (++calls === 1) return env.DB.batch(statements);
        kill(undefined);
        return new Promise<never>(() => undefined);
      },
    });
    await Promise.race([expireGifts(DB, nowMs), killed]);
  }
  await sweep(nowMs);
  for (const gift of gifts) {
    expect(await endings(gift)).toEqual(["gift.expired", "gift.expired", "order.cancelled"]);
    expect(await stockLeft(gift)).toBe(100);
  }
});

test.each<[string, string, (gift: ExpiringGift) => Promise<unknown>]>([
  [
    "redemption",
    "gift.redeemed",
    ({ path, expiresAtMs }) => accept(startWorker({ now: () => expiresAtMs - 1 }), path),
  ],
  [
    "cancellation",
    "order.cancelled",
    ({ orderId, expiresAtMs }) => transition(env.DB, orderId, "cancel", expiresAtMs),
  ],
])("a %s between the reading and the writing of an expiry wins", async (_, type, change) => {
  const gift = await createExpiring({ days: 1 });
  const nowMs = gift.expiresAtMs;
  await sweep(nowMs - 1);
  await expireGifts(
    changingBeforeWrite(() => change(gift)),
    nowMs,
  );
  expect(await laterTypes(gift.client)).toEqual([type]);
  await sweep(nowMs + HOUR_MS);
  expect(await expiryColumns(gift)).toMatchObject({ expired: 0, nextCheckMs: null });
  expect(await stockLeft(gift)).toBe(type === "gift.redeemed" ? 99 : 100);
});

test.each([
  ["an expiry", 1, 0],
  ["a reminder", 20, 14],
])("an extension between the reading and the writing of %s wins", async (_, days, before) => {
  const gift = await createExpiring({ days });
  const nowMs = daysBefore(gift, before);
  await sweep(nowMs - 1);
  const redeemBy = dayIn(40, Date.now());
  const expiresAtMs = expiryOf(redeemBy) as number;
  await expireGifts(
    changingBeforeWrite(() =>
      extend(env.DB, { orderId: gift.orderId, ...NO_CLIENT }, redeemBy, nowMs - 1),
    ),
    nowMs,
  );
  expect(await laterTypes(gift.client)).toEqual(["order.extended"]);
  await sweep(nowMs);
  const nextCheckMs = expiresAtMs - 14 * DAY_MS;
  expect(await expiryColumns(gift)).toMatchObject({ expired: 0, expiresAtMs, nextCheckMs });
});

test("an extension that leaves the time of the next check is not overwritten", async () => {
  const gift = await createExpiring({ days: 25 });
  const nowMs = daysBefore(gift, 3);
  await sweep(nowMs - 1);
  // 14 days before the new expiry is 3 days before the old one. The operator's clock is behind.
  const expiresAtMs = gift.expiresAtMs + 11 * DAY_MS;
  const redeemBy = redeemByOf(expiresAtMs);
  await expireGifts(
    changingBeforeWrite(() =>
      extend(env.DB, { orderId: gift.orderId, ...NO_CLIENT }, redeemBy, nowMs - 1),
    ),
    nowMs,
  );
  expect(await laterTypes(gift.client)).toEqual(["gift.expiring", "order.extended"]);
  await sweep(nowMs);
  expect((await laterEvents(gift.client)).slice(2)).toMatchObject([
    { type: "gift.expiring", data: { redeem_by: redeemBy } },
  ]);
  expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: expiresAtMs - 3 * DAY_MS });
});

test("of a redemption, a cancellation and an expiry at once, one ends each gift", async () => {
  const gifts: ExpiringGift[] = [];
  for (let n = 0; n < 5; n++) gifts.push(await createExpiring({ qty: 3, days: 4 }));
  const at = (gifts[0] as ExpiringGift).expiresAtMs;
  await sweep(at - 1);
  const recipient = startWorker({ now: () => at - 1 });
  await Promise.all([
    sweep(at),
    ...gifts.map(({ paths }, n) => accept(recipient, paths[n % 3] ?? "")),
    ...gifts.slice(2).map(({ orderId }) => transition(env.DB, orderId, "cancel", at)),
    sweep(at),
  ]);
  await sweep(at + HOUR_MS);
  for (const gift of gifts) {
    const columns = await expiryColumns(gift);
    const { redeemed = 0, cancelled = 0, expired = 0 } = columns ?? {};
    expect(redeemed + cancelled + expired).toBe(3);
    expect(columns).toMatchObject({
      nextCheckMs: null,
      refundedMinor: Math.floor((9360 * (cancelled + expired)) / 3),
    });
    expect(await stockLeft(gift)).toBe(100 - redeemed);
  }
  expect(await brokenAccounts()).toEqual([]);
});

/** Sets the refunds of the orders. If they equal the totals, an expiry violates a constraint. */
const setRefunds = (gifts: ExpiringGift[], refund: "order_total_minor" | "0") =>
  sql(
    `UPDATE orders SET refunded_minor = ${refund} WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(gifts.map(({ orderId }) => orderId)),
  ).run();

/** The number of these orders that have expired. */
const countExpired = (gifts: ExpiringGift[]) =>
  sql(
    `SELECT count(*) AS n FROM orders WHERE status = 'cancieled' AND expired_gifts = 1
       AND id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(gifts.map(({ orderId }) => orderId)),
  ).first("n");

test("an order whose check fails is checked again an hour later, and does not stop the others", async () => {
  const log = watchLog();
  const gifts: ExpiringGift[] = [];
  for (let n = 0; n < 14; n++) gifts.push(await createExpiring({ days: 6 }));
  const at = (gifts[0] as ExpiringGift).expiresAtMs;
  await sweep(at - 1);
  const [failing, others] = [gifts.slice(0, 12), gifts.slice(12)];
  await setRefunds(failing, "order_total_minor");
  // A run ends after ten failures.
  await expect(expireGifts(env.DB, at)).rejects.toThrow("failed for orders");
  expect(await countDue(at)).toBe(4);
  await expect(expireGifts(env.DB, at)).rejects.toThrow("failed for orders");
  expect(log).toHaveBeenCalledTimes(12);
  expect(await countExpired(others)).toBe(2);

  await setRefunds(failing, "0");
  await expireGifts(env.DB, at + HOUR_MS - 1);
  expect(await countExpired(failing)).toBe(0);
  await sweep(at + HOUR_MS);
  expect(await countExpired(failing)).toBe(12);
  expect(await endings(failing[0] as ExpiringGift)).toEqual(["gift.expired", "order.cancelled"]);
});

/** Copies the order, with its gifts, `count` times. */
async function multiply({ orderId }: ExpiringGift, count: number, nextCheckMs: number) {
  const columns = await sql(
    `SELECT group_concat(name) AS names FROM pragma_table_info('orders') WHERE name NOT IN
       ('id', 'order_ref_id', 'next_expiry_check_ms', 'debit_sequence', 'owed_minor')`,
  ).first<string>("names");
  const prefix = `copy-${String(unique())}-`;
  await env.DB.batch([
    sql(
      `INSERT INTO orders (order_ref_id, next_expiry_check_ms, ${String(columns)})
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
       SELECT ? || n, ?, ${String(columns)} FROM orders, numbers WHERE orders.id = ?`,
      ...[count, prefix, nextCheckMs, orderId],
    ),
    sql(
      `INSERT INTO gifts (order_id, sequence, first_name, last_name, email, product_minor, shipping_minor, fee_minor, product_id)
       SELECT o.id, 1, 'A', 'B', 'a@example.com', 0, 0, 0, o.product_id FROM orders o
       WHERE o.client_id = (SELECT client_id FROM orders WHERE id = ?)
         AND o.order_ref_id LIKE ? || '%'`,
      ...[orderId, prefix],
    ),
  ]);
}

async function costAt(nowMs: number) {
  const meter = newMeter();
  await expireGifts(meteredD1(env.DB, meter), nowMs);
  return meter;
}

test("the costs of a run depend on the due orders, and not on the others", async () => {
  const product = simpleProduct({}, { quantity: 10_000 });
  const gift = await createExpiring({ days: 10 }, { products: [product] });
  await sweep(gift.expiresAtMs);
  const nothing = await costAt(gift.expiresAtMs);
  expect(nothing).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(nothing.rowsRead).toBeLessThanOrEqual(1);

  const costs = [];
  for (const [others, days] of [
    [30, 11],
    [500, 12],
  ] as const) {
    const due = await createExpiring({ qty: 2, days }, { products: [product] });
    await sweep(due.expiresAtMs - 1);
    await multiply(due, others, due.expiresAtMs + 100 * DAY_MS);
    costs.push(await costAt(due.expiresAtMs));
  }
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[0]).toMatchObject({ roundTrips: 2, statements: 10 });
  expect(costs[0]?.rowsRead).toBeLessThanOrEqual(100);
});

test("the costs of a run are bounded, and the next run checks the other orders", async () => {
  const product = simpleProduct({}, { quantity: 10_000 });
  const gift = await createExpiring({ days: 14 }, { products: [product], billing: "invoice" });
  const at = gift.expiresAtMs;
  await sweep(at - 1);
  await multiply(gift, MAX_ORDERS + 9, at);
  const first = await costAt(at);
  expect(first.roundTrips).toBe(1 + MAX_ORDERS);
  expect(first.statements).toBeLessThan(1_000);
  expect(await countDue(at)).toBe(10);
  expect((await costAt(at)).roundTrips).toBe(11);
  expect(await countDue(at)).toBe(0);
});

test("a placement with a last day writes one row more", async () => {
  const { product, client } = await openShop();
  const written = async (changes: object) => {
    const body = orderOf(product, { recipient_details: recipients(2), ...changes });
    const { status, meter } = await worker.post(client, "/api/gift-link", body);
    expect(status).toBe(200);
    return [meter.rowsWritten, meter.statements];
  };
  const [rows = 0, statements = 0] = await written({});
  await written({});
  const [rowsWithout = 0] = await written({});
  expect(rowsWithout).toBe(rows);
  expect(statements).toBeGreaterThan(0);
  expect((await written({ redeem_by: dayIn(30, Date.now()) }))[0]).toBe(rows + 1);
});
