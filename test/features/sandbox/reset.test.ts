// POST /api/sandbox/reset and POST /api/sandbox/credit.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { CHUNK_GIFTS } from "../../../src/features/sandbox/reset.ts";
import { extend } from "../../../src/features/lifecycle/extend.ts";
import { audited } from "../../../src/operator/audit/audited.ts";
import { lossyQueue } from "../../support/delivery.ts";
import { MAILING, placeGifts, runOutbox } from "../../support/emails.ts";
import { errorOf } from "../../support/errors.ts";
import { eventsOf, typesOf } from "../../support/events.ts";
import { failingBatches, LOST, type When } from "../../support/faults.ts";
import {
  balanceOf,
  brokenAccounts,
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  stockOf,
  type TestClient,
} from "../../support/fixtures.ts";
import { accept, createGift } from "../../support/gift.ts";
import { differencesOf } from "../../support/invariants.ts";
import { CreditBalance, OrderList, SandboxReset, ShipmentList } from "../../support/shapes.ts";
import { sql } from "../../support/sql.ts";
import { databaseState } from "../../support/state.ts";
import { startWorker } from "../../support/worker.ts";

const worker = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue, ...MAILING } });

const send = (client: TestClient, confirm = client.clientId, on = worker) =>
  on.post(client, "/api/sandbox/reset", { confirm });

async function reset(client: TestClient) {
  const answer = await send(client);
  expect(answer.status, answer.text).toBe(200);
  return SandboxReset.parse(answer.json);
}

/** The differences in the data of the client and of its removed orders. */
const differences = (client: TestClient) =>
  differencesOf([client, { ...client, clientId: `${client.clientId}~` }]);

afterEach(async () => {
  expect(await brokenAccounts()).toEqual([]);
});

