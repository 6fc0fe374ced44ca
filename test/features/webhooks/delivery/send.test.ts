// Single requests to endpoints, with all kinds of responses.
import { env } from "cloudflare:workers";
import { describe, expect, inject, test } from "vitest";
import { sendEvent } from "../../../../src/features/webhooks/delivery/send.ts";
import { type Behaviour, receivingPath } from "../../../support/received.ts";

const SECRETS = [`whsec_${btoa("a secret of 32 bytes, in base 64")}`];

async function send(behaviour: Behaviour, timeoutMs = 2_000) {
  const path = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  await path.behave(behaviour);
  const request = { url: path.url, secrets: SECRETS, id: "evt_1", body: "{}", timeoutMs };
  const outcome = await sendEvent(request, env, Date.now);
  return { outcome, path };
}

const FAILED = { delivered: false, retryAfterMs: null };

test("the timestamp of a request is the second in which it is sent", async () => {
  const path = receivingPath(inject("receiverUrl"), crypto.randomUUID());
  const request = { url: path.url, secrets: SECRETS, id: "evt_1", body: "{}" };
  for (const nowMs of [1_000_999, 1_001_000]) await sendEvent(request, env, () => nowMs);
  const received = await path.received();
  expect(received.map(({ headers }) => headers["webhook-timestamp"])).toEqual(["1000", "1001"]);
});

describe("an endpoint that", () => {
  test.for([200, 201, 204, 299])("answers %d has received the event", async (status) => {
    const { outcome } = await send({ status });
    expect(outcome).toMatchObject({ delivered: true, responseStatus: status });
  });

  test.for([400, 401, 404, 410, 429, 500, 503])(
    "answers %d has not received it",
    async (status) => {
      const { outcome } = await send({ status, body: "no" });
      expect(outcome).toMatchObject({ ...FAILED, responseStatus: status, text: "no" });
    },
  );

  test.for([301, 302, 303, 307, 308])("redirects with %d is not followed", async (status) => {
    const target = receivingPath(inject("receiverUrl"), crypto.randomUUID());
    const { outcome } = await send({ status, headers: { Location: target.url } });
    expect(outcome).toMatchObject({ ...FAILED, responseStatus: status });
    expect(await target.received()).toEqual([]);
  });

  test("sends no response fails after the time limit", async () => {
    const { outcome } = await send({ hangs: true }, 40);
    expect(outcome).toMatchObject({ ...FAILED, responseStatus: null });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(35);
  });

  test("does not end its response has received the event", async () => {
    const hanging = { bodyHangs: true, body: "begun" };
    let { outcome } = await send(hanging, 40);
    // A busy machine may receive the status and the text later.
    for (let limitMs = 200; outcome.text !== "begun" && limitMs < 20_000; limitMs *= 5) {
      ({ outcome } = await send(hanging, limitMs));
    }
    expect(outcome).toMatchObject({ delivered: true, responseStatus: 200, text: "begun" });
  });

  test("answers 1 MB is not read to the end, and 1 KiB is kept", async () => {
    const { outcome } = await send({ body: "0123456789", repeatBody: 100_000 });
    expect(outcome).toMatchObject({ delivered: true });
    expect(outcome.text).toBe("0123456789".repeat(103).slice(0, 1_024));
  });

  test("answers bytes that are not text has received the event", async () => {
    const { outcome } = await send({ body: "\u0000ÿ".repeat(600) });
    expect(outcome.delivered).toBe(true);
    expect(new TextEncoder().encode(outcome.text).length).toBeLessThanOrEqual(1_030);
  });
});

describe("Retry-After", () => {
  test.for<[header: string, ms: number | null]>([
    ["0", null],
    ["30", 30_000],
    ["86400", 86_400_000],
    ["999999999", 86_400_000],
    ["99999999999999999999", 86_400_000],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["", null],
    ["Wed, 21 Oct 2015 07:28:00 GMT", null],
  ])("%j means %j ms", async ([header, ms]) => {
    const { outcome } = await send({ status: 503, headers: { "Retry-After": header } });
    expect(outcome.retryAfterMs).toBe(ms);
  });

  test("may be a date", async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { outcome } = await send({ status: 429, headers: { "Retry-After": date } });
    expect(outcome.retryAfterMs).toBeGreaterThan(55_000);
    expect(outcome.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test("of a success is ignored", async () => {
    const { outcome } = await send({ headers: { "Retry-After": "30" } });
    expect(outcome.retryAfterMs).toBeNull();
  });
});
