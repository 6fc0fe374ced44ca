// A statement as an HTML page for the client, to print on A4. The page needs no other file.
import { html, raw } from "hono/html";
import type { StatementEntry } from "../credit/account-statement.ts";
import { TOTAL_KINDS, totalKindOf } from "../credit/statement-totals.ts";
import type { InvoicedOrder } from "../orders/invoiced-orders.ts";
import { orderNumber } from "../values/ids.ts";
import { formatAmount } from "../values/money.ts";
import { formatDateTime } from "../values/time.ts";
import type { AccountStatement, InvoicedStatement, MonthStatement } from "./statement-source.ts";

type Markup = ReturnType<typeof html>;

const LABELS = {
  creditAdded: "Credit added",
  creditRemoved: "Credit removed",
  orders: "Orders",
  cancellations: "Refunds of cancelled gifts",
  expiries: "Refunds of expired gifts",
};

const ENTRY_LABELS = {
  ...LABELS,
  orders: "Order",
  cancellations: "Cancellation of",
  expiries: "Expiry of",
};

const STATUS_LABELS: Record<InvoicedOrder["status"], string> = {
  created: "Not paid",
  paid: "Paid",
  failed: "Failed",
  cancieled: "Cancelled",
};

export async function statementPage(statement: MonthStatement): Promise<string> {
  const { clientId, clientName, accounts, invoiced, fromMs } = statement;
  const month = monthName(fromMs);
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <title>Statement ${month} – ${clientName}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          <header>
            <p class="brand">Regalo</p>
            <h1>Statement <span>${month}</span></h1>
          </header>
          ${notices(statement)}
          <dl class="facts">
            <div>
              <dt>Client</dt>
              <dd><bdi>${clientName}</bdi></dd>
            </div>
            <div>
              <dt>Client ID</dt>
              <dd>${clientId}</dd>
            </div>
            <div>
              <dt>Period</dt>
              <dd>${period(statement)}</dd>
            </div>
            <div>
              <dt>Created</dt>
              <dd>${time(statement.createdAtMs)}</dd>
            </div>
          </dl>
          ${accounts.map(accountSection)} ${invoiced.map(invoicedSection)}
          ${
            accounts.length + invoiced.length === 0
              ? html`<p>There is no credit account, and there are no orders on invoice.</p>`
              : ""
          }
          <footer>
            <p>
              All times are in UTC. The amount of an order contains its fee. The refund of cancelled
              or expired gifts contains their share of the fee.
            </p>
          </footer>
        </main>
      </body>
    </html>`;
  return `${String(page)}\n`;
}

function notices({ environment, isFinal }: MonthStatement): Markup[] {
  const texts = [
    ...(environment === "production"
      ? []
      : [`Test data of the ${environment} environment. This is not an account of real payments.`]),
    ...(isFinal ? [] : ["Provisional: the month has not ended. More entries may follow."]),
  ];
  return texts.map((text) => html`<p class="notice">${text}</p>`);
}

function accountSection(account: AccountStatement): Markup {
  const { currency, openingMinor, totals, closingMinor, entries } = account;
  const id = `account-${currency}`;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">Credit account in ${currency}</h2>
    <table class="summary">
      <caption>
        Summary of the credit account in ${currency}
      </caption>
      <tbody>
        ${summaryRow("Opening balance", "", openingMinor, "balance")}
        ${TOTAL_KINDS.filter((kind) => kind === "orders" || totals[kind].entries > 0).map(
          (kind) => [
            summaryRow(LABELS[kind], String(totals[kind].entries), totals[kind].amountMinor),
            kind === "orders"
              ? summaryRow("Fees, contained in the orders", "", totals.feesMinor, "part")
              : "",
          ],
        )}
        ${summaryRow("Closing balance", "", closingMinor, "balance")}
      </tbody>
    </table>
    ${
      entries.length === 0
        ? html`<p class="none">There are no entries in this month.</p>`
        : html`<table class="entries">
            <caption>
              Entries of the credit account in ${currency}
            </caption>
            <thead>
              <tr>
                <th scope="col" class="number">No.</th>
                <th scope="col">Date</th>
                <th scope="col">Description</th>
                <th scope="col" class="number">Gifts</th>
                <th scope="col" class="number">Fee</th>
                <th scope="col" class="number">Amount</th>
                <th scope="col" class="number">Balance</th>
              </tr>
            </thead>
            <tbody>
              ${entries.map(entryRow)}
            </tbody>
          </table>`
    }
  </section>`;
}

function summaryRow(label: string, count: string, minor: number, kind = ""): Markup {
  return html`<tr class="${kind}">
    <th scope="row">${label}</th>
    <td class="number count">${count}</td>
    <td class="number">${amount(minor)}</td>
  </tr>`;
}

// The note of an adjustment is for operators, so the page does not contain it.
function entryRow(entry: StatementEntry): Markup {
  const { orderId, orderRefId, reference, qty, feeMinor } = entry;
  const label = ENTRY_LABELS[totalKindOf(entry)];
  return html`<tr>
    <td class="number">${entry.sequence}</td>
    <td class="date">${time(entry.createdAtMs)}</td>
    <td>
      ${label} ${orderId === null ? "" : orderNumber(orderId)} ${small(orderRefId ?? reference)}
    </td>
    <td class="number">${qty ?? ""}</td>
    <td class="number">${feeMinor === null ? "" : amount(feeMinor)}</td>
    <td class="number">${amount(entry.amountMinor)}</td>
    <td class="number">${amount(entry.balanceMinor)}</td>
  </tr>`;
}

