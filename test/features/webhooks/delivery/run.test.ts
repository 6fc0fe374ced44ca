// Runs of delivery, with real requests to a server on the loopback interface.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../src/core/values/time.ts";
import { markForRedelivery, type Redelivery } from "../../../../src/features/webhooks/queries.ts";
import { leaseWebhookPage } from "../../../../src/features/webhooks/delivery/queries.ts";
import { deliver, MAX_PAGES } from "../../../../src/features/webhooks/delivery/run.ts";
import { signatureHeaders } from "../../../../src/features/webhooks/secret.ts";
import { meteredD1, newMeter, overriding } from "../../../support/counting.ts";
import { failingBatches, LOST } from "../../../support/faults.ts";
import type { TestClient } from "../../../support/fixtures.ts";
import {
  createReceiver,
  createSender,
  createReceivingWebhook,
  deliveriesOf,
  runDelivery,
  type TestWebhook,
  webhookRow,
} from "../../../support/delivery.ts";
import type { Behaviour } from "../../../support/received.ts";
import { addEvents } from "../../../support/webhooks.ts";

const DAY_MS = 24 * HOUR_MS;

/** Each statement takes the id of an endpoint. */
const CHANGES_THAT_STOP_DELIVERY = [
  "UPDATE webhooks SET status = 'disabled', disabled_reason = 'client' WHERE id = ?1",
  "UPDATE webhooks SET status = 'deleted' WHERE id = ?1",
  `UPDATE clients SET status = 'suspended'
   WHERE id = (SELECT client_id FROM webhooks WHERE id = ?1)`,
];

/** A receiver whose client has new events. */
async function createBacklog(count: number, behaviour: Behaviour = {}) {
  const receiver = await createReceiver(behaviour);
  const add = (count: number) => addEvents(receiver.client.clientId, count);
  await add(count);
  return { ...receiver, add };
}

/** Starts a run that stops before its call of D1 with this number: the second one saves the first page. */
async function startAndHold(webhook: TestWebhook, call = 2, now = Date.now) {
  const held = Promise.withResolvers<undefined>();
  const continued = Promise.withResolvers<undefined>();
  let calls = 0;
  const d1 = overriding(env.DB, {
    batch: async (statements: D1PreparedStatement[]) => {
      calls += 1;
      if (calls === call) {
        held.resolve(undefined);
        await continued.promise;
      }
      return env.DB.batch(statements);
    },
  });
  const run = runDelivery(webhook, now, d1);
  await held.promise;
  return {
    finish: () => {
      continued.resolve(undefined);
      return run;
    },
  };
}

const statusesOf = async (webhook: TestWebhook) =>
  (await deliveriesOf(webhook)).map(({ status }) => status);

