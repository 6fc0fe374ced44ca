// The client package verifies the signatures of the Worker. examples.test.ts sends its requests.
import { expect, test } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../../packages/client/src/index.ts";
import { signatureHeaders, webhookSecret } from "../../../src/features/webhooks/secret.ts";

const BODY = JSON.stringify({ sequence: 918, type: "gift.redeemed", order_ref_id: "Zürich – 1" });
const nowSeconds = () => Math.floor(Date.now() / 1_000);

async function signed(timestamp = nowSeconds()) {
  const [previous = "", secret = ""] = await Promise.all(
    ["a", "b"].map((nonce) => webhookSecret("a secret of the tests", 1, nonce)),
  );
  const headers = await signatureHeaders([previous, secret], "evt_918_a1b2c3", timestamp, BODY);
  return { secret, previous, headers };
}

test("accepts a signed event, with either secret of a rotation", async () => {
  const { secret, previous, headers } = await signed();
  const event = JSON.parse(BODY) as unknown;
  expect(await verifyWebhook(secret, headers, BODY)).toEqual(event);
  expect(await verifyWebhook(previous, new Headers(headers), BODY)).toEqual(event);
  expect(await verifyWebhook(secret, headers, new TextEncoder().encode(BODY))).toEqual(event);
});

test.each<[string, (given: Record<string, string>) => Record<string, string>, string?]>([
  ["another body", (given) => given, BODY.replace("918", "919")],
  ["another id", (given) => ({ ...given, "webhook-id": "evt_919" })],
  ["another time", (given) => ({ ...given, "webhook-timestamp": String(nowSeconds() - 9) })],
  ["no time", (given) => ({ ...given, "webhook-timestamp": "" })],
  ["another version", (given) => ({ ...given, "webhook-signature": "v2,AAAA" })],
  ["no signature", () => ({ "webhook-timestamp": String(nowSeconds()) })],
  ["a signature that is not base64", (given) => ({ ...given, "webhook-signature": "v1,*" })],
])("refuses %s", async (_, change, body = BODY) => {
  const { secret, headers } = await signed();
  await expect(verifyWebhook(secret, change(headers), body)).rejects.toThrow(
    WebhookVerificationError,
  );
});

test.each([-310, 310])("refuses a time that differs by %d seconds", async (seconds) => {
  const { secret, headers } = await signed(nowSeconds() + seconds);
  await expect(verifyWebhook(secret, headers, BODY)).rejects.toThrow("too old or too new");
});
