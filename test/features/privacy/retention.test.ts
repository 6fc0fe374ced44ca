// The erasure of personal data after the retention period of a client.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { updateClient } from "../../../src/operator/client/queries.ts";
import { handleCron } from "../../../src/cron.ts";
import { readDueCount } from "../../../src/operator/client/queries.ts";
import { listDueGifts } from "../../../src/features/privacy/queries.ts";
import { eraseDue, ERASED_PER_RUN } from "../../../src/features/privacy/retention.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { failingBatches, LOST } from "../../support/faults.ts";
import {
  addCodesTo,
  codeProduct,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { changeParcels } from "../../support/gift.ts";
import { copyOrder, importListed } from "../../support/listed-orders.ts";
import {
  createFinished,
  createPersonal,
  personalColumns,
  type PersonalGift,
  redeem,
  ship,
} from "./personal.ts";
import { sweep } from "../../support/expiry.ts";
import { startWorker } from "../../support/worker.ts";
import { sql } from "../../support/sql.ts";

const worker = startWorker();

const retaining = (retainDays: number) => ({ retainDays });

// Clients with a retention period would make the runs of later tests erase their orders too.
afterEach(async () => {
  await env.DB.prepare("UPDATE clients SET retain_days = NULL").run();
});

const hasData = async (gift: PersonalGift) => (await personalColumns(gift)).length > 0;

async function lastChangeOf({ orderId }: PersonalGift): Promise<number> {
  const select = "SELECT coalesce(updated_at_ms, created_at_ms) AS ms FROM orders WHERE id = ?";
  return Number(await sql(select, orderId).first<number>("ms"));
}

const erasedOrders = async ({ clientId }: TestClient) =>
  Number(
    await sql(
      "SELECT count(*) AS n FROM orders WHERE client_id = ? AND erased_at_ms IS NOT NULL",
      clientId,
    ).first<number>("n"),
  );

describe("the data of an order", () => {
  test("is erased the client's number of days after its last change", async () => {
    const gift = await createFinished(retaining(90));
    const dueMs = (await lastChangeOf(gift)) + 90 * DAY_MS;
    await eraseDue(env.DB, dueMs - 1);
    expect(await hasData(gift)).toBe(true);
    await handleCron(env, () => dueMs);
    expect(await hasData(gift)).toBe(false);
    expect(await erasedOrders(gift.client)).toBe(1);
    const { json } = await worker.get(gift.client, `/api/order?order_id=${String(gift.orderId)}`);
    expect(json.recipients[0]).toMatchObject({ redemption_status: "redeemed" });
    const again = await worker.post(gift.client, "/api/gift-link", gift.body);
    expect([again.status, await hasData(gift)]).toEqual([200, false]);
  });

  test("is kept without a retention period, and of other clients", async () => {
    const [kept, erased] = [await createFinished(), await createFinished(retaining(30))];
    const nowMs = (await lastChangeOf(kept)) + 3_649 * DAY_MS;
    await eraseDue(env.DB, nowMs);
    expect([await hasData(kept), await hasData(erased)]).toEqual([true, false]);
    await updateClient(env.DB, kept.client.clientId, { retainDays: 3_650 });
    await eraseDue(env.DB, nowMs);
    expect(await hasData(kept)).toBe(true);
    await eraseDue(env.DB, nowMs + DAY_MS);
    expect(await hasData(kept)).toBe(false);
  });

  test("is kept while a gift can be accepted, is unpaid or is to be shipped", async () => {
    const open = await createPersonal(retaining(30));
    const unpaid = await createPersonal({ ...retaining(30), billing: "invoice" });
    const toShip = await createPersonal(retaining(30));
    await redeem(toShip);
    const partly = await createPersonal({ ...retaining(30), further: 1 });
    await redeem(partly);
    await ship(partly);
    const nowMs = Date.now() + 3_650 * DAY_MS;
    await eraseDue(env.DB, nowMs);
    for (const gift of [open, unpaid, toShip, partly]) expect(await hasData(gift)).toBe(true);
    await ship(toShip);
    await worker.post(partly.client, "/api/order/cancel", { order_id: partly.orderId });
    await eraseDue(env.DB, nowMs);
    for (const gift of [open, unpaid]) expect(await hasData(gift)).toBe(true);
    for (const gift of [toShip, partly]) expect(await hasData(gift)).toBe(false);
  });

  test("is erased after gifts have expired, failed or were cancelled", async () => {
    const expired = await createPersonal({
      ...retaining(30),
      redeemWithinDays: 10,
      finalAfterDays: 0,
    });
    const cancelled = await createPersonal({ ...retaining(30), billing: "invoice" });
    await sweep(Date.now() + 12 * DAY_MS);
    await worker.post(cancelled.client, "/api/order/cancel", { order_id: cancelled.orderId });
    await eraseDue(env.DB, Date.now() + 41 * DAY_MS);
    expect([await hasData(expired), await hasData(cancelled)]).toEqual([true, false]);
    await eraseDue(env.DB, Date.now() + 60 * DAY_MS);
    expect(await hasData(expired)).toBe(false);
  });

  test("is kept longer after a later change, and while a shipment is open again", async () => {
    const gift = await createFinished(retaining(30));
    const { orderId } = gift;
    const parcel = { orderId, sequence: 1 };
    const at = (days: number) => Date.now() + days * DAY_MS;
    await changeParcels("deliver", [parcel], at(20));
    await eraseDue(env.DB, at(40));
    expect(await hasData(gift)).toBe(true);
    await changeParcels("reopen", [parcel], at(45));
    await eraseDue(env.DB, at(100));
    expect(await hasData(gift)).toBe(true);
    await ship(gift);
    await eraseDue(env.DB, at(100));
    expect(await hasData(gift)).toBe(false);
  });

  test("is erased with the gift's codes, which are not uploaded again", async () => {
    const { product, client } = await openShop(codeProduct(), retaining(30));
    const codes = [{ code: "GIVEN-1" }, { code: "FREE-1" }];
    await addCodesTo(product, codes);
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    const gift = [json.order_data.order_id as number, product.product.id];
    // Another one was replaced.
    await sql(
      `INSERT INTO codes (product_id, sealed, key_id, order_id, sequence, bound_at_ms, voided_at_ms,
         void_reason, created_at_ms) VALUES (?2, 'x', 'k', ?1, 1, 0, 0, 'replaced', 0)`,
      ...gift,
    ).run();
    await eraseDue(env.DB, Date.now() + 31 * DAY_MS);
    await addCodesTo(product, codes);
    const { results } = await sql(
      "SELECT order_id IS NULL AS free, sealed <> '' AS stored FROM codes WHERE product_id = ? ORDER BY id",
      product.product.id,
    ).all();
    expect(results).toEqual([
      { free: 0, stored: 0 },
      { free: 1, stored: 1 },
      { free: 0, stored: 0 },
    ]);
  });

  test("of an imported order is erased when it has ended, also without recipients", async () => {
    const { product, client } = await openShop(simpleProduct(), retaining(30));
    const order = { method: "email" as const, reference: null, createdAtMs: 0 };
    for (const [status, ...gifts] of [
      ["failed", null],
      ["cancieled", null, "cancelled"],
      ["cancieled", "redeemed"],
      ["paid", null],
    ] as const) {
      await importListed(client, product, { ...order, status, gifts: [...gifts] });
    }
    await eraseDue(env.DB, Date.now());
    expect(await erasedOrders(client)).toBe(2);
  });
});

describe("a run", () => {
  test("erases at most 1,000 recipients, and later runs erase the rest", async () => {
    const { product, client } = await openShop(simpleProduct({}, { quantity: 5_000 }), {
      ...retaining(30),
    });
    for (let n = 0; n < 3; n++) {
      const body = orderOf(product, { recipient_details: recipients(400) });
      const { json } = await worker.post(client, "/api/order", body);
      await worker.post(client, "/api/order/cancel", { order_id: json.order_data.order_id });
    }
    const left = async () => (await listDueGifts(env.DB, nowMs, 10_000)).length;
    const nowMs = Date.now() + 31 * DAY_MS;
    expect([await left(), await erasedOrders(client)]).toEqual([1_200, 0]);
    const meter = newMeter();
    await eraseDue(meteredD1(env.DB, meter), nowMs);
    expect([await left(), await erasedOrders(client)]).toEqual([1_200 - ERASED_PER_RUN, 2]);
    expect(meter).toMatchObject({ roundTrips: 2, rowsWritten: 6 * ERASED_PER_RUN + 2 });
    expect(meter.rowsRead).toBeLessThanOrEqual(ERASED_PER_RUN * 50);
    await eraseDue(env.DB, nowMs);
    expect([await left(), await erasedOrders(client)]).toEqual([0, 3]);
  });

  test("writes nothing, and reads two rows of each client with a period, if nothing is due", async () => {
    const gift = await createFinished(retaining(30));
    await copyOrder(gift.orderId, 1_000, 0);
    await copyOrder(gift.orderId, 1_000, Date.now(), { cancelled_gifts: "qty" });
    const meter = newMeter();
    await eraseDue(meteredD1(env.DB, meter), Date.now());
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(meter.rowsRead).toBeLessThanOrEqual(2);
  });

  test("may fail, be repeated and overlap with another one", async () => {
    const gifts = [];
    for (let n = 0; n < 3; n++) gifts.push(await createFinished(retaining(30)));
    const nowMs = Date.now() + 31 * DAY_MS;
    await eraseDue(failingBatches(new Error(LOST), "after the commit", 1), nowMs);
    await Promise.all([eraseDue(env.DB, nowMs), eraseDue(env.DB, nowMs)]);
    for (const gift of gifts) expect(await hasData(gift)).toBe(false);
    const meter = newMeter();
    await eraseDue(meteredD1(env.DB, meter), nowMs);
    expect(meter).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  });

  test("counts the orders that a new period would erase", async () => {
    const gift = await createFinished();
    const { clientId } = gift.client;
    const nowMs = Date.now() + 40 * DAY_MS;
    const count = (retainDays: number, limit = 10) =>
      readDueCount(env.DB, { clientId, retainDays, nowMs, limit });
    expect([await count(30), await count(41), await count(30, 0)]).toEqual([1, 0, 0]);
  });
});
