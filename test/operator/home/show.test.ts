// What waits for operators, as a view and as the first page of the console.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { toGiftNumber } from "../../../src/core/values/ids.ts";
import { DAY_MS, formatDay } from "../../../src/core/values/time.ts";
import { SCRIPT } from "../../../src/console/ui/script.ts";
import { STYLE } from "../../../src/console/ui/style.ts";
import { kvKey } from "../../../src/platform/cache/tiered.ts";
import { openConsole, type TestConsole } from "../../console/console.ts";
import {
  addCodesTo,
  codeProduct,
  openShop,
  orderOf,
  recipients,
  simpleProduct,
} from "../../support/fixtures.ts";
import { accept, changeParcels, createGift, type TestGift } from "../../support/gift.ts";
import { placeOrder } from "../../support/orders.ts";
import { createWebhook, setColumns } from "../../support/webhooks.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi } from "../operator-api.ts";

let testConsole: TestConsole;

beforeAll(async () => {
  await openShop();
  testConsole = await openConsole();
  // The days are then kept.
  await (await openOperatorApi(["viewer"], testConsole)).view("home");
});

/** The only e-mail of a gift failed this number of days ago. */
async function failEmail({ client, orderId }: TestGift, days = 1) {
  const atMs = Date.now() - days * DAY_MS;
  await sql(
    `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation, attempts, attempted_at_ms)
     VALUES (?, 1, 1, 'invitation', 'failed', 1, 0, 1, ?)`,
    orderId,
    atMs,
  ).run();
  await sql(
    `INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, data, created_at_ms)
     SELECT client_id, max(sequence) + 1, 'gift.email_failed', ?, 1, '{"emailKind":"invitation"}', ?
     FROM events WHERE client_id = ?`,
    orderId,
    atMs,
    client.clientId,
  ).run();
}

test.for<[what: string, change: string | null]>([
  ["nothing is done", null],
  ["its link is replaced", "UPDATE gifts SET link_generation = 1"],
  ["its e-mails are stopped", "UPDATE gifts SET emails_stopped = 'stopped'"],
  ["the link is to be sent again", "UPDATE gifts SET send_at_ms = 2, next_email_ms = 2"],
  ["the gift is cancelled", "UPDATE gifts SET redemption_status = 'cancelled'"],
  [
    "another e-mail is sent",
    `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation, attempts, attempted_at_ms)
     SELECT order_id, sequence, 2, kind, 'sent', 2, link_generation, 1, 2 FROM emails`,
  ],
])("an e-mail that failed is counted and listed until it is handled: %s", async ([, change]) => {
  const api = await openOperatorApi(["viewer"], testConsole);
  const counted = async () => {
    const { facts } = await api.view("home");
    const { rows } = await api.list("email list", { status: "unresolved" });
    const { lists } = await api.view("health");
    expect([rows.length, lists["emails"]?.length ?? 0]).toEqual(
      Array(2).fill(facts["failed_emails"]),
    );
    return Number(facts["failed_emails"]);
  };
  const before = await counted();
  const gift = await createGift(startWorker(), [simpleProduct()]);
  await failEmail(gift);
  expect(await counted()).toBe(before + 1);
  if (change !== null) await sql(`${change} WHERE order_id = ?`, gift.orderId).run();
  expect(await counted()).toBe(change === null ? before + 1 : before);
});

test("counts what the lists have", async () => {
  const api = await openOperatorApi(["viewer"], testConsole);
  const worker = startWorker();
  const { client, product } = await openShop(simpleProduct({}, { quantity: 100 }));
  const placed = await placeOrder(
    worker,
    client,
    orderOf(product, { recipient_details: recipients(3) }),
  );
  const orderId = placed.order_data.order_id;
  await worker.post(client, "/api/order/cancel", {
    order_id: orderId,
    suborder_ids: [orderId * 1_000 + 1],
  });
  for (const reason of ["failing", "operator"]) {
    const { webhook_id: id } = await createWebhook(worker, client);
    await setColumns(id, { status: "disabled", disabled_reason: reason });
  }
  const { facts } = await api.view("home");
  const lists: Record<string, [string, Record<string, unknown>]> = {
    to_ship: ["shipment list", {}],
    late: ["shipment list", { older_than: "2d" }],
    unpaid: ["payment list", {}],
    to_refund: ["payment list", { show: "to-be-refunded" }],
    low_accounts: ["credit list", { low: true }],
    failing_webhooks: ["webhook list", { show: "failing" }],
  };
  for (const [name, [list, input]] of Object.entries(lists)) {
    const { rows } = await api.all(list, input);
    expect([name, facts[name]]).toEqual([name, rows.length]);
  }
});

