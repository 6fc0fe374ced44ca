// The pages that change orders and gifts.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { orderNumber } from "../../src/core/values/ids.ts";
import { dayIn } from "../../src/core/values/redeem-by.ts";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { MAILING } from "../support/emails.ts";
import { openShop, recipients, simpleProduct } from "../support/fixtures.ts";
import { accept, createGift } from "../support/gift.ts";
import { sql } from "../support/sql.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole({ env: MAILING });
});

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

test("roles without the permission see no actions and may not use them", async () => {
  const { number } = await newOrder();
  const viewer = await testConsole.signIn("viewer");
  expect((await viewer.get(`/gifts/${number}-1`)).html).not.toContain("/renew");
  for (const name of ["cancel", "renew"]) {
    expect((await viewer.get(`/gifts/${number}-1/${name}`)).status, name).toBe(403);
  }
  const support = await testConsole.signIn("support");
  expect((await support.get(`/gifts/${number}-1`)).html).toContain(`/gifts/${number}-1/renew`);
});
