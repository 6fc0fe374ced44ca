// The code of a digital gift in its recipient's hands: the e-mail and the gift page.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import texts from "../../../public/languages/en.json";
import { openConsole } from "../../console/console.ts";
import { openOperatorApi } from "../../operator/operator-api.ts";
import { DAY_MS, HOUR_MS } from "../../../src/core/values/time.ts";
import { toGiftId, toGiftNumber } from "../../../src/core/values/ids.ts";
import type { DigitalDelivery } from "../../../src/features/catalogue/product.ts";
import { currentGiftUrl } from "../../../src/features/orders/gift-link.ts";
import { overriding } from "../../support/counting.ts";
import {
  emailService,
  type EmailService,
  MAILING,
  resetOutbox,
  runOutbox,
} from "../../support/emails.ts";
import {
  addCodesTo,
  codeProduct,
  digitalDelivery,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestProduct,
  unique,
} from "../../support/fixtures.ts";
import {
  accept,
  changingAfterRead,
  createGift,
  decline,
  ONE_CLICK,
  postForm,
  thank,
  textOf,
} from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { type Answer, startWorker } from "../../support/worker.ts";

const worker = startWorker();
const CODE = { pin: "0815", url: "https://vendor.example/use?c=SPRING" };
const SECRET = /SPRING|0815|<svg/;

const product = (digital: Partial<DigitalDelivery> = {}) =>
  codeProduct({ digital: digitalDelivery({ delivery: "code", ...digital }) });

beforeEach(resetOutbox);

type Codes = Exclude<Parameters<typeof addCodesTo>[1], number>;

/** A code that no other test has. */
const someCode = () => [{ ...CODE, code: `SPRING-${String(unique())}` }];

/** Gifts of this operation, with the path of the first one's page. */
async function place(
  operation: "order" | "gift-link",
  offered: TestProduct,
  codes: Codes,
  changes = {},
  gifts = 1,
  through = worker,
) {
  const { client } = await openShop(offered);
  if (codes.length > 0) await addCodesTo(offered, codes);
  else {
    // The stock of the sandbox.
    await sql("UPDATE stock SET quantity = NULL WHERE product_id = ?", offered.product.id).run();
  }
  const people = recipients(gifts).map((each) => ({
    ...each,
    email: `${String(unique())}@example.com`,
  }));
  const body = orderOf(offered, { recipient_details: people, ...changes });
  const { json } = await through.post(client, `/api/${operation}`, body);
  const orderId: number = json.order_data.order_id;
  const order = await sql(
    "SELECT id, link_nonce AS linkNonce, link_key_id AS linkKeyId FROM orders WHERE id = ?",
    orderId,
  ).first<Parameters<typeof currentGiftUrl>[1]>();
  if (!order) throw new Error("the order is not stored");
  const url = await currentGiftUrl(env, order, { sequence: 1, generation: 0 });
  return { client, orderId, path: new URL(url).pathname };
}

/** A gift of a link that its recipient has accepted. */
async function acceptedGift(offered = product(), codes: Codes = someCode()) {
  const gift = await place("gift-link", offered, codes);
  expect((await accept(worker, gift.path)).status).toBe(303);
  return gift;
}

const giftWithCode = (door: string) =>
  door === "link" ? acceptedGift() : place("order", product(), someCode());

const codeOf = (orderId: number) =>
  sql("SELECT opened_at_ms AS openedAtMs, id FROM codes WHERE order_id = ?", orderId).first<{
    openedAtMs: number | null;
    id: number;
  }>();

const reveal = (path: string) => postForm(worker, path, { step: "reveal" });
const resend = (path: string) => postForm(worker, path, { step: "resend" });

/** The e-mails that the outbox sends. */
async function mailed(nowMs = Date.now()): Promise<EmailService["sent"]> {
  const service = emailService();
  await runOutbox({ nowMs, service });
  return service.sent;
}

