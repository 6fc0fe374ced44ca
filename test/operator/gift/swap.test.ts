// The operation `gift swap`.
import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS } from "../../../src/core/values/time.ts";
import { openConsole } from "../../console/console.ts";
import german from "../../../public/languages/de.json";
import { emailService, resetOutbox, runOutbox } from "../../support/emails.ts";
import { eventsOf } from "../../support/events.ts";
import { LOST, replacingBatch, retryAtOnce, type When } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  type ClientOptions,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
} from "../../support/fixtures.ts";
import {
  accept,
  changeParcels,
  createGift,
  postForm,
  takeStep,
  type TestGift,
} from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { sql } from "../../support/sql.ts";
import { transition } from "../../support/transition.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const api = await openOperatorApi(["support"]);
const clients: TestGift["client"][] = [];
const reason = "Ticket 9";

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
  expect(await differencesOf(clients.splice(0))).toEqual([]);
});

/** An accepted gift of an order of two, and another product of 40.00 without shipping. */
async function accepted(options: ClientOptions = {}) {
  const old = simpleProduct({}, { quantity: 10 });
  const other = simpleProduct({ priceMinor: 4_000, shippingMinor: 0 }, { quantity: 1 });
  const people = recipients(2).map((person) => ({ ...person, language: "de" }));
  const changes = { recipient_details: people, sender_name: "Ada", send_codes: false };
  const credit = { creditMinor: 10_000, ...options };
  const created = await createGift(worker, [old, other], changes, credit);
  const { client, orderId, path } = created;
  clients.push(client);
  if (options.billing) await takeStep(created, "pay");
  await accept(worker, path, { address_line_1: "9 Swap Road" });
  const gift = toGiftNumber(orderId, 1);
  const input = { gift, product: other.product.id, reason };
  const state = async () => ({
    stock: [await stockOf(old.product.id), await stockOf(other.product.id)],
    balance: await balanceOf(client.clientId),
  });
  return { ...created, old, other, gift, input, state };
}

const placedOf = (gift: string) =>
  sql(
    `SELECT o.id, o.status, o.order_total_minor AS total, o.sender_name AS sender, o.send_codes, s.language, s.first_name AS name,
       s.delivery_address AS address
     FROM orders o JOIN gifts s ON s.order_id = o.id WHERE o.order_ref_id = ?`,
    `swap of ${gift}`,
  ).all();

test("cancels the gift and orders the other product for the same recipient and address", async () => {
  const { client, gift, input, state, orderId } = await accepted();
  expect((await api.view("gift show", { gift })).actions).toContain("gift swap");
  const plan = await api.plan("gift swap", input);
  expect(plan.will).toMatch(/return 31\.20 AUD of credit.* for 41\.60 AUD from the credit/);
  expect(plan.changes[1]).toMatchObject({ before: "31.20 AUD", after: "41.60 AUD" });
  const before = await state();
  await api.run("gift swap", input);
  const { stock, balance } = await state();
  expect(stock).toEqual([Number(before.stock[0]) + 1, 0]);
  expect(balance).toBe(before.balance + 3_120 - 4_160);
  const [placed] = (await placedOf(gift)).results;
  expect(placed).toMatchObject({ status: "paid", total: 4_160, sender: "Ada", language: "de" });
  expect(placed).toMatchObject({ send_codes: 0 });
  expect(JSON.stringify(placed)).toContain("9 Swap Road");
  const types = (await eventsOf(client)).map(({ type }) => type).slice(-2);
  expect(types).toEqual(["gift.cancelled", "order.paid"]);
  const again = await api.refusal("gift swap", input);
  expect(again).toMatchObject({ status: 409 });
  expect(await sql("SELECT status FROM orders WHERE id = ?", orderId).first("status")).toBe("paid");
});

test("leads the present link of the old gift to the new one, and no replaced link", async () => {
  const { client, gift, input, orderId, other, path } = await accepted();
  await api.run("gift swap", input);
  const { facts } = await api.view("gift show", { gift });
  const successor = facts["swapped_to"] as string;
  expect((await api.view("gift show", { gift: successor })).facts).toMatchObject({
    swapped_from: gift,
  });
  const leads = async (link: string) => {
    const { status, headers } = await worker.fetch(link, { redirect: "manual" });
    return [status, headers.get("Location")?.split("-")[0]];
  };
  const [id] = successor.match(/\d+/) ?? [];
  const url = `http://localhost:8787/redeem/${String(Number(id) * 1_000 + 1)}`;
  expect(await leads(path)).toEqual([303, url]);
  const next = (await worker.fetch(path, { redirect: "manual" })).headers.get("Location") ?? "";
  const page = await worker.fetch(new URL(next).pathname);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(other.product.name)]);
  await sql("UPDATE gifts SET link_generation = 1 WHERE order_id = ?", orderId).run();
  expect((await leads(path))[0]).toBe(410);
  expect((await worker.get(client, `/api/order?order_id=${String(id)}`)).status).toBe(200);
});

test.each([
  ["gets e-mails", null, 1, 1],
  ["has stopped them", "unsubscribed", 1, 0],
  ["gets no notices", null, 0, 0],
])("tells a recipient who %s of the swap", async (_, stopped, notices, count) => {
  const { client, input, orderId } = await accepted();
  const set = "UPDATE clients SET notify_accepted = ? WHERE id = ?";
  await sql(set, notices, client.clientId).run();
  await sql("UPDATE gifts SET emails_stopped = ? WHERE order_id = ?", stopped, orderId).run();
  await resetOutbox();
  await api.run("gift swap", input);
  const service = emailService();
  await runOutbox({ service });
  expect(service.sent).toHaveLength(count);
  for (const { text } of service.sent) expect(text).toContain(german.email.accepted.swapped);
});

