// The operations `order show` and `gift show`.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { orderNumber, toGiftNumber } from "../../../src/core/values/ids.ts";
import { eraseGifts } from "../../../src/operator/recipient/erase.ts";
import { listAudit } from "../../../src/operator/audit/queries.ts";
import { HOUR_MS } from "../../../src/core/values/time.ts";
import { openConsole } from "../../console/console.ts";
import { MAILING, placeGifts, resetOutbox, runOutbox } from "../../support/emails.ts";
import { collect } from "../../support/collections.ts";
import { invoicedOrders } from "../../support/invoiced-orders.ts";
import { openShop, orderOf, recipients, simpleProduct } from "../../support/fixtures.ts";
import { accept, changeParcels, createGift, decline } from "../../support/gift.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { dayIn } from "../../../src/core/values/redeem-by.ts";
import type { ShipmentStep } from "../../../src/features/fulfilment/shipment.ts";
import { NO_TRACKING } from "../../../src/operator/shipment/tracking.ts";
import { openOperatorApi } from "../operator-api.ts";

const worker = startWorker();
const HOSTILE = '<img src=x onerror=alert(1)> "Ada"';
const MAX_BYTES = 61_000;

const opened = await openConsole({ env: MAILING });
const api = await openOperatorApi(["viewer"], opened);

async function newOrder(count: number, changes: Record<string, unknown> = {}) {
  const product = simpleProduct({ name: `Vase ${HOSTILE}` }, { quantity: 1_000 });
  const details = { recipient_details: recipients(count), ...changes };
  const created = await createGift(worker, [product], details);
  const { orderId } = created;
  const gifts = Array.from({ length: count }, (_, n) => toGiftNumber(orderId, n + 1));
  return { ...created, product, order: orderNumber(orderId), gifts, gift: gifts[0] ?? "" };
}

