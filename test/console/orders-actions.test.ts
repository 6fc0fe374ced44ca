// The pages that change orders and gifts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { dayIn } from "../../src/core/values/redeem-by.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { MAILING } from "../support/emails.ts";
import { openShop, recipients, simpleProduct } from "../support/fixtures.ts";
import { accept, changeParcels, createGift } from "../support/gift.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole({ env: MAILING });
});

const HOSTILE = "<b>Ada</b>";

async function newOrder(count = 1) {
  const gift = await createGift(startWorker(), [simpleProduct({}, { quantity: 100 })], {
    recipient_details: recipients(count),
  });
  return { ...gift, number: orderNumber(gift.orderId) };
}

/** Sends the form, confirms the plan, and returns its page and that of the result. */
async function change(
  user: ConsoleUser,
  path: string,
  submit: string,
  values: Record<string, string> = {},
) {
  const form = await user.get(path);
  const plan = await user.submit(form, "Continue", values);
  return { plan, done: await user.submit(plan, submit) };
}

/** The latest change in the audit log. */
async function lastChange(orderId: number) {
  const [entry] = (await listAudit(env.DB, { orderId, limit: 20 })).filter(
    ({ action }) => action !== "order show",
  );
  return entry;
}

const stateOf = (orderId: number, sequence: number, column: string) =>
  sql(
    `SELECT ${column} AS value FROM sub_orders WHERE order_id = ? AND sequence = ?`,
    ...[orderId, sequence],
  ).first("value");

test("cancels a gift, with its refund in the plan, and then the order with its redeemed gift", async () => {
  const { number, orderId, path } = await newOrder(3);
  await accept(startWorker(), path);
  const user = await testConsole.signIn("support");
  const reason = "Ticket 7";
  const first = await change(user, `/gifts/${number}-2/cancel`, "Cancel the gift", { reason });
  expect(first.plan.text).toContain("This will cancel 1 open gift of order");
  expect(first.plan.text).toContain("and return 31.20 AUD of credit.");
  expect(first.done.text).toContain(`Cancelled: ${number}-2.`);
  expect(await lastChange(orderId)).toMatchObject({
    actor: user.name,
    action: "order cancel",
    reason,
    requestId: expect.any(String) as string,
  });
  const refused = await change(user, `/gifts/${number}-2/cancel`, "Cancel the gift", { reason });
  expect(refused.done.text).toContain("These gifts are cancelled or expired already.");
  const all = await change(user, `/orders/${number}/cancel`, "Cancel the order", {
    reason,
    redeemed: "on",
  });
  expect(all.plan.text).toContain("cancel 1 open gift and 1 redeemed gift");
  expect(all.done.text).toContain(`${number} is cancelled.`);
});

test("changes the last day of all gifts, and removes it", async () => {
  const { number, orderId } = await newOrder(2);
  const user = await testConsole.signIn("support");
  const day = dayIn(30, Date.now());
  const path = `/orders/${number}/extend`;
  const { plan, done } = await change(user, path, "Change the last day of all gifts", {
    redeem_by: day,
  });
  expect(plan.text).toContain(`set the last day of 2 open gifts of order ${number}`);
  expect(done.text).toContain(`The gifts of ${number} can be accepted until ${day}.`);
  const removed = await change(user, path, "Change the last day of all gifts");
  expect(removed.done.text).toContain("do not expire");
  expect(await lastChange(orderId)).toMatchObject({ action: "order extend" });
  const invalid = await user.submit(await user.get(path), "Continue", { redeem_by: "2001-01-01" });
  expect(invalid.status).toBe(422);
  expect(invalid.text).toContain("must be a day from");
});

test("shows a new link once, and stores it nowhere", async () => {
  const { number, orderId, path } = await newOrder();
  const user = await testConsole.signIn("support");
  const { plan, done } = await change(user, `/gifts/${number}-1/renew`, "Replace the link", {
    email: "new@example.com",
  });
  expect(plan.text).toContain("correct the e-mail address to new@example.com");
  expect(plan.html).not.toContain("/redeem/");
  const [, url = ""] = /<code data-copy[^>]*>([^<]+)</.exec(done.html) ?? [];
  const opened = await startWorker().fetch(new URL(url).pathname);
  expect(opened.status).toBe(200);
  expect((await startWorker().fetch(path)).status).not.toBe(200);
  expect(await stateOf(orderId, 1, "email")).toBe("new@example.com");
  const entry = await lastChange(orderId);
  expect(entry).toMatchObject({ action: "gift renew", actor: user.name });
  expect(JSON.stringify(entry)).not.toMatch(/redeem\/|new@example/);
  const repeated = await user.submit(plan, "Replace the link");
  expect(repeated.text).toContain("Already done");
  expect(repeated.html).not.toContain("/redeem/");
});