describe("the gift page", () => {
  test("shows the code only in the response to its button, which stores when it was first seen", async () => {
    const { path, orderId } = await acceptedGift(product({ barcode: "qr" }));
    for (const query of ["", "?step=reveal", "?lang=de", "?correct&step=address", "?show=1"]) {
      const page = await worker.fetch(path + query);
      expect(page.text).not.toMatch(SECRET);
      expect(page.headers.get("Content-Security-Policy")).not.toContain("script-src");
    }
    expect(await codeOf(orderId)).toMatchObject({ openedAtMs: null });
    const shown = await reveal(path);
    expect(shown.status).toBe(200);
    expect(textOf(shown)).toMatch(/SPRING-\d+/);
    for (const part of ["0815", CODE.url, "<svg", "/copy.js", texts.code.copy]) {
      expect(shown.text).toContain(part);
    }
    expect(shown.headers.get("Cache-Control")).toBe("no-store");
    expect(shown.headers.get("Content-Security-Policy")).toMatch(/; script-src 'self'$/);
    const opened = await codeOf(orderId);
    expect(opened?.openedAtMs).not.toBeNull();
    const again = await reveal(path);
    expect([again.status, again.meter.roundTrips, again.meter.rowsWritten]).toEqual([200, 1, 0]);
    expect(await codeOf(orderId)).toEqual(opened);
  });

  const QR = { barcode: "qr" } as const;
  const CODE128 = { barcode: "code128" } as const;
  const instructions = "<p>Use <b>it</b><script>x</script>";
  const NOTHING = /^$/;
  test.each<
    [name: string, digital: Partial<DigitalDelivery>, code: object, RegExp, hidden: RegExp]
  >([
    ["a code without a barcode", {}, { code: "A1" }, />A1</, /<svg/],
    ["Code 128", CODE128, { code: "B1" }, /class="barcode code128"><svg/, NOTHING],
    ["no Code 128 of other letters", CODE128, { code: "日本" }, />日本</, /<svg/],
    ["a QR code of a link", QR, { code: null, url: "https://a.example/" }, /<svg/, /copy\.js/],
    ["no link that is not secure", {}, { url: "http://a.example/" }, /CODE-/, /a\.example/],
    ["the last day", {}, { expiresAtMs: Date.UTC(2099, 0, 2, 12) }, /"2099-01-01"/, NOTHING],
    ["instructions", { instructions }, {}, /Use <strong>it/, /<script>x/],
  ])("shows %s", async (_, digital, code, shown, hidden) => {
    const { path } = await acceptedGift(product(digital), [code]);
    const { text } = await reveal(path);
    expect(text).toMatch(shown);
    expect(text).not.toMatch(hidden);
  });

  test("shows no void code, no code of a replaced link, and says nothing of a code that is missing", async () => {
    const voided = await acceptedGift();
    await sql(
      "UPDATE codes SET voided_at_ms = 1, void_reason = 'x' WHERE order_id = ?",
      voided.orderId,
    ).run();
    const renewed = await acceptedGift();
    await sql("UPDATE gifts SET link_generation = 1 WHERE order_id = ?", renewed.orderId).run();
    const manual = await createGift(worker, [simpleProduct({ delivery: "digital" })]);
    await accept(worker, manual.path);
    const open = await createGift(worker, [simpleProduct()]);
    for (const { path, orderId } of [voided, renewed, manual, open]) {
      const page = await reveal(path);
      expect(page.text).not.toMatch(SECRET);
      expect(page.text).not.toContain(texts.code.title);
      expect(page.status).not.toBe(200);
      expect((await codeOf(orderId))?.openedAtMs ?? null).toBeNull();
    }
  });

  test("names no e-mail if the partner delivers the code", async () => {
    const { path } = await place("gift-link", product(), someCode(), { send_codes: false });
    const open = await worker.fetch(path);
    const address = await worker.fetch(`${path}?step=address`);
    await accept(worker, path);
    const accepted = await worker.fetch(path);
    expect(accepted.text).toContain(texts.shipment.ready);
    const { gift, shipment, code } = texts;
    for (const { text } of [open, address, accepted]) {
      for (const absent of [gift.digital, texts.address.emailTitle, shipment.sent, code.resend]) {
        expect(text).not.toContain(absent);
      }
    }
  });

  test("says that a test code is one", async () => {
    const { path, orderId } = await acceptedGift(product(), []);
    const page = await reveal(path);
    expect(page.text).toContain(`TEST-GO-${String(orderId).padStart(5, "0")}-1`);
    expect(page.text).toContain(texts.code.test);
  });
});