describe("order show", () => {
  test("shows recipients, totals and the timeline, without links, in two round trips", async () => {
    const [first] = recipients(1);
    const changes = { recipient_details: [{ ...first, first_name: HOSTILE }] };
    const { order, orderId, path } = await newOrder(1, changes);
    await accept(worker, path);
    const { facts, lists, actions } = await api.view("order show", { order });
    expect(facts).toMatchObject({
      status: "paid",
      total: { amount: "31.20", currency: "AUD" },
      redeemed: 1,
    });
    expect(lists["gifts"]).toMatchObject([
      { status: "redeemed", address: expect.stringContaining("14 Plane Tree Lane") },
    ]);
    expect(lists["timeline"]).toMatchObject([
      { what: expect.stringContaining("accepted"), gift: toGiftNumber(orderId, 1) },
      { what: expect.stringContaining("31.20 AUD"), gift: null },
    ]);
    expect(actions).toContain("order cancel");
    const user = await opened.signIn("viewer");
    const page = await user.get(`/order/show?order=${order}`);
    expect(page.meter.roundTrips).toBe(2);
    expect(page.text).toContain(HOSTILE);
    expect(page.html).not.toMatch(/<img src=x|\/redeem\/|\/cancel/);
  });

  test("has pages of gifts, each with a small page", async () => {
    const { order, orderId, gifts } = await newOrder(60);
    await sql(
      `INSERT INTO emails (order_id, sequence, number, kind, status, due_ms, link_generation,
        attempts, attempted_at_ms, reason)
      SELECT order_id, sequence, 1, 'invitation', 'bounced', 1, 0, 1, 1, 'hard_bounce'
      FROM gifts WHERE order_id = ?`,
      orderId,
    ).run();
    const first = await api.view("order show", { order });
    expect(first.lists["gifts"]?.map(({ gift }) => gift)).toEqual(gifts.slice(0, 50));
    expect(first.warnings).toHaveLength(1);
    const last = await api.view("order show", { order, ...first.next });
    expect(last.lists["gifts"]?.map(({ gift }) => gift)).toEqual(gifts.slice(50));
    expect(last.next).toBeUndefined();
    const page = await (await opened.signIn("engineer")).get(`/order/show?order=${order}`);
    expect(page.html.length).toBeLessThan(MAX_BYTES);
    expect([...page.html.matchAll(/type="checkbox" name="gift"/g)]).toHaveLength(50);
  });

  test("has the entries of its ledger, and the orders that may be the same one, and reads few rows", async () => {
    const { client, product, order, orderId } = await newOrder(3);
    const body = (changes: object) =>
      orderOf(product, { recipient_details: recipients(3), ...changes });
    const place = async (path = "/api/gift-link", changes: object = {}) => {
      const { json } = await worker.post(client, path, body(changes));
      return String(json.order_data.order_number);
    };
    const twice = await place();
    const [late, cancelled] = [await place(), await place()];
    await place("/api/gift-link", { recipient_details: recipients(3).reverse() });
    await place("/api/gift-link", { recipient_details: recipients(2) });
    const move = "UPDATE orders SET created_at_ms = created_at_ms + ? WHERE id = ?";
    await sql(move, 86_400_001, Number(late.slice(3))).run();
    await worker.post(client, "/api/order/cancel", { order_id: Number(cancelled.slice(3)) });
    const suborders = { order_id: orderId, suborder_ids: [orderId * 1_000 + 2] };
    await worker.post(client, "/api/order/cancel", suborders);
    const { facts, lists, warnings } = await api.view("order show", { order });
    expect([facts["charged_twice"], warnings.length]).toEqual([[twice], 1]);
    expect(lists["ledger"]).toMatchObject([
      { kind: "cancellation", amount: { currency: "AUD" } },
      { kind: "order", amount: { amount: "-93.60" } },
    ]);
    const rows = async () => (await api.call("order show", { order })).meter.rowsRead;
    const before = await rows();
    for (let n = 0; n < 25; n++)
      await place("/api/gift-link", { redeem_by: dayIn(99, Date.now()) });
    // Twenty orders after this one, each with its recipients.
    expect((await rows()) - before).toBeLessThan(20 * 10);
  });

  test("has the name of the collection, no amount of zero, and the same words as the list and its files", async () => {
    const { order, orderId, client, product, path } = await newOrder(1);
    await accept(worker, path);
    await collect(client, [product]);
    await sql("UPDATE orders SET collection_id = 'picks' WHERE id = ?", orderId).run();
    await sql(
      `UPDATE orders SET order_total_minor = order_total_minor - shipping_cost_minor, shipping_cost_minor = 0
      WHERE id = ?`,
      orderId,
    ).run();
    const { facts } = await api.view("order show", { order });
    expect(facts).toMatchObject({ collection: "picks", collection_name: "Our picks" });
    expect(JSON.stringify(facts)).not.toContain('"0.00"');
    const user = await opened.signIn("viewer");
    const list = `/order/list?client=${client.clientId}`;
    const [page, rows, csv] = [
      await user.get(`/order/show?order=${order}`),
      await user.get(list),
      await user.get(`${list}&format=csv`),
    ];
    expect(page.text).toContain("Our picks");
    expect(page.html).toContain(">accepted</span>");
    for (const { html } of [page, rows, csv]) expect(html).toContain("gift links");
    expect(csv.html).not.toContain("api-giftlink");
  });

  test("has the state of each gift", async () => {
    const { order, orderId, paths } = await newOrder(4);
    await accept(worker, paths[0] ?? "");
    await decline(worker, paths[1] ?? "");
    await accept(worker, paths[2] ?? "");
    await changeParcels("ship", [
      { orderId, sequence: 3, carrier: "DHL", trackingNumber: "JD1", trackingUrl: null },
    ]);
    const { facts, lists } = await api.view("order show", { order: toGiftNumber(orderId, 3) });
    expect(facts).toMatchObject({ order, gift_of_choice: false });
    expect(lists["gifts"]).toMatchObject([
      { status: "redeemed", shipped: null },
      { status: "declined" },
      { status: "shipped", carrier: "DHL", tracking_number: "JD1", shipped: expect.any(String) },
      { status: "open" },
    ]);
  });
});

/** The changes of a gift, with inputs that they accept if its state permits them. */
const CHANGES: [name: string, input: object][] = [
  ["shipment ship", { untracked: true }],
  ["shipment deliver", {}],
  ["shipment correct", { carrier: "UPS" }],
  ["shipment reopen", {}],
  ["recipient correct", { last_name: "Novotná" }],
  ["email resend", {}],
  ["email stop", { reason: "x" }],
  ["gift extend", { redeem_by: dayIn(300, Date.now()) }],
  ["gift renew", {}],
  ["order cancel", { redeemed: true, reason: "x" }],
  ["recipient erase", { reason: "x" }],
];

/** A cancellation also names the order. */
const ofOrder = (name: string, gift: string) =>
  name === "order cancel" ? { order: gift.replace(/-\d+$/, "") } : {};

