// Webhook endpoints at the receiver of the tests, and runs of their delivery.
import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { deliver } from "../../src/features/webhooks/delivery/run.ts";
import { overriding } from "./counting.ts";
import { createClient, orderOf, simpleProduct, type TestClient } from "./fixtures.ts";
import { type Behaviour, receivingPath, type ReceivingPath } from "./received.ts";
import { sql } from "./sql.ts";
import type { DeliveryRow } from "./webhooks.ts";
import { startWorker } from "./worker.ts";

type AttemptedDelivery = DeliveryRow & { sequence: number; attempted_at_ms: number };

export interface TestWebhook extends ReceivingPath {
  id: number;
}

/** An endpoint of the client at a new path of the receiver. */
export async function createReceivingWebhook(
  client: TestClient,
  changes: { url?: string; eventTypes?: string[]; position?: number } = {},
): Promise<TestWebhook> {
  const path = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  const url = changes.url ?? path.url;
  const id = await sql(
    `INSERT INTO webhooks (client_id, url, event_types, secret_nonce, position, created_at_ms)
     VALUES (?, ?, ?, 'nonce', ?, 1) RETURNING id`,
    client.clientId,
    url,
    changes.eventTypes ? JSON.stringify(changes.eventTypes) : null,
    changes.position ?? 0,
  ).first("id");
  return { ...path, url, id: Number(id) };
}

/** A queue that loses all messages, so that only the test starts deliveries. */
export const lossyQueue = overriding(env.WEBHOOK_QUEUE, {
  sendBatch: () => Promise.resolve(),
});

/** A client with a product, and a function that places orders without nudging. Each order is one event. */
export async function createSender(stock = 5_000) {
  const product = simpleProduct({}, { quantity: stock });
  const client = await createClient({ products: [product] });
  const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue } });
  const place = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await worker.post(client, "/api/order", orderOf(product));
  };
  return { client, product, worker, place };
}

/** A sender with an endpoint that behaves like this. */
export async function createReceiver(
  behaviour: Behaviour = {},
  changes: Parameters<typeof createReceivingWebhook>[1] = {},
) {
  const sender = await createSender();
  const webhook = await createReceivingWebhook(sender.client, changes);
  await webhook.behave(behaviour);
  return { ...sender, webhook };
}

/** Runs the delivery of the endpoint's events at `now`. */
export function runDelivery(
  { id }: TestWebhook,
  now: () => number = Date.now,
  d1: D1Database = env.DB,
): Promise<number | null> {
  return deliver({ d1, now, env }, id);
}

/** The deliveries of the endpoint that were attempted, in ascending order of their events. */
export async function deliveriesOf({ id }: TestWebhook): Promise<AttemptedDelivery[]> {
  const select = "SELECT * FROM webhook_deliveries WHERE webhook_id = ? ORDER BY sequence";
  return (await sql(select, id).all<AttemptedDelivery>()).results;
}

interface WebhookRow {
  status: string;
  disabled_reason: string | null;
  position: number;
  failures: number;
  failing_since_ms: number | null;
  paused_until_ms: number | null;
  lease_id: string | null;
}

export async function webhookRow({ id }: TestWebhook): Promise<WebhookRow> {
  const row = await sql("SELECT * FROM webhooks WHERE id = ?", id).first<WebhookRow>();
  if (!row) throw new Error("there is no such webhook");
  return row;
}
