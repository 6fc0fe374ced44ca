// POST /api/gift-link with send_method, POST /api/gift-link/send, and what stops e-mails.
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import {
  emailService,
  MAILING,
  noonFrom,
  placeGifts,
  resetOutbox,
  runOutbox,
} from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import {
  openShop as openShopOf,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

const openShop = () => openShopOf(simpleProduct({}, { quantity: null }));

describe("POST /api/gift-link", () => {
  const place = async (changes: object, env = {}) => {
    const { client, product } = await openShop();
    const body = orderOf(product, { recipient_details: recipients(1), ...changes });
    const { status, json, meter } = await startWorker({ env: { ...MAILING, ...env } }).post(
      client,
      "/api/gift-link",
      body,
    );
    return { status, field: json.errors?.[0].field as string | undefined, meter };
  };
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const in13Months = inDays(400);

  test.each([
    ["send_method", { send_method: "post" }, {}],
    ["send_at", { send_method: "email", send_at: "2027-01-31T09:00" }, {}],
    ["send_at", { send_method: "email", send_at: in13Months }, {}],
    ["send_at", { send_at: in13Months }, {}],
    [
      "send_at",
      { send_method: "email", redeem_by: inDays(5).slice(0, 10), send_at: inDays(9) },
      {},
    ],
    ["send_method email", { send_method: "email" }, { EMAIL_FROM: "" }],
  ])("refuses %s in %j where the settings are %j", async (field, changes, settings) => {
    expect(await place(changes, settings)).toMatchObject({ status: 400, field });
  });

  test("writes one more row with e-mails, and none for other orders", async () => {
    const [link, email] = [
      await place({ send_method: "link" }),
      await place({ send_method: "email" }),
    ];
    const none = await place({});
    expect(link.meter.rowsWritten).toBe(none.meter.rowsWritten);
    expect(email.meter.rowsWritten).toBe(none.meter.rowsWritten + 1);
  });

  test("repeated, sends nothing twice", async () => {
    const shop = await openShop();
    const { order } = await placeGifts(worker, shop, 2);
    const service = emailService();
    await runOutbox({ service });
    const again = await worker.post(shop.client, "/api/gift-link", order);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    await runOutbox({ service });
    expect(service.sent).toHaveLength(2);
  });
});

describe("POST /api/gift-link/send", () => {
  const send = async (shop: Awaited<ReturnType<typeof openShop>>, body: object, from = worker) =>
    from.post(shop.client, "/api/gift-link/send", body);

  test("sends the link of an order whose partner sends the links", async () => {
    const shop = await openShop();
    const { gifts } = await placeGifts(worker, shop, 2, { send_method: "link" });
    const service = emailService();
    await runOutbox({ service });
    expect(service.sent).toEqual([]);
    expect((await send(shop, { suborder_id: gifts[1]?.suborder_id })).status).toBe(200);
    await runOutbox({ service });
    expect(service.sent.map(({ to }) => to)).toEqual([gifts[1]?.email]);
  });

  test("sends at most three times in 24 hours, and says when it can be sent again", async () => {
    const clock = createClock();
    const isolate = clock.start(MAILING);
    const shop = await openShop();
    const [gift] = (await placeGifts(isolate, shop)).gifts;
    const service = emailService();
    const sendNow = async () => {
      clock.advance(MINUTE_MS);
      const answer = await send(shop, { suborder_id: gift?.suborder_id }, isolate);
      await runOutbox({ service, nowMs: clock.nowMs() });
      return answer;
    };
    await runOutbox({ service, nowMs: clock.nowMs() });
    expect((await sendNow()).status).toBe(200);
    expect((await sendNow()).status).toBe(200);
    const refused = await sendNow();
    expect([refused.status, refused.json.code]).toEqual([429, "too_many_requests"]);
    expect(service.sent).toHaveLength(3);
    const waitMs = Number(refused.headers.get("Retry-After")) * 1_000;
    expect(waitMs).toBeGreaterThan(23 * HOUR_MS);
    clock.advance(waitMs);
    expect((await sendNow()).status).toBe(200);
    expect(service.sent).toHaveLength(4);
  });

  test("that is refused because of its time changes nothing", async () => {
    const shop = await openShop();
    const { gifts, orderId } = await placeGifts(worker, shop);
    const send_at = new Date(Date.now() + 400 * DAY_MS).toISOString();
    const late = await send(shop, { suborder_id: gifts[0]?.suborder_id, send_at });
    expect(errorOf(late)).toMatchObject({ http: 400, errors: [{ field: "send_at" }] });
    const gift = sql("SELECT send_at_ms FROM sub_orders WHERE order_id = ?", orderId);
    expect(await gift.first("send_at_ms")).toBeNull();
  });

  test("refuses other clients' gifts, accepted gifts, and times after the last day", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const [gift] = (await placeGifts(worker, shop, 1, { redeem_by: "2027-01-31" })).gifts;
    const body = { suborder_id: gift?.suborder_id };
    expect((await send(other, body)).status).toBe(404);
    const late = await send(shop, { ...body, send_at: "2027-03-01T09:00:00Z" });
    expect(errorOf(late)).toMatchObject({ http: 400, errors: [{ field: "send_at" }] });
    await worker.post(shop.client, "/api/sandbox/redeem-gift", body);
    expect(errorOf(await send(shop, body)).code).toBe("not_allowed_in_state");
  });
});

