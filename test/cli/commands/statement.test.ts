// `statement` in each format.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { beforeAll, expect, test } from "vitest";
import { addClient } from "../../../src/operator/clients/queries.ts";
import { seed } from "../../../src/cli/seed.ts";
import { STATEMENT_COLUMNS } from "../../../src/operator/credit/statement-csv.ts";
import { recordRefund } from "../../../src/operator/lifecycle/queries.ts";
import { cancel } from "../../../src/features/lifecycle/cancel.ts";
import { operatorKey } from "../../../src/features/lifecycle/order-key.ts";
import { payOrder } from "../../../src/features/lifecycle/payment-queries.ts";
import { runOps } from "../ops.ts";
import { platform, usePlatform } from "../platform.ts";
import { storeInvoicedOrder, storeOrder } from "../stored-orders.ts";

const { folder } = usePlatform();
const fileOf = (name: string) => path.join(folder, name);

const statement = (...words: string[]) => runOps("statement", ...words);

/** The statement of March, which must succeed. */
async function march(...words: string[]) {
  const { code, out, err } = await statement("acme", "--month", "2026-03", ...words);
  expect(code, err).toBe(0);
  return out;
}

const at = (time: string) => Date.parse(`${time}Z`);

const NAME = "Acme <script>alert(1)</script>";

/** Sequence, kind, amount, balance, order, reference, note and time. */
const ENTRIES = [
  [1, "adjustment", 10_000, 10_000, null, "INV-1", "Bank transfer", at("2026-02-10T09:00:00")],
  [2, "order", -4_001, 5_999, 1043, null, null, at("2026-03-01T00:00:00")],
  [3, "cancellation", 1_000, 6_999, 1043, null, null, at("2026-03-01T00:00:02")],
  [4, "adjustment", -500, 6_499, null, "=CORR", "<b>internal</b>", at("2026-03-31T23:59:59")],
  [5, "adjustment", 700, 7_199, null, "INV-2", null, at("2026-04-01T00:00:00")],
];

/** Orders of four gifts: id, reference and time. The first one is paid with credit. */
const ORDERS = [
  [1043, "PO & <i>1</i>", at("2026-03-01T00:00:00")],
  [1042, "PO-1", at("2026-02-20T10:00:00")],
  [1044, "PO-2", at("2026-03-09T08:30:00")],
  [1046, "PO-4", at("2026-03-30T09:00:00")],
] as const;

const pay = (id: number, reference: string, nowMs: number) =>
  payOrder(platform.env.DB, { ...operatorKey(id), reference, owedMinor: null, nowMs });

/** Cancels the first `count` gifts. */
async function cancelGifts(id: number, count: number, nowMs: number) {
  const suborderIds = Array.from({ length: count }, (_, index) => id * 1000 + index + 1);
  const requestId = crypto.randomUUID();
  const done = await cancel(platform.env.DB, { ...operatorKey(id), suborderIds, requestId, nowMs });
  expect(done).toMatchObject({ changed: true });
}

