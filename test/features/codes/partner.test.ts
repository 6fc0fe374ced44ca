// What a partner sees of codes, and decides about them: include=codes, send_codes, and sending them again.
import { beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../src/core/values/time.ts";
import { createClock } from "../../support/clock.ts";
import { emailService, MAILING, resetOutbox, runOutbox } from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import { eventsOf } from "../../support/events.ts";
import {
  addCodesTo,
  codeProduct,
  digitalDelivery,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";

beforeEach(resetOutbox);

const worker = startWorker({ env: MAILING });

const idOf = ({ json }: { json: { order_data: { order_id: number } } }) => json.order_data.order_id;

/** A bought order of codes, with one for each gift but the last `lacking` ones. */
async function buyCodes(
  changes: Record<string, unknown> = {},
  { sendCodes = true, count = 1, lacking = 0 } = {},
) {
  const shop = await openShop(codeProduct({}, { quantity: lacking }), { sendCodes });
  const codes = await addCodesTo(shop.product, count - lacking);
  const body = orderOf(shop.product, { recipient_details: recipients(count), ...changes });
  const placed = await worker.post(shop.client, "/api/order", body);
  expect(placed.status, placed.text).toBe(200);
  return { ...shop, body, codes, orderId: idOf(placed) };
}

const read = (client: TestClient, orderId: number, include: string) =>
  worker.get(client, `/api/order?order_id=${String(orderId)}&include=${include}`);

const NONE = { code: null, pin: null, url: null, valid_until: null };

describe("include=codes", () => {
  test("adds the codes of an order's gifts, beside other parts, and nothing without it", async () => {
    const shop = await openShop(codeProduct({}, { quantity: 1 }));
    const expiresAtMs = Date.UTC(2099, 0, 2, 12);
    await addCodesTo(shop.product, [
      { code: "ABC-1", pin: "4711", url: "https://codes.example/1", expiresAtMs },
      { code: "ABC-2" },
      { code: "ABC-3" },
    ]);
    const body = orderOf(shop.product, { recipient_details: recipients(4) });
    const orderId = idOf(await worker.post(shop.client, "/api/order", body));
    for (const change of [
      "opened_at_ms = 1 WHERE sequence = 2",
      "voided_at_ms = 1, void_reason = 'x' WHERE sequence = 3",
    ]) {
      await sql(`UPDATE codes SET ${change} AND order_id = ?`, orderId).run();
    }
    const { json } = await read(shop.client, orderId, "emails,codes");
    const first = { code: "ABC-1", pin: "4711", url: "https://codes.example/1" };
    expect(json.recipients).toMatchObject([
      { ...first, valid_until: "2099-01-01", code_status: "sent", emails: [{ kind: "code" }] },
      { ...NONE, code: "ABC-2", code_status: "opened" },
      { ...NONE, code_status: "void" },
      { ...NONE, code_status: "waiting" },
    ]);
    const plain = await worker.get(shop.client, `/api/order?order_id=${String(orderId)}`);
    expect(plain.text).not.toMatch(/ABC-|code_status|valid_until/);
  });

  test.each([
    ["a physical gift that is bought", simpleProduct(), "/api/order", null],
    ["a digital gift that is open", codeProduct({}, { quantity: 1 }), "/api/gift-link", null],
    ["a digital gift that staff send", digital(), "/api/order", "waiting"],
  ])("shows of %s the status %#", async (_, product, path, code_status) => {
    const { client } = await openShop(product);
    const orderId = idOf(await worker.post(client, path, orderOf(product)));
    const { json } = await read(client, orderId, "codes");
    expect(json.recipients).toMatchObject([{ ...NONE, code_status }]);
  });

  test("needs the scope order", async () => {
    const { client, orderId } = await buyCodes();
    const { json: set } = await worker.post(client, "/api/credential", { scope: "read" });
    const reader = { ...client, apiKey: set.api_key, apiPassword: set.api_password };
    const refused = await read(reader, orderId, "codes");
    expect(errorOf(refused)).toMatchObject({ http: 403, code: "insufficient_scope" });
    expect((await read(reader, orderId, "emails")).status).toBe(200);
  });

  test("costs one more query, and rows that are linear in the recipients", async () => {
    const { client, orderId, codes } = await buyCodes({}, { count: 500 });
    const { json, meter } = await read(client, orderId, "codes");
    expect(json.recipients.map(({ code }: { code: string }) => code)).toEqual(codes);
    const without = (await read(client, orderId, "details")).meter;
    expect(meter.rowsRead - without.rowsRead).toBeLessThan(5 * 500);
    expect(meter.statements - without.statements).toBe(1);
  });
});

function digital() {
  return simpleProduct({ delivery: "digital", digital: digitalDelivery() });
}

describe("send_codes", () => {
  test.each([
    ["not set", {}, true, ["code"]],
    ["not set, by a client that delivers codes itself", {}, false, []],
    ["true, by a client that delivers codes itself", { send_codes: true }, false, ["code"]],
    ["false", { send_codes: false }, true, []],
  ])("%s: the gift is sent, and e-mails with the code are planned: %s", async (...row) => {
    const [, changes, sendCodes, kinds] = row;
    const { client, orderId, codes } = await buyCodes(changes, { sendCodes });
    const { json } = await read(client, orderId, "codes,emails");
    const [{ code, emails }] = json.recipients;
    expect(code).toBe(codes[0]);
    expect(emails.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect((await eventsOf(client)).map(({ type }) => type)).toContain("gift.sent");
  });

  test("that another request leaves out does not repeat the same request", async () => {
    const { client, body } = await buyCodes();
    expect((await worker.post(client, "/api/order", body)).status).toBe(200);
    const other = await worker.post(client, "/api/order", { ...body, send_codes: true });
    expect(errorOf(other).code).toBe("order_ref_conflict");
  });
});

describe("POST /api/gift-link/send of a gift whose code was sent", () => {
  async function sendingOf(changes: Record<string, unknown> = {}) {
    const clock = createClock();
    const isolate = startWorker({ env: MAILING, now: clock.nowMs });
    const { client, orderId } = await buyCodes(changes);
    const service = emailService();
    const run = () => runOutbox({ service, nowMs: clock.nowMs() });
    const send = async (fields: object = {}) => {
      clock.advance(MINUTE_MS);
      const body = { suborder_id: orderId * 1000 + 1, ...fields };
      const answer = await isolate.post(client, "/api/gift-link/send", body);
      await run();
      return answer;
    };
    clock.advance(MINUTE_MS);
    await run();
    return { client, orderId, service, send, clock };
  }

  test.each([
    [{}, 1],
    [{ send_codes: false }, 0],
  ])("sends a code of %o again, at most three times in 24 hours", async (changes, first) => {
    const { service, send, clock } = await sendingOf(changes);
    expect(service.sent).toHaveLength(first);
    for (const { to } of service.sent) expect(to).toBe("recipient0@example.com");
    while (service.sent.length < 3) expect((await send()).status).toBe(200);
    expect(errorOf(await send())).toMatchObject({ http: 429, code: "too_many_requests" });
    clock.advance(DAY_MS);
    expect((await send()).status).toBe(200);
    expect(service.sent).toHaveLength(4);
  });

  test.each([
    ["at a later time", { send_at: "2099-01-31T09:00:00Z" }, "", 400],
    ["to an address that has failed", {}, "UPDATE gifts SET emails_stopped = 'bounced'", 409],
    ["after a complaint", {}, "UPDATE gifts SET emails_stopped = 'complained'", 409],
    ["after the code became void", {}, "UPDATE codes SET voided_at_ms = 1, void_reason = 'x'", 409],
  ])("refuses to send it %s", async (_, fields, change, status) => {
    const { orderId, service, send } = await sendingOf();
    if (change) await sql(`${change} WHERE order_id = ?`, orderId).run();
    expect((await send(fields)).status).toBe(status);
    expect(service.sent).toHaveLength(1);
  });
});
