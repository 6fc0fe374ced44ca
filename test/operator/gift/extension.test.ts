// The operator's change of an order's last day.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { transition } from "../../support/transition.ts";
import { extend, extendGift } from "../../../src/features/lifecycle/extend.ts";
import { dayIn, expiryOf } from "../../../src/core/values/redeem-by.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import {
  createExpiring,
  type ExpiringGift,
  expiryColumns,
  laterEvents,
  laterTypes,
  sweep,
} from "../../support/expiry.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import { openShop, orderOf, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift, decline, reinstate } from "../../support/gift.ts";
import { startWorker } from "../../support/worker.ts";
import { runs } from "../../support/runs.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const worker = startWorker();
const NOW_MS = Date.now();
const REFUSED = { code: "not_allowed_in_state" };
const inDays = (days: number) => dayIn(days, NOW_MS);
const keyOf = (orderId: number, sequence: number) => ({ orderId, sequence, ...NO_CLIENT });
const extendOrder = (orderId: number, redeemBy: string | null, nowMs = NOW_MS, DB = env.DB) =>
  extend(DB, { orderId, ...NO_CLIENT }, redeemBy, nowMs);

describe("extend", () => {
  test("sets a later day, an earlier one, and none, each with an event", async () => {
    const gift = await createExpiring({ qty: 2, days: 20 });
    for (const [n, redeemBy] of [inDays(40), inDays(10), null, inDays(1)].entries()) {
      const nowMs = NOW_MS + MINUTE_MS + n;
      expect(await extendOrder(gift.orderId, redeemBy, nowMs)).toMatchObject({ changed: true });
      const expiresAtMs = redeemBy && expiryOf(redeemBy);
      expect(await expiryColumns(gift)).toMatchObject({ expiresAtMs, expired: 0 });
      expect((await laterEvents(gift.client)).slice(n)).toMatchObject([
        {
          type: "order.extended",
          created_at: new Date(nowMs).toISOString(),
          order_id: gift.orderId,
          suborder_id: null,
          data: { redeem_by: redeemBy },
        },
      ]);
      const { json } = await worker.get(gift.client, "/api/orders");
      expect(json.orders).toMatchObject([
        { redeem_by: redeemBy, updated_at: new Date(nowMs).toISOString() },
      ]);
    }
    expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: expiryOf(inDays(1)) });
  });

  test("sets a last day for an order that had none, whose gifts then expire", async () => {
    const gift = await createGift(worker, [simpleProduct()], {}, { finalAfterDays: 0 });
    const redeemBy = inDays(50);
    expect(await extendOrder(gift.orderId, redeemBy)).toMatchObject({ changed: true });
    const expiresAtMs = expiryOf(redeemBy) as number;
    expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: expiresAtMs - 14 * DAY_MS });
    await sweep(expiresAtMs);
    expect(await laterTypes(gift.client)).toEqual([
      ...["order.extended", "gift.expired", "order.cancelled"],
    ]);
  });

  test("changes nothing if the day is the same, also after a lost response", async () => {
    const gift = await createExpiring({ days: 20 });
    const DB = failingBatches(new Error(LOST), "after the commit", 1);
    expect(await extendOrder(gift.orderId, inDays(30), NOW_MS, DB)).toMatchObject({
      changed: false,
    });
    const again = () => extendOrder(gift.orderId, inDays(30));
    expect(await Promise.all([again(), again()])).toMatchObject([
      { changed: false },
      { changed: false },
    ]);
    expect(await laterTypes(gift.client)).toEqual(["order.extended"]);
  });

  test("runs once if two operators set the same day at once", async () => {
    const gift = await createExpiring({ days: 20 });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => extendOrder(gift.orderId, null)),
    );
    expect(outcomes.filter(({ changed }) => changed)).toHaveLength(1);
    expect(await laterTypes(gift.client)).toEqual(["order.extended"]);
  });
});