beforeAll(async () => {
  const { env } = platform;
  await seed(env, 0);
  await addClient(env.DB, {
    id: "acme",
    name: NAME,
    billing: "credit",
    feeBasisPoints: 400,
    defaultCurrency: "AUD",
    catalogueId: 1,
    createdAtMs: 0,
  });
  await env.DB.prepare(
    `INSERT INTO credit_accounts (client_id, currency, balance_minor, entries)
     VALUES ('acme', 'AUD', 7199, 5), ('acme', 'USD', 0, 2), ('acme', 'EUR', 1, 1)`,
  ).run();
  await env.DB.prepare(
    `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
       reference, created_at_ms)
     VALUES ('acme', 'USD', 1, 'adjustment', 5, 5, 'a', ?1), ('acme', 'USD', 2, 'adjustment', -5, 0, 'b', ?1),
       ('acme', 'EUR', 1, 'adjustment', 1, 1, 'a', ?2)`,
  )
    .bind(at("2026-02-01T00:00:00"), at("2026-04-02T00:00:00"))
    .run();
  const price = { qty: 4, subtotal_minor: 4000, order_fee_minor: 1, order_total_minor: 4001 };
  for (const [id, order_ref_id, created_at_ms] of ORDERS) {
    const columns = { ...price, id, client_id: "acme", order_ref_id, created_at_ms };
    const gifts = [{}, {}, {}, {}];
    if (id === 1043) await storeOrder(env.DB, { ...columns, debit_sequence: 2 }, gifts);
    else await storeInvoicedOrder(env.DB, columns, gifts);
    if (id === 1044) await cancelGifts(1044, 3, at("2026-03-10T00:00:00"));
  }
  await pay(1042, "Transfer 7", at("2026-03-31T12:00:00"));
  await cancelGifts(1042, 1, at("2026-03-31T12:30:00"));
  await env.DB.batch(
    ENTRIES.map((entry) =>
      env.DB.prepare(
        `INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor,
           balance_minor, order_id, reference, note, created_at_ms)
         VALUES ('acme', 'AUD', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
      ).bind(...entry),
    ),
  );
}, 120_000);

test("JSON has the balances, the totals, the entries and the orders on invoice in minor units", async () => {
  const [out, same] = await Promise.all([march(), march("--json")]);
  const result = JSON.parse(out);
  expect(same).toBe(out);
  // A final statement is the same whenever it is printed.
  expect(result.createdAtMs).toBeNull();
  expect(result).toMatchObject({
    environment: "local",
    clientId: "acme",
    clientName: NAME,
    month: "2026-03",
    fromMs: at("2026-03-01T00:00:00"),
    toMs: at("2026-04-01T00:00:00"),
    isFinal: true,
    accounts: [
      {
        currency: "AUD",
        openingMinor: 10_000,
        closingMinor: 6_499,
        totals: {
          creditAdded: { entries: 0, amountMinor: 0 },
          creditRemoved: { entries: 1, amountMinor: -500 },
          orders: { entries: 1, amountMinor: -4_001 },
          cancellations: { entries: 1, amountMinor: 1_000 },
          expiries: { entries: 0, amountMinor: 0 },
          feesMinor: 1,
        },
        entries: [{ sequence: 2, orderId: 1043, qty: 4 }, { sequence: 3 }, { sequence: 4 }],
      },
      { currency: "USD", openingMinor: 0, closingMinor: 0, entries: [] },
    ],
    invoiced: [
      {
        currency: "AUD",
        opening: { unpaidMinor: 4_001, toRefundMinor: 0 },
        closing: { unpaidMinor: 5_002, toRefundMinor: 1_000 },
        totals: {
          orders: { entries: 2, amountMinor: 8_002 },
          endedUnpaid: { entries: 1, amountMinor: -3_000 },
          payments: { entries: 1, amountMinor: -4_001 },
          endedPaid: { entries: 1, amountMinor: -1_000 },
          refunds: { entries: 0, amountMinor: 0 },
          feesMinor: 2,
        },
        entries: [
          ...[{ sequence: 2, orderId: 1044, kind: "order", qty: 4, feeMinor: 1 }],
          ...[{ sequence: 3 }, { sequence: 4 }, { sequence: 5, reference: "Transfer 7" }],
          { sequence: 6, orderCreatedAtMs: at("2026-02-20T10:00:00") },
        ],
      },
    ],
  });
});

test("CSV has a row for each entry between the balances, and safe cells", async () => {
  const [out] = await Promise.all([
    march("--format", "csv"),
    march("--format", "csv", "--output", fileOf("march.csv"), "--currency", "AUD"),
  ]);
  expect(out).toMatch(
    /^client_id,month,currency,type,sequence,date,.*,balance,order_date,unpaid,to_be_refunded\r\n/,
  );
  const rows = parse(out, { columns: true }) as unknown as Record<string, string>[];
  expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(STATEMENT_COLUMNS));
  expect(rows.map((row) => [row["type"], row["amount"], row["balance"], row["order_fee"]])).toEqual(
    [
      ["opening_balance", "", "100.00", ""],
      ["order", "-40.01", "59.99", "0.01"],
      ["cancellation", "10.00", "69.99", ""],
      ["adjustment", "-5.00", "64.99", ""],
      ["closing_balance", "", "64.99", ""],
      ["opening_balance", "", "0.00", ""],
      ["closing_balance", "", "0.00", ""],
      ["invoice_opening", "", "40.01", ""],
      ["invoice_order", "40.01", "80.02", "0.01"],
      ["invoice_cancellation", "-30.00", "50.02", ""],
      ["invoice_order", "40.01", "90.03", "0.01"],
      ["invoice_payment", "-40.01", "50.02", ""],
      ["invoice_cancellation", "-10.00", "40.02", ""],
      ["invoice_closing", "", "40.02", ""],
    ],
  );
  expect(rows[3]).toMatchObject({ reference: "'=CORR", date: "2026-03-31 23:59", currency: "AUD" });
  expect(rows[8]).toMatchObject({
    order_number: "GO-01044",
    order_ref_id: "PO-2",
    order_date: "2026-03-09 08:30",
    qty: "4",
    order_total: "40.01",
    unpaid: "80.02",
    to_be_refunded: "0.00",
  });
  expect(rows[11]).toMatchObject({ reference: "Transfer 7", order_date: "2026-02-20 10:00" });
  expect(rows[13]).toMatchObject({ unpaid: "50.02", to_be_refunded: "10.00" });
  const lines = out.split("\r\n");
  expect(readFileSync(fileOf("march.csv"), "utf8").split("\r\n")).toEqual(
    lines.filter((line) => !line.includes("USD")),
  );
});

test("a wrong command line and an unknown client are refused", async () => {
  const refused = async (code: number, text: string, ...words: string[]) => {
    const done = await statement(...words);
    expect(done.err).toContain(text);
    expect(done).toMatchObject({ code, out: "" });
    expect(done.err).not.toMatch(/\n\s+at /);
  };
  const month = ["--month", "2026-03"];
  await Promise.all([
    refused(2, "--month", "acme"),
    refused(2, "such as 2026-11", "acme", "--month", "2026-13"),
    refused(2, "such as 2026-11", "acme", "--month", "2026-3"),
    refused(2, "has not begun", "acme", "--month", "2999-01"),
    refused(2, "--currency", "acme", ...month, "--currency", "XXX"),
    refused(2, "Allowed choices", "acme", ...month, "--format", "pdf"),
    refused(2, "either --json or --format csv", "acme", ...month, "--json", "--format", "csv"),
    refused(2, "cannot be written", "acme", ...month, "--output", fileOf("none/x.txt")),
    refused(1, "there is no client globex", "globex", ...month),
  ]);
});

test("the statement of the current month is provisional", async () => {
  const month = new Date().toISOString().slice(0, 7);
  const { out } = await statement("acme", "--month", month);
  expect(JSON.parse(out)).toMatchObject({
    isFinal: false,
    accounts: [{ currency: "AUD", openingMinor: 7_199 }, {}, {}],
  });
});

test("a month that has ended does not change when orders are cancelled, paid and refunded later", async () => {
  const formats = ["json", "csv"] as const;
  const print = (month: string) =>
    Promise.all(
      formats.map(async (format) => {
        const done = await statement("acme", "--month", month, "--format", format);
        expect(done.code, done.err).toBe(0);
        return done.out;
      }),
    );
  const [february, before] = [await print("2026-02"), await print("2026-03")];
  await cancelGifts(1046, 4, at("2026-04-03T00:00:00"));
  await pay(1044, "Transfer 8", at("2026-04-04T00:00:00"));
  const refund = {
    orderId: 1042,
    reference: "Back 1",
    refundMinor: 1_000,
    nowMs: at("2026-04-05T00:00:00"),
  };
  expect(await recordRefund(platform.env.DB, refund)).toBe(true);
  await platform.env.DB.prepare("UPDATE clients SET refund_declined = 0 WHERE id = 'acme'").run();
  expect(await print("2026-03")).toEqual(before);
  expect(await print("2026-02")).toEqual(february);
  const [april = ""] = await print("2026-04");
  expect((JSON.parse(april) as { invoiced: unknown }).invoiced).toMatchObject([
    {
      currency: "AUD",
      opening: { unpaidMinor: 5_002, toRefundMinor: 1_000 },
      totals: {
        orders: { entries: 0, amountMinor: 0 },
        endedUnpaid: { entries: 1, amountMinor: -4_001 },
        payments: { entries: 1, amountMinor: -1_001 },
        endedPaid: { entries: 0, amountMinor: 0 },
        refunds: { entries: 1, amountMinor: 1_000 },
        feesMinor: 0,
      },
      closing: { unpaidMinor: 0, toRefundMinor: 0 },
    },
  ]);
});
