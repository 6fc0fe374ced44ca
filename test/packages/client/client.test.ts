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
  const bytes = new TextEncoder().encode(BODY);
  expect(await verifyWebhook(secret, headers, bytes)).toEqual(event);
  expect(
    await verifyWebhook(`${secret}\n`, headers, await new Response(BODY).arrayBuffer()),
  ).toEqual(event);
});

const inCase = (given: Record<string, string>, changed: (name: string) => string) =>
  Object.entries(given).map(([name, value]): [string, string] => [changed(name), value]);
const capital = (name: string) => name.replaceAll(/\b\w/g, (letter) => letter.toUpperCase());

/** What servers and runtimes have as headers. */
const HEADERS: Record<
  string,
  (given: Record<string, string>) => Parameters<typeof verifyWebhook>[1]
> = {
  Headers: (given) => new Headers(given),
  "a Map": (given) => new Map(Object.entries(given)),
  "pairs in capitals": (given) => inCase(given, (name) => name.toUpperCase()),
  "Node's rawHeaders": (given) => inCase(given, capital).flat(),
  "an object with lists": (given) =>
    Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]])),
  "an event of Lambda": (given) => Object.fromEntries(inCase(given, capital)),
  "Headers of another realm": (given) => ({
    *[Symbol.iterator]() {
      yield* Object.entries(given);
    },
    get: (name: string) => given[name],
  }),
  "an iterator": (given) => new Headers(given).entries(),
  "an object with get": (given) => ({ get: (name) => given[name] ?? null }),
  "a request with get": (given) =>
    new (class {
      headers = given;
      get(name: string) {
        return [this.headers[name]];
      }
    })(),
};

test.each(Object.keys(HEADERS))("takes the headers of %s", async (kind) => {
  const { secret, headers } = await signed();
  const given = HEADERS[kind]?.(headers) ?? {};
  expect(await verifyWebhook(secret, given, BODY)).toMatchObject({ sequence: 918 });
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
  const tolerant = verifyWebhook(secret, headers, BODY, { toleranceSeconds: 330 });
  expect(await tolerant).toMatchObject({ sequence: 918 });
});

test.each<[string, { secret?: unknown; headers?: unknown; body?: unknown }]>([
  ["The header webhook-id is missing.", { headers: undefined }],
  ["The secret is missing.", { secret: undefined }],
  ["The secret is missing.", { secret: "whsec_" }],
  ["The secret is encoded in base64 once more", { secret: btoa("whsec_AAAA") }],
  ["The secret must be whsec_ followed by base64", { secret: "whsec_-_*" }],
  ["The body is missing.", { body: undefined }],
  ["The body must be the text or the bytes", { body: JSON.parse(BODY) }],
  ["The body must be the text or the bytes", { body: new Response(BODY).body }],
])("says: %s", async (sentence, changes) => {
  const { secret, headers } = await signed();
  const given = { secret, headers, body: BODY, ...changes } as {
    secret: string;
    headers: Headers;
    body: string;
  };
  const verified = verifyWebhook(given.secret, given.headers, given.body);
  await expect(verified).rejects.toThrow(WebhookVerificationError);
  await expect(verified).rejects.toThrow(sentence);
});