describe("extend, after gifts have ended,", () => {
  test("is possible after the last day, until the cron handler has ended the gifts", async () => {
    const gift = await createExpiring({ qty: 2, days: 2 });
    const extended = await createExpiring({ qty: 2, days: 2 });
    const redeemBy = inDays(90);
    const extendLate = ({ orderId, expiresAtMs }: ExpiringGift) =>
      extendOrder(orderId, redeemBy, expiresAtMs);
    expect(await extendLate(extended)).toMatchObject({ changed: true });
    await sweep(gift.expiresAtMs);
    await expect(extendLate(gift)).rejects.toMatchObject(REFUSED);
    const columns = await expiryColumns(gift);
    expect(columns).toMatchObject({ expiresAtMs: gift.expiresAtMs, nextCheckMs: null });
    expect(await expiryColumns(extended)).toMatchObject({ status: "paid", expired: 0 });
  });

  test("leaves the expired gifts of an order expired", async () => {
    const gift = await createExpiring({ qty: 3, days: 5 });
    // As if one gift had expired alone.
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE gifts SET redemption_status = 'expired' WHERE order_id = ? AND sequence = 2",
      ).bind(gift.orderId),
      env.DB.prepare("UPDATE orders SET expired_gifts = 1 WHERE id = ?").bind(gift.orderId),
    ]);
    expect(await extendOrder(gift.orderId, inDays(90))).toMatchObject({
      changed: true,
      order: { gifts: [{ sequence: 1 }, { sequence: 3 }] },
    });
    expect((await worker.fetch(gift.paths[1] ?? "")).status).toBe(410);
    expect((await worker.fetch(gift.paths[2] ?? "")).status).toBe(200);
  });

  test("is refused for orders without an open gift or without links, and for unknown orders", async () => {
    const redeemed = await createExpiring();
    expect((await accept(worker, redeemed.path)).status).toBe(303);
    const cancelled = await createExpiring();
    await transition(env.DB, cancelled.orderId, "cancel", NOW_MS);
    for (const { orderId, client } of [redeemed, cancelled]) {
      const before = await laterTypes(client);
      await expect(extendOrder(orderId, null)).rejects.toMatchObject(REFUSED);
      expect(await laterTypes(client)).toEqual(before);
    }
    const { product, client } = await openShop();
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    const orderId = json.order_data.order_id as number;
    await expect(extendOrder(orderId, inDays(9))).rejects.toMatchObject(REFUSED);
    await expect(extendOrder(Number.MAX_SAFE_INTEGER, null)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

test("a declined gift gets another last day, stays declined, and can be taken back until then", async () => {
  const gift = await createExpiring({ days: 2 }, { finalAfterDays: 9 });
  await decline(worker, gift.path);
  const nowMs = gift.expiresAtMs;
  const late = startWorker({ now: () => nowMs });
  expect((await reinstate(late, gift.path)).status).toBe(409);
  await extendGift(env.DB, keyOf(gift.orderId, 1), inDays(20), nowMs);
  expect((await accept(late, gift.path)).status).toBe(409);
  expect((await reinstate(late, gift.path)).status).toBe(303);
  expect((await accept(late, gift.path)).status).toBe(303);
  expect(await laterTypes(gift.client)).toEqual(
    ["declined", "extended", "reinstated", "redeemed"].map((type) => `gift.${type}`),
  );
});

describe("a single gift", () => {
  const pageOf = async (path: string, nowMs: number) =>
    (await startWorker({ now: () => nowMs }).fetch(path)).status;

  /** The second of two gifts whose order ends in 5 days, extended to 30 days. */
  async function createExtended() {
    const gift = await createExpiring({ qty: 2, days: 5 });
    const redeemBy = inDays(30);
    const key = keyOf(gift.orderId, 2);
    const nowMs = NOW_MS + MINUTE_MS;
    expect(await extendGift(env.DB, key, redeemBy, nowMs)).toMatchObject({ changed: true });
    expect(await extendGift(env.DB, key, redeemBy, nowMs)).toMatchObject({ changed: false });
    return { gift, redeemBy, nowMs, expiresAtMs: expiryOf(redeemBy) as number };
  }

  test("has its own day in the event, the order and the list of orders", async () => {
    const { gift, redeemBy, nowMs } = await createExtended();
    expect(await laterEvents(gift.client)).toMatchObject([
      {
        type: "gift.extended",
        suborder_id: gift.orderId * 1000 + 2,
        data: { redeem_by: redeemBy },
      },
    ]);
    const query = `/api/order?order_id=${String(gift.orderId)}&include=details`;
    expect((await worker.get(gift.client, query)).json).toMatchObject({
      redeem_by: gift.redeemBy,
      recipients: [{ redeem_by: gift.redeemBy }, { redeem_by: redeemBy }],
    });
    const { json: list } = await worker.get(gift.client, "/api/orders");
    expect(list.orders).toMatchObject([{ updated_at: new Date(nowMs).toISOString() }]);
  });

  test("is accepted until its own day, and the others until that of their order", async () => {
    const { gift, redeemBy, expiresAtMs } = await createExtended();
    const [first = "", second = ""] = gift.paths;
    const late = gift.expiresAtMs;
    expect([await pageOf(first, late), await pageOf(second, late)]).toEqual([410, 200]);
    const renewal = { suborder_id: gift.orderId * 1000 + 2 };
    const lateWorker = startWorker({ now: () => late });
    const renewed = await lateWorker.post(gift.client, "/api/gift-link/renew", renewal);
    const path = new URL(renewed.json.recipient.gift_url as string).pathname;
    await sweep(late);
    const nextCheckMs = expiresAtMs - 14 * DAY_MS;
    expect(await expiryColumns(gift)).toMatchObject({ status: "paid", expired: 1, nextCheckMs });
    await sweep(nextCheckMs);
    expect((await laterEvents(gift.client)).at(-1)).toMatchObject({
      type: "gift.expiring",
      data: { redeem_by: redeemBy },
    });
    const recipient = startWorker({ now: () => expiresAtMs - 1 });
    expect((await accept(recipient, path)).status).toBe(303);
    await sweep(expiresAtMs);
    expect(await expiryColumns(gift)).toMatchObject({ status: "paid", expired: 1, redeemed: 1 });
  });

  test("expires before its order, and is not extended afterwards", async () => {
    const gift = await createExpiring({ qty: 2, days: 40 });
    const key = keyOf(gift.orderId, 1);
    await extendGift(env.DB, key, inDays(2), NOW_MS);
    const expiresAtMs = expiryOf(inDays(2)) as number;
    expect(await pageOf(gift.path, expiresAtMs)).toBe(410);
    expect((await accept(startWorker({ now: () => expiresAtMs }), gift.path)).status).toBe(410);
    await sweep(expiresAtMs);
    await expect(extendGift(env.DB, key, inDays(90), expiresAtMs)).rejects.toMatchObject(REFUSED);
    expect(await extendOrder(gift.orderId, inDays(90), expiresAtMs)).toMatchObject({
      changed: true,
    });
    expect(await pageOf(gift.path, expiresAtMs)).toBe(410);
  });

  test("gets the last day of its order when that changes", async () => {
    const gift = await createExpiring({ qty: 2, days: 10 });
    await extendGift(env.DB, keyOf(gift.orderId, 2), inDays(60), NOW_MS);
    await extendOrder(gift.orderId, inDays(20));
    await sweep(expiryOf(inDays(20)) as number);
    expect(await expiryColumns(gift)).toMatchObject({ status: "cancieled", expired: 2 });
  });

  test("is extended once after a lost response, and not if it has ended", async () => {
    const gift = await createExpiring({ qty: 2, days: 10 });
    const key = keyOf(gift.orderId, 1);
    const DB = failingBatches(new Error(LOST), "after the commit", 1);
    expect(await extendGift(DB, key, inDays(20), NOW_MS)).toMatchObject({ changed: false });
    expect(await laterTypes(gift.client)).toEqual(["gift.extended"]);
    await accept(worker, gift.path);
    await expect(extendGift(env.DB, key, inDays(30), NOW_MS)).rejects.toMatchObject(REFUSED);
    await transition(env.DB, gift.orderId, "cancel", NOW_MS);
    const other = keyOf(gift.orderId, 2);
    await expect(extendGift(env.DB, other, inDays(30), NOW_MS)).rejects.toMatchObject(REFUSED);
  });
});

interface DayChange {
  /** The day of the change, and the number of days after it until the new last day. */
  on: number;
  days: number;
  /** The gift. Null for the order. */
  sequence: number | null;
}

const CHANGE = fc.record<DayChange>({
  on: fc.integer({ min: 0, max: 30 }),
  sequence: fc.constantFrom(null, 1, 2, 3),
  days: fc.integer({ min: 1, max: 45 }),
});
/** Noon of a day, counted from today. */
const atNoon = (day: number) => (expiryOf(inDays(day)) as number) - DAY_MS;

/** Runs the cron handler on each of 80 days, and changes last days. Returns the reminders and expiries to expect. */
async function live({ orderId }: ExpiringGift, changes: DayChange[]): Promise<Set<string>> {
  const lastDays = [20, 20, 20];
  const expected = new Set<string>();
  const extendTo = async ({ on, sequence, days }: DayChange) => {
    // An hour later, so that no change is at the time of a reminder.
    const [redeemBy, nowMs] = [inDays(on + days), atNoon(on) + 60 * MINUTE_MS];
    const open = [1, 2, 3].filter((each) => (lastDays[each - 1] ?? 0) + 1 > on);
    if (sequence !== null) {
      const key = keyOf(orderId, sequence);
      const outcome = await extendGift(env.DB, key, redeemBy, nowMs).catch(() => null);
      if (!outcome?.changed) return [];
      expect(open).toContain(sequence);
      return [sequence];
    }
    const outcome = await extendOrder(orderId, redeemBy, nowMs).catch(() => null);
    return outcome?.changed ? open : [];
  };
  for (let day = 0; day <= 80; day++) {
    for (const [each, lastDay] of lastDays.entries()) {
      const left = lastDay + 1 - day;
      if (left === 14 || left === 3) expected.add(`expiring ${each + 1} ${day}`);
      if (left === 0) expected.add(`expired ${each + 1} ${day}`);
    }
    await sweep(atNoon(day));
    for (const each of changes.filter(({ on }) => on === day)) {
      for (const sequence of await extendTo(each)) lastDays[sequence - 1] = day + each.days;
    }
  }
  return expected;
}

test("gifts have their reminders and their expiry on their own days, after any changes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(CHANGE, { maxLength: 5 }), async (changes) => {
      const gift = await createExpiring({ qty: 3, days: 20 });
      const expected = await live(gift, changes);
      const reported = (await laterEvents(gift.client))
        .filter(({ type }) => type === "gift.expiring" || type === "gift.expired")
        .map(({ type, suborder_id, created_at }) => {
          const day = (Date.parse(created_at) - atNoon(0)) / DAY_MS;
          return `${type.slice(5)} ${Number(suborder_id) - gift.orderId * 1000} ${day}`;
        });
      expect(new Set(reported).size).toBe(reported.length);
      expect([...expected].filter((each) => !reported.includes(each))).toEqual([]);
      // A reminder whose time had passed at the change may come with a check of another gift.
      const more = reported.filter((each) => !expected.has(each));
      expect(more.filter((each) => !each.startsWith("expiring"))).toEqual([]);
      expect(more.length).toBeLessThanOrEqual(changes.length * 3);
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
}, 120_000);
