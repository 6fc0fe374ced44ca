// POST /api/sandbox/clock: what lies in the future of a client comes nearer.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import {
  createReceiver,
  deliveriesOf,
  lossyQueue,
  runDelivery,
  webhookRow,
} from "../../support/delivery.ts";
import { MAILING, placeGifts, runOutbox } from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import { typesOf } from "../../support/events.ts";
import { createExpiring, expiryColumns } from "../../support/expiry.ts";
import {
  balanceOf,
  createClient,
  stockOf,
  type TestClient,
  openShop,
} from "../../support/fixtures.ts";
import { accept } from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import type { OrderListResponse } from "../../../src/features/orders/contract.ts";
import type { SandboxClockResponse } from "../../../src/features/sandbox/contract.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue, ...MAILING } });

const send = (client: TestClient, advance: unknown) =>
  worker.post(client, "/api/sandbox/clock", { advance });

async function advance(client: TestClient, duration: string) {
  const answer = await send(client, duration);
  expect(answer.status, answer.text).toBe(200);
  return answer.json as SandboxClockResponse;
}

/** The kinds of the gift's e-mails, as the sandbox lists them. */
async function emailsOf(client: TestClient, giftId: number): Promise<string[]> {
  await runOutbox({}, { DB: env.DB });
  const { json } = await worker.get(client, `/api/sandbox/emails?suborder_id=${String(giftId)}`);
  return (json.emails as { kind: string }[]).map(({ kind }) => kind);
}

describe("gifts with a last day", () => {
  test("are reminded of and expire, with refunds and stock, when the clock is advanced", async () => {
    const gift = await createExpiring({ qty: 2, days: 40 });
    const { client, orderId, product } = gift;
    const before = await balanceOf(client.clientId);
    const repeated = async (duration: string) => {
      await advance(client, duration);
      return typesOf(client);
    };
    expect(await repeated("P20D")).toEqual(["order.paid"]);
    const reminders = ["gift.expiring", "gift.expiring"];
    expect(await repeated("P10D")).toEqual(["order.paid", ...reminders]);
    expect(await repeated("P5D")).toEqual(["order.paid", ...reminders]);
    expect(await repeated("P4D")).toEqual(["order.paid", ...reminders, ...reminders]);
    const types = await repeated("P3D");
    expect(types.slice(5)).toEqual(["gift.expired", "gift.expired", "order.cancelled"]);
    expect(await expiryColumns(gift)).toMatchObject({ status: "cancieled", expired: 2 });
    expect(await balanceOf(client.clientId)).toBeGreaterThan(before);
    expect(await stockOf(product.product.id)).toBe(100);
    expect(await advance(client, "P1D")).toMatchObject({ advanced_days: 43, due_orders: 0 });
    expect(await differencesOf([client])).toEqual([]);
    expect((await worker.get(client, `/api/order?order_id=${String(orderId)}`)).json).toMatchObject(
      {
        order_date: expect.stringContaining(new Date().toISOString().slice(0, 10)) as string,
      },
    );
  });

  test("keep the last day of a single gift", async () => {
    const gift = await createExpiring({ qty: 2, days: 40 });
    const { client, orderId } = gift;
    const redeem_by = new Date(Date.now() + 100 * DAY_MS).toISOString().slice(0, 10);
    const extension = { suborder_id: orderId * 1000 + 1, event: "gift.extended", redeem_by };
    await worker.post(client, "/api/sandbox/event", extension);
    await advance(client, "P42D");
    const { json } = await worker.get(client, `/api/order?order_id=${String(orderId)}`);
    expect(json.recipients).toMatchObject([
      { redemption_status: null },
      { redemption_status: "expired" },
    ]);
    expect(await typesOf(client)).toEqual(["order.paid", "gift.extended", "gift.expired"]);
    await advance(client, "P60D");
    expect(await typesOf(client)).toContain("order.cancelled");
  });

  test("of other clients do not change", async () => {
    const [own, other] = [await createExpiring({ days: 10 }), await createExpiring({ days: 10 })];
    const before = await expiryColumns(other);
    await advance(own.client, "P20D");
    expect(await typesOf(own.client)).toContain("gift.expired");
    expect(await expiryColumns(other)).toEqual(before);
    expect((await advance(other.client, "P1D")).advanced_days).toBe(1);
  });
});