function invoicedSection(invoiced: InvoicedStatement): Markup {
  const { currency, orders, totalMinor, feesMinor, endedMinor, remainingMinor } = invoiced;
  const id = `invoice-${currency}`;
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">Orders on invoice in ${currency}</h2>
    <table class="summary">
      <caption>
        Summary of the orders on invoice in ${currency}
      </caption>
      <tbody>
        ${summaryRow("Orders", String(orders.length), totalMinor)}
        ${summaryRow("Fees, contained in the orders", "", feesMinor, "part")}
        ${summaryRow("Cancelled or expired gifts", "", -endedMinor)}
        ${summaryRow("Total", "", remainingMinor, "balance")}
      </tbody>
    </table>
    <table class="entries">
      <caption>
        Orders on invoice in ${currency}
      </caption>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">Order</th>
          <th scope="col">Status</th>
          <th scope="col" class="number">Gifts</th>
          <th scope="col" class="number">Fee</th>
          <th scope="col" class="number">Order total</th>
          <th scope="col" class="number">Cancelled or expired</th>
          <th scope="col" class="number">Total</th>
        </tr>
      </thead>
      <tbody>
        ${orders.map(orderRow)}
      </tbody>
    </table>
    <p class="none">
      The orders were placed in this month. Their status, and the cancelled and expired gifts, are
      those of the time when this statement was created.
    </p>
  </section>`;
}

function orderRow(order: InvoicedOrder): Markup {
  const { totalMinor, endedMinor } = order;
  return html`<tr>
    <td class="date">${time(order.createdAtMs)}</td>
    <td>${orderNumber(order.id)} ${small(order.orderRefId)}</td>
    <td>${STATUS_LABELS[order.status]}</td>
    <td class="number">${order.qty}</td>
    <td class="number">${amount(order.feeMinor)}</td>
    <td class="number">${amount(totalMinor)}</td>
    <td class="number">${endedMinor === 0 ? "" : amount(-endedMinor)}</td>
    <td class="number">${amount(totalMinor - endedMinor)}</td>
  </tr>`;
}

const small = (reference: string | null): Markup | string =>
  reference === null ? "" : html`<small><bdi>${reference}</bdi></small>`;

const monthName = (timeMs: number) =>
  new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" }).format(timeMs);

function period({ fromMs, toMs }: MonthStatement): string {
  const days = [fromMs, toMs - 1].map((dayMs) =>
    new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(dayMs),
  );
  return days.join(" to ");
}

function time(timeMs: number): Markup {
  const text = formatDateTime(timeMs);
  return html`<time datetime="${text.replace(" ", "T")}Z">${text}</time>`;
}

/** -1234567 → `−12,345.67`, with a minus sign. */
function amount(minor: number): string {
  return formatAmount(minor)
    .replace("-", "\u2212")
    .replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
}

const STYLE = `
@page { size: A4; margin: 16mm 14mm 18mm; @bottom-right { content: "Page " counter(page) " of " counter(pages);
  font: 8pt system-ui, sans-serif; color: #555; } }
* { box-sizing: border-box; }
body { margin: 0; background: #eceae7; color: #1d1a20; font: 14px/1.45 system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 210mm; margin: 24px auto; padding: 16mm 14mm; background: #fff; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 16px; flex-wrap: wrap;
  padding-bottom: 12px; border-bottom: 2px solid #1d1a20; }
.brand { margin: 0; font-size: 22px; font-weight: 700; letter-spacing: -0.01em; }
h1 { margin: 0; font-size: 22px; font-weight: 600; }
h1 span { font-weight: 400; }
h2 { margin: 36px 0 8px; font-size: 17px; }
.notice { margin: 16px 0 0; padding: 8px 12px; border: 1px solid #8a5a00; background: #fff6e0; }
.facts { display: grid; grid-template-columns: repeat(2, 1fr); gap: 8px 24px; margin: 20px 0 0; }
dt { color: #575159; font-size: 12px; }
dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: 5px 8px; text-align: left; vertical-align: top; font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.date { white-space: nowrap; font-variant-numeric: tabular-nums; }
.summary { max-width: 110mm; margin-bottom: 20px; }
.summary tr { border-bottom: 1px solid #dcd7d1; }
.summary .count { color: #575159; }
.summary .part { color: #575159; font-size: 13px; }
.summary .part th { padding-left: 16px; }
.summary .balance > * { font-weight: 600; }
.entries { font-size: 12.5px; }
.entries thead th { border-bottom: 1.5px solid #1d1a20; color: #575159; font-size: 12px; vertical-align: bottom;
  white-space: normal; }
.entries tbody tr { border-bottom: 1px solid #dcd7d1; }
.entries td:nth-child(3), .entries td:nth-child(2) { overflow-wrap: anywhere; }
small { display: block; color: #575159; font-size: 12px; }
.none { color: #575159; font-size: 12.5px; }
footer { margin-top: 36px; padding-top: 8px; border-top: 1px solid #dcd7d1; color: #575159; font-size: 12px; }
@media (max-width: 640px) {
  main { margin: 0; padding: 16px; }
  .facts { grid-template-columns: 1fr; }
  .entries { display: block; overflow-x: auto; }
}
@media print {
  body { background: none; font-size: 10pt; }
  main { max-width: none; margin: 0; padding: 0; }
  .entries { font-size: 8.5pt; }
  thead { display: table-header-group; }
  tr, .summary, .notice, footer { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`;