test("counts what waits, in two round trips", async () => {
  const api = await openOperatorApi(["viewer"], testConsole);
  const { facts: before } = await api.view("home");
  const worker = startWorker();
  const product = simpleProduct({}, { quantity: 100 });
  const gift = await createGift(worker, [product], { recipient_details: recipients(2) });
  await accept(worker, gift.paths[0] ?? "");
  await createGift(worker, [product], { recipient_details: recipients(1) }, { billing: "invoice" });
  const { clientId } = gift.client;
  for (const days of [6, 8]) await failEmail(await createGift(worker, [product]), days);
  await sql(
    "UPDATE credit_accounts SET alert_below_minor = balance_minor + 1 WHERE client_id = ? AND currency = 'AUD'",
    clientId,
  ).run();
  const shop = await openShop(codeProduct());
  const expiresAtMs = Date.now() + 59 * DAY_MS;
  await addCodesTo(shop.product, [{ expiresAtMs }, { expiresAtMs }, { expiresAtMs }, {}]);
  await placeOrder(worker, shop.client, orderOf(shop.product));
  await sql("UPDATE stock SET quantity = 0 WHERE product_id = ?", shop.product.product.id).run();
  const answer = await api.call("home");
  const { facts } = JSON.parse(answer.html);
  const grown = Object.fromEntries(
    Object.entries(before)
      .filter(([, value]) => typeof value === "number")
      .map(([name, value]) => [name, facts[name] - (value as number)]),
  );
  const expected = {
    to_ship: 1,
    late: 0,
    undelivered: 0,
    unpaid: 1,
    to_refund: 0,
    failing_webhooks: 0,
  };
  const codes = { low_codes: 1, expiring_codes: 2 };
  expect(grown).toEqual({ ...expected, ...codes, failed_emails: 1, low_accounts: 1 });
  expect(answer.meter.roundTrips).toBe(2);
});

test("leads to a parcel that came back, which the page of its gift records", async () => {
  const { product, client } = await openShop(simpleProduct());
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  const parcel = { orderId: order_data.order_id, sequence: 1 };
  const gift = toGiftNumber(parcel.orderId, 1);
  const api = await openOperatorApi(["support"], testConsole);
  const steps = ["shipment return", "shipment fail"];
  for (const step of ["ship", "deliver", "return"] as const) {
    await changeParcels(step, [{ ...parcel, problem: "lost" }]);
    expect((await api.view("gift show", { gift })).actions).toEqual(expect.arrayContaining(steps));
  }
  const user = await testConsole.signIn("fulfilment");
  expect((await user.get("/")).html).toContain('href="/shipment/list?status=returned"');
  expect((await user.get("/shipment/list?status=returned")).text).toContain(gift);
});

test("is the first page, whose links and menu lead to pages", async () => {
  const user = await testConsole.signIn("viewer", "finance");
  const { html, text, meter } = await user.get("/");
  // Finance works on the unpaid orders, and others ship.
  expect(text).toMatch(/\d+ Unpaid orders .*For others .*\d+ Gifts to ship/);
  expect(html).not.toContain("<b>0</b>");
  expect(text).toMatch(/\d+ (hours|days) ago|just now/);
  // The counts take two, the unpaid orders two, and the accounts one.
  expect(meter.roundTrips).toBe(5);
  expect(html.length + STYLE.length + SCRIPT.length).toBeLessThan(30_000);
  const links = [...html.matchAll(/<a href="(\/[^"]*)"/g)].map(([, href = ""]) => href);
  expect(links.length).toBeGreaterThan(12);
  for (const href of links) expect([href, (await user.get(href)).status]).toEqual([href, 200]);
});

const forgetDays = () => env.KV.delete(kvKey(env, "days:1"));

test("counts the orders and the failed e-mails of 30 days, which KV keeps for ten minutes", async () => {
  const api = await openOperatorApi(["viewer"], testConsole);
  const read = async () => {
    const { html, meter } = await api.call("home");
    return { days: JSON.parse(html).lists.days, meter };
  };
  await forgetDays();
  const { days: before } = await read();
  const ago = (days: number) => formatDay(Date.now() - days * DAY_MS);
  expect(before.map(({ day }: { day: string }) => day)).toEqual(
    Array.from({ length: 30 }, (_, days) => ago(days)),
  );
  const worker = startWorker();
  const gift = await createGift(worker, [simpleProduct()], { recipient_details: recipients(3) });
  await accept(worker, gift.paths[0] ?? "");
  for (const days of [1, 29, 30])
    await failEmail(await createGift(worker, [simpleProduct()]), days);
  const kept = await read();
  expect(kept.days).toEqual(before);
  expect(kept.meter).toMatchObject({ roundTrips: 2, kvReads: 1, kvWrites: 0 });
  await forgetDays();
  const { days, meter } = await read();
  expect(meter).toMatchObject({ roundTrips: 3, kvReads: 1, kvWrites: 1 });
  const grown = (day: number, name: string) => days[day][name] - before[day][name];
  expect([grown(0, "orders"), grown(0, "accepted"), grown(0, "shipped")]).toEqual([4, 1, 0]);
  expect([0, 1, 28, 29].map((day) => grown(day, "failures"))).toEqual([0, 1, 0, 1]);
  // Each order is read from the index and from the table, and is grouped. Each failure is in the index.
  const sumOf = (name: string) =>
    days.reduce((sum: number, day: Record<string, number>) => sum + (day[name] ?? 0), 0);
  const counted = days.filter(
    ({ orders, failures }: Record<string, number>) => orders || failures,
  ).length;
  const rows = 3 * sumOf("orders") + 2 * sumOf("failures");
  expect(meter.rowsRead - kept.meter.rowsRead).toBeLessThanOrEqual(rows + 20 + 2 * counted);
});
