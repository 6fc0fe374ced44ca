// The pages of payments: unpaid orders, payments of one and several orders, and refunds.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { listAudit } from "../../src/operator/audit/queries.ts";
import { previewOrder } from "../../src/operator/lifecycle/queries.ts";
import { orderNumber } from "../../src/core/values/ids.ts";
import { createClient, orderOf, recipients, simpleProduct } from "../support/fixtures.ts";
import { copyOrder } from "../support/listed-orders.ts";
import { placeOrder } from "../support/orders.ts";
import { type ConsoleUser, openConsole, type TestConsole } from "./console.ts";
import { sql } from "../support/sql.ts";
import { transition } from "../support/transition.ts";
import { startWorker } from "../support/worker.ts";

let testConsole: TestConsole;
let user: ConsoleUser;

beforeAll(async () => {
  testConsole = await openConsole();
  user = await testConsole.signIn("finance");
});

async function invoiced(count = 1, changes: Record<string, unknown> = {}) {
  const product = simpleProduct({}, { quantity: 1_000 });
  const client = await createClient({ products: [product], billing: "invoice", creditMinor: 0 });
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const { order_data } = await placeOrder(startWorker(), client, orderOf(product, changes));
    ids.push(order_data.order_id);
  }
  const [id = 0] = ids;
  return { ...client, product, ids, id, number: orderNumber(id), numbers: ids.map(orderNumber) };
}

const statusOf = async (orderId: number) => (await previewOrder(env.DB, orderId))?.status;

test("lists the unpaid orders of a client or of all, 50 a page in at most 60 KB", async () => {
  const { clientId, id } = await invoiced();
  await copyOrder(id, 60, Date.now(), { status: "'created'", order_ref_id: "'<b>' || n" });
  const first = await user.get(`/payments?client=${clientId}`);
  expect(first.meter.roundTrips).toBe(1);
  expect(first.meter.rowsRead).toBeLessThan(60);
  expect(first.html).not.toContain("<b>");
  expect(new TextEncoder().encode(first.html).byteLength).toBeLessThan(60_000);
  const [, next = ""] = /rel="next" href="([^"]+)"/.exec(first.html) ?? [];
  const second = await user.get(`/payments${next.replaceAll("&amp;", "&")}`);
  const numbersOf = ({ html }: { html: string }) =>
    [...html.matchAll(/name="order" value="([^"]+)"/g)].map(([, number = ""]) => number);
  expect([numbersOf(first).length, numbersOf(second).length]).toEqual([50, 11]);
  expect(new Set([...numbersOf(first), ...numbersOf(second)]).size).toBe(61);
  const all = await user.get("/payments");
  expect(numbersOf(all)).toHaveLength(50);
  expect(all.meter.rowsRead).toBeLessThan(120);
  await sql("UPDATE orders SET status = 'failed' WHERE client_id = ?", clientId).run();
  expect((await user.get(`/payments?client=${clientId}`)).text).toContain("No order is unpaid.");
});

test("marks several orders as paid with one bank reference", async () => {
  const { clientId, ids, numbers } = await invoiced(3);
  const [one = "", two = ""] = numbers;
  const list = await user.get(`/payments?client=${clientId}`);
  const plan = await user.submit(list, "Mark the selected orders as paid", {
    order: `${one}\n${two}`,
    reference: "Transfer 4711",
  });
  expect(plan.text).toContain(`This will mark 2 orders of ${clientId} as paid: 62.40 AUD.`);
  const done = await user.submit(plan, "Mark as paid");
  expect(done.text).toContain(`${one} ${clientId} 31.20 AUD Transfer 4711 paid`);
  expect(await Promise.all(ids.map(statusOf))).toEqual(["paid", "paid", "created"]);
  const entries = await listAudit(env.DB, { orderId: ids[0] ?? 0, limit: 9 });
  expect(entries).toMatchObject([
    { actor: user.name, action: "order pay", subject: one, reason: "Transfer 4711" },
  ]);
  expect(entries[0]?.requestId).not.toBeNull();
});

test("pays one order, and says why another cannot be paid", async () => {
  const { id, number, clientId } = await invoiced();
  const form = await user.get(`/orders/${number}/pay`);
  const plan = await user.submit(form, "Continue");
  expect(plan.text).toContain(`mark order ${number} of ${clientId} as paid: 1 gift for 31.20 AUD`);
  await user.submit(plan, "Mark as paid");
  expect(await statusOf(id)).toBe("paid");
  const again = await user.submit(form, "Continue");
  expect(again.text).toContain(`${number} is paid already. Nothing was changed.`);
  const { id: failed, number: failedNumber } = await invoiced();
  await transition(env.DB, failed, "fail", Date.now());
  const several = await user.get("/payments/pay");
  const refused = await user.submit(several, "Continue", { order: `${failedNumber} go-99999999` });
  expect(refused.text).toContain(`${failedNumber} has failed; GO-99999999 does not exist.`);
  const invalid = await user.submit(several, "Continue", { order: "<b>4711</b>" });
  expect(invalid.text).toContain("Orders must be order numbers such as GO-00042: <b>4711</b>.");
  const long = await user.submit(form, "Continue", { reference: "x".repeat(101) });
  expect(long.text).toContain("Bank reference must have at most 100 characters.");
});

test("pays at most 500 orders at once", async () => {
  const order = (count: number) =>
    Array.from({ length: count }, (_, n) => `GO-${String(99_000_000 + n)}`).join(" ");
  const form = await user.get("/payments/pay");
  const many = await user.submit(form, "Continue", { order: order(501) });
  expect(many.status).toBe(409);
  expect(many.text).toContain("These are 501 orders, and the console pays at most 500 at once.");
  expect(many.meter.statements).toBeLessThan(5);
  expect((await user.submit(form, "Continue", { order: order(500) })).text).toContain(
    "GO-99000000 does not exist",
  );
});

test("records a refund once, with its reference and reason", async () => {
  const { id, number, clientId } = await invoiced(1, { recipient_details: recipients(2) });
  const refund = { reference: "Back 1", reason: "Cancelled by phone" };
  const form = await user.get(`/orders/${number}/refund`);
  const early = await user.submit(form, "Continue", refund);
  expect(early.text).toContain(`There is nothing to refund for ${number}: it is not paid.`);
  await transition(env.DB, id, "pay", Date.now());
  await transition(env.DB, id, "cancel", Date.now());
  const plan = await user.submit(form, "Continue", refund);
  expect(plan.text).toContain(`record that 62.40 AUD was refunded to ${clientId} for order`);
  expect(plan.text).toContain("This cannot be undone.");
  const [done, repeated] = [
    await user.submit(plan, "Record a refund"),
    await user.submit(plan, "Record a refund"),
  ];
  expect(done.text).toContain(`The refund of 62.40 AUD for ${number} is recorded.`);
  expect(repeated.text).toContain("Already done");
  const [entry] = await listAudit(env.DB, { orderId: id, limit: 9 });
  expect(entry).toMatchObject({ action: "order refund", reason: "Back 1: Cancelled by phone" });
  expect((await user.submit(form, "Continue", { reference: "x" })).status).toBe(422);
});

test("shows unpaid orders to everybody, and changes them only for finance", async () => {
  const { clientId, number } = await invoiced();
  const support = await testConsole.signIn("support");
  const list = await support.get(`/payments?client=${clientId}`);
  expect(list.text).toContain(number);
  expect(list.html).not.toContain("checkbox");
  expect((await support.get(`/orders/${number}/pay`)).status).toBe(403);
  expect((await support.get("/payments/pay")).status).toBe(403);
});
