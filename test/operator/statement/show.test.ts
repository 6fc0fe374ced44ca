// The operations `statement` and `statement entries`.
import { parse } from "csv-parse/sync";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { adjustCredit } from "../../../src/features/credit/adjust-queries.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { payOrders } from "../../../src/features/lifecycle/payment-queries.ts";
import { orderNumber } from "../../../src/core/values/ids.ts";
import type { Currency } from "../../../src/core/values/iso.ts";
import { STATEMENT_COLUMNS } from "../../../src/operator/statement/rows.ts";
import {
  createClient,
  orderOf,
  recipients,
  simpleProduct,
  type TestClient,
} from "../../support/fixtures.ts";
import { placeOrder } from "../../support/orders.ts";
import { sql } from "../../support/sql.ts";
import { startWorker } from "../../support/worker.ts";
import { openOperatorApi, type OperatorApi } from "../operator-api.ts";

let api: OperatorApi;

beforeAll(async () => {
  api = await openOperatorApi(["viewer"]);
});

const at = (time: string) => Date.parse(`${time}Z`);

type Row = Record<string, unknown>;

/** An order of three gifts for 104.14, of which 4.15 are the fee, placed at the time. */
async function place(client: TestClient, product: ReturnType<typeof simpleProduct>, time: string) {
  const body = orderOf(product, { recipient_details: recipients(3) });
  const { order_data } = await placeOrder(startWorker({ now: () => at(time) }), client, body);
  return { id: order_data.order_id, reference: body.order_ref_id };
}

async function cancel(client: TestClient, id: number, gifts: number[], time: string) {
  const body = { order_id: id, suborder_ids: gifts.map((gift) => id * 1000 + gift) };
  const answer = await startWorker({ now: () => at(time) }).post(client, "/api/order/cancel", body);
  expect(answer.status, answer.text).toBe(200);
}

const createShop = (billing: "credit" | "invoice") => {
  const product = simpleProduct({ priceMinor: 3_333, shippingMinor: 0 });
  const options = { products: [product], billing, creditMinor: 0, feeBasisPoints: 415 };
  return createClient(options).then((client) => ({ client, product }));
};

/** Currency, amount, reference, note and time. */
type Booking = [Currency, number, string, string | null, string];

const book = (clientId: string, [currency, amountMinor, reference, note, time]: Booking) =>
  adjustCredit(env.DB, { clientId, currency, amountMinor, reference, note, nowMs: at(time) });

/** An account with entries in March 2025, one without any, and one that is opened later. */
async function creditShop() {
  const shop = await createShop("credit");
  const { client, product } = shop;
  const { clientId } = client;
  await book(clientId, ["JPY", 5, "a", null, "2025-02-01T00:00:00"]);
  await book(clientId, ["JPY", -5, "b", null, "2025-02-01T00:00:00"]);
  await book(clientId, ["AUD", 20_000, "INV-1", "Bank transfer", "2025-02-10T09:00:00"]);
  const order = await place(client, product, "2025-03-01T00:00:00");
  await cancel(client, order.id, [1], "2025-03-01T00:00:02");
  await book(clientId, ["AUD", -500, "=CORR", "<b>internal</b>", "2025-03-31T23:59:59"]);
  await book(clientId, ["AUD", 700, "INV-2", null, "2025-04-01T00:00:00"]);
  await book(clientId, ["EUR", 1, "a", null, "2025-04-02T00:00:00"]);
  return { client: clientId, order };
}

/** Two orders on invoice: one is paid in March 2025, and gifts are cancelled before and after a payment. */
async function invoiceShop() {
  const { client, product } = await createShop("invoice");
  const paid = await place(client, product, "2025-02-20T10:00:00");
  const unpaid = await place(client, product, "2025-03-09T08:30:00");
  await cancel(client, unpaid.id, [1, 2], "2025-03-10T00:00:00");
  await pay(paid.id, "Transfer 7", "2025-03-31T12:00:00");
  await cancel(client, paid.id, [1], "2025-03-31T12:30:00");
  return { client, paid, unpaid };
}

const pay = (id: number, reference: string, time: string) =>
  payOrders(env.DB, [{ ...operatorKey(id), reference, owedMinor: null, nowMs: at(time) }]);