test.each([
  ["present", 0, "unsubscribed"],
  ["replaced", 1, null],
])(
  "stops the e-mails of the new gift by the old one's link while its link is %s",
  async (_, generation, stopped) => {
    const { gift, input, path } = await accepted();
    await api.run("gift swap", input);
    const { facts } = await api.view("gift show", { gift });
    const [id] = (facts["swapped_to"] as string).match(/\d+/) ?? [];
    await sql("UPDATE gifts SET link_generation = ? WHERE order_id = ?", generation, id).run();
    const stopPath = path.replace("/redeem/", "/stop-emails/");
    await postForm(worker, stopPath, { "List-Unsubscribe": "One-Click" });
    const select = "SELECT emails_stopped FROM gifts WHERE order_id = ?";
    expect(await sql(select, id).first("emails_stopped")).toBe(stopped);
  },
);

test("offers the products of the client's catalogue with their prices", async () => {
  const { gift, other, old } = await accepted();
  const page = await (await openConsole()).signIn("support");
  const { html } = await page.get(`/gift/swap?gift=${gift}`);
  for (const { product } of [old, other])
    expect(html).toContain(`<option value="${String(product.id)}">${product.name}, `);
});

test("owes the new order on invoice, and the old one back", async () => {
  const { gift, input, orderId } = await accepted({ billing: "invoice" });
  const { will } = await api.plan("gift swap", input);
  expect(will).toMatch(/31\.20 AUD to be refunded.* 41\.60 AUD on invoice/);
  await api.run("gift swap", input);
  const [placed] = (await placedOf(gift)).results;
  const owed = (id: unknown) =>
    sql("SELECT owed_minor AS m FROM orders WHERE id = ?", id).first("m");
  expect([await owed(orderId), await owed(placed?.["id"])]).toEqual([-3_120, 4_160]);
});

test("tells the recipient of a swap on invoice when the new order is paid", async () => {
  const { gift, input } = await accepted({ billing: "invoice" });
  await resetOutbox();
  await api.run("gift swap", input);
  const service = emailService();
  await runOutbox({ service });
  expect(service.sent).toHaveLength(0);
  const [placed] = (await placedOf(gift)).results;
  // Invoices are paid later than the week for which notices are kept.
  const nowMs = Date.now() + 20 * DAY_MS;
  await transition(env.DB, Number(placed?.["id"]), "pay", nowMs);
  await runOutbox({ service, nowMs: nowMs + DAY_MS });
  await runOutbox({ service, nowMs: nowMs + 2 * DAY_MS });
  expect(service.sent.map(({ text }) => text)).toEqual([
    expect.stringContaining(german.email.accepted.swapped),
  ]);
});

test("exists for the credential set of the first order", async () => {
  const { gift, input, orderId } = await accepted();
  const setOf = (id: unknown) =>
    sql("SELECT credential_id AS id FROM orders WHERE id = ?", id).first<number>("id");
  await api.run("gift swap", input);
  const [placed] = (await placedOf(gift)).results;
  expect(await setOf(placed?.["id"])).toBe(await setOf(orderId));
});

type Accepted = Awaited<ReturnType<typeof accepted>>;
const setStock = (quantity: number) => (gift: Accepted) =>
  sql("UPDATE stock SET quantity = ? WHERE product_id = ?", quantity, gift.other.product.id).run();
const CHANGES: Record<string, (gift: Accepted) => Promise<unknown>> = {
  "the stock is gone": setStock(0),
  "the gift is shipped": ({ orderId }) => changeParcels("ship", [{ orderId, sequence: 1 }]),
  "the credit is used": async ({ client, old }) => {
    const order = orderOf(old, { recipient_details: recipients(1) });
    expect((await worker.post(client, "/api/order", order)).status).toBe(200);
  },
  "the client is suspended": ({ client }) =>
    sql("UPDATE clients SET status = 'suspended' WHERE id = ?", client.clientId).run(),
};

test.each(Object.entries(CHANGES))("changes nothing if %s", async (_, change) => {
  const found = await accepted();
  const after: unknown[] = [];
  const { status } = await api.confirm("gift swap", found.input, async () => {
    await change(found);
    after.push(await found.state());
  });
  expect(status).toBe(409);
  expect(await found.state()).toEqual(after[0]);
  expect((await placedOf(found.gift)).results).toEqual([]);
});

test("two swaps at once, and the same request twice, make one order", async () => {
  const { gift, input, client } = await accepted();
  const answers = await api.confirmTwice("gift swap", input);
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  const other = await accepted();
  const { digest } = await api.plan("gift swap", other.input);
  const query = { digest, request_id: crypto.randomUUID() };
  for (let n = 0; n < 2; n++) {
    expect((await api.call("gift swap", other.input, query)).status).toBe(200);
  }
  for (const each of [gift, other.gift]) expect((await placedOf(each)).results).toHaveLength(1);
  expect((await eventsOf(client)).filter(({ type }) => type === "gift.cancelled")).toHaveLength(1);
});

test.each<When>(["before the commit", "after the commit"])(
  "makes one order if an answer of the database is lost %s",
  async (when) => {
    const { gift, input, state } = await accepted();
    retryAtOnce();
    let left = 1;
    const DB = replacingBatch(async (statements, run) => {
      const fails = statements.length > 15 && left-- > 0;
      if (fails && when === "before the commit") throw new Error(LOST);
      const results = await run(statements);
      if (fails) throw new Error(LOST);
      return results;
    });
    const lossy = await openOperatorApi(["support"], await openConsole({ env: { DB } }));
    await lossy.run("gift swap", input);
    expect(left).toBeLessThan(1);
    expect((await placedOf(gift)).results).toHaveLength(1);
    expect((await state()).stock).toEqual([9, 0]);
  },
);
