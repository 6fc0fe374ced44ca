// The statement of a client, on screen, to print and as CSV.
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { adjustCredit } from "../../src/features/credit/adjust-queries.ts";
import { orderNumber } from "../../src/core/values/ids.ts";
import { createClient, orderOf, simpleProduct } from "../support/fixtures.ts";
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

const thisMonth = new Date().toISOString().slice(0, 7);

test("shows balances, totals and entries of credit in three reads and at most 60 KB", async () => {
  const product = simpleProduct();
  const client = await createClient({ products: [product], creditMinor: 100_000 });
  const { clientId } = client;
  const { order_data } = await placeOrder(startWorker(), client, orderOf(product));
  for (let n = 1; n <= 70; n++) {
    await adjustCredit(env.DB, {
      clientId,
      currency: n % 2 ? "USD" : "AUD",
      amountMinor: 100,
      nowMs: Date.now(),
      reference: `<b>INV ${String(n)}</b>`,
      note: null,
    });
  }
  const page = await user.get(`/clients/${clientId}/statement`);
  expect(page.meter.roundTrips).toBe(3);
  expect(new TextEncoder().encode(page.html).byteLength).toBeLessThan(60_000);
  for (const text of [
    `Statement ${thisMonth} of Company ${clientId}`,
    "Provisional: entries may be added",
    "Opening balance 0.00 AUD Credit added 1035.00 AUD Orders -31.20 AUD",
    "Fees, contained in the orders 1.20 AUD Closing balance 1003.80 AUD",
    orderNumber(order_data.order_id),
    "<b>INV 2</b>",
    "7 more entries are not shown.",
  ]) {
    expect(page.text).toContain(text);
  }
  expect(page.html).not.toContain("<b>INV");
  expect(page.text).not.toContain("INV 70");
  const all = await user.get(`/clients/${clientId}/statement?month=${thisMonth}&all=1`);
  expect(all.text).toContain("INV 70");
  expect(all.meter.roundTrips).toBe(3);
});

test("shows the orders on invoice, and downloads the entries as CSV", async () => {
  const product = simpleProduct();
  const client = await createClient({ products: [product], billing: "invoice" });
  const order = await placeOrder(startWorker(), client, orderOf(product));
  await transition(env.DB, order.order_data.order_id, "pay", Date.now());
  const path = `/clients/${client.clientId}/statement`;
  const page = await user.get(`${path}?month=${thisMonth}`);
  expect(page.text).toContain("Orders on invoice in AUD");
  expect(page.text).toContain("Orders 31.20 AUD Payments -31.20 AUD");
  const csv = await user.get(`${path}/csv?month=${thisMonth}`);
  expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("Content-Disposition")).toContain(`${client.clientId}-${thisMonth}.csv`);
  const row = [client.clientId, thisMonth, "AUD", "invoice_payment"].join(",");
  expect(csv.html).toContain(`\r\n${row}`);
});

test("says when there is nothing, no such month or no such client", async () => {
  const { clientId } = await createClient();
  const path = `/clients/${clientId}/statement`;
  expect((await user.get(`${path}?month=2020-01`)).text).toContain("There is no credit account");
  for (const month of ["2999-01", "2026-13", "<b>"]) {
    const page = await user.get(`${path}?month=${encodeURIComponent(month)}`);
    expect([page.status, page.text]).toEqual([409, expect.stringContaining("such as 2026-11")]);
  }
  expect((await user.get("/clients/nobody-here/statement")).status).toBe(404);
});

test("refuses a month with more than 20,000 entries before it reads them", async () => {
  const { clientId } = await createClient({ products: [simpleProduct()], creditMinor: 100_000 });
  await sql(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor, reference, created_at_ms)
     WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < 20001)
     SELECT client_id, currency, n, kind, 0, balance_minor, reference || n, created_at_ms
     FROM credit_entries, number WHERE client_id = ? AND currency = 'AUD'`,
    clientId,
  ).run();
  await sql(
    "UPDATE credit_accounts SET entries = 20001 WHERE client_id = ? AND currency = 'AUD'",
    clientId,
  ).run();
  for (const path of ["statement", "statement/csv"]) {
    const page = await user.get(`/clients/${clientId}/${path}`);
    expect(page.status).toBe(409);
    expect(page.text).toContain("month has 20,003 entries, which are too many for a page.");
    expect(page.text).toContain("npm run ops -- statement");
    expect(page.meter.rowsRead).toBeLessThan(200);
  }
});
