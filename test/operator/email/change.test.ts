// Operators send a gift's link by e-mail, and stop the e-mails about it.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { openConsole } from "../../console/console.ts";
import { emailService, MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { openShop, simpleProduct } from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker({ env: MAILING });
const reason = "Ticket 8";

beforeEach(resetOutbox);

async function newGift() {
  const { orderId, path } = await createGift(worker, [simpleProduct()]);
  return { orderId, path, gift: toGiftNumber(orderId, 1) };
}

const stateOf = (orderId: number) =>
  sql(
    "SELECT next_email_ms AS atMs, emails_stopped AS stopped FROM gifts WHERE order_id = ?",
    orderId,
  ).first<{ atMs: number | null; stopped: string | null }>();

describe("email resend", async () => {
  const api = await openOperatorApi(["support"], await openConsole({ env: MAILING }));

  test("sends the link, also of an order whose client sends the links", async () => {
    const { orderId, gift } = await newGift();
    expect(await stateOf(orderId)).toMatchObject({ atMs: null });
    await api.run("email resend", { gift });
    const service = emailService();
    await runOutbox({ service });
    expect(service.sent.map(({ to }) => to)).toEqual(["recipient0@example.com"]);
    const [entry] = await listAudit(env.DB, { orderId, limit: 1 });
    expect(entry).toMatchObject({ action: "email resend", reason: null });
    expect(JSON.stringify(entry)).not.toContain("@example");
  });

  test("sends it at a time, at most a year ahead", async () => {
    const { orderId, gift } = await newGift();
    const atMs = Date.now() + 2 * DAY_MS;
    const at = new Date(atMs).toISOString();
    await api.run("email resend", { gift, at });
    const { facts } = await api.view("gift show", { gift });
    expect(facts).toMatchObject({ next_email: "invitation" });
    expect(await stateOf(orderId)).toMatchObject({ atMs });
    for (const wrong of ["tomorrow", "2099-01-01"]) {
      const refusal = await api.refusal("email resend", { gift, at: wrong });
      expect(refusal).toMatchObject({ status: 400, fields: ["at"] });
    }
  });

  test("is refused after three invitations, for an accepted gift, and without a link", async () => {
    const { gift } = await newGift();
    for (let sent = 0; sent < 3; sent += 1) {
      await api.run("email resend", { gift });
      await runOutbox({ service: emailService() });
    }
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
    const accepted = await newGift();
    await accept(worker, accepted.path);
    expect(await api.refusal("email resend", { gift: accepted.gift })).toMatchObject({
      status: 409,
    });
  });

  test("is refused where e-mails are switched off", async () => {
    const off = await openOperatorApi(["support"], await openConsole({ env: { EMAIL_FROM: "" } }));
    const { gift } = await newGift();
    expect(await off.refusal("email resend", { gift })).toMatchObject({ status: 409 });
  });
});

describe("the text about an e-mail", async () => {
  const nowMs = Date.now();
  const opened = await openConsole({ env: MAILING });
  const api = await openOperatorApi(["support"], opened);
  const pausedUntilMs = nowMs + DAY_MS;
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  /** A gift whose recipient was invited. */
  async function invitedGift() {
    const { orderId } = await placeGifts(worker, await openShop(simpleProduct()));
    await runOutbox({ service: emailService() });
    return { orderId, gift: toGiftNumber(orderId, 1) };
  }

  const OF_GIFT = "(SELECT client_id FROM orders WHERE id = ?)";
  test.for<[what: string, change: string, said: string]>([
    ["nothing holds it", "SELECT ?", "within a minute."],
    [
      "it is unpaid",
      "UPDATE orders SET status = 'created' WHERE id = ?",
      "once the order is paid.",
    ],
    [
      "the e-mail service refuses it",
      `UPDATE email_outbox SET paused_until_ms = ${String(pausedUntilMs)} WHERE ? > 0`,
      `at ${dayOf(pausedUntilMs)}`,
    ],
    [
      "the client is suspended",
      `UPDATE clients SET status = 'suspended' WHERE id = ${OF_GIFT}`,
      "once the client is active again.",
    ],
  ])("if %s, the plan and the answer have the time", async ([, change, said]) => {
    const { orderId, gift } = await invitedGift();
    await sql(change, orderId).run();
    const { will } = await api.plan("email resend", { gift });
    expect(will).toContain(said.replace(/\.$/, ""));
    expect((await api.run("email resend", { gift })).text).toContain(said);
  });

  test("if its address has got 20 e-mails today, it is refused unless it is to be sent later", async () => {
    const { orderId, gift } = await invitedGift();
    await sql(
      `WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < 20)
       INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation, attempts,
         attempted_at_ms, address_digest)
       SELECT order_id, sequence, n, 'reminder', 'sent', 0, 1, 1, attempted_at_ms, address_digest
       FROM emails, n WHERE order_id = ?`,
      orderId,
    ).run();
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
    const at = new Date(nowMs + 2 * DAY_MS).toISOString();
    expect((await api.run("email resend", { gift, at })).text).toContain(at.slice(0, 10));
  });

  const sentText = "The e-mail with the link was sent";
  const deliveredText = "The e-mail with the link was delivered";
  test.for<[state: string, change: string, said: string, first: string]>([
    ["delivered", "emails SET status = 'delivered'", deliveredText, "email resend"],
    ["delayed", "emails SET status = 'deferred'", "is delayed", "email resend"],
    ["refused", "emails SET status = 'rejected'", "was refused", "email resend"],
    [
      "impossible",
      "emails SET status = 'failed', reason = 'invalid_address'",
      "could not be sent",
      "recipient correct",
    ],
    ["with another link", "gifts SET link_generation = 1", "was replaced", "email resend"],
    ["returned", "gifts SET emails_stopped = 'bounced'", sentText, "recipient correct"],
    ["unwanted", "gifts SET emails_stopped = 'unsubscribed'", sentText, "gift extend"],
    [
      "complained about at an earlier address",
      "emails SET status = 'complained', address_changed = 1",
      "not sent to the present one",
      "email resend",
    ],
  ])("of a gift whose e-mail is %s", async ([, change, said, first]) => {
    const { orderId, gift } = await invitedGift();
    await sql(`UPDATE ${change} WHERE order_id = ?`, orderId).run();
    const { text, actions } = await api.view("gift show", { gift });
    expect(text).toContain(said);
    expect(text?.includes(sentText)).toBe(said === sentText);
    expect(actions[0]).toBe(first);
    const user = await opened.signIn("support");
    const page = await user.get(`/${first.replace(" ", "/")}?gift=${gift}`);
    expect(page.status).toBe(200);
  });

  test.for([
    ["bounced", "hard_bounce"],
    ["rejected", "suppressed"],
    ["failed", "invalid_address"],
  ])("the link is sent to another address after it was %s", async ([status, mailReason]) => {
    const { orderId, gift } = await invitedGift();
    const set = "UPDATE emails SET status = ?, reason = ? WHERE order_id = ?";
    await sql(set, status, mailReason, orderId).run();
    if (status === "bounced") {
      const stop = "UPDATE gifts SET emails_stopped = ? WHERE order_id = ?";
      await sql(stop, status, orderId).run();
    } else {
      const { will } = await api.plan("email resend", { gift });
      expect(will).toContain("unless");
    }
    expect((await api.view("gift show", { gift })).actions[0]).toBe("recipient correct");
    const input = { gift, email: `right${String(orderId)}@example.com` };
    const { will } = await api.plan("recipient correct", input);
    expect(will).toContain("send the link");
    const { text } = await api.run("recipient correct", input);
    expect(text).toMatch(/is sent to its recipient within a minute\.$/);
    const corrected = await api.view("gift show", { gift });
    expect(corrected.text).toMatch(/not sent to the present one.* within a minute\./);
    expect([corrected.actions[0], corrected.warnings]).toEqual(["email resend", []]);
    const service = emailService();
    await runOutbox({ service });
    expect(service.sent.map(({ to }) => to)).toEqual([input.email]);
    expect((await api.view("gift show", { gift })).text).toContain(sentText);
  });

  test("nothing is promised to another address of a recipient who has accepted", async () => {
    const { orderId, gift } = await invitedGift();
    await sql("UPDATE emails SET status = 'rejected' WHERE order_id = ?", orderId).run();
    const redeem = "UPDATE gifts SET redemption_status = 'redeemed' WHERE order_id = ?";
    await sql(redeem, orderId).run();
    const { will } = await api.plan("recipient correct", { gift, email: "right@example.com" });
    expect(will).not.toContain("send");
  });

  test("a later sending is said, also if a reminder comes before it", async () => {
    const { gift } = await invitedGift();
    const atMs = nowMs + 60 * DAY_MS;
    const { text } = await api.run("email resend", { gift, at: new Date(atMs).toISOString() });
    const shown = await api.view("gift show", { gift });
    expect(shown.facts).toMatchObject({ next_email: "reminder" });
    for (const said of [text, shown.text]) expect(said).toContain(dayOf(atMs));
  });

  test("an address that has complained gets no e-mail, and the plan says so", async () => {
    const { orderId, gift } = await invitedGift();
    await sql("UPDATE emails SET status = 'complained' WHERE order_id = ?", orderId).run();
    await sql(
      "INSERT INTO email_complaints SELECT address_digest, 1 FROM emails WHERE order_id = ?",
      orderId,
    ).run();
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
    expect((await api.view("gift show", { gift })).actions[0]).toBe("gift extend");
  });
});

describe("email stop", async () => {
  const api = await openOperatorApi(["support"], await openConsole({ env: MAILING }));

  test("ends the e-mails of a gift for good, also after a bounce", async () => {
    const { orderId, gift } = await newGift();
    await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
    await api.run("email stop", { gift, reason });
    expect(await stateOf(orderId)).toMatchObject({ stopped: "stopped" });
    const [entry] = await listAudit(env.DB, { orderId, limit: 1 });
    expect(entry).toMatchObject({
      action: "email stop",
      reason,
      after: { emailsStopped: "stopped" },
    });
    expect(await api.refusal("email stop", { gift, reason })).toMatchObject({ status: 409 });
    expect(await api.refusal("email resend", { gift })).toMatchObject({ status: 409 });
  });
});