/** `[ledger, currency, item, amount, entries]` of each total. */
const totalsOf = ({ lists }: { lists: Record<string, Row[]> }) =>
  (lists["totals"] ?? []).map(({ ledger, currency, item, entries, amount }) => [
    ...[ledger, currency, item, (amount as Row)["amount"]],
    ...(entries === null ? [] : [entries]),
  ]);

async function csvOf(client: string, month: string) {
  const { html } = await api.call(
    "statement entries",
    { client, month },
    {},
    { headers: { Accept: "text/csv", "Content-Type": "application/json" } },
  );
  return html;
}

const rowsOf = (csv: string) => parse(csv, { columns: true }) as unknown as Row[];

describe("a month of credit", () => {
  let client: string;
  let order: Awaited<ReturnType<typeof creditShop>>["order"];
  beforeAll(async () => {
    ({ client, order } = await creditShop());
  });

  test("has balances, totals and entries", async () => {
    const { html, meter } = await api.call("statement", { client, month: "2025-03" });
    const shown = JSON.parse(html);
    expect(meter.roundTrips).toBe(3);
    expect(shown.warnings).toEqual([]);
    expect(shown.facts).toEqual({ company: `Company ${client}`, month: "2025-03", final: true });
    expect(totalsOf(shown)).toEqual([
      ["credit", "AUD", "Opening balance", "200.00"],
      ["credit", "AUD", "Corrections of top-ups", "-5.00", 1],
      ["credit", "AUD", "Paid for orders", "-104.14", 1],
      ["credit", "AUD", "Cancelled gifts", "34.71", 1],
      ["credit", "AUD", "Fees, contained in the orders", "4.15"],
      ["credit", "AUD", "Closing balance", "125.57"],
      ["credit", "JPY", "Opening balance", "0"],
      ["credit", "JPY", "Fees, contained in the orders", "0"],
      ["credit", "JPY", "Closing balance", "0"],
    ]);
    expect(shown.lists.entries).toMatchObject([
      { type: "order", sequence: 2, order_number: orderNumber(order.id), qty: 3 },
      { type: "cancellation", sequence: 3, amount: "34.71", balance: "130.57" },
      { type: "correction", sequence: 4, reference: "=CORR", date: "2025-03-31T23:59:59.000Z" },
    ]);
  });

  test("may have only one currency, and fewer entries", async () => {
    const input = { client, month: "2025-03", currency: "AUD", entries: 1 };
    const { lists, warnings } = await api.view("statement", input);
    expect(lists["entries"]).toHaveLength(1);
    expect(new Set(lists["totals"]?.map(({ currency }) => currency))).toEqual(new Set(["AUD"]));
    expect(warnings).toHaveLength(1);
  });

  test("is a CSV file with a row for each entry between the balances, and safe cells", async () => {
    const csv = await csvOf(client, "2025-03");
    const rows = rowsOf(csv);
    expect(csv.split("\r\n")[0]).toBe(Object.keys(STATEMENT_COLUMNS).join(","));
    expect(
      rows.map((row) => [row["type"], row["amount"], row["balance"], row["order_fee"]]),
    ).toEqual([
      ["opening_balance", "", "200.00", ""],
      ["order", "-104.14", "95.86", "4.15"],
      ["cancellation", "34.71", "130.57", ""],
      ["correction", "-5.00", "125.57", ""],
      ["closing_balance", "", "125.57", ""],
      ["opening_balance", "", "0", ""],
      ["closing_balance", "", "0", ""],
    ]);
    const same = { client_id: client, month: "2025-03", currency: "AUD" };
    expect(rows[1]).toMatchObject({
      ...same,
      order_ref_id: order.reference,
      order_total: "104.14",
    });
    expect(rows[3]).toMatchObject({ ...same, reference: "'=CORR", date: "2025-03-31 23:59:59Z" });
  });

  test("has the same entries in pages of any size, each in three round trips", async () => {
    const input = { client, month: "2025-03" };
    const whole = await api.list("statement entries", input, { limit: 100 });
    expect(whole.next).toBeNull();
    for (const limit of [1, 2, 3, 7]) {
      const { rows, meters } = await api.all("statement entries", input, limit);
      for (const { roundTrips } of meters) expect(roundTrips).toBe(3);
      expect(rows).toEqual(whole.rows);
    }
    for (const after of ["x", "credit_AUD_x", "credit_GBP_1"]) {
      const { status } = await api.call("statement entries", input, { after });
      expect(status, after).toBe(400);
    }
  });
});