const ascending = (sequences: number[]) => sequences.sort((a, b) => a - b);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe("a run", () => {
  test("sends each event of the feed once, in order, with the body of the feed", async () => {
    const { client, worker, place, webhook } = await createReceiver();
    await place(6);
    expect(await runDelivery(webhook)).toBeNull();
    expect(await runDelivery(webhook)).toBeNull();

    const received = await webhook.received();
    const { json } = await worker.get(client, "/api/events");
    const bodies = received.map(({ body }) => JSON.parse(body) as { sequence: number });
    expect(bodies.sort((a, b) => a.sequence - b.sequence)).toEqual(json.events);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(6);
    expect(received[0]).toMatchObject({
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Regalo-Webhooks/1.0" },
    });
    expect((await deliveriesOf(webhook))[5]).toMatchObject({
      sequence: 6,
      status: "delivered",
      attempts: 1,
      response_status: 200,
      next_attempt_at_ms: null,
      response_text: "ok",
    });
    expect(await webhookRow(webhook)).toMatchObject({ position: 6, lease_id: null, failures: 0 });
  });

  test("skips events whose type the endpoint's filter excludes", async () => {
    const { client, place } = await createSender();
    const wanted = await createReceivingWebhook(client, { eventTypes: ["order.paid"] });
    const unwanted = await createReceivingWebhook(client, { eventTypes: ["gift.redeemed"] });
    await place(2);
    await runDelivery(wanted);
    await runDelivery(unwanted);
    expect(await wanted.received()).toHaveLength(2);
    expect(await unwanted.received()).toEqual([]);
    expect(await deliveriesOf(unwanted)).toEqual([]);
    expect(await webhookRow(unwanted)).toMatchObject({ position: 2 });
  });

  test("costs 2 round trips and 4 written rows for one event, and 1 and 0 without an event", async () => {
    const { webhook } = await createBacklog(1);
    const meter = newMeter();
    await runDelivery(webhook, Date.now, meteredD1(env.DB, meter));
    expect(meter).toMatchObject({ roundTrips: 2, rowsWritten: 4 });
    expect(meter.rowsRead).toBeLessThanOrEqual(25);

    const idle = newMeter();
    await runDelivery(webhook, Date.now, meteredD1(env.DB, idle));
    expect(idle).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(idle.rowsRead).toBeLessThanOrEqual(10);
  });

  test("reads a number of rows in proportion to the events that it sends", async () => {
    const { client } = await createSender();
    await addEvents(client.clientId, 60);
    const webhook = await createReceivingWebhook(client, { position: 50 });
    const meter = newMeter();
    await runDelivery(webhook, Date.now, meteredD1(env.DB, meter));
    expect(await webhook.received()).toHaveLength(10);
    expect(meter.rowsRead).toBeLessThanOrEqual(20 + 6 * 10);
    expect(meter.rowsWritten).toBeLessThanOrEqual(2 + 2 * 10);
  });
});

describe("the outcome of a run", () => {
  test("saves a response with any characters, with spaces for control characters", async () => {
    const { place, webhook } = await createReceiver();
    const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
    await webhook.behave({ body: `${controls}\u2028\uffff\ud83d\ude00` });
    await place(1);
    await runDelivery(webhook);
    expect(await deliveriesOf(webhook)).toMatchObject([
      {
        status: "delivered",
        response_text: `${controls.replace(/[^ -~]/g, " ")}\u2028\uffff\ud83d\ude00`,
      },
    ]);
  });

  test("sends nothing to a URL that is no longer allowed, and logs the reason", async () => {
    const { place, webhook } = await createReceiver({}, { url: "https://10.0.0.1/hook" });
    await place(1);
    await runDelivery(webhook);
    expect((await deliveriesOf(webhook))[0]).toMatchObject({
      status: "pending",
      response_status: null,
      // There was no request, whose failure would look the same.
      response_text: expect.stringMatching(/^The URL /) as string,
    });
  });
});

describe("a run of many events", () => {
  test("sends a backlog of several pages", async () => {
    const { webhook } = await createBacklog(170);
    await runDelivery(webhook);
    expect(ascending(await webhook.sequences())).toEqual(numbers(1, 170));
  });

  test.for(CHANGES_THAT_STOP_DELIVERY)(
    "ends before its next page after %s, and the next run sends nothing",
    async (sql) => {
      const { webhook } = await createBacklog(81);
      const { finish } = await startAndHold(webhook);
      await env.DB.prepare(sql).bind(webhook.id).run();
      await finish();
      await runDelivery(webhook);
      expect(await webhook.received()).toHaveLength(80);
      expect(await webhookRow(webhook)).toMatchObject({ position: 80, lease_id: null });
    },
  );

  test("attempts due retries also during a backlog that takes longer than the run", async () => {
    const { add, webhook } = await createBacklog(1, { refuses: [1] });
    await runDelivery(webhook);
    await webhook.behave({});
    await add(100);
    let nowMs = Date.now() + MINUTE_MS;
    await runDelivery(webhook, () => (nowMs += 100));
    const rows = await deliveriesOf(webhook);
    expect(rows.length).toBeLessThan(80);
    expect(rows[0]).toMatchObject({ sequence: 1, status: "delivered", attempts: 2 });
  });

  test("makes less than the 1,000 queries that an invocation may make, and asks for another run", async () => {
    const { add, webhook } = await createBacklog(1);
    const counts = { statements: 0, events: 1 };
    // An event is added while each event is sent.
    const d1 = overriding(env.DB, {
      batch: async (statements: D1PreparedStatement[]) => {
        counts.statements += statements.length;
        const results = await env.DB.batch(statements);
        await add(1);
        counts.events += 1;
        return results;
      },
    });
    const startMs = Date.now();
    const maxPages = 5;
    const context = { d1, now: () => startMs, env, maxPages };
    expect(await deliver(context, webhook.id)).toBe(0);
    expect((counts.statements / maxPages) * MAX_PAGES).toBeLessThan(1_000);
    expect(await webhookRow(webhook)).toMatchObject({ lease_id: null });
    await runDelivery(webhook);
    const sequences = await webhook.sequences();
    expect(new Set(sequences).size).toBe(counts.events);
    expect(sequences).toHaveLength(counts.events);
  });
});