describe("a reset", () => {
  test("removes orders in every state with their gifts and personal data, and nothing of other clients", async () => {
    const product = simpleProduct({}, { quantity: 100 });
    const options = { products: [product], feeBasisPoints: 415, creditMinor: 5_000_000 };
    const gift = await createGift(worker, [product], { recipient_details: recipients(4) }, options);
    const { client, orderId, paths } = gift;
    const other = await createGift(worker, [product]);
    const control = (name: string, sequence: number, more: object = {}) =>
      worker.post(client, `/api/sandbox/${name}`, {
        suborder_id: orderId * 1000 + sequence,
        ...more,
      });
    await accept(worker, paths[0] ?? "");
    await control("ship-gift", 1, { carrier: "DHL", tracking_number: "tracking-of-reset" });
    await accept(worker, paths[1] ?? "");
    await control("expire-gift", 3);
    const body = orderOf(product);
    const placed = (await worker.post(client, "/api/order", body)).json;
    await worker.post(client, "/api/order/cancel", { order_ref_id: body.order_ref_id });
    const mailed = await placeGifts(worker, { client, product });
    await runOutbox({}, { DB: env.DB });
    const [{ suborder_id, email } = { suborder_id: 0, email: "" }] = mailed.gifts;
    await worker.post(client, "/api/sandbox/email-event", { suborder_id, event: "complained" });
    const before = await eventsOf(client);

    expect(await reset(client)).toEqual({ status: "success", removed_orders: 3, complete: true });

    const list = OrderList.parse((await worker.get(client, "/api/orders")).json);
    expect(list.orders).toEqual([]);
    expect(
      ShipmentList.parse((await worker.get(client, "/api/shipments?updated_from=2020-01-01")).json)
        .shipments,
    ).toEqual([]);
    for (const path of [
      `/api/order?order_id=${String(orderId)}`,
      `/api/order?order_ref_id=${body.order_ref_id}`,
      `/api/sandbox/emails?suborder_id=${String(suborder_id)}`,
    ]) {
      expect((await worker.get(client, path)).status).toBe(404);
    }
    // The shipped gift keeps its stock. The other client has taken one.
    expect(await stockOf(product.product.id)).toBe(98);
    expect(await balanceOf(client.clientId)).toBe(5_000_000);
    for (const path of paths) {
      const page = await worker.fetch(path);
      expect(page.text).not.toContain(recipients(1)[0]?.first_name);
      expect([409, 410]).toContain((await accept(worker, path)).status);
    }
    const personal = await sql(
      `SELECT (SELECT count(*) FROM sub_orders s JOIN orders o ON o.id = s.order_id
         WHERE o.client_id = ? AND (s.erased_at_ms IS NULL OR s.email <> '')) AS recipients,
       (SELECT count(*) FROM shipments WHERE tracking_number = 'tracking-of-reset') AS tracking,
       (SELECT count(*) FROM emails WHERE order_id = ?) AS emails,
       (SELECT count(*) FROM email_wakes WHERE order_id = ?) AS wakes`,
      `${client.clientId}~`,
      mailed.orderId,
      mailed.orderId,
    ).first();
    expect(personal).toEqual({ recipients: 0, tracking: 0, emails: 0, wakes: 0 });

    const after = await eventsOf(client);
    expect(after.map(({ sequence, type }) => [sequence, type])).toEqual([
      ...before.map(({ sequence, type }) => [sequence, type]),
      [before.length + 1, "data.restored"],
    ]);
    expect(after.at(-1)?.data).toEqual({ last_sequence: 0 });
    expect(await differences(client)).toEqual([]);
    expect(
      (await worker.get(other.client, `/api/order?order_id=${String(other.orderId)}`)).status,
    ).toBe(200);
    expect(await typesOf(other.client)).toEqual(["order.paid"]);

    // The reference and the address are free again, and the number is new.
    const again = await worker.post(client, "/api/order", body);
    expect(again.json.order_data.order_id).toBeGreaterThan(placed.order_data.order_id as number);
    const { gifts } = await placeGifts(worker, { client, product }, 1, {
      recipient_details: [{ ...recipients(1)[0], email }],
    });
    await runOutbox({}, { DB: env.DB });
    const emails = `/api/sandbox/emails?suborder_id=${String(gifts[0]?.suborder_id)}`;
    expect((await worker.get(client, emails)).json.emails).toMatchObject([{ status: "sent" }]);
    // The removed order with this reference does not prevent the next removal.
    expect((await reset(client)).removed_orders).toBe(2);
    expect(await differences(client)).toEqual([]);
  });

  test("of orders on invoice keeps their ledger", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product], billing: "invoice" });
    await worker.post(client, "/api/order", orderOf(product));
    const { json } = await worker.post(client, "/api/order", orderOf(product));
    await worker.post(client, "/api/sandbox/fail-order", json.order_data);
    expect((await reset(client)).removed_orders).toBe(2);
    expect(await differences(client)).toEqual([]);
  });

  test("keeps the operator's entries in the audit log", async () => {
    const { client, orderId } = await createGift(worker, [simpleProduct()], {});
    const auditing = audited(env.DB, {
      ...{ actor: "ana", action: "order extend", consoleRequest: null, reason: null },
      ...{ subjects: [{ type: "order", keys: [orderId] }], nowMs: Date.now() },
    });
    await extend(auditing, orderId, "2029-03-31", Date.now());
    await reset(client);
    const count = "SELECT count(*) AS n FROM audit_entries WHERE order_id = ?";
    expect(await sql(count, orderId).first("n")).toBe(1);
  });

  test("is possible whatever references the partner has booked, and shows no order in the ledger", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    const credit = { amount: "1.00", reference: "sandbox reset 4" };
    await worker.post(client, "/api/sandbox/credit", credit);
    await worker.post(client, "/api/order", orderOf(product));
    await reset(client);
    const { json } = await worker.get(client, "/api/credit-entries?after=2");
    expect(json.credit_entries).toMatchObject([
      { kind: "order", order_ref_id: null },
      { kind: "top_up", balance: "1000000.00" },
    ]);
  });

  test("of an empty sandbox changes nothing", async () => {
    const client = await createClient({ products: [simpleProduct()] });
    await reset(client);
    const before = await databaseState();
    const answer = await send(client);
    expect([answer.json.removed_orders, answer.meter.rowsWritten]).toEqual([0, 0]);
    expect(await databaseState()).toEqual(before);
  });

  test.each(["", "another-client", "CLIENT"])(
    "with the confirmation %j changes nothing",
    async (confirm) => {
      const { client } = await createGift(worker, [simpleProduct()]);
      const answer = await send(client, confirm);
      expect(errorOf(answer)).toMatchObject({
        ...{ http: 400, code: "validation_error" },
        errors: [{ field: "confirm", message: "must be your CLIENT-ID" }],
      });
      expect(answer.meter.roundTrips).toBe(0);
    },
  );

  test.each<[When, number]>([
    ["before the commit", 0],
    ["after the commit", 0],
    ["before the commit", 1],
    ["after the commit", 1],
    ["after the commit", 3],
  ])(
    "whose database is lost %s, after %i transactions, continues if it is repeated",
    async (when, skipped) => {
      const product = simpleProduct({}, { quantity: 5_000 });
      const client = await createClient({ products: [product], creditMinor: 90_000_000 });
      const recipient_details = recipients(400);
      for (let order = 0; order < 6; order++) {
        await worker.post(client, "/api/gift-link", orderOf(product, { recipient_details }));
      }
      const DB = failingBatches(new Error(LOST), when, 3, skipped);
      const failing = startWorker({ env: { WEBHOOK_QUEUE: lossyQueue, DB } });
      expect((await send(client, client.clientId, failing)).status).toBe(503);
      expect(await differences(client)).toEqual([]);
      const left = OrderList.parse((await worker.get(client, "/api/orders")).json).orders;
      for (const { order_id } of left) {
        expect((await worker.get(client, `/api/order?order_id=${order_id}`)).status).toBe(200);
      }
      expect(await reset(client)).toMatchObject({ removed_orders: left.length, complete: true });
      expect(await stockOf(product.product.id)).toBe(5_000);
      expect(await balanceOf(client.clientId)).toBe(90_000_000);
      expect((await typesOf(client)).filter((type) => type === "data.restored")).toHaveLength(1);
      expect(await differences(client)).toEqual([]);
    },
  );

  test("removes a bounded number of gifts, and the next one continues", async () => {
    const product = simpleProduct();
    const client = await createClient({ products: [product] });
    await worker.post(client, "/api/order", orderOf(product));
    // An imported order with a shared link may have no sub-orders.
    await sql(
      `INSERT INTO orders (client_id, gift_order_method, status, gift_of_choice, branding_selected,
         email_template, product_id, product_revision, base_location, currency, product_price_minor, qty,
         subtotal_minor, shipping_cost_minor, order_fee_minor, order_total_minor, created_at_ms)
       SELECT client_id, 'link', status, gift_of_choice, branding_selected, email_template, product_id,
         product_revision, base_location, currency, product_price_minor, ?2, product_price_minor * ?2, 0, 0,
         product_price_minor * ?2, created_at_ms
       FROM orders, json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]') WHERE client_id = ?1`,
      client.clientId,
      CHUNK_GIFTS,
    ).run();
    expect(await reset(client)).toMatchObject({ removed_orders: 20, complete: false });
    expect(await typesOf(client)).toEqual(["order.paid"]);
    expect(await reset(client)).toMatchObject({ removed_orders: 1, complete: true });
    expect(await typesOf(client)).toEqual(["order.paid", "data.restored"]);
    expect(await differences(client)).toEqual([]);
  });
});

