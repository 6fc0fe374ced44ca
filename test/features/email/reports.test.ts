// Reports of the e-mail service, which arrive in a queue.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { handleQueue } from "../../../src/queue.ts";
import { meteredD1, newMeter } from "../../support/counting.ts";
import {
  emailService,
  MAILING,
  noonFrom,
  placeGifts,
  resetOutbox,
  runOutbox,
} from "../../support/emails.ts";
import { deadDatabase, watchLog } from "../../support/faults.ts";
import { openShop, recipients } from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

/** The details that the service adds to the events of each type. */
const DETAILS: Record<string, object> = {
  deferred: { bounce: { type: "soft", reason: "451 4.2.0 <ada@example.com> is busy" } },
  bounced: { bounce: { type: "hard", reason: "550 5.1.1 <ada@example.com> is unknown" } },
  failed: { failure: { reason: "delivery_failed" } },
  rejected: { rejection: { reason: "suppressed", detail: "Recipient is suppressed" } },
  complained: { complaint: { type: "abuse" } },
};

const event = (name: string, messageId: unknown, changes: object = {}) => ({
  type: `cf.email.sending.message.${name}`,
  source: { type: "email.sending", zoneId: "z", domain: "regalo.example" },
  payload: {
    eventId: crypto.randomUUID(),
    messageId,
    sender: MAILING.EMAIL_FROM,
    terminal: true,
    recipient: "ada@example.com",
    subject: "A gift for Ada",
    delivery: { status: name },
    ...DETAILS[name],
    ...changes,
  },
  metadata: { eventSchemaVersion: 1, eventTimestamp: "2026-06-01T02:48:57.132Z" },
});

/** Handles the events in one batch. Returns the positions that are acknowledged, and the delays of the others. */
async function receive(bodies: unknown[], { attempts = 1, changes = {} } = {}) {
  const timestamp = new Date();
  const messages = bodies.map((body, at) => ({ id: String(at), timestamp, attempts, body }));
  const batch = createMessageBatch("regalo-production-email-reports", messages);
  const delays: unknown[] = [];
  for (const message of batch.messages) {
    const retry = message.retry.bind(message);
    vi.spyOn(message, "retry").mockImplementation((options) => {
      delays.push([Number(message.id), options?.delaySeconds]);
      retry(options);
    });
  }
  const context = createExecutionContext();
  await handleQueue(batch, { ...env, ...MAILING, ...changes }, context);
  const { explicitAcks } = await getQueueResult(batch, context);
  return {
    acknowledged: explicitAcks.map(Number).sort((a, b) => a - b),
    retried: delays,
  };
}

/** Places an order whose invitations are sent. Returns the ids of the messages. */
async function invite(count = 1) {
  const shop = await openShop();
  const { orderId, gifts } = await placeGifts(worker, shop, count);
  const service = emailService();
  await runOutbox({ service });
  const { results } = await sql(
    "SELECT message_id AS id FROM emails WHERE order_id = ? ORDER BY sequence",
    orderId,
  ).all<{ id: string }>();
  return { ...shop, orderId, gifts, service, ids: results.map(({ id }) => id) };
}

const statesOf = async (orderId: number) =>
  (
    await sql(
      "SELECT status, reason FROM emails WHERE order_id = ? ORDER BY sequence",
      orderId,
    ).all<{ status: string; reason: string | null }>()
  ).results.map(({ status, reason }) => [status, reason]);

async function failuresOf({ client }: Awaited<ReturnType<typeof invite>>) {
  const { events } = (await worker.get(client, "/api/events")).json;
  return events
    .filter(({ type }: { type: string }) => type === "gift.email_failed")
    .map(({ data }: { data: { email_failure: string } }) => data.email_failure) as string[];
}

test.each([
  ["delivered", {}, null],
  ["deferred", {}, null],
  ["failed", {}, "undeliverable"],
  ["rejected", {}, "suppressed"],
  ["rejected", { rejection: { reason: "spam" } }, "refused"],
  ["bounced", {}, "hard_bounce"],
  ["bounced", { bounce: { type: "soft" } }, "soft_bounce"],
  ["complained", {}, "complaint"],
] as const)("%s %j is stored with the reason %j", async (name, changes, reason) => {
  const order = await invite();
  const handled = await receive([event(name, order.ids[0], changes)]);
  expect(handled).toEqual({ acknowledged: [0], retried: [] });
  expect(await statesOf(order.orderId)).toEqual([[name, reason]]);
  expect(await failuresOf(order)).toEqual(reason === null ? [] : [reason]);
});

