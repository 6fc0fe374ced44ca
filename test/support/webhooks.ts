// Webhook endpoints that a test manages with requests to the API, and columns that it sets with SQL.
// test/support/delivery.ts has endpoints for runs of delivery.
import { env } from "cloudflare:workers";
import { expect, inject } from "vitest";
import { type TestClient } from "./fixtures.ts";
import type {
  WebhookListResponse,
  WebhookResponse,
  WebhookSecretResponse,
} from "../../src/features/webhooks/contract.ts";
import { sql } from "./sql.ts";
import type { TestWorker } from "./worker.ts";

/** A URL at the receiver of the tests, because the Worker sends events to enabled endpoints. */
export const newUrl = () => `${inject("receiverUrl")}/${crypto.randomUUID()}`;

/** Creates an endpoint with a new URL, or with the URL of `changes`. */
export async function createWebhook(worker: TestWorker, client: TestClient, changes: object = {}) {
  const answer = await worker.post(client, "/api/webhook", { url: newUrl(), ...changes });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as WebhookSecretResponse;
}

export async function readWebhook(worker: TestWorker, client: TestClient, id: number) {
  const answer = await worker.get(client, `/api/webhook?webhook_id=${String(id)}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
  return answer.json as WebhookResponse;
}

export async function listOf(worker: TestWorker, client: TestClient) {
  const answer = await worker.get(client, "/api/webhooks");
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as WebhookListResponse).webhooks;
}

/** Changes columns of an endpoint, such as those that deliveries change. */
export async function setColumns(
  webhookId: number,
  columns: Record<string, string | number | null>,
): Promise<void> {
  const names = Object.keys(columns).map((name) => `${name} = ?`);
  const update = `UPDATE webhooks SET ${names.join(", ")} WHERE id = ?`;
  await sql(update, ...Object.values(columns), webhookId).run();
}

/** The columns of a delivery. */
export interface DeliveryRow {
  status: "pending" | "delivered" | "failed";
  attempts: number;
  attempted_at_ms: number | null;
  next_attempt_at_ms: number | null;
  response_status: number | null;
  duration_ms: number | null;
  response_text: string | null;
}

/** The statement that adds a delivery at the first attempt. */
export function insertDelivery(
  webhookId: number,
  sequence: number,
  changes: Partial<DeliveryRow> = {},
): D1PreparedStatement {
  const row: DeliveryRow = {
    status: "delivered",
    attempts: 1,
    attempted_at_ms: 1_000,
    next_attempt_at_ms: null,
    response_status: 204,
    duration_ms: 12,
    response_text: "",
    ...changes,
  };
  const names = Object.keys(row);
  return sql(
    `INSERT INTO webhook_deliveries (webhook_id, sequence, ${names.join(", ")})
     VALUES (?, ?, ${names.map(() => "?").join(", ")})`,
    webhookId,
    sequence,
    ...Object.values(row),
  );
}

export const addDelivery = (...delivery: Parameters<typeof insertDelivery>) =>
  insertDelivery(...delivery).run();

export async function deliveryOf(webhookId: number, sequence: number): Promise<DeliveryRow | null> {
  return sql(
    `SELECT status, attempts, attempted_at_ms, next_attempt_at_ms, response_status, duration_ms,
       response_text
     FROM webhook_deliveries WHERE webhook_id = ? AND sequence = ?`,
    webhookId,
    sequence,
  ).first<DeliveryRow>();
}

/** Adds events to a client's log, as orders do. */
export async function addEvents(clientId: string, count: number, type = "credit.low") {
  const insert = sql(
    `INSERT INTO events (client_id, sequence, type, created_at_ms)
     SELECT ?1, coalesce(max(sequence), 0) + 1, ?2, 0 FROM events WHERE client_id = ?1`,
    clientId,
    type,
  );
  await env.DB.batch(Array.from({ length: count }, () => insert));
}
