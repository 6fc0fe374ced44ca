// The request for a test event, with endpoints whose URLs were stored under other rules.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createReceivingWebhook } from "../../support/delivery.ts";
import { createClient } from "../../support/fixtures.ts";
import { startWorker } from "../../support/worker.ts";

test("a test event is not sent to a URL that is no longer allowed", async () => {
  const client = await createClient();
  const webhook = await createReceivingWebhook(client);
  const worker = startWorker({
    env: { ...env, ENVIRONMENT: "sandbox", PUBLIC_URL: "https://regalo.example" },
  });
  const answer = await worker.post(client, "/api/webhook/test", { webhook_id: webhook.id });
  expect(answer.json).toMatchObject({
    status: "success",
    delivered: false,
    response_status: null,
    response_text: expect.stringMatching(/^The URL must begin with https/) as string,
  });
  expect(await webhook.received()).toEqual([]);
});
