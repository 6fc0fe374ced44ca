// Test events, sent by a local server to a receiver on the loopback interface. In this server, Node sends the Worker's
// requests. It follows redirects and turns connection errors into responses, so these are not tested here.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { faultsOf } from "../../support/document.ts";
import { serve, type Served } from "../../servers/harness.ts";
import { type ReceivingPath, receivingPath } from "../../support/received.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import type {
  WebhookSecretResponse,
  WebhookTestResponse,
} from "../../../src/features/webhooks/contract.ts";

let served: Served;
let receiver: Receiver;
let path: ReceivingPath;

beforeAll(async () => {
  receiver = await startReceiver();
  served = await serve();
}, 60_000);
afterAll(async () => {
  await receiver.close();
  await served.close();
});
beforeEach(async () => {
  path = receivingPath(receiver.url, crypto.randomUUID());
  await path.behave({ status: 204 });
});

const AUTH = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };

async function post(path: string, body: object): Promise<unknown> {
  const response = await fetch(`${served.url}/api/webhook${path}`, {
    method: "POST",
    headers: { ...AUTH, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

async function createEndpoint() {
  const webhook = (await post("", { url: path.url })) as WebhookSecretResponse;
  // A client may have five endpoints.
  onTestFinished(async () => {
    await post("/delete", { webhook_id: webhook.webhook_id });
  });
  return webhook;
}

async function sendTest(webhook_id: number) {
  return (await post("/test", { webhook_id })) as WebhookTestResponse;
}

describe("POST /api/webhook/test", () => {
  test("sends a signed event that the OpenAPI document describes", async () => {
    const { webhook_id, secret } = await createEndpoint();
    const result = await sendTest(webhook_id);
    expect(result).toMatchObject({ delivered: true, response_status: 204, response_text: "" });
    const received = await path.received();
    expect(received).toHaveLength(1);
    const { method, headers = {}, body = "" } = received[0] ?? {};
    expect(method).toBe("POST");
    expect(headers["content-type"]).toContain("application/json");
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

  test("sends each event with an id of its own", async () => {
    const { webhook_id } = await createEndpoint();
    await sendTest(webhook_id);
    await sendTest(webhook_id);
    const ids = (await path.received()).map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(2);
  });

  test("is signed with both secrets after a rotation", async () => {
    const { webhook_id, secret } = await createEndpoint();
    const rotated = (await post("/rotate", { webhook_id })) as WebhookSecretResponse;
    await sendTest(webhook_id);
    const { headers = {}, body = "" } = (await path.received())[0] ?? {};
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const each of [secret, rotated.secret]) {
      expect(() => new Webhook(each).verify(body, headers)).not.toThrow();
    }
  });

  test("is sent to a disabled endpoint, which stays disabled", async () => {
    const { webhook_id } = await createEndpoint();
    await post("/disable", { webhook_id });
    expect((await sendTest(webhook_id)).delivered).toBe(true);
    const response = await fetch(`${served.url}/api/webhook?webhook_id=${String(webhook_id)}`, {
      headers: AUTH,
    });
    expect(await response.json()).toMatchObject({ status: "disabled" });
  });

  test.each([500, 410])("returns the endpoint's response: %d", async (status) => {
    const { webhook_id } = await createEndpoint();
    await path.behave({ status, body: "out of order" });
    expect(await sendTest(webhook_id)).toMatchObject({
      delivered: false,
      response_status: status,
      response_text: "out of order",
    });
  });
});