test("sends a link by e-mail, and then stops the e-mails for good", async () => {
  const { number, orderId } = await newOrder();
  const user = await testConsole.signIn("support");
  const sent = await change(user, `/gifts/${number}-1/resend`, "Send the link by e-mail");
  expect(sent.plan.text).toContain("to its recipient within a minute; it was sent 0 times");
  expect(sent.done.text).toContain(
    `The link of ${number}-1 is sent to recipient0@example.com within a minute.`,
  );
  expect(await lastChange(orderId)).toMatchObject({ action: "email resend" });
  const reason = "Ticket 8";
  const path = `/gifts/${number}-1/stop-emails`;
  const stopped = await change(user, path, "Stop the e-mails", { reason });
  expect(stopped.done.text).toContain(`No further e-mails are sent about ${number}-1.`);
  expect(await stateOf(orderId, 1, "emails_stopped")).toBe("stopped");
  const again = await user.submit(await user.get(path), "Continue", { reason });
  expect(again.status).toBe(409);
  expect(again.text).toContain("are stopped already");
});

test("corrects a recipient, also with a hostile name, without personal data in the log", async () => {
  const { number, orderId } = await newOrder();
  const user = await testConsole.signIn("support");
  const path = `/gifts/${number}-1/correct`;
  const form = await user.get(path);
  expect(form.html).toContain('value="14 Plane Tree Lane"');
  const invalid = await user.submit(form, "Continue", { email: "x" });
  expect([invalid.status, invalid.text]).toEqual([
    422,
    expect.stringContaining("E-mail address must be an e-mail address."),
  ]);
  const { plan, done } = await change(user, path, "Correct the recipient", {
    first_name: HOSTILE,
    "delivery_address.suburb": "Fitzroy",
  });
  expect(plan.text).toContain("correct first_name, delivery_address of the recipient of");
  expect(plan.html).not.toContain(HOSTILE);
  expect(done.text).toContain(`The recipient of ${number}-1 is corrected.`);
  const stored = String(await stateOf(orderId, 1, "first_name || delivery_address"));
  expect(stored).toContain(HOSTILE);
  expect(stored).toContain('"address_line_1":"14 Plane Tree Lane"');
  expect(stored).toContain("Fitzroy");
  const entry = await lastChange(orderId);
  expect(entry).toMatchObject({ action: "recipient correct", actor: user.name });
  expect(JSON.stringify(entry)).not.toContain("Fitzroy");
  const nothing = await user.submit(await user.get(path), "Continue");
  expect([nothing.status, nothing.text]).toEqual([
    409,
    expect.stringContaining("has this data already."),
  ]);
});

test("exports a recipient's data as a file, and records it", async () => {
  const { number, orderId } = await newOrder();
  const user = await testConsole.signIn("support");
  const page = await user.get(`/gifts/${number}-1/export`);
  const file = await user.submit(page, "Download the file", { reason: "Request 17" });
  expect(file.headers.get("Content-Disposition")).toBe(`attachment; filename="${number}-1.json"`);
  expect(JSON.parse(file.html)).toMatchObject([
    { suborder_number: `${number}-1`, email: "recipient0@example.com" },
  ]);
  expect(await lastChange(orderId)).toMatchObject({
    action: "recipient export",
    reason: "Request 17",
    actor: user.name,
    after: { exported: "json" },
  });
});

test("erases a recipient after the gift is shipped, and says why not before", async () => {
  const { number, orderId, path } = await newOrder();
  await accept(startWorker(), path);
  const user = await testConsole.signIn("support");
  const reason = "Request 18";
  const erase = `/gifts/${number}-1/erase`;
  const early = await user.submit(await user.get(erase), "Continue", { reason });
  expect([early.status, early.text]).toEqual([409, expect.stringContaining("is to be shipped.")]);
  await changeParcels("ship", [{ orderId, sequence: 1, carrier: "Post", trackingNumber: "1" }]);
  const { plan, done } = await change(user, erase, "Erase the recipient's data", { reason });
  expect(plan.text).toContain("erase the personal data of 1 gift of client");
  expect(done.text).toContain(`Erased: ${number}-1.`);
  expect(await lastChange(orderId)).toMatchObject({ action: "recipient erase", reason });
  expect((await user.get(`/gifts/${number}-1`)).text).toContain("The recipient's data was erased");
});

test("roles without the permission see no actions and may not use them", async () => {
  const { number } = await newOrder();
  const viewer = await testConsole.signIn("viewer");
  expect((await viewer.get(`/gifts/${number}-1`)).html).not.toContain("/erase");
  for (const name of ["cancel", "extend", "renew", "correct", "erase", "export", "resend"]) {
    expect((await viewer.get(`/gifts/${number}-1/${name}`)).status, name).toBe(403);
  }
  const support = await testConsole.signIn("support");
  expect((await support.get(`/gifts/${number}-1`)).html).toContain(`/gifts/${number}-1/erase`);
});