test("repeated and in any order, a failure is one event, and a bounce stops the e-mails of its gift only", async () => {
  const order = await invite(2);
  const [bounced, delivered] = order.ids;
  const late = [event("delivered", delivered), event("deferred", bounced)];
  const reports = [event("bounced", bounced), event("bounced", bounced), ...late];
  for (const batch of [reports, reports.toReversed()]) {
    expect((await receive(batch)).acknowledged).toHaveLength(4);
  }
  expect(await statesOf(order.orderId)).toEqual([
    ["bounced", "hard_bounce"],
    ["delivered", null],
  ]);
  expect(await failuresOf(order)).toEqual(["hard_bounce"]);
  await runOutbox({ service: order.service, nowMs: noonFrom(Date.now() + 10 * DAY_MS) });
  const [first, second] = order.gifts.map(({ email }) => email);
  expect(order.service.sent.map(({ to }) => to)).toEqual([first, second, second]);
});

test("a complaint stops the e-mails of all clients to the address", async () => {
  const order = await invite();
  const email = order.gifts[0]?.email ?? "";
  await receive([event("complained", order.ids[0], { recipient: email.toUpperCase() })]);
  const service = emailService();
  await placeGifts(worker, await openShop(), 1, {
    recipient_details: recipients(1).map((each) => ({ ...each, email })),
  });
  await runOutbox({ service });
  expect(service.sent).toEqual([]);
});

describe("a report about an unknown message", () => {
  test("is retried later, and stored once the message is", async () => {
    const id = `message-${crypto.randomUUID()}`;
    const order = await invite();
    const report = [event("delivered", id), event("delivered", order.ids[0])];
    expect(await receive(report)).toEqual({ acknowledged: [1], retried: [[0, 60]] });
    await sql("UPDATE emails SET message_id = ? WHERE order_id = ?", id, order.orderId).run();
    expect(await receive(report.slice(0, 1), { attempts: 2 })).toEqual({
      acknowledged: [0],
      retried: [],
    });
    expect(await statesOf(order.orderId)).toEqual([["delivered", null]]);
  });

  test("is acknowledged with the fourth attempt", async () => {
    const report = [event("delivered", "message-of-another-sender")];
    expect((await receive(report, { attempts: 3 })).retried).toHaveLength(1);
    expect((await receive(report, { attempts: 4 })).acknowledged).toEqual([0]);
  });
});

test("invalid events are logged without personal data, and do not hold up others", async () => {
  const log = watchLog();
  const order = await invite();
  const [id] = order.ids;
  const invalid = [
    ...[null, 5, "ada@example.com", [], {}, { type: "cf.email.sending.message.delivered" }],
    ...[event("opened", id), event("delivered", 7), event("delivered", "")],
    ...[{ type: "ada@example.com", payload: { messageId: id } }],
    { ...event("delivered", id), payload: null },
  ];
  const handled = await receive(
    [...invalid, event("delivered", id), event("bounced", id)].concat(),
  );
  expect(handled).toEqual({ acknowledged: [...invalid, 0, 0].map((_, at) => at), retried: [] });
  expect(await statesOf(order.orderId)).toEqual([["bounced", "hard_bounce"]]);
  const lines = log.mock.calls.flat().map(String);
  expect(lines).toHaveLength(invalid.length);
  expect(lines.join("\n")).toContain('"type":"cf.email.sending.message.opened"');
  expect(lines.join("\n")).not.toMatch(/@|Ada/);
});

test("a batch is one round trip, whose cost grows with its size", async () => {
  const order = await invite(20);
  const meter = newMeter();
  const reports = order.ids.map((id) => event("delivered", id));
  await receive(reports, { changes: { DB: meteredD1(env.DB, meter) } });
  expect(meter.roundTrips).toBe(1);
  expect(meter.rowsWritten).toBe(20);
  expect(meter.rowsRead).toBeLessThanOrEqual(400);
});

test("if the database fails, the batch is retried as a whole", async () => {
  watchLog();
  const report = event("delivered", "message");
  const changes = { DB: deadDatabase() };
  await expect(receive([report], { changes })).rejects.toThrow();
});
