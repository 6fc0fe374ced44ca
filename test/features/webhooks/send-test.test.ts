// POST /api/webhook/test.
import { Webhook } from "standardwebhooks";
import { describe, expect, inject, test } from "vitest";
import { createReceivingWebhook } from "../../support/delivery.ts";
import { faultsOf } from "../../support/document.ts";
import { createClient } from "../../support/fixtures.ts";
import { type Behaviour, receivingPath } from "../../support/received.ts";
import type { WebhookTestResponse } from "../../../src/features/webhooks/contract.ts";
import { createWebhook, readWebhook } from "../../support/webhooks.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker();

/** An endpoint that behaves like this, and the requests of its client. */
async function createEndpoint(behaviour: Behaviour = { status: 204 }) {
  const client = await createClient();
  const path = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  await path.behave(behaviour);
  const { webhook_id, secret } = await createWebhook(worker, client, { url: path.url });
  const post = async (action: string) =>
    (await worker.post(client, `/api/webhook/${action}`, { webhook_id })).json as unknown;
  const sendTest = async () => (await post("test")) as WebhookTestResponse;
  return { client, path, webhook_id, secret, post, sendTest };
}

describe("a test event", () => {
  test("is signed, and is an event that the OpenAPI document describes", async () => {
    const { path, secret, sendTest } = await createEndpoint();
    const result = await sendTest();
    expect(result).toMatchObject({ delivered: true, response_status: 204, response_text: "" });
    const received = await path.received();
    expect(received).toHaveLength(1);
    const { method, headers = {}, body = "" } = received[0] ?? {};
    expect([method, headers["content-type"]]).toEqual(["POST", "application/json"]);
    const event = new Webhook(secret).verify(body, headers) as { created_at: string };
    expect(event).toEqual({
      sequence: 0,
      type: "webhook.test",
      created_at: event.created_at,
      order_id: null,
      order_ref_id: null,
      suborder_id: null,
      data: {},
    });
    expect(Math.abs(Date.parse(event.created_at) - Date.now())).toBeLessThan(60_000);
    const request = ["webhooks", "event", "post", "requestBody", "content", "application/json"];
    expect(faultsOf(event, [...request, "schema"])).toBe("");
  });

  test("has an id of its own", async () => {
    const { path, sendTest } = await createEndpoint();
    await sendTest();
    await sendTest();
    const ids = (await path.received()).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
  });

  test("is sent to a disabled endpoint, which stays disabled", async () => {
    const { client, webhook_id, post, sendTest } = await createEndpoint();
    await post("disable");
    expect((await sendTest()).delivered).toBe(true);
    expect((await readWebhook(worker, client, webhook_id)).status).toBe("disabled");
  });

  test.each([500, 410])("is answered with the endpoint's response: %d", async (status) => {
    const { sendTest } = await createEndpoint({ status, body: "out of order" });
    const response = { response_status: status, response_text: "out of order" };
    expect(await sendTest()).toMatchObject({ delivered: false, ...response });
  });

  test("is not sent to a URL that is no longer allowed", async () => {
    const client = await createClient();
    const webhook = await createReceivingWebhook(client);
    const sandbox = startWorker({
      env: { ENVIRONMENT: "sandbox", PUBLIC_URL: "https://regalo.example" },
    });
    const { json } = await sandbox.post(client, "/api/webhook/test", { webhook_id: webhook.id });
    expect(json).toMatchObject({ status: "success", delivered: false, response_status: null });
    expect(await webhook.received()).toEqual([]);
  });
});