describe("a renewal", () => {
  const renew = (shop: Awaited<ReturnType<typeof openShop>>, body: object) =>
    worker.post(shop.client, "/api/gift-link/renew", body);

  test("with a corrected address sends the new link, if the old one was sent", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    const service = emailService();
    await runOutbox({ service });
    const renewed = await renew(shop, { suborder_id: gift?.suborder_id, email: "new@example.com" });
    await runOutbox({ service, nowMs: Date.now() + 1 });
    expect(service.sent.map(({ to }) => to)).toEqual([gift?.email, "new@example.com"]);
    expect(service.sent[1]?.text).toContain(renewed.json.recipient.gift_url);
  });

  test("before the time of sending changes the link that is sent", async () => {
    const shop = await openShop();
    const sendAtMs = Date.now() + DAY_MS;
    const [gift] = (
      await placeGifts(worker, shop, 1, { send_at: new Date(sendAtMs).toISOString() })
    ).gifts;
    const renewed = await renew(shop, { suborder_id: gift?.suborder_id, email: "new@example.com" });
    const service = emailService();
    await runOutbox({ service, nowMs: Date.now() + HOUR_MS });
    expect(service.sent).toEqual([]);
    await runOutbox({ service, nowMs: sendAtMs });
    expect(service.sent.map(({ text }) => text)).toEqual([
      expect.stringContaining(renewed.json.recipient.gift_url),
    ]);
  });

  test("sends at most three invitations in 24 hours, and the last link after that", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    const service = emailService();
    const body = { suborder_id: gift?.suborder_id };
    for (const name of ["a", "b", "c", "d"]) {
      await runOutbox({ service });
      expect((await renew(shop, { ...body, email: `${name}@example.com` })).status).toBe(200);
    }
    await runOutbox({ service });
    expect(service.sent.map(({ to }) => to)).toEqual([
      gift?.email,
      "a@example.com",
      "b@example.com",
    ]);
    await runOutbox({ service, nowMs: Date.now() + DAY_MS });
    expect(service.sent.slice(3).map(({ to }) => to)).toEqual(["d@example.com"]);
  });

  test("without an address sends nothing", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    const service = emailService();
    await runOutbox({ service });
    await renew(shop, { suborder_id: gift?.suborder_id });
    await runOutbox({ service, nowMs: Date.now() + 1 });
    expect(service.sent).toHaveLength(1);
  });
});

const report = async (shop: Awaited<ReturnType<typeof openShop>>, suborderId = 0, event = "") =>
  (await worker.post(shop.client, "/api/sandbox/email-event", { suborder_id: suborderId, event }))
    .json.email.status as string;