describe("the page of a gift that was bought outright", () => {
  test("shows its code without being accepted", async () => {
    const { path } = await place("order", product(), someCode());
    const page = await worker.fetch(path);
    expect(page.text).toContain(`<h1>${texts.code.title}</h1>`);
    expect(page.text).not.toMatch(SECRET);
    expect(page.text).not.toContain(texts.accepted.text);
    expect(page.text).not.toContain(texts.thanks.title);
    expect(textOf(await reveal(path))).toMatch(/SPRING-\d+/);
  });

  test("shows a code that was sent after the other gifts of its order are cancelled", async () => {
    const codes = [...someCode(), { expiresAtMs: 1 }];
    const { client, orderId, path } = await place("order", product(), codes, {}, 2);
    const body = { order_id: orderId };
    const { json } = await worker.post(client, "/api/order/cancel", body);
    expect([json.status, json.order_data]).toMatchObject(["success", { order_id: orderId }]);
    expect((await worker.fetch(path)).status).toBe(200);
    expect(textOf(await reveal(path))).toMatch(/SPRING-\d+/);
    expect((await resend(path)).status).toBe(303);
  });

  test("says that it is being prepared, and refuses what belongs to a gift link", async () => {
    const { path, orderId } = await place("order", simpleProduct({ delivery: "digital" }), []);
    const page = await worker.fetch(path);
    expect(page.text).toMatch(`<li aria-current="step">${texts.shipment.preparing}`);
    const rows = () => sql("SELECT * FROM gifts WHERE order_id = ?", orderId).first();
    const before = await rows();
    const refused: Answer[] = [
      await accept(worker, path),
      await decline(worker, path),
      await thank(worker, path, "Thank you"),
      await reveal(path),
      await resend(path),
    ];
    for (const { status, text } of refused) {
      expect([status, text.includes(texts.page.preview)]).toEqual([409, true]);
      expect(text).not.toContain(texts.accepted.earlier);
    }
    expect(await rows()).toEqual(before);
  });
});