describe("a run after a change through the API", () => {
  test("signs with the new and the previous secret after a rotation", async () => {
    const { client, worker, add, webhook } = await createBacklog(1);
    const { json } = await worker.post(client, "/api/webhook", { url: webhook.url });
    const rotated = await worker.post(client, "/api/webhook/rotate", { webhook_id: webhook.id });
    await runDelivery(webhook);
    const [first] = await webhook.received();
    const { headers = {}, body = "" } = first ?? {};
    const expected = await signatureHeaders(
      [rotated.json.secret as string, json.secret as string],
      headers["webhook-id"] ?? "",
      Number(headers["webhook-timestamp"]),
      body,
    );
    expect(headers).toMatchObject(expected);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);

    await add(1);
    await runDelivery(webhook, () => Date.now() + 25 * HOUR_MS);
    const [, later] = await webhook.received();
    expect(later?.headers["webhook-signature"]).toMatch(/^v1,\S+$/);
  });

  test("sends everything that was missed to an endpoint that is enabled again", async () => {
    const { client, worker, add, webhook } = await createBacklog(1, { status: 410 });
    await runDelivery(webhook);
    await add(2);
    await webhook.behave({});
    const enabled = await worker.post(client, "/api/webhook/enable", { webhook_id: webhook.id });
    expect(enabled.json).toMatchObject({ status: "enabled", disabled_reason: null });
    await runDelivery(webhook);
    expect(await statusesOf(webhook)).toEqual(Array(3).fill("delivered"));
  });

  test("saves no failures of requests from before the endpoint was enabled", async () => {
    const { client, worker, webhook } = await createBacklog(1, { status: 410 });
    const failing = await startAndHold(webhook);
    await webhook.behave({});
    await worker.post(client, "/api/webhook/enable", { webhook_id: webhook.id });
    await failing.finish();
    expect(await webhookRow(webhook)).toMatchObject({ status: "enabled", failures: 0 });
    await runDelivery(webhook);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  test("sends events again that are requested while another run is in progress", async () => {
    const { client, worker, add, webhook } = await createBacklog(1);
    await runDelivery(webhook);
    await add(1);
    const slow = await startAndHold(webhook);
    const body = { webhook_id: webhook.id, since_sequence: 1 };
    expect((await worker.post(client, "/api/webhook/redeliver", body)).status).toBe(200);
    await slow.finish();
    await runDelivery(webhook);
    expect((await webhook.sequences()).filter((sequence) => sequence === 1)).toHaveLength(2);
  });
});

describe("two runs at once", () => {
  test("send each event once", async () => {
    const { webhook } = await createBacklog(20);
    await Promise.all(Array.from({ length: 6 }, () => runDelivery(webhook)));
    expect(ascending(await webhook.sequences())).toEqual(numbers(1, 20));
  });

  test("send an event that is added while the other one runs", async () => {
    const { add, webhook } = await createBacklog(1);
    const first = await startAndHold(webhook);
    await add(1);
    expect(await runDelivery(webhook)).toBeNull();
    await first.finish();
    expect(await webhook.sequences()).toEqual([1, 2]);
  });

  test("send each event once if the clock of one is behind that of the other", async () => {
    const { webhook } = await createBacklog(3);
    const first = await startAndHold(webhook);
    await runDelivery(webhook, () => Date.now() - 5 * SECOND_MS);
    await first.finish();
    expect(ascending(await webhook.sequences())).toEqual([1, 2, 3]);
  });

  test("of different endpoints do not wait for each other", async () => {
    const { client, webhook: healthy } = await createBacklog(10);
    const hanging = await createReceivingWebhook(client);
    await hanging.behave({ hangs: true });
    let ended = false;
    const stuck = runDelivery(hanging).then(() => (ended = true));
    await runDelivery(healthy);
    expect(ended).toBe(false);
    expect(await healthy.received()).toHaveLength(10);
    expect((await hanging.received()).length).toBeLessThanOrEqual(5);
    await hanging.behave({});
    await stuck;
  });
});

describe("a run that is interrupted", () => {
  test("is followed by another one when its lease has ended", async () => {
    const { webhook } = await createBacklog(3);
    let nowMs = Date.now();
    expect(
      await leaseWebhookPage(env.DB, { webhookId: webhook.id, leaseId: "killed" }, nowMs),
    ).not.toBeNull();

    nowMs += 40 * SECOND_MS;
    await runDelivery(webhook, () => nowMs);
    expect(await webhook.received()).toEqual([]);
    nowMs += 10 * SECOND_MS;
    await runDelivery(webhook, () => nowMs);
    expect(await webhook.sequences()).toEqual([1, 2, 3]);
  });

  test.for(["before the commit", "after the commit"] as const)(
    "loses no event if a call to D1 fails %s",
    async (when) => {
      for (const failing of [1, 2]) {
        const { webhook } = await createBacklog(3);
        const d1 = failingBatches(new Error(LOST), when, 1, failing - 1);
        await expect(runDelivery(webhook, Date.now, d1)).rejects.toThrow(LOST);
        await runDelivery(webhook, () => Date.now() + MINUTE_MS);
        expect([...new Set(await webhook.sequences())].sort()).toEqual([1, 2, 3]);
        expect(await statusesOf(webhook)).toEqual(Array(3).fill("delivered"));
      }
    },
  );

  test("does not overwrite the outcome of the run that took over its lease", async () => {
    const { webhook } = await createBacklog(1, { status: 500 });
    const slow = await startAndHold(webhook);
    await webhook.behave({});
    await runDelivery(webhook, () => Date.now() + MINUTE_MS);
    await slow.finish();
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "delivered", attempts: 1 }]);
    expect(await webhookRow(webhook)).toMatchObject({ failures: 0 });
  });
});