describe("reports of the receiving server", () => {
  test("may come in any order: the status that says most remains", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    await runOutbox();
    const statuses = [];
    for (const event of ["delivered", "deferred", "complained", "delivered"]) {
      statuses.push(await report(shop, gift?.suborder_id, event));
    }
    expect(statuses).toEqual(["delivered", "delivered", "complained", "complained"]);
    const { events } = (await worker.get(shop.client, "/api/events")).json;
    expect(
      events.slice(1).map(({ type, data }: { type: string; data: object }) => [type, data]),
    ).toEqual([
      ["gift.email_sent", { email_kind: "invitation" }],
      ["gift.email_failed", { email_kind: "invitation", email_failure: "complaint" }],
    ]);
  });

  test("of a bounce stop all e-mails about the gift, until its address is corrected", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop, 2)).gifts;
    await runOutbox();
    await report(shop, gift?.suborder_id, "bounced");
    const body = { suborder_id: gift?.suborder_id };
    const refused = await worker.post(shop.client, "/api/gift-link/send", body);
    expect(errorOf(refused).code).toBe("not_allowed_in_state");
    const service = emailService();
    await runOutbox({ service, nowMs: noonFrom(Date.now() + 10 * DAY_MS) });
    expect(service.sent).toHaveLength(1);
    await worker.post(shop.client, "/api/gift-link/renew", { ...body, email: "right@example.com" });
    await runOutbox({ service, nowMs: noonFrom(Date.now() + 10 * DAY_MS) });
    expect(service.sent.at(-1)?.to).toBe("right@example.com");
  });

  test("of a bounce do not stop e-mails to an address that is corrected in the order", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    await runOutbox();
    await report(shop, gift?.suborder_id, "bounced");
    const body = { suborder_id: gift?.suborder_id };
    await worker.post(shop.client, "/api/order/correct", { ...body, email: "right@example.com" });
    expect((await worker.post(shop.client, "/api/gift-link/send", body)).status).toBe(200);
    const service = emailService();
    await runOutbox({ service, nowMs: Date.now() + 1 });
    expect(service.sent.map(({ to }) => to)).toEqual(["right@example.com"]);
  });

  test("of a bounce do not stop e-mails to an address that was corrected before", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    await runOutbox();
    const body = { suborder_id: gift?.suborder_id };
    await worker.post(shop.client, "/api/order/correct", { ...body, email: "right@example.com" });
    expect(await report(shop, gift?.suborder_id, "bounced")).toBe("bounced");
    expect((await worker.post(shop.client, "/api/gift-link/send", body)).status).toBe(200);
  });

  test("of a bounce end reminders until the address is corrected, and not after", async () => {
    const shop = await openShop();
    const [gift] = (await placeGifts(worker, shop)).gifts;
    await runOutbox();
    await report(shop, gift?.suborder_id, "bounced");
    const service = emailService();
    await runOutbox({ service, nowMs: noonFrom(Date.now() + 8 * DAY_MS) });
    await worker.post(shop.client, "/api/order/correct", {
      suborder_id: gift?.suborder_id,
      email: "right@example.com",
    });
    await runOutbox({ service, nowMs: noonFrom(Date.now() + 9 * DAY_MS) });
    expect(service.sent.map(({ to }) => to)).toEqual(["right@example.com"]);
  });

  test("of a complaint in the sandbox stop the client's e-mails to the address, and no other's", async () => {
    const [one, two] = [await openShop(), await openShop()];
    const [gift] = (await placeGifts(worker, one)).gifts;
    await runOutbox();
    await report(one, gift?.suborder_id, "complained");
    const address = gift?.email.toUpperCase();
    const outcomeAt = async (shop: typeof one) => {
      const { orderId } = await placeGifts(worker, shop, 1, {
        recipient_details: recipients(1).map((each) => ({ ...each, email: address })),
      });
      await runOutbox();
      return sql("SELECT status, reason FROM emails WHERE order_id = ?", orderId).first();
    };
    expect(await outcomeAt(one)).toEqual({ status: "failed", reason: "complained" });
    expect(await outcomeAt(two)).toEqual({ status: "sent", reason: null });
    expect(
      await sql("SELECT count(*) AS n FROM email_complaints WHERE address_digest LIKE '%@%'").first(
        "n",
      ),
    ).toBe(0);
  });
});

test("GET /api/order lists the e-mails that were sent and the next one", async () => {
  const shop = await openShop();
  const { orderId } = await placeGifts(worker, shop, 2);
  await runOutbox();
  const path = `/api/order?order_id=${String(orderId)}`;
  const { recipients: shown } = (await worker.get(shop.client, `${path}&include=emails`)).json;
  expect(shown.map(({ emails }: { emails: object[] }) => emails)).toEqual(
    Array.from({ length: 2 }, () => [
      { kind: "invitation", status: "sent", at: expect.anything(), reason: null },
      { kind: "reminder", status: "scheduled", at: expect.anything(), reason: null },
    ]),
  );
  expect((await worker.get(shop.client, path)).text).not.toContain("emails");
});