describe("the e-mail with the code", () => {
  test.each(["link", "order"])("is sent at once for a gift of %s", async (door) => {
    await giftWithCode(door);
    const [message, ...more] = await mailed();
    expect(more).toEqual([]);
    for (const part of [/SPRING-\d+/, /0815/, /\/redeem\//]) expect(message?.text).toMatch(part);
  });

  test("is sent at once after an acceptance in the sandbox", async () => {
    const { client, orderId } = await place("gift-link", product(), someCode());
    const send = vi.fn(() => Promise.resolve());
    const WEBHOOK_QUEUE = overriding(env.WEBHOOK_QUEUE, { send });
    const mailing = startWorker({ env: { ...MAILING, WEBHOOK_QUEUE } });
    const body = { event: "gift.redeemed", suborder_id: toGiftId(orderId, 1) };
    const { status } = await mailing.post(client, "/api/sandbox/event", body);
    expect([status, send.mock.calls]).toEqual([200, [[{ type: "emails" }]]]);
  });

  test("is sent at once after a payment that an operator records", async () => {
    const offered = product();
    const { client } = await openShop(offered, { billing: "invoice" });
    await addCodesTo(offered, someCode());
    const { json } = await worker.post(client, "/api/order", orderOf(offered));
    const send = vi.fn(() => Promise.resolve());
    const WEBHOOK_QUEUE = overriding(env.WEBHOOK_QUEUE, { send });
    const operators = await openConsole({ env: { ...MAILING, WEBHOOK_QUEUE } });
    const api = await openOperatorApi(["finance"], operators);
    await api.run("order pay", { order: json.order_data.order_number });
    expect(send.mock.calls).toEqual([[{ type: "emails" }]]);
  });

  test("is sent to another address than the one whose invitation was returned", async () => {
    const { path, orderId } = await place("gift-link", product(), someCode());
    await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
    await accept(worker, path, { delivery_email: "elsewhere@example.com" });
    expect((await mailed()).map(({ to }) => to)).toEqual(["elsewhere@example.com"]);
  });

  test("is sent to a recipient who has stopped the e-mails before it was sent", async () => {
    const { path } = await acceptedGift();
    await postForm(worker, path.replace("/redeem/", "/stop-emails/"), ONE_CLICK);
    expect((await mailed()).map(({ text }) => text)).toEqual([expect.stringMatching(/SPRING-\d+/)]);
    expect(await mailed()).toEqual([]);
  });

  test("is not sent for a code that became void", async () => {
    const { orderId } = await acceptedGift();
    await sql(
      "UPDATE codes SET voided_at_ms = 1, void_reason = 'x' WHERE order_id = ?",
      orderId,
    ).run();
    expect(await mailed()).toEqual([]);
  });

  test("is sent again by the page, three times in a day", async () => {
    const { path } = await acceptedGift();
    const startMs = Date.now();
    expect(await mailed(startMs)).toHaveLength(1);
    for (const minutes of [1, 2]) {
      const answer = await resend(path);
      expect([answer.status, answer.headers.get("Location")]).toEqual([303, `${path}?resent`]);
      expect(await mailed(Date.now() + minutes)).toHaveLength(1);
    }
    expect(textOf(await worker.fetch(`${path}?resent`))).toContain("It is being sent again to");
    const refused = await resend(path);
    expect(refused.status).toBe(409);
    expect(textOf(refused)).toContain("It can be sent again in 24 hours.");
    expect(await mailed(startMs + HOUR_MS)).toEqual([]);
  });
});

test("a renewed link sends no code, whatever e-mail address it has", async () => {
  const mailing = startWorker({ env: MAILING });
  const changes = { send_method: "email" };
  const { client, orderId, path } = await place(
    "gift-link",
    product(),
    someCode(),
    changes,
    1,
    mailing,
  );
  await mailed();
  await accept(mailing, path);
  expect(await mailed()).toHaveLength(1);
  const body = { suborder_id: toGiftId(orderId, 1), email: "new@example.com" };
  expect((await mailing.post(client, "/api/gift-link/renew", body)).status).toBe(200);
  expect(await mailed(Date.now() + HOUR_MS)).toEqual([]);
});

describe("a corrected address", () => {
  const correct = (path: string, email: string) =>
    postForm(worker, `${path}?correct`, { step: "accept", delivery_email: email });

  test.each(["link", "order"])(
    "gets the code of a gift (%s) until the recipient has seen it",
    async (door) => {
      const { path, orderId } = await giftWithCode(door);
      await mailed();
      await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
      expect((await resend(path)).status).toBe(409);
      expect((await correct(path, "new@example.com")).headers.get("Location")).toBe(
        `${path}?corrected`,
      );
      const { results } = await sql(
        "SELECT address_changed FROM emails WHERE order_id = ?",
        orderId,
      ).all();
      expect(results).toEqual([{ address_changed: 1 }]);
      const sent = await mailed(Date.now() + DAY_MS);
      expect(sent.map(({ to }) => to)).toEqual(["new@example.com"]);
      expect((await reveal(path)).status).toBe(200);
      const late = await correct(path, "other@example.com");
      expect([late.status, late.text.includes(texts.accepted.tooLate)]).toEqual([409, true]);
      expect(await mailed(Date.now() + 2 * DAY_MS)).toEqual([]);
    },
  );

  test("that the partner gives gets it too", async () => {
    const { client, orderId } = await place("order", product(), someCode());
    await mailed();
    const body = { suborder_id: toGiftId(orderId, 1), email: "right@example.com" };
    expect((await worker.post(client, "/api/order/correct", body)).status).toBe(200);
    const sent = await mailed(Date.now() + 1);
    expect(sent.map(({ to }) => to)).toEqual(["right@example.com"]);
  });

  test("is refused after the code was sent three times in a day, at each door", async () => {
    const { client, orderId, path } = await place("order", product(), someCode());
    const suborder_id = toGiftId(orderId, 1);
    const byPartner = (fields: object) =>
      worker.post(client, "/api/order/correct", { suborder_id, ...fields });
    const operators = await openOperatorApi(["support"], await openConsole());
    const startMs = Date.now();
    await mailed(startMs);
    await correct(path, "second@example.com");
    expect(await mailed(startMs + HOUR_MS)).toMatchObject([{ to: "second@example.com" }]);
    await byPartner({ delivery_email: "third@example.com", keep_link: true });
    expect(await mailed(startMs + 2 * HOUR_MS)).toMatchObject([{ to: "third@example.com" }]);

    const fourth = { delivery_email: "fourth@example.com", first_name: "Grace" };
    const ofLink = await correct(path, "fourth@example.com");
    expect([ofLink.status, textOf(ofLink)]).toEqual([
      409,
      expect.stringContaining("be sent again in"),
    ]);
    const ofPartner = await byPartner(fourth);
    expect(ofPartner.status).toBe(429);
    expect(Number(ofPartner.headers.get("Retry-After"))).toBeGreaterThan(80_000);
    const gift = toGiftNumber(orderId, 1);
    expect((await operators.refusal("recipient correct", { gift, ...fourth })).status).toBe(409);
    expect((await byPartner({ first_name: "Grace" })).status).toBe(200);
    expect(await mailed(startMs + 3 * HOUR_MS)).toEqual([]);
  });

  test("gets the code in place of the address that the outbox has just read", async () => {
    const { path } = await acceptedGift();
    const service = emailService();
    const DB = changingAfterRead(() => correct(path, "new@example.com"));
    await runOutbox({ nowMs: Date.now() + HOUR_MS, service }, { DB });
    expect(service.sent.map(({ to }) => to)).toEqual(["new@example.com"]);
  });
});
