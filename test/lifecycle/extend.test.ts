// The operator's change of an order's last day.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { transition } from "../support/transition.ts";
import { extend } from "../../src/lifecycle/extend.ts";
import { dayIn, expiryOf } from "../../src/values/redeem-by.ts";
import { DAY_MS, MINUTE_MS } from "../../src/values/time.ts";
import {
  createExpiring,
  daysBefore,
  expiryColumns,
  laterEvents,
  laterTypes,
  sweep,
} from "../support/expiry.ts";
import { failingBatches, LOST } from "../support/faults.ts";
import { orderOf, simpleProduct, createClient } from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import { startWorker } from "../support/worker.ts";

const worker = startWorker();
const NOW_MS = Date.now();
const inDays = (days: number) => dayIn(days, NOW_MS);

describe("extend", () => {
  test("sets a later day, an earlier one, and none, each with an event", async () => {
    const gift = await createExpiring({ qty: 2, days: 20 });
    for (const [n, redeemBy] of [inDays(40), inDays(10), null, inDays(1)].entries()) {
      const nowMs = NOW_MS + MINUTE_MS + n;
      expect(await extend(env.DB, gift.orderId, redeemBy, nowMs)).toEqual({
        ...{ result: "extended", openGifts: 2, expiredGifts: 0 },
      });
      const expiresAtMs = redeemBy && expiryOf(redeemBy);
      expect(await expiryColumns(gift)).toMatchObject({ expiresAtMs, expired: 0 });
      expect((await laterEvents(gift.client)).slice(n)).toMatchObject([
        {
          type: "order.extended",
          created_at: new Date(nowMs).toISOString(),
          ...{ order_id: gift.orderId, suborder_id: null, data: { redeem_by: redeemBy } },
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
    const gift = await createGift(worker, [simpleProduct()]);
    const redeemBy = inDays(50);
    expect(await extend(env.DB, gift.orderId, redeemBy, NOW_MS)).toMatchObject({
      result: "extended",
    });
    const expiresAtMs = expiryOf(redeemBy) as number;
    expect(await expiryColumns(gift)).toMatchObject({ nextCheckMs: expiresAtMs - 14 * DAY_MS });
    await sweep(expiresAtMs);
    expect(await laterTypes(gift.client)).toEqual([
      ...["order.extended", "gift.expired", "order.cancelled"],
    ]);
  });

  test("inserts the reminders of the new day, and none of the old one", async () => {
    const gift = await createExpiring({ days: 20 });
    await sweep(daysBefore(gift, 14));
    const redeemBy = inDays(60);
    await extend(env.DB, gift.orderId, redeemBy, daysBefore(gift, 5));
    await sweep(gift.expiresAtMs + DAY_MS);
    expect(await laterTypes(gift.client)).toEqual(["gift.expiring", "order.extended"]);
    await sweep((expiryOf(redeemBy) as number) - 14 * DAY_MS);
    expect((await laterEvents(gift.client)).slice(2)).toMatchObject([
      { type: "gift.expiring", data: { redeem_by: redeemBy } },
    ]);
  });

  test("changes nothing if the day is the same, also after a lost response", async () => {
    const gift = await createExpiring({ days: 20 });
    const DB = failingBatches(new Error(LOST), "after the commit", 1);
    await expect(extend(DB, gift.orderId, inDays(30), NOW_MS)).rejects.toThrow(LOST);
    const again = () => extend(env.DB, gift.orderId, inDays(30), NOW_MS);
    expect(await Promise.all([again(), again()])).toMatchObject([
      { result: "unchanged" },
      { result: "unchanged" },
    ]);
    expect(await laterTypes(gift.client)).toEqual(["order.extended"]);
  });

  test("runs once if two operators set the same day at once", async () => {
    const gift = await createExpiring({ days: 20 });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => extend(env.DB, gift.orderId, null, NOW_MS)),
    );
    expect(outcomes.filter((outcome) => outcome?.result === "extended")).toHaveLength(1);
    expect(await laterTypes(gift.client)).toEqual(["order.extended"]);
  });

  test("is refused for gifts that have expired, before and after the cron handler's run", async () => {
    const gift = await createExpiring({ qty: 2, days: 2 });
    const redeemBy = inDays(90);
    const refused = () => extend(env.DB, gift.orderId, redeemBy, gift.expiresAtMs);
    expect(await refused()).toMatchObject({ result: "expired", openGifts: 2 });
    await sweep(gift.expiresAtMs);
    expect(await refused()).toEqual({ result: "expired", openGifts: 0, expiredGifts: 2 });
    const columns = await expiryColumns(gift);
    expect(columns).toMatchObject({ expiresAtMs: gift.expiresAtMs, nextCheckMs: null });

    const open = await createExpiring({ days: 2 });
    expect(await extend(env.DB, open.orderId, redeemBy, open.expiresAtMs - 1)).toMatchObject({
      result: "extended",
    });
  });

  test("leaves the expired gifts of an order expired", async () => {
    const gift = await createExpiring({ qty: 3, days: 5 });
    // As if one gift had expired alone.
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE sub_orders SET redemption_status = 'expired' WHERE order_id = ? AND sequence = 2",
      ).bind(gift.orderId),
      env.DB.prepare("UPDATE orders SET expired_gifts = 1 WHERE id = ?").bind(gift.orderId),
    ]);
    expect(await extend(env.DB, gift.orderId, inDays(90), NOW_MS)).toEqual({
      ...{ result: "extended", openGifts: 2, expiredGifts: 1 },
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
      expect(await extend(env.DB, orderId, null, NOW_MS)).toMatchObject({ result: "no open gift" });
      expect(await laterTypes(client)).toEqual(before);
    }
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    const orderId = json.order_data.order_id as number;
    expect(await extend(env.DB, orderId, inDays(9), NOW_MS)).toMatchObject({
      result: "not a gift-link order",
    });
    expect(await extend(env.DB, Number.MAX_SAFE_INTEGER, null, NOW_MS)).toBeNull();
  });
});