test("e-mails are sent when the clock reaches their time, one after another", async () => {
  const { product, client } = await openShop();
  const later = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const { gifts } = await placeGifts(worker, { client, product }, 1, {
    send_at: later(3),
    redeem_by: later(60).slice(0, 10),
  });
  const [{ suborder_id: giftId } = { suborder_id: 0 }] = gifts;
  expect(await emailsOf(client, giftId)).toEqual([]);
  await advance(client, "P4D");
  expect(await emailsOf(client, giftId)).toEqual(["invitation"]);
  await advance(client, "P6D");
  expect(await emailsOf(client, giftId)).toEqual(["invitation"]);
  await advance(client, "P2D");
  expect(await emailsOf(client, giftId)).toEqual(["invitation", "reminder"]);
  await advance(client, "P45D");
  expect(await emailsOf(client, giftId)).toEqual(["invitation", "reminder", "last_days"]);
  await advance(client, "P10D");
  expect(await emailsOf(client, giftId)).toHaveLength(3);
  expect((await typesOf(client)).filter((type) => type === "gift.email_sent")).toHaveLength(3);
});

test("an e-mail about a delivery is not sent again after the clock is advanced", async () => {
  const shop = await openShop();
  const { gifts } = await placeGifts(worker, shop, 2);
  const [{ suborder_id, gift_url } = { suborder_id: 0, gift_url: "" }] = gifts;
  await emailsOf(shop.client, suborder_id);
  await accept(worker, new URL(gift_url).pathname);
  expect(await emailsOf(shop.client, suborder_id)).toEqual(["invitation", "accepted"]);
  await advance(shop.client, "P1D");
  const correction = { suborder_id, first_name: "Ada" };
  expect((await worker.post(shop.client, "/api/order/correct", correction)).status).toBe(200);
  expect(await emailsOf(shop.client, suborder_id)).toEqual(["invitation", "accepted"]);
});

describe("webhooks", () => {
  test("are retried when the clock reaches the time of the retry", async () => {
    const { client, place, webhook } = await createReceiver({ status: 500 });
    await place(1);
    await runDelivery(webhook);
    await webhook.behave({});
    await runDelivery(webhook, () => Date.now() - HOUR_MS);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "pending", attempts: 1 }]);
    await advance(client, "P1D");
    await runDelivery(webhook);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "delivered", attempts: 2 }]);
    expect(await webhook.sequences()).toEqual([1, 1]);
  });

  test("are paused and fail for as long as the clock says", async () => {
    const { client, place, webhook } = await createReceiver({
      status: 503,
      headers: { "Retry-After": "36000" },
    });
    await place(1);
    await runDelivery(webhook);
    const before = await webhookRow(webhook);
    await advance(client, "P1D");
    const { paused_until_ms, failing_since_ms } = await webhookRow(webhook);
    expect(Number(before.paused_until_ms) - Number(paused_until_ms)).toBe(DAY_MS);
    expect(Number(before.failing_since_ms) - Number(failing_since_ms)).toBe(DAY_MS);
    await webhook.behave({});
    await runDelivery(webhook);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "delivered" }]);
  });
});

describe("a duration", () => {
  test.each([
    ["P1D", 1],
    ["P365D", 365],
  ])("%s moves the last day by as many days", async (duration, days) => {
    const { client } = await createExpiring({ days: 400 });
    const lastDay = async () => {
      const { orders } = (await worker.get(client, "/api/orders")).json as OrderListResponse;
      return Date.parse(orders[0]?.redeem_by ?? "");
    };
    const before = await lastDay();
    expect((await advance(client, duration)).advanced_days).toBe(days);
    expect(before - (await lastDay())).toBe(days * DAY_MS);
  });

  test("that is not a number of days from 1 to 365 is refused, and the clock stays", async () => {
    const client = await createClient();
    for (const text of [
      ...["", "P", "PT", "P1DT", "30D", "-P1D", "P-1D", "P1M", "P1Y", "P1.5D", "P0D", "P01D"],
      ...["P366D", "P999D", "PT1S", "PT24H", "P1DT2H", 30],
    ]) {
      const { http, code, errors } = errorOf(await send(client, text));
      expect([text, http, code, errors?.[0]?.field]).toEqual([
        ...[text, 400, "validation_error", "advance"],
      ]);
    }
    expect((await advance(client, "P1D")).advanced_days).toBe(1);
  });

  test.each(["P99D", "P299D", "P359D"])("%s is accepted", async (duration) => {
    const { advanced_days } = await advance(await createClient(), duration);
    expect(`P${String(advanced_days)}D`).toBe(duration);
  });
});

test("more gifts than a transaction may move are refused, and nothing moves", async () => {
  const gift = await createExpiring();
  const before = await expiryColumns(gift);
  await sql(
    `UPDATE orders SET qty = 10001, subtotal_minor = product_price_minor * 10001,
       order_total_minor = product_price_minor * 10001 + shipping_cost_minor + order_fee_minor
     WHERE id = ?`,
    gift.orderId,
  ).run();
  expect(errorOf(await send(gift.client, "P1D")).code).toBe("not_allowed_in_state");
  expect(await expiryColumns(gift)).toEqual(before);
});
