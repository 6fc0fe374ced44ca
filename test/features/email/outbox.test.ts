// The outbox: which e-mails are sent, when, and how often.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { handleCron } from "../../../src/cron.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { changeShipments } from "../../../src/features/fulfilment/change.ts";
import { readHealth } from "../../../src/features/health/state-queries.ts";
import { toGiftId } from "../../../src/core/values/ids.ts";
import { extend } from "../../../src/features/lifecycle/extend.ts";
import { readEmails } from "../../../src/features/schedule/plan-queries.ts";
import { writeErasure } from "../../../src/features/privacy/queries.ts";
import type { QueueMessage } from "../../../src/platform/env.ts";
import { meteredD1, newMeter, overriding } from "../../support/counting.ts";
import {
  emailService,
  MAILING,
  noonFrom,
  placeGifts,
  plannedKinds,
  resetOutbox,
  runOutbox,
} from "../../support/emails.ts";
import { watchLog } from "../../support/faults.ts";
import {
  type ClientOptions,
  openShop as openShopOf,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { changingAfterRead } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { NO_CLIENT } from "../../../src/features/lifecycle/order-key.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

const openShop = (options: ClientOptions = {}) =>
  openShopOf(simpleProduct({}, { quantity: null }), options);

/** Places an order whose recipients are invited, with a new client. */
async function place(count = 1, changes: Record<string, unknown> = {}, options?: ClientOptions) {
  const shop = await openShop(options);
  return { ...shop, ...(await placeGifts(worker, shop, count, changes)) };
}

const emailsOf = async (orderId: number) =>
  (
    await sql(
      "SELECT sequence, kind, status, reason FROM emails WHERE order_id = ? ORDER BY sequence, number",
      orderId,
    ).all()
  ).results;

/** The kinds of the sent e-mails of the order's only gift, in their order. */
const kindsOf = async (orderId: number) => (await emailsOf(orderId)).map(({ kind }) => kind);

const NOW = Date.now();

test("each recipient is invited once, and the sandbox sends nothing", async () => {
  const { client, orderId, gifts } = await place(3);
  await runOutbox();
  await runOutbox();
  expect(await emailsOf(orderId)).toEqual(
    [1, 2, 3].map((sequence) => ({ sequence, kind: "invitation", status: "sent", reason: null })),
  );
  const [, second] = gifts;
  const path = `/api/sandbox/emails?suborder_id=${String(second?.suborder_id)}`;
  const { emails } = (await worker.get(client, path)).json;
  expect(emails).toMatchObject([
    { kind: "invitation", status: "sent", message: { to: second?.email } },
  ]);
  expect(emails[0].message.text).toContain(second?.gift_url);
  const { events } = (await worker.get(client, "/api/events")).json;
  expect(events.map(({ type }: { type: string }) => type)).toEqual([
    "order.paid",
    ...Array.from({ length: 3 }, () => "gift.email_sent"),
  ]);
  expect(events[1].data).toEqual({ email_kind: "invitation" });
});

test("an e-mail costs nine rows, and a page and an order a few more, however large the order is", async () => {
  for (const count of [50, 130]) {
    const shop = await openShop();
    const { orderId } = await placeGifts(worker, shop, count);
    const [meter, reading] = [newMeter(), newMeter()];
    const service = emailService();
    await runOutbox({ service }, { DB: meteredD1(env.DB, meter) });
    expect(service.sent).toHaveLength(count);
    const pages = Math.ceil(count / 40);
    expect(meter.rowsWritten).toBeLessThanOrEqual(9 * count + 2 * pages);
    expect(meter.rowsRead).toBeLessThanOrEqual(100 * count + 100);
    expect(meter.roundTrips).toBeLessThanOrEqual(4 * pages + 1);
    expect(await readEmails(meteredD1(env.DB, reading), orderId, NOW)).toHaveLength(count);
    expect(reading.rowsRead).toBeLessThanOrEqual(4 * count + 2);
  }
});

test("with a million orders before, looking for something to send reads a row or two for each client", async () => {
  const shop = await openShop();
  await placeGifts(worker, shop, 1, { send_at: new Date(NOW + DAY_MS).toISOString() });
  const meter = newMeter();
  expect(await readHealth(meteredD1(env.DB, meter))).toMatchObject({ emailsDueMs: NOW + DAY_MS });
  const { clients } =
    (await sql("SELECT count(*) AS clients FROM clients").first<{ clients: number }>()) ?? {};
  expect(meter.rowsRead).toBeLessThanOrEqual(3 * Number(clients) + 5);
});

test("the cron handler starts a run if an e-mail is due", async () => {
  const sentAfter = async (nowMs: number, changes = {}) => {
    const sent: QueueMessage[] = [];
    const WEBHOOK_QUEUE = overriding(env.WEBHOOK_QUEUE, {
      send: (message: QueueMessage) => {
        sent.push(message);
        return Promise.resolve();
      },
    });
    await handleCron({ ...env, ...MAILING, WEBHOOK_QUEUE, ...changes }, () => nowMs);
    return sent.filter(({ type }) => type !== "vendors");
  };
  vi.spyOn(console, "log").mockReturnValue();
  await place(1, { send_at: new Date(NOW + DAY_MS).toISOString() });
  expect(await sentAfter(NOW)).toEqual([]);
  expect(await sentAfter(NOW + DAY_MS)).toEqual([{ type: "emails" }]);
  expect(await sentAfter(NOW + DAY_MS, { EMAIL_FROM: "" })).toEqual([]);
});

describe("the time of sending", () => {
  test("is send_at", async () => {
    const { orderId } = await place(1, {
      send_at: new Date(NOW + DAY_MS).toISOString(),
    });
    await runOutbox({ nowMs: NOW + DAY_MS - MINUTE_MS });
    expect(await kindsOf(orderId)).toEqual([]);
    await runOutbox({ nowMs: NOW + DAY_MS });
    expect(await kindsOf(orderId)).toEqual(["invitation"]);
  });

  test("of an unpaid order is its payment", async () => {
    const { client, orderId } = await place(1, {}, { billing: "invoice" });
    await runOutbox();
    expect(await kindsOf(orderId)).toEqual([]);
    await worker.post(client, "/api/sandbox/event", { event: "order.paid", order_id: orderId });
    await runOutbox();
    expect(await kindsOf(orderId)).toEqual(["invitation"]);
  });

  test("of a suspended client's gifts is after the suspension", async () => {
    const { client, orderId } = await place();
    const suspend = (status: string) =>
      sql("UPDATE clients SET status = ? WHERE id = ?", status, client.clientId).run();
    await suspend("suspended");
    await runOutbox();
    expect(await kindsOf(orderId)).toEqual([]);
    await suspend("active");
    await runOutbox();
    expect(await kindsOf(orderId)).toEqual(["invitation"]);
  });
});

describe("after the invitation", () => {
  const day = (days: number) => new Date(NOW + days * DAY_MS).toISOString().slice(0, 10);

  /** The kinds after the outbox has run now, and at noon of these days. */
  async function kindsOn(orderId: number, ...days: number[]) {
    await runOutbox({ nowMs: NOW + MINUTE_MS });
    for (const at of days) await runOutbox({ nowMs: noonFrom(NOW + at * DAY_MS) });
    return kindsOf(orderId);
  }

  test("a reminder follows once, after the client's number of days", async () => {
    const { orderId } = await place();
    expect(await kindsOn(orderId, 5, 6)).toEqual(["invitation"]);
    expect(await kindsOn(orderId, 7, 8, 9, 20, 40)).toEqual(["invitation", "reminder"]);
  });

  test("no reminder follows if the client wants none", async () => {
    const { orderId } = await place(1, {}, { reminderDays: null });
    expect(await kindsOn(orderId, 7, 8, 20)).toEqual(["invitation"]);
  });

  test.each([
    [30, ["invitation", "reminder", "last_days"], [7, 8, 23, 24, 25, 26, 33]],
    [12, ["invitation", "last_days"], [3, 5, 6, 7, 8, 15]],
    [0, ["invitation"], [1, 2, 3]],
  ])("with %d days to accept, the e-mails are %j", async (days, kinds, runsOn) => {
    const { orderId } = await place(1, { redeem_by: day(days) });
    expect(await kindsOn(orderId, ...runsOn)).toEqual(kinds);
  });

  test("a later last day has its own last week", async () => {
    const { orderId } = await place(1, { redeem_by: day(9) });
    expect(await kindsOn(orderId, 3, 4, 5, 8)).toEqual(["invitation", "last_days"]);
    await extend(env.DB, { orderId, ...NO_CLIENT }, day(25), NOW + 8 * DAY_MS);
    expect(await kindsOn(orderId, 9, 10, 18, 19, 20, 21, 26)).toEqual([
      ...["invitation", "last_days", "reminder", "last_days"],
    ]);
  });

  test.each([
    ["order.cancelled", []],
    ["gift.redeemed", ["accepted"]],
    ["gift.expired", []],
  ])("no reminder follows %s", async (event, kinds) => {
    const { client, orderId, gifts } = await place(1, { redeem_by: day(30) });
    await runOutbox();
    const { suborder_id } = gifts[0] ?? {};
    const selection = event === "order.cancelled" ? { order_id: orderId } : { suborder_id };
    await worker.post(client, "/api/sandbox/event", { event, ...selection });
    expect(await kindsOn(orderId, 7, 8, 24, 25, 31)).toEqual(["invitation", ...kinds]);
  });

  test.each([
    ["wants all", {}, {}, ["invitation", "accepted", "shipped", "delivered"]],
    ["wants those of the acceptance", {}, { notifyShipped: false }, ["invitation", "accepted"]],
    ["wants others", {}, { notifyAccepted: false }, ["invitation", "shipped", "delivered"]],
    ["has sent the link", { send_method: "link" }, {}, []],
  ])("the notices are sent once each, at once, if the client %s", async (_, by, wants, kinds) => {
    const { client, orderId, gifts } = await place(1, by, wants);
    await runOutbox();
    for (const event of ["gift.redeemed", "gift.shipped", "gift.delivered"]) {
      const { suborder_id } = gifts[0] ?? {};
      await worker.post(client, "/api/sandbox/event", { event, suborder_id });
      await runOutbox({ nowMs: Date.now() + MINUTE_MS });
    }
    await runOutbox({ nowMs: Date.now() + DAY_MS });
    expect(await kindsOf(orderId)).toEqual(kinds);
  });

  test("a gift that is accepted when its e-mail is due, and the outbox has read it, gets the notice", async () => {
    const { client, orderId, gifts } = await place();
    await runOutbox();
    const atMs = NOW + HOUR_MS;
    const body = { event: "gift.redeemed", suborder_id: gifts[0]?.suborder_id };
    await sql(
      `UPDATE gifts SET send_at_ms = ${String(atMs)}, next_email_ms = ${String(atMs)} WHERE order_id = ?`,
      orderId,
    ).run();
    const accepting = startWorker({ env: MAILING, now: () => atMs });
    const DB = changingAfterRead(() => accepting.post(client, "/api/sandbox/event", body));
    await runOutbox({ nowMs: atMs }, { DB });
    expect(await kindsOf(orderId)).toEqual(["invitation", "accepted"]);
  });

  test("each shipment of a gift is reported once, also of one that was bought outright", async () => {
    for (const method of ["gift-link", "order"]) {
      const shop = await openShop({ notifyShipped: true });
      const { client, product } = shop;
      const placed =
        method === "order"
          ? await worker.post(
              client,
              "/api/order",
              orderOf(product, { recipient_details: recipients(1) }),
            )
          : null;
      const orderId: number =
        placed?.json.order_data.order_id ?? (await placeGifts(worker, shop, 1)).orderId;
      await runOutbox();
      const gift = { orderId, sequence: 1 };
      const cause = (event: string) =>
        worker.post(client, "/api/sandbox/event", { event, suborder_id: toGiftId(orderId, 1) });
      if (method === "gift-link") await cause("gift.redeemed");
      await cause("gift.shipped");
      await runOutbox();
      await cause("gift.returned");
      const request = { clientId: null, requestId: crypto.randomUUID(), nowMs: Date.now() };
      await changeShipments(env.DB, "reship", [gift], request);
      const service = emailService();
      await cause("gift.shipped");
      await runOutbox({ service });
      await runOutbox({ nowMs: Date.now() + DAY_MS });
      expect((await kindsOf(orderId)).filter((kind) => kind === "shipped")).toHaveLength(2);
      const [, url = ""] = /(https?:\/\/\S+)/.exec(service.sent.at(-1)?.text ?? "") ?? [];
      const page = await worker.get(client, new URL(url).pathname);
      expect(page).toMatchObject({ status: 200 });
    }
  });
});

test("shipments from before the client wanted to report them are not reported weeks later", async () => {
  const { client, orderId, gifts } = await place(2);
  await runOutbox();
  const gift = { suborder_id: gifts[0]?.suborder_id };
  await worker.post(client, "/api/sandbox/event", { event: "gift.redeemed", ...gift });
  await worker.post(client, "/api/sandbox/event", { event: "gift.shipped", ...gift });
  await sql("UPDATE clients SET notify_shipped = 1 WHERE id = ?", client.clientId).run();
  await runOutbox({ nowMs: noonFrom(NOW + 8 * DAY_MS) });
  expect(await kindsOf(orderId)).toEqual(["invitation", "invitation", "reminder"]);
});

test.each([
  ["the order's base_location", {}, 2],
  ["the country of the address", { delivery_address: { country: "United States" } }, 17],
])("reminders are sent at noon in %s", async (_, fields, utcHour) => {
  const { client, orderId } = await place(1, {
    recipient_details: recipients(1).map((each) => ({ ...each, ...fields })),
    redeem_by: new Date(NOW + 60 * DAY_MS).toISOString().slice(0, 10),
  });
  await runOutbox();
  const timeOf = async (kind: string) => {
    const { recipients: gifts } = (
      await worker.get(client, `/api/order?order_id=${String(orderId)}&include=emails`)
    ).json;
    expect(gifts[0].emails.at(-1)).toMatchObject({ kind, status: "scheduled" });
    return new Date(gifts[0].emails.at(-1).at as string);
  };
  expect((await timeOf("reminder")).getUTCHours()).toBe(utcHour);
  await extend(
    env.DB,
    { orderId, ...NO_CLIENT },
    new Date(NOW + 10 * DAY_MS).toISOString().slice(0, 10),
    Date.now(),
  );
  const lastDays = await timeOf("last_days");
  expect(lastDays.getUTCHours()).toBe(utcHour);
  expect(lastDays.getTime()).toBeLessThan(NOW + 6 * DAY_MS);
});

test.each([
  ["renewed", "/api/gift-link/renew", ["new@example.com"]],
  ["cancelled", "/api/order/cancel", []],
])(
  "a gift that is %s while its e-mail is sent gets the e-mails of its new state",
  async (_, path, later) => {
    const { client, orderId, gifts } = await place();
    const id =
      path === "/api/order/cancel"
        ? { order_id: orderId }
        : { suborder_id: gifts[0]?.suborder_id, email: "new@example.com" };
    const DB = changingAfterRead(async () => {
      expect(await emailsOf(orderId)).toMatchObject([{ status: "sending" }]);
      expect((await worker.post(client, path, id)).status).toBe(200);
    }, 3);
    const service = emailService();
    await runOutbox({ service }, { DB });
    await runOutbox({ service, nowMs: Date.now() + 1 });
    expect(service.sent.map(({ to }) => to)).toEqual([gifts[0]?.email, ...later]);
  },
);

test("no e-mail is announced for a time after the last day", async () => {
  const shop = await openShop();
  const redeem_by = new Date(NOW).toISOString().slice(0, 10);
  const { orderId } = await placeGifts(worker, shop, 1, { redeem_by });
  await runOutbox();
  expect(await plannedKinds(orderId)).toEqual([null]);
});

test("the message of a recipient who is erased while it is sent is not stored", async () => {
  const { client, orderId } = await place();
  const DB = changingAfterRead(async () => {
    await worker.post(client, "/api/order/cancel", { order_id: orderId });
    await writeErasure(env.DB, [toGiftId(orderId, 1)], Date.now());
  }, 3);
  await runOutbox({}, { DB });
  expect(
    await sql("SELECT status, message FROM emails WHERE order_id = ?", orderId).first(),
  ).toEqual({ status: "sent", message: null });
});

describe("errors of the e-mail service", () => {
  test.each([
    ["E_RATE_LIMIT_EXCEEDED", MINUTE_MS],
    ["E_DAILY_LIMIT_EXCEEDED", HOUR_MS],
    ["E_SENDER_NOT_VERIFIED", 10 * MINUTE_MS],
    ["E_RECIPIENT_NOT_ALLOWED", 10 * MINUTE_MS],
  ])("%s holds all e-mails, and none of them fails", async (code, holdMs) => {
    watchLog();
    const [one, two] = [await openShop(), await openShop()];
    const orders = [await placeGifts(worker, one, 2), await placeGifts(worker, two, 2)];
    const service = emailService();
    service.fail = () => code;
    await runOutbox({ nowMs: NOW + MINUTE_MS, service });
    service.fail = () => undefined;
    await runOutbox({ nowMs: NOW + MINUTE_MS + holdMs - 1, service });
    expect(service.sent).toEqual([]);
    expect(await sql("SELECT fault FROM email_outbox").first("fault")).toBe(code);
    await runOutbox({ nowMs: NOW + MINUTE_MS + holdMs + 1, service });
    expect(service.sent).toHaveLength(4);
    for (const { orderId } of orders) {
      expect((await emailsOf(orderId)).map(({ status }) => status)).toEqual(["sent", "sent"]);
    }
    expect(await sql("SELECT fault FROM email_outbox").first("fault")).toBeNull();
  });

  test("is not over because the outbox has looked at a gift that gets no e-mail yet", async () => {
    const { orderId } = await place();
    await runOutbox();
    const dueMs = () => sql("SELECT next_email_ms AS ms FROM gifts WHERE order_id = ?", orderId);
    const reminder = await dueMs().first();
    const refusal = { fault: "E_RATE_LIMIT_EXCEEDED", faults: 3 };
    await sql("UPDATE email_outbox SET fault = ?, faults = ?", ...Object.values(refusal)).run();
    await sql("UPDATE gifts SET next_email_ms = 1 WHERE order_id = ?", orderId).run();
    await runOutbox();
    expect(await dueMs().first()).toEqual(reminder);
    expect(await sql("SELECT fault, faults FROM email_outbox").first()).toEqual(refusal);
  });

  test("a message that fails is tried again later, and at last given up, without delaying others", async () => {
    watchLog();
    const { client, orderId, gifts } = await place(2);
    const service = emailService();
    service.fail = ({ to }) => (to === gifts[0]?.email ? "E_INTERNAL_SERVER_ERROR" : undefined);
    for (const atMs of [MINUTE_MS, 2 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 12 * HOUR_MS, DAY_MS]) {
      await runOutbox({ nowMs: NOW + atMs, service });
    }
    expect(service.sent).toHaveLength(1);
    expect(await emailsOf(orderId)).toEqual([
      { sequence: 1, kind: "invitation", status: "failed", reason: "service_error" },
      { sequence: 2, kind: "invitation", status: "sent", reason: null },
    ]);
    const { events } = (await worker.get(client, "/api/events")).json;
    expect(events.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ["order.paid", expect.anything()],
      ["gift.email_sent", { email_kind: "invitation" }],
      ["gift.email_failed", { email_kind: "invitation", email_failure: "service_error" }],
    ]);
  });

  test("a gift that is sent again does not wait for the next attempt of the earlier e-mail", async () => {
    watchLog();
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    const service = emailService();
    service.fail = () => "E_INTERNAL_SERVER_ERROR";
    for (const atMs of [0, 2 * MINUTE_MS, 20 * MINUTE_MS, 2 * HOUR_MS]) {
      await runOutbox({ nowMs: Date.now() + atMs, service });
    }
    service.fail = () => undefined;
    await worker.post(shop.client, "/api/gift-link/send", { suborder_id: gift?.suborder_id });
    await runOutbox({ nowMs: Date.now() + 1, service });
    expect(service.sent).toHaveLength(1);
  });

  test("are logged with their code, without the address that their text contains", async () => {
    const log = watchLog();
    await place();
    const service = emailService();
    const error = new Error("<ada@example.com>: refused for Ada <ada@example.com>");
    service.binding.send = () => Promise.reject(Object.assign(error, { code: "E_UNKNOWN" }));
    await runOutbox({ service });
    const lines = log.mock.calls.flat().join("\n");
    expect(lines).toContain('"error":"E_UNKNOWN"');
    expect(lines).not.toContain("@");
  });

  test("a refused address fails at once, with the class of the reason", async () => {
    watchLog();
    const { orderId } = await place();
    const service = emailService();
    service.fail = () => "E_RECIPIENT_SUPPRESSED";
    await runOutbox({ service });
    expect(await emailsOf(orderId)).toMatchObject([{ status: "failed", reason: "suppressed" }]);
  });
});

test("a client with 200 recipients does not delay another client's invitation", async () => {
  const [large, small] = [await openShop(), await openShop()];
  for (let order = 0; order < 2; order++) await placeGifts(worker, large, 100);
  const [gift] = (await placeGifts(worker, small)).gifts;
  const service = emailService();
  const meter = newMeter();
  await runOutbox({ service }, { DB: meteredD1(env.DB, meter) });
  expect(service.sent).toHaveLength(201);
  expect(meter.rowsRead).toBeLessThanOrEqual(100 * 201);
  expect(service.sent.slice(0, 40).map(({ to }) => to)).toContain(gift?.email);
});

test("a page is shared by any number of clients and orders", async () => {
  for (const [clients, orders, count] of [
    [3, 1, 1],
    [1, 3, 15],
    [2, 3, 8],
  ] as const) {
    await resetOutbox();
    for (let client = 0; client < clients; client++) {
      const shop = await openShop();
      for (let order = 0; order < orders; order++) await placeGifts(worker, shop, count);
    }
    const service = emailService();
    await runOutbox({ service });
    expect(service.sent).toHaveLength(clients * orders * count);
    expect(new Set(service.sent.map(({ to }) => to)).size).toBe(clients * orders * count);
  }
});