describe("a month of orders on invoice", () => {
  test("has what is unpaid and to be refunded, and the entries with their orders", async () => {
    const { client, paid, unpaid } = await invoiceShop();
    const { clientId } = client;
    const shown = await api.view("statement", { client: clientId, month: "2025-03" });
    expect(totalsOf(shown)).toEqual([
      ["invoice", "AUD", "Unpaid at the beginning", "104.14"],
      ["invoice", "AUD", "To be refunded at the beginning", "0.00"],
      ["invoice", "AUD", "Orders", "104.14", 1],
      ["invoice", "AUD", "Ended before payment", "-69.43", 1],
      ["invoice", "AUD", "Payments", "-104.14", 1],
      ["invoice", "AUD", "Ended after payment", "-34.71", 1],
      ["invoice", "AUD", "Fees, contained in the orders", "4.15"],
      ["invoice", "AUD", "Unpaid", "34.71"],
      ["invoice", "AUD", "To be refunded", "34.71"],
      ["invoice", "AUD", "Owed at the end", "0.00"],
    ]);
    const rows = rowsOf(await csvOf(clientId, "2025-03"));
    expect(rows.map(({ type, amount, balance }) => [type, amount, balance])).toEqual([
      ["invoice_opening", "", "104.14"],
      ["invoice_order", "104.14", "208.28"],
      ["invoice_cancellation", "-69.43", "138.85"],
      ["invoice_payment", "-104.14", "34.71"],
      ["invoice_cancellation", "-34.71", "0.00"],
      ["invoice_closing", "", "0.00"],
    ]);
    expect(rows[1]).toMatchObject({
      order_number: orderNumber(unpaid.id),
      order_date: "2025-03-09 08:30:00Z",
      qty: "3",
      order_total: "104.14",
      unpaid: "208.28",
      to_be_refunded: "0.00",
    });
    expect(rows[3]).toMatchObject({
      order_number: orderNumber(paid.id),
      reference: "Transfer 7",
      order_date: "2025-02-20 10:00:00Z",
    });
  });
});

test("a statement needs a client and a month that has begun", async () => {
  const { clientId: client } = await createClient();
  for (const name of ["statement", "statement entries"]) {
    for (const month of ["2999-01", "2026-13", "2026-3", "<b>"]) {
      const refused = await api.refusal(name, { client, month });
      expect(refused, month).toMatchObject({ status: 400, fields: ["month"] });
    }
    expect(await api.refusal(name, { client, currency: "XXX" })).toMatchObject({ status: 400 });
  }
  const { lists } = await api.view("statement", { client, month: "2020-01" });
  expect(lists).toEqual({ totals: [], entries: [] });
});

test("a month of 20,000 entries is added up in the database, and listed in pages", async () => {
  const { clientId: client } = await createClient({ creditMinor: 100_000 });
  await sql(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor, reference, created_at_ms)
     WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 20001)
     SELECT client_id, currency, n, kind, 0, balance_minor, reference || n, created_at_ms
     FROM credit_entries, number WHERE client_id = ? AND currency = 'AUD'`,
    client,
  ).run();
  await sql(
    "UPDATE credit_accounts SET entries = 20001 WHERE client_id = ? AND currency = 'AUD'",
    client,
  ).run();
  const shown = await api.call("statement", { client });
  expect(JSON.parse(shown.html).lists.totals).toContainEqual({
    ledger: "credit",
    currency: "AUD",
    item: "Top-ups",
    entries: 20_001,
    amount: { amount: "1000.00", currency: "AUD" },
  });
  expect(shown.meter.roundTrips).toBe(3);
  expect(shown.html.length).toBeLessThan(40_000);
  const page = await api.call("statement entries", { client }, { limit: "50" });
  expect(JSON.parse(page.html).rows).toHaveLength(50);
  expect(page.meter.rowsRead).toBeLessThan(300);
});

test("entries that do not add up are an error", async () => {
  const { clientId: client } = await createClient({ creditMinor: 100 });
  await sql(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor, reference, created_at_ms)
     SELECT client_id, currency, 2, kind, 5, balance_minor, 'x', created_at_ms
     FROM credit_entries WHERE client_id = ? AND currency = 'AUD'`,
    client,
  ).run();
  expect((await api.call("statement", { client })).status).toBe(500);
});