describe("a failing endpoint", () => {
  test("gets each event at the times of the schedule, at most 10 times", async () => {
    const { webhook } = await createBacklog(1, { status: 500 });
    let nowMs = Date.now();
    let attemptedAtMs = nowMs;
    const waits: number[] = [];
    for (let status = "pending"; status === "pending";) {
      await runDelivery(webhook, () => nowMs);
      const [delivery] = await deliveriesOf(webhook);
      waits.push(nowMs - attemptedAtMs);
      attemptedAtMs = nowMs;
      status = delivery?.status ?? "none";
      nowMs = delivery?.next_attempt_at_ms ?? nowMs;
    }
    const expected = [0, 5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS].concat(
      [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
    );
    expect(waits).toHaveLength(expected.length);
    waits.forEach((wait, index) => {
      const base = expected[index] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(base);
      expect(wait).toBeLessThanOrEqual(base * 1.1 + 1);
    });
    const ids = (await webhook.received()).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(1);
  });

  test("is nudged again when its first retry is due", async () => {
    const { webhook } = await createBacklog(1, { status: 500 });
    expect(await runDelivery(webhook)).toBeOneOf([5, 6]);
  });

  test("gets at most 9 requests in a run: 5 failures, and 4 requests that were under way", async () => {
    const { webhook } = await createBacklog(30, { status: 503 });
    await runDelivery(webhook);
    const { position, failures } = await webhookRow(webhook);
    expect(position).toBeGreaterThanOrEqual(5);
    expect(position).toBeLessThanOrEqual(9);
    expect(failures).toBe(position);
    expect(await webhook.received()).toHaveLength(position);
  });

  test("that was down for hours gets all events in the first run in which it responds", async () => {
    const { client, webhook } = await createReceiver({ status: 503 });
    const startMs = Date.now();
    const backMs = startMs + 9 * HOUR_MS;
    let nowMs = startMs;
    // A run every 15 minutes, and an event every hour.
    const passUntil = async (untilMs: number) => {
      for (; nowMs < untilMs; nowMs += 15 * MINUTE_MS) {
        if ((nowMs - startMs) % HOUR_MS === 0) await addEvents(client.clientId, 1);
        await runDelivery(webhook, () => nowMs);
      }
    };
    await passUntil(backMs);
    expect(await webhookRow(webhook)).toMatchObject({ status: "enabled" });
    // By the schedule, each event is attempted at most 6 times within 9 hours.
    expect((await webhook.received()).length).toBeLessThanOrEqual(9 * 6);

    await webhook.behave({});
    await passUntil(backMs + 1);
    expect(await statusesOf(webhook)).toEqual(Array(10).fill("delivered"));
    const attempted = (await deliveriesOf(webhook)).map((row) => row.attempted_at_ms);
    expect(Math.max(...attempted)).toBe(backMs);
    expect(await webhookRow(webhook)).toMatchObject({ failures: 0, failing_since_ms: null });
  });
});

describe("an endpoint", () => {
  test("that refuses one event and accepts others gets this event again by its schedule", async () => {
    const { add, webhook } = await createBacklog(1, { status: 500 });
    const startMs = Date.now();
    await runDelivery(webhook, () => startMs);
    await webhook.behave({});
    await add(1);
    await runDelivery(webhook, () => startMs + SECOND_MS);
    expect(await deliveriesOf(webhook)).toMatchObject([
      { status: "pending", attempts: 1 },
      { status: "delivered", attempts: 1 },
    ]);
  });

  test("keeps the schedule of several events that it refuses while it accepts others", async () => {
    const { add, webhook } = await createBacklog(8, { refuses: numbers(1, 8) });
    let nowMs = Date.now();
    await runDelivery(webhook, () => nowMs);
    for (let n = 0; n < 12; n++) {
      nowMs += MINUTE_MS;
      await add(1);
      await runDelivery(webhook, () => nowMs);
    }
    const rows = await deliveriesOf(webhook);
    expect(rows.slice(8).every(({ status }) => status === "delivered")).toBe(true);
    for (const row of rows.slice(0, 8)) {
      expect(row.status).toBe("pending");
      // By the schedule alone there are 3 attempts in 12 minutes.
      expect(row.attempts).toBeLessThanOrEqual(4);
    }
  });

  test("is disabled when it answers 410, and keeps its position", async () => {
    const { add, webhook } = await createBacklog(2, { status: 410 });
    await runDelivery(webhook);
    expect(await webhookRow(webhook)).toMatchObject({
      status: "disabled",
      disabled_reason: "gone",
    });
    const count = (await webhook.received()).length;
    await add(1);
    await runDelivery(webhook, () => Date.now() + DAY_MS);
    expect(await webhook.received()).toHaveLength(count);
  });

  test("is disabled after 5 days without a success", async () => {
    const { add, webhook } = await createBacklog(3, { status: 500 });
    const startMs = Date.now();
    for (const hours of [0, 1, 2, 3, 24, 48, 72, 96, 119]) {
      await runDelivery(webhook, () => startMs + hours * HOUR_MS);
    }
    expect(await webhookRow(webhook)).toMatchObject({ status: "enabled" });
    await add(1);
    await runDelivery(webhook, () => startMs + 121 * HOUR_MS);
    expect(await webhookRow(webhook)).toMatchObject({
      status: "disabled",
      disabled_reason: "failing",
    });
  });

  test("gets no event before the time of its Retry-After, also no new one", async () => {
    const { add, webhook } = await createBacklog(1, {
      status: 429,
      headers: { "Retry-After": "120" },
    });
    const startMs = Date.now();
    await runDelivery(webhook, () => startMs);
    await webhook.behave({});
    await add(1);
    await runDelivery(webhook, () => startMs + 119 * SECOND_MS);
    expect(await webhook.received()).toHaveLength(1);
    await runDelivery(webhook, () => startMs + 121 * SECOND_MS);
    expect((await webhook.sequences()).sort()).toEqual([1, 1, 2]);
  });
});

describe("a redelivery", () => {
  const redeliver = (client: TestClient, webhook: TestWebhook, redelivery: Redelivery) =>
    markForRedelivery(
      env.DB,
      { clientId: client.clientId, webhookId: webhook.id },
      redelivery,
      Date.now(),
    );

  test("of all events since one sends them once, however often it is requested until then", async () => {
    const { client } = await createSender();
    await addEvents(client.clientId, 120);
    const webhook = await createReceivingWebhook(client, { position: 120 });
    const since = (sinceSequence: number) => redeliver(client, webhook, { sinceSequence });
    await Promise.all([since(41), since(41)]);
    // Nothing has been sent yet, so it can begin earlier.
    await since(31);
    const running = await startAndHold(webhook, 3);
    expect(await webhookRow(webhook)).toMatchObject({ position: 110 });
    for (let repeat = 0; repeat < 3; repeat++) await Promise.all([since(31), since(1)]);
    await running.finish();
    expect(ascending(await webhook.sequences())).toEqual(numbers(31, 120));

    // It can be requested again once it has ended.
    await since(118);
    await runDelivery(webhook);
    expect(ascending((await webhook.sequences()).slice(90))).toEqual([118, 119, 120]);
  });

  test("of all events since one sends an event that waits for a retry once", async () => {
    const { client, webhook } = await createBacklog(3, { refuses: [2] });
    await runDelivery(webhook);
    await webhook.behave({});
    await redeliver(client, webhook, { sinceSequence: 1 });
    await runDelivery(webhook, () => Date.now() + MINUTE_MS);
    expect((await webhook.sequences()).sort()).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await statusesOf(webhook)).toEqual(Array(3).fill("delivered"));
  });

  test("during the last attempt starts the schedule again", async () => {
    const { client, webhook } = await createBacklog(1, { status: 500 });
    await runDelivery(webhook);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 9 WHERE webhook_id = ?")
      .bind(webhook.id)
      .run();
    const last = await startAndHold(webhook, 2, () => Date.now() + MINUTE_MS);
    await redeliver(client, webhook, { sequence: 1 });
    await last.finish();
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "pending" }]);
    await webhook.behave({});
    await runDelivery(webhook, () => Date.now() + 2 * MINUTE_MS);
    expect(await deliveriesOf(webhook)).toMatchObject([{ status: "delivered" }]);
  });
});