describe("gift show", () => {
  test("shows the shipment, and the tracking that the recipient was told before", async () => {
    const { gift, gifts, orderId, paths } = await newOrder(2);
    const { facts: before } = await api.view("gift show", { gift });
    expect(before).toMatchObject({ status: "open", not_shipped_because: expect.any(String) });
    await accept(worker, paths[0] ?? "");
    const parcel = { orderId, sequence: 1, carrier: "DHL", trackingUrl: null };
    const step = (name: ShipmentStep, trackingNumber: string, nowMs: number) =>
      changeParcels(name, [{ ...parcel, trackingNumber }], Date.now() + nowMs);
    await step("ship", "JD1", 1_000);
    await step("correct", "JD2", 5_000);
    await step("reopen", "", 10_000);
    await step("ship", "JD3", 15_000);
    await step("correct", "JD4", 20_000);
    const { facts, lists } = await api.view("gift show", { gift });
    expect(facts).toMatchObject({ shipment: "shipped", carrier: "DHL", tracking_number: "JD4" });
    const told = lists["timeline"]?.map(
      ({ what }) => JSON.stringify(what).match(/JD\d/g)?.join(" ") ?? "",
    );
    expect(told).toEqual(["JD3 JD4", "JD3", "", "JD1 JD2", "JD1", "", ""]);
    const { lists: others } = await api.view("gift show", { gift: gifts[1] });
    expect(others["timeline"]).toHaveLength(1);
  });

  test("describes events in words, also those of other gifts and those without a refund", async () => {
    const operator = await openOperatorApi(["engineer"], opened);
    const { gifts, order, paths, client } = await newOrder(4);
    await sql("UPDATE clients SET refund_declined = 0 WHERE id = ?", client.clientId).run();
    await decline(worker, paths[2] ?? "");
    const reason = "Ticket 8";
    await operator.run("gift extend", { gift: gifts[3], redeem_by: dayIn(300, Date.now()) });
    await operator.run("email stop", { gift: gifts[3], reason });
    await operator.run("order cancel", { order, gift: [gifts[1]], reason });
    const views: [string, Record<string, string>][] = gifts.map((gift) => ["gift show", { gift }]);
    views.push(["order show", { order }]);
    for (const [view, input] of views) {
      const { lists } = await operator.view(view, input);
      const texts = (lists["timeline"] ?? []).map(({ what }) => JSON.stringify(what));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((what) => /^"[a-z]|\b0\.00\b|[a-z]_|[a-z][A-Z]/.test(what))).toEqual([]);
    }
  });

  test("has nothing about the refund of other gifts", async () => {
    const operator = await openOperatorApi(["engineer"], opened);
    const { id, number: order } = await invoicedOrders(1, 2);
    await operator.run("order pay", { order: [order] });
    const [first = "", second = ""] = [1, 2].map((n) => toGiftNumber(id, n));
    await operator.run("order cancel", { order, gift: [first], reason: "x" });
    await operator.run("order refund", { order, reference: "Back 1", reason: "x" });
    const about = async (view: string, input: Record<string, string>) =>
      JSON.stringify((await operator.view(view, input)).lists["timeline"]);
    expect(await about("gift show", { gift: second })).not.toMatch(/refund|cancelled/);
    expect(await about("order show", { order })).toMatch(/refund was recorded.*cancelled/);
  });

  test("offers the changes of a gift that its state permits, and no others", async () => {
    const { paths, orderId, gifts } = await newOrder(7);
    await accept(worker, paths[1] ?? "");
    await decline(worker, paths[2] ?? "");
    for (const sequence of [4, 5, 7]) {
      await accept(worker, paths[sequence - 1] ?? "");
      await changeParcels("ship", [{ orderId, sequence, ...NO_TRACKING }]);
    }
    await changeParcels("deliver", [{ orderId, sequence: 5, ...NO_TRACKING }]);
    await sql(
      "UPDATE gifts SET redemption_status = 'expired', expires_at_ms = 1 WHERE order_id = ? AND sequence = 6",
      orderId,
    ).run();
    const engineer = await openOperatorApi(["engineer"], opened);
    await eraseGifts(env.DB, [orderId * 1_000 + 7], Date.now());
    const states: unknown[] = [];
    for (const gift of gifts) {
      const { facts, actions } = await engineer.view("gift show", { gift });
      states.push(facts["status"]);
      for (const [name, input] of CHANGES) {
        const { html } = await engineer.call(name, { gift, ...input, ...ofOrder(name, gift) });
        const { will = null } = JSON.parse(html) as { will?: string | null };
        const which = [facts["status"], name];
        // It is also possible after the last e-mail.
        if (name === "email stop" && !actions.includes(name)) continue;
        // The link of a gift that has left shows where it is.
        if (name === "gift renew" && ["shipped", "delivered"].includes(facts["status"] as string)) {
          expect(actions).not.toContain(name);
          continue;
        }
        expect([...which, will !== null]).toEqual([...which, actions.includes(name)]);
      }
    }
    expect(states).toEqual([
      "open",
      "redeemed",
      "declined",
      "shipped",
      "delivered",
      "expired",
      "shipped",
    ]);
  });

  test("has what its recipient sees and the e-mails, without a link, for an hour", async () => {
    await resetOutbox();
    const { orderId } = await placeGifts(startWorker({ env: MAILING }), await openShop(), 2);
    const gift = toGiftNumber(orderId, 1);
    await runOutbox();
    const stateOfGift = async () =>
      sql(
        "SELECT json_group_array(json_object('e', g.next_email_ms, 'r', g.redemption_status)) FROM gifts g WHERE order_id = ?",
        orderId,
      ).first();
    const before = await stateOfGift();
    const { facts, lists } = await api.view("gift show", { gift });
    const email = lists["timeline"]?.find(({ email_url: url }) => url)?.["email_url"] as string;
    const pathOf = (url: unknown) => new URL(String(url)).pathname;
    const later = startWorker({ env: MAILING, now: () => Date.now() + HOUR_MS + 1_000 });
    for (const url of [facts["page"], email]) {
      const page = await worker.fetch(pathOf(url));
      expect([page.status, page.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
      expect(page.headers.get("Content-Security-Policy")).toMatch(/; sandbox allow-same-origin$/);
      expect(page.text).not.toMatch(/\/redeem\/\w|<script/);
      const posted = new URLSearchParams({ step: "accept" });
      expect((await worker.fetch(pathOf(url), { method: "POST", body: posted })).status).toBe(404);
      expect((await later.fetch(pathOf(url))).status).toBe(404);
    }
    expect(await stateOfGift()).toEqual(before);
    expect((await worker.fetch(`${pathOf(email)}9`)).status).toBe(404);
  });

  test("opens neither another gift of the order nor another kind with a URL of one gift", async () => {
    const { orderId } = await newOrder(2);
    const { facts } = await api.view("gift show", { gift: toGiftNumber(orderId, 1) });
    const { pathname } = new URL(facts["page"] as string);
    const other = pathname.replace(/(?<=preview\/)\d+/, String(orderId * 1_000 + 2));
    const forged = [other, pathname.replace("-page-", "-invitation-"), `${pathname}/2`];
    const statuses = [pathname, ...forged].map(async (path) => (await worker.fetch(path)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404]);
    // The audit log has no reading of the gifts that an order shows.
    const order = await api.view("order show", { order: orderNumber(orderId) });
    expect(JSON.stringify(order)).not.toContain("/preview/");
  });

  test("shows the e-mails that were sent, and why there are no more", async () => {
    await resetOutbox();
    const shop = await openShop();
    const { orderId } = await placeGifts(startWorker({ env: MAILING }), shop, 1);
    const gift = toGiftNumber(orderId, 1);
    const planned = await api.view("gift show", { gift });
    expect(planned.facts).toMatchObject({ next_email: "invitation" });
    await runOutbox();
    const sent = await api.view("gift show", { gift });
    expect(sent.lists["emails"]).toMatchObject([{ kind: "invitation", attempts: 1 }]);
    expect(JSON.stringify(sent)).not.toContain("/redeem/");
    expect(sent.facts["no_emails_because"]).toBeUndefined();
    await sql("UPDATE gifts SET emails_stopped = 'bounced' WHERE order_id = ?", orderId).run();
    const stopped = await api.view("gift show", { gift });
    expect(stopped.facts["no_emails_because"]).toBeTypeOf("string");
    const { gift: other } = await newOrder(1);
    const { facts } = await api.view("gift show", { gift: other });
    expect(facts["no_emails_because"]).toBe("the client sends the link");
  });

  test("does not exist for a gift that its order does not have", async () => {
    const { orderId } = await newOrder(1);
    const gift = toGiftNumber(orderId, 2);
    expect(await api.refusal("gift show", { gift })).toMatchObject({ status: 404 });
  });
});

test("reading an order or a gift is recorded, without a place in the timeline", async () => {
  const { orderId, order, gift } = await newOrder(1);
  await api.view("order show", { order });
  const { lists } = await api.view("gift show", { gift });
  const entries = await listAudit(env.DB, { orderId, limit: 9 });
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ["gift show", gift],
    ["order show", order],
  ]);
  expect(entries.every(({ requestId }) => requestId !== null)).toBe(true);
  expect(lists["timeline"]).toHaveLength(1);
  const { lists: later } = await api.view("gift show", { gift });
  expect(later["readings"]?.slice(-2)).toMatchObject([{ how: "gift show" }, { how: "order show" }]);
});
