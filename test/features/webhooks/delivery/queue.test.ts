// The Worker's handlers of the queue and of the cron trigger, with the real queue.
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { handleCron } from "../../../../src/cron.ts";
import { MINUTE_MS } from "../../../../src/core/values/time.ts";
import type { QueueMessage } from "../../../../src/platform/env.ts";
import { handleQueue } from "../../../../src/queue.ts";
import { overriding } from "../../../support/counting.ts";
import { createExpiring } from "../../../support/expiry.ts";
import { failingBatches, LOST, watchLog, type When } from "../../../support/faults.ts";
import { openShop, orderOf, simpleProduct } from "../../../support/fixtures.ts";
import { accept, createGift } from "../../../support/gift.ts";
import {
  createReceiver,
  createReceivingWebhook,
  deliveriesOf,
  lossyQueue,
  type TestWebhook,
} from "../../../support/delivery.ts";
import { setColumns } from "../../../support/webhooks.ts";
import { startWorker } from "../../../support/worker.ts";

const isReceived = (webhook: TestWebhook, count: number) =>
  expect.poll(async () => (await webhook.received()).length, { timeout: 10_000 }).toBe(count);

// The cron handler also nudges the endpoints of other tests, whose receivers may fail.
beforeAll(async () => {
  await env.DB.prepare("UPDATE webhooks SET status = 'deleted'").run();
});

describe("a placement", () => {
  test("starts the delivery of its event to enabled endpoints, and a replay or a refusal does not", async () => {
    const { product, client } = await openShop();
    const webhook = await createReceivingWebhook(client);
    const { id } = await createReceivingWebhook(client);
    await setColumns(id, { status: "disabled", disabled_reason: "client" });
    let messages = 0;
    const queue = overriding(env.WEBHOOK_QUEUE, {
      sendBatch: (batch: MessageSendRequest<QueueMessage>[]) => {
        messages += batch.length;
        return env.WEBHOOK_QUEUE.sendBatch(batch);
      },
    });
    const worker = startWorker({ env: { WEBHOOK_QUEUE: queue } });
    const order = orderOf(product);
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
    const refused = await worker.post(client, "/api/order", { ...order, product_id: 1 });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(messages).toBe(1);
    await isReceived(webhook, 1);
  });

  test("succeeds if the queue fails, and the cron handler sends its event", async () => {
    const log = watchLog();
    const { product, client } = await openShop();
    const webhook = await createReceivingWebhook(client);
    const failing = overriding(env.WEBHOOK_QUEUE, {
      sendBatch: () => Promise.reject(new Error("the queue is down")),
    });
    const worker = startWorker({ env: { WEBHOOK_QUEUE: failing } });
    expect((await worker.post(client, "/api/order", orderOf(product))).status).toBe(200);
    expect(log).toHaveBeenCalledWith(expect.stringContaining("the queue is down"));
    expect(await webhook.received()).toEqual([]);
    await handleCron(env);
    await isReceived(webhook, 1);
  });
});

test("a redemption starts the delivery of its event", async () => {
  const lossy = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });
  const { client, path } = await createGift(lossy, [simpleProduct()]);
  const webhook = await createReceivingWebhook(client, { position: 1 });
  await accept(startWorker(), path);
  await isReceived(webhook, 1);
});

const batchOf = (webhookId: number) => ({
  queue: "regalo-local-webhooks",
  messages: [{ body: { type: "webhook", webhookId } } as Message],
});

describe("a message that is delivered again", () => {
  /** Handles the messages at once, each in an invocation of its own. */
  async function handleAll(webhooks: TestWebhook[], bindings = env, now = Date.now) {
    const context = createExecutionContext();
    for (const { id } of webhooks) {
      await handleQueue(batchOf(id), bindings, context, now);
    }
    await waitOnExecutionContext(context);
  }

  const idsOf = async (webhook: TestWebhook) =>
    (await webhook.received()).map(({ headers }) => headers["webhook-id"]);

  test("at the same time, later and out of order sends each event once and records one attempt", async () => {
    const { client, place, webhook: fast } = await createReceiver();
    const slow = await createReceivingWebhook(client);
    await slow.behave({ delayMs: 30 });
    await place(3);
    await Promise.all([handleAll([slow, fast, fast, slow]), place(3)]);
    await handleAll([fast, slow, slow, fast]);
    await handleAll([slow, fast]);
    for (const webhook of [slow, fast]) {
      expect((await webhook.sequences()).sort()).toEqual([1, 2, 3, 4, 5, 6]);
      expect(new Set(await idsOf(webhook)).size).toBe(6);
      expect((await deliveriesOf(webhook)).map(({ attempts }) => attempts)).toEqual(
        Array<number>(6).fill(1),
      );
    }
  });

  test.each<[When, number]>([
    ["before the commit", 2],
    ["after the commit", 1],
  ])(
    "because the outcome was lost %s sends each event %d times with one id",
    async (when, times) => {
      watchLog();
      const { place, webhook } = await createReceiver();
      await place(3);
      // The first batch takes the lease, and the second one saves the outcome.
      const DB = failingBatches(new Error(LOST), when, 1, 1);
      await handleAll([webhook], { ...env, DB });
      expect(await webhook.sequences()).toHaveLength(3);
      // The run that failed may still have the lease.
      await handleAll([webhook, webhook], env, () => Date.now() + MINUTE_MS);
      const ids = await idsOf(webhook);
      expect([ids.length, new Set(ids).size]).toEqual([3 * times, 3]);
      expect(await deliveriesOf(webhook)).toMatchObject([
        ...[1, 2, 3].map((sequence) => ({ sequence, status: "delivered", attempts: 1 })),
      ]);
    },
  );
});

describe("the cron handler", () => {
  test("sends the events whose messages were lost", async () => {
    const { client, place, webhook } = await createReceiver();
    const other = await createReceivingWebhook(client);
    await place(3);
    await handleCron(env);
    for (const each of [webhook, other]) await isReceived(each, 3);
  });

  test("sends the events of gifts that expire in the same run", async () => {
    const gift = await createExpiring({ days: 1 });
    const webhook = await createReceivingWebhook(gift.client, { position: 1 });
    await handleCron(env, () => gift.expiresAtMs);
    // The events of the gift and of its order.
    await isReceived(webhook, 2);
  });

  test("nudges a retry only when it is due", async () => {
    const { place, webhook } = await createReceiver({ status: 500 });
    await place(1);
    const nudged: number[] = [];
    const queue = overriding(env.WEBHOOK_QUEUE, {
      sendBatch: (batch: { body: { webhookId: number } }[]) => {
        const ids = batch.map(({ body }) => body.webhookId);
        nudged.push(...ids.filter((id) => id === webhook.id));
        return Promise.resolve();
      },
    });
    const context = createExecutionContext();
    const bindings = { ...env, WEBHOOK_QUEUE: queue };
    await handleQueue(batchOf(webhook.id), bindings, context);
    await waitOnExecutionContext(context);
    expect(nudged).toEqual([webhook.id]);

    await handleCron(bindings);
    expect(nudged).toEqual([webhook.id]);
    await handleCron(bindings, () => Date.now() + 10_000);
    expect(nudged).toEqual([webhook.id, webhook.id]);
  });
});

const invalid = { ...env, WEBHOOK_SECRET: "short" };
const context = { waitUntil: () => undefined };

test("with an invalid configuration the handlers send nothing and throw, so that Queues retries the message", async () => {
  await expect(handleCron(invalid)).rejects.toThrow("WEBHOOK_SECRET");
  await expect(handleQueue(batchOf(1), invalid, context)).rejects.toThrow("WEBHOOK_SECRET");
});