describe("a clock that jumps", () => {
  test("ahead and back delays no event by more than the next run", async () => {
    const { add, webhook } = await createBacklog(1, {
      status: 503,
      headers: { "Retry-After": "3600" },
    });
    const startMs = Date.now();
    // A machine whose clock is 10 days ahead takes the lease and sets the pause and the next attempt.
    const aheadMs = startMs + 10 * DAY_MS;
    await runDelivery(webhook, () => aheadMs);
    await leaseWebhookPage(env.DB, { webhookId: webhook.id, leaseId: "ahead" }, aheadMs);
    await webhook.behave({});
    await add(1);
    await runDelivery(webhook, () => startMs);
    expect(await statusesOf(webhook)).toEqual(["delivered", "delivered"]);
  });

  test("by more than 5 days does not disable an endpoint that failed once", async () => {
    const { add, webhook } = await createBacklog(1, { status: 500 });
    await runDelivery(webhook);
    await add(1);
    await runDelivery(webhook, () => Date.now() + 30 * DAY_MS);
    expect(await webhookRow(webhook)).toMatchObject({ status: "enabled" });
  });
});

test("a message for an endpoint that does not exist changes nothing", async () => {
  expect(await deliver({ d1: env.DB, now: Date.now, env }, 999_999_999)).toBeNull();
});
