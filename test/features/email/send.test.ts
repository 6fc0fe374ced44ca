// POST /api/gift-link with send_method, POST /api/gift-link/send, and what stops e-mails.
import { beforeEach, describe, expect, test } from "vitest";
import texts from "../../../public/languages/en.json";
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
import { eventsOf } from "../../support/events.ts";
import {
  openShop as openShopOf,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { postForm, TICKED } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

const openShop = () => openShopOf(simpleProduct({}, { quantity: null }));

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** A gift of an order for `count` recipients, who are invited, and the requests of its partner about it. */
async function invite(count = 1) {
  const shop = await openShop();
  const [gift] = (await placeGifts(worker, shop, count)).gifts;
  await runOutbox();
  const service = emailService();
  const suborder_id = gift?.suborder_id;
  const post = (path: string, fields: object = {}) =>
    worker.post(shop.client, `/api/${path}`, { suborder_id, ...fields });
  /** Reports about the e-mail, and returns its status. */
  async function report(event: string) {
    await post("sandbox/event", { event: `email.${event}` });
    const path = `/api/sandbox/emails?suborder_id=${String(suborder_id)}`;
    return (await worker.get(shop.client, path)).json.emails.at(-1).status as string;
  }
  /** Runs the outbox after this time. Returns the addresses of the e-mails that were sent. */
  async function sentAfter(ms: number) {
    service.sent = [];
    await runOutbox({ service, nowMs: ms < DAY_MS ? Date.now() + ms : noonFrom(Date.now() + ms) });
    return service.sent.map(({ to }) => to);
  }
  return { ...shop, gift, service, post, report, sentAfter };
}

const RIGHT = { email: "right@example.com" };

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
    const body = { suborder_id: gifts[0]?.suborder_id, send_at: inDays(400) };
    const late = await send(shop, body);
    expect(errorOf(late)).toMatchObject({ http: 400, errors: [{ field: "send_at" }] });
    const gift = sql("SELECT send_at_ms FROM gifts WHERE order_id = ?", orderId);
    expect(await gift.first("send_at_ms")).toBeNull();
  });

  test("refuses other clients' gifts, accepted gifts, and times after the last day", async () => {
    const [shop, other] = [await openShop(), await openShop()];
    const [gift] = (await placeGifts(worker, shop, 1, { redeem_by: inDays(9).slice(0, 10) })).gifts;
    const body = { suborder_id: gift?.suborder_id };
    expect((await send(other, body)).status).toBe(404);
    const late = await send(shop, { ...body, send_at: inDays(20) });
    expect(errorOf(late)).toMatchObject({ http: 400, errors: [{ field: "send_at" }] });
    await worker.post(shop.client, "/api/sandbox/event", { event: "gift.redeemed", ...body });
    expect(errorOf(await send(shop, body)).code).toBe("not_allowed_in_state");
  });
});

describe("a renewal", () => {
  test("with a corrected address sends the new link, if the old one was sent", async () => {
    const { service, post, sentAfter } = await invite();
    const renewed = await post("gift-link/renew", RIGHT);
    expect(await sentAfter(1)).toEqual([RIGHT.email]);
    expect(service.sent[0]?.text).toContain(renewed.json.recipient.gift_url);
  });

  test("before the time of sending changes the link that is sent", async () => {
    const shop = await openShop();
    const send_at = inDays(1);
    const [gift] = (await placeGifts(worker, shop, 1, { send_at })).gifts;
    const body = { suborder_id: gift?.suborder_id, ...RIGHT };
    const renewed = await worker.post(shop.client, "/api/gift-link/renew", body);
    const service = emailService();
    await runOutbox({ service, nowMs: Date.now() + HOUR_MS });
    expect(service.sent).toEqual([]);
    await runOutbox({ service, nowMs: Date.parse(send_at) });
    expect(service.sent.map(({ text }) => text)).toEqual([
      expect.stringContaining(renewed.json.recipient.gift_url),
    ]);
  });

  test("sends at most three invitations in 24 hours, and the last link after that", async () => {
    const { post, sentAfter } = await invite();
    const sent = [];
    for (const name of ["a", "b", "c", "d"]) {
      const renewed = await post("gift-link/renew", { email: `${name}@example.com` });
      expect(renewed.status).toBe(200);
      sent.push(...(await sentAfter(0)));
    }
    expect(sent).toEqual(["a@example.com", "b@example.com"]);
    expect(await sentAfter(DAY_MS)).toEqual(["d@example.com"]);
  });

  test("without an address sends nothing", async () => {
    const { post, sentAfter } = await invite();
    await post("gift-link/renew");
    expect(await sentAfter(1)).toEqual([]);
  });
});

