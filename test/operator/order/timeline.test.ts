// What happened to an order, for the operator.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { auditedDatabase } from "../../../src/operator/audit/audited.ts";
import { listClientEvents } from "../../../src/operator/event/queries.ts";
import { readTimeline } from "../../../src/operator/order/timeline.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import { extendGift } from "../../../src/features/lifecycle/extend.ts";
import { renew } from "../../../src/features/lifecycle/renew.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import { createReceivingWebhook, runDelivery } from "../../support/delivery.ts";
import { orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift, decline, type TestGift } from "../../support/gift.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

const key = ({ orderId }: TestGift) => ({ orderId, sequence: null });

/** An order of three gifts that is paid, redeemed, declined and reported, each a second after the one before. */
async function createHistory() {
  let nowMs = 1_000;
  const worker = startWorker({ now: () => nowMs });
  const product = simpleProduct({}, { quantity: 100 });
  const changes = { recipient_details: recipients(3) };
  const gift = await createGift(worker, [product], changes, { billing: "invoice" });
  const { client, orderId, paths } = gift;
  await worker.post(client, "/api/order", orderOf(product));
  nowMs = 2_000;
  const subjects = [{ type: "order" as const, keys: [orderId] }];
  const operator = { actor: "ada", requestId: null };
  const change = { ...operator, action: "order pay", reason: "Paid", subjects, nowMs };
  await transition(auditedDatabase(env.DB, change), orderId, "pay", nowMs);
  nowMs = 3_000;
  await accept(worker, paths[0] ?? "");
  nowMs = 4_000;
  await decline(worker, paths[1] ?? "");
  const webhook = await createReceivingWebhook(client, { eventTypes: ["gift.declined"] });
  nowMs = 5_000;
  await runDelivery(webhook, () => nowMs);
  return { gift, webhook };
}

test("lists events, the operator's changes and deliveries of one order in the order of time", async () => {
  const { gift, webhook } = await createHistory();
  const { lists, complete } = await readTimeline(env.DB, key(gift), 100);
  const { timeline, attempts } = lists;
  const id = (sequence: number) => gift.orderId * 1_000 + sequence;
  expect(timeline).toMatchObject([
    { when: 4_000, what: expect.stringContaining("declined"), gift: id(2) },
    { when: 3_000, what: expect.stringContaining("accepted"), gift: id(1) },
    { when: 2_000, what: expect.stringContaining(", by ada (Paid)"), gift: null },
    { when: 1_000, what: expect.stringContaining("placed"), gift: null },
  ]);
  expect(attempts).toMatchObject([{ when: 5_000, webhook: webhook.id, gift: id(2) }]);
  expect(complete).toBe(true);
  const latest = await readTimeline(env.DB, key(gift), 2);
  expect([latest.lists.timeline, latest.complete]).toEqual([timeline.slice(0, 2), false]);
  expect(JSON.stringify(lists)).not.toMatch(/->|_at_ms|Minor/);
});

test("names the operator of each of several changes at the same time", async () => {
  const nowMs = Date.now() + 1_000;
  const { orderId } = await createGift(startWorker(), [simpleProduct()]);
  const gift = { ...key({ orderId } as TestGift), sequence: 1, ...NO_CLIENT };
  const by = (actor: string, action: string) =>
    auditedDatabase(env.DB, {
      actor,
      action,
      requestId: null,
      reason: null,
      nowMs,
      subjects: [{ type: "gift", keys: [orderId * 1_000 + 1] }],
    });
  await renew(by("ada", "gift renew"), { ...gift, replaced: null, nowMs });
  const redeemBy = dayIn(300, nowMs);
  await extendGift(by("grace", "gift extend"), gift, redeemBy, nowMs);
  await renew(env.DB, { ...gift, replaced: null, nowMs });
  const { timeline } = (await readTimeline(env.DB, gift, 100)).lists;
  expect(timeline.map(({ what }) => what).slice(0, 3)).toEqual([
    "The link was replaced",
    expect.stringMatching(/^The last day .*, by grace$/),
    "The link was replaced, by ada",
  ]);
});

test("finds the events of an order without a placement that names its event, also with filters", async () => {
  const worker = startWorker();
  const gift = await createGift(worker, [simpleProduct()], { recipient_details: recipients(2) });
  await accept(worker, gift.path);
  const list = async (filter: object) => {
    const { orderId, client } = gift;
    const { clientId } = client;
    const events = await listClientEvents(env.DB, { clientId, orderId, limit: 10, ...filter });
    return events.map(({ type }) => type);
  };
  expect(await list({})).toEqual(["gift.redeemed", "order.paid"]);
  expect(await list({ after: { sequence: 2 }, limit: 1 })).toEqual(["order.paid"]);
  await env.DB.prepare("UPDATE orders SET placed_sequence = NULL WHERE id = ?")
    .bind(gift.orderId)
    .run();
  expect(await list({})).toEqual(["gift.redeemed"]);
});

test("reads the rows of the order only, with one more event, change or delivery a few more", async () => {
  const product = simpleProduct({}, { quantity: 5_000 });
  const worker = startWorker();
  const gift = await createGift(worker, [product], { recipient_details: recipients(60) });
  await createReceivingWebhook(gift.client);
  const rowsRead = async () => {
    const meter = newMeter();
    const { lists } = await readTimeline(meteredD1(env.DB, meter), key(gift), 1_000);
    return { rows: meter.rowsRead, entries: lists.timeline.length + lists.attempts.length };
  };
  const alone = await rowsRead();
  const other = orderOf(product, { recipient_details: recipients(400) });
  const { json } = await worker.post(gift.client, "/api/order", other);
  const ids = Array.from(
    { length: 399 },
    (_, n) => Number(json.order_data.order_id) * 1_000 + n + 1,
  );
  const cancelled = { order_id: json.order_data.order_id as number, suborder_ids: ids };
  expect((await worker.post(gift.client, "/api/order/cancel", cancelled)).status).toBe(200);
  const among = await rowsRead();
  expect(among.entries).toBe(alone.entries);
  // A range of an index reads one row past its end.
  expect(among.rows - alone.rows).toBeLessThanOrEqual(3);
  const some = Array.from({ length: 50 }, (_, n) => gift.orderId * 1_000 + n + 1);
  await worker.post(gift.client, "/api/order/cancel", {
    order_id: gift.orderId,
    suborder_ids: some,
  });
  const more = await rowsRead();
  expect(more.entries).toBe(alone.entries + 50);
  expect(more.rows - alone.rows).toBeLessThanOrEqual(50 * 11);
});
