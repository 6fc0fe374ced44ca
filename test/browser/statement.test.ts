// The page of a statement in Chromium.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { statementPage } from "../../src/cli/statement/page.ts";
import type { MonthStatement } from "../../src/operator/credit/month-statement.ts";
import type { StatementEntry } from "../../src/operator/credit/account-statement.ts";
import { statementTotals } from "../../src/operator/credit/statement-totals.ts";
import { type InvoiceEntry, invoiceTotals } from "../../src/operator/credit/invoice-statement.ts";
import { violationsOf } from "./axe.ts";
import { launchChromium } from "./chromium.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

const fromMs = Date.UTC(2026, 10, 1);

const entries = Array.from({ length: 200 }, (_, index): StatementEntry => {
  const isOrder = index % 2 === 0;
  return {
    ...{ sequence: index + 1, createdAtMs: fromMs + index * 60_000, note: null },
    ...{ balanceMinor: isOrder ? 0 : 12_345_678, amountMinor: isOrder ? -12_345_678 : 12_345_678 },
    ...(isOrder
      ? { kind: "order", orderId: 42, orderRefId: "PO-1".repeat(25), qty: 25, feeMinor: 410 }
      : { kind: "adjustment", orderId: null, orderRefId: null, qty: null, feeMinor: null }),
    reference: isOrder ? null : "INV-1",
  };
});

const invoiceEntries = (["order", "payment", "cancellation"] as const).map(
  (kind, index): InvoiceEntry => ({
    ...{
      sequence: index + 1,
      kind,
      orderId: 7,
      orderRefId: "PO-7".repeat(10),
      createdAtMs: fromMs,
    },
    ...{ orderCreatedAtMs: fromMs, reference: kind === "payment" ? "T-1".repeat(30) : null },
    ...{ qty: kind === "order" ? 2 : null, feeMinor: kind === "order" ? 4 : null },
    amountMinor: kind === "order" ? 12_345_678 : kind === "payment" ? -12_345_678 : -6_172_839,
    unpaidMinor: kind === "order" ? 12_345_678 : 0,
    toRefundMinor: kind === "cancellation" ? 6_172_839 : 0,
  }),
);

const invoiced = {
  ...{ currency: "AUD" as const, firstSequence: 1, endSequence: 4 },
  ...{ opening: { unpaidMinor: 0, toRefundMinor: 0 } },
  ...{ closing: { unpaidMinor: 0, toRefundMinor: 6_172_839 } },
};

const STATEMENT: MonthStatement = {
  ...{ environment: "sandbox", clientId: "acme", clientName: "Acme Ltd", month: "2026-11" },
  ...{ fromMs, toMs: Date.UTC(2026, 11, 1), createdAtMs: fromMs, isFinal: false },
  accounts: (["AUD", "USD"] as const).map((currency) => ({
    ...{ currency, openingMinor: 12_345_678, closingMinor: 12_345_678 },
    ...{ totals: statementTotals(entries), entries: currency === "AUD" ? entries : [] },
  })),
  invoiced: [
    { ...invoiced, totals: invoiceTotals(invoiced, invoiceEntries), entries: invoiceEntries },
  ],
};

test("has no accessibility violations, and fits a narrow screen", async () => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  const faults: string[] = [];
  page.on("console", (message) => faults.push(message.text()));
  page.on("request", (request) => faults.push(request.url()));
  await page.setContent(await statementPage(STATEMENT));
  expect(await violationsOf(page)).toEqual([]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(faults).toEqual([]);
  await page.close();
});

test("prints on A4 pages, and repeats the head of the table on each page", async () => {
  const page = await browser.newPage();
  await page.setContent(await statementPage(STATEMENT));
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  // A4 in points.
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45]\.\d+ 84[12]\.\d+\]/);
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2);
  await page.emulateMedia({ media: "print" });
  const display = "getComputedStyle(document.querySelector('.entries thead')).display";
  expect(await page.evaluate(display)).toBe("table-header-group");
  // The content of A4 without margins is 182 mm wide. No column is cut off.
  await page.setViewportSize({ width: 688, height: 1_000 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(688);
  await page.close();
});