describe("reports of the receiving server", () => {
  test("may come in any order: the status that says most remains", async () => {
    const { client, report } = await invite();
    const statuses = [];
    for (const event of ["delivered", "deferred", "complained", "delivered"]) {
      statuses.push(await report(event));
    }
    expect(statuses).toEqual(["delivered", "delivered", "complained", "complained"]);
    expect((await eventsOf(client)).slice(1)).toMatchObject([
      { type: "gift.email_sent", data: { email_kind: "invitation" } },
      {
        type: "gift.email_failed",
        data: { email_kind: "invitation", email_failure: "complaint" },
      },
    ]);
  });

  test("of a bounce stop all e-mails about the gift, until its address is corrected", async () => {
    const { gift, post, report, sentAfter } = await invite(2);
    await report("bounced");
    expect(errorOf(await post("gift-link/send")).code).toBe("not_allowed_in_state");
    const others = await sentAfter(10 * DAY_MS);
    expect([others.length, others.includes(gift?.email ?? "")]).toEqual([1, false]);
    await post("gift-link/renew", RIGHT);
    expect(await sentAfter(10 * DAY_MS)).toEqual([RIGHT.email]);
  });

  test("of a bounce do not stop e-mails to an address that is corrected in the order", async () => {
    const { post, report, sentAfter } = await invite();
    await report("bounced");
    await post("order/correct", RIGHT);
    expect((await post("gift-link/send")).status).toBe(200);
    expect(await sentAfter(1)).toEqual([RIGHT.email]);
  });

  test("of a bounce do not stop e-mails to an address that was corrected before", async () => {
    const { post, report } = await invite();
    await post("order/correct", RIGHT);
    expect(await report("bounced")).toBe("bounced");
    expect((await post("gift-link/send")).status).toBe(200);
  });

  test("of a bounce end reminders until the address is corrected, and not after", async () => {
    const { post, report, sentAfter } = await invite();
    await report("bounced");
    expect(await sentAfter(8 * DAY_MS)).toEqual([]);
    await post("order/correct", RIGHT);
    expect(await sentAfter(9 * DAY_MS)).toEqual([RIGHT.email]);
  });

  test("of a complaint in the sandbox stop the client's e-mails to the address, and no other's", async () => {
    const one = await invite();
    await one.report("complained");
    const address = one.gift?.email.toUpperCase();
    const outcomeAt = async (shop: Awaited<ReturnType<typeof openShop>>) => {
      const { orderId } = await placeGifts(worker, shop, 1, {
        recipient_details: recipients(1).map((each) => ({ ...each, email: address })),
      });
      await runOutbox();
      return sql("SELECT status, reason FROM emails WHERE order_id = ?", orderId).first();
    };
    expect(await outcomeAt(one)).toEqual({ status: "failed", reason: "complained" });
    expect(await outcomeAt(await openShop())).toEqual({ status: "sent", reason: null });
    const readable = "SELECT count(*) AS n FROM email_complaints WHERE address_digest LIKE '%@%'";
    expect(await sql(readable).first("n")).toBe(0);
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

/** The path of the page with which the recipient stops the e-mails about the gift. */
async function stopPathOf({ gift }: Awaited<ReturnType<typeof invite>>) {
  const header = `SELECT message ->> '$.headers."List-Unsubscribe"' AS header FROM emails
    WHERE order_id * 1000 + sequence = ?`;
  const link = await sql(header, Number(gift?.suborder_id)).first<string>("header");
  return new URL(link?.slice(1, -1) ?? "").pathname;
}

test("opening the page to stop e-mails changes nothing, and one click stops them for good", async () => {
  const gift = await invite();
  const path = await stopPathOf(gift);
  const page = await worker.fetch(path);
  expect([page.status, page.text.includes(texts.stop.title)]).toEqual([200, true]);
  expect(page.meter.rowsWritten).toBe(0);
  expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
  const click = {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  };
  const scanned = await postForm(worker, path, {});
  expect([scanned.status, scanned.meter.rowsWritten]).toEqual([422, 0]);
  expect(scanned.text).toContain(texts.problems.tick);
  const multipart = new FormData();
  multipart.set("List-Unsubscribe", "One-Click");
  const ticked = { method: "POST", body: new URLSearchParams(TICKED) };
  for (const request of [click, click, { method: "POST", body: multipart }, ticked]) {
    await sql("UPDATE gifts SET emails_stopped = NULL").run();
    const stopped = await worker.fetch(path, request);
    expect([stopped.status, stopped.text.includes(texts.stop.stopped)]).toEqual([200, true]);
  }
  expect(await gift.sentAfter(30 * DAY_MS)).toEqual([]);
  expect(errorOf(await gift.post("gift-link/send")).code).toBe("not_allowed_in_state");
});

test("a forged link to stop e-mails is unknown", async () => {
  const path = await stopPathOf(await invite());
  const forged = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect((await worker.fetch(forged, { method: "POST" })).status).toBe(404);
});