describe("credit", () => {
  const add = (client: TestClient, body: object) =>
    worker.post(client, "/api/sandbox/credit", body);

  test("is added once for each reference, in any currency", async () => {
    const client = await createClient({ creditMinor: 100 });
    const [usual, yen] = [
      { amount: "12.50", reference: "T-1" },
      { amount: "300", currency: "JPY", reference: "T-1" },
    ];
    for (const body of [usual, usual]) {
      const { json } = await add(client, body);
      expect(CreditBalance.parse(json)).toMatchObject({ currency: "AUD", credit_balance: 13.5 });
    }
    const { json } = await add(client, yen);
    expect(json).toMatchObject({ currency: "JPY", credit_balance: 300 });
    expect(await differences(client)).toEqual([]);
  });

  test.each<[object, string, RegExp]>([
    [{ amount: "1.001", reference: "T" }, "validation_error", /^amount must be an amount in AUD/],
    [{ amount: "-1.00", reference: "T" }, "validation_error", /^amount must be an amount such as/],
    [{ amount: "1.00", reference: " " }, "validation_error", /^reference must be one line/],
    [{ amount: "1.00", reference: "T", alert_below: "0.001" }, "validation_error", /^alert_below/],
    [{ amount: "9999999999999.99", reference: "T" }, "not_allowed_in_state", /would exceed/],
    [{ amount: "2.00", reference: "used" }, "not_allowed_in_state", /used before, for 1.00 AUD/],
  ])("is refused: %j", async (body, code, message) => {
    const client = await createClient();
    await add(client, { amount: "1.00", reference: "used" });
    const before = await databaseState();
    expect(errorOf(await add(client, body))).toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect(await databaseState()).toEqual(before);
  });

  test("below the alert is reported once, until it was above it", async () => {
    const client = await createClient({ creditMinor: 1_000 });
    await add(client, { amount: "0", reference: "0", alert_below: "20.00" });
    await add(client, { amount: "1.00", reference: "1", alert_below: "20.00" });
    expect(await eventsOf(client)).toMatchObject([
      { type: "credit.low", data: { credit_balance: "10.00", alert_below: "20.00" } },
    ]);
    await add(client, { amount: "50.00", reference: "2" });
    await add(client, { amount: "0", reference: "3", alert_below: "100.00" });
    expect(await typesOf(client)).toEqual(["credit.low", "credit.low"]);
  });
});
