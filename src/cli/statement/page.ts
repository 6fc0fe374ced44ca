// A statement as an HTML page for the client, to print on A4. The page needs no other file.
import { html, raw } from "hono/html";
import type { StatementEntry } from "../../operator/credit/account-statement.ts";
import {
  type KindTotal,
  TOTAL_KINDS,
  totalKindOf,
} from "../../operator/credit/statement-totals.ts";
import type { InvoiceEntry, InvoiceTotalKind } from "../../operator/credit/invoice-statement.ts";
import { orderNumber } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { formatDateTime, formatDay } from "../../core/values/time.ts";
import {
  type AccountStatement,
  type InvoicedStatement,
  type MonthStatement,
  owedMinor,
  PROVISIONAL,
} from "../../operator/credit/month-statement.ts";
import { STATEMENT_STYLE } from "./style.ts";

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
  cancellations: "Cancelled gifts of",
  expiries: "Expired gifts of",
};

const INVOICE_LABELS: Record<InvoiceTotalKind, string> = {
  orders: "Orders",
  endedUnpaid: "Cancelled or expired before payment",
  payments: "Payments",
  endedPaid: "Cancelled or expired after payment",
  refunds: "Refunded",
};

const INVOICE_ENTRY_LABELS: Record<InvoiceEntry["kind"], string> = {
  order: "Order",
  cancellation: "Cancelled gifts of",
  expiry: "Expired gifts of",
  payment: "Payment of",
  refund: "Refund of",
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
          ${raw(STATEMENT_STYLE)}
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
            ${
              statement.createdAtMs === null
                ? ""
                : html`<div>
                    <dt>Created</dt>
                    <dd>${time(statement.createdAtMs)} UTC</dd>
                  </div>`
            }
          </dl>
          ${accounts.map(accountSection)} ${invoiced.map(invoicedSection)}
          ${
            accounts.length + invoiced.length === 0
              ? html`<p>There is no credit account, and there are no orders on invoice.</p>`
              : ""
          }
          <footer>
            <p>
              All times are in UTC. The amount of an order contains its fee. The amount of cancelled
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
    ...(isFinal ? [] : [PROVISIONAL]),
  ];
  return texts.map((text) => html`<p class="notice">${text}</p>`);
}

function accountSection(account: AccountStatement): Markup {
  const { currency, openingMinor, totals, closingMinor, entries } = account;
  const id = `account-${currency}`;
  const summary = [
    summaryRow("Opening balance", "", openingMinor, currency, "balance"),
    ...TOTAL_KINDS.flatMap((kind) => [
      totalRow(LABELS[kind], totals[kind], currency),
      kind === "orders" && totals.orders.entries > 0 ? feesRow(totals.feesMinor, currency) : "",
    ]),
    summaryRow("Closing balance", "", closingMinor, currency, "balance"),
  ];
  // The note of an adjustment is for operators, so the page does not contain it.
  const rows = entries.map((entry) => {
    const { orderId, orderRefId, reference, balanceMinor } = entry;
    const order = orderId === null ? "" : number(orderId);
    const label = ENTRY_LABELS[totalKindOf(entry)];
    const description = html`${label} ${order} ${small(orderRefId ?? reference)}`;
    return entryRow(entry, currency, description, [balanceMinor]);
  });
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">Credit account in ${currency}</h2>
    ${summaryTable(`Summary of the credit account in ${currency}`, summary)}
    ${entryTable(`Entries of the credit account in ${currency}`, ["Balance"], rows)}
  </section>`;
}

function invoicedSection(invoiced: InvoicedStatement): Markup {
  const { currency, opening, totals, closing, entries } = invoiced;
  const total = (kind: InvoiceTotalKind, sign?: -1) =>
    totalRow(INVOICE_LABELS[kind], totals[kind], currency, sign);
  const id = `invoice-${currency}`;
  const sumRow = (label: string, minor: number) =>
    summaryRow(label, "", minor, currency, "balance");
  const summary = [
    sumRow("Unpaid at the beginning", opening.unpaidMinor),
    total("orders"),
    totals.orders.entries > 0 ? feesRow(totals.feesMinor, currency) : "",
    total("endedUnpaid"),
    total("payments"),
    sumRow("Unpaid at the end", closing.unpaidMinor),
    sumRow("To be refunded at the beginning", opening.toRefundMinor),
    total("endedPaid", -1),
    total("refunds", -1),
    sumRow("To be refunded at the end", closing.toRefundMinor),
    sumRow("Owed at the end: unpaid less to be refunded", owedMinor(closing)),
  ];
  const rows = entries.map((entry) => {
    const { kind, orderId, orderRefId, orderCreatedAtMs, reference } = entry;
    const placed = kind === "order" ? "" : `, ordered ${formatDay(orderCreatedAtMs)}`;
    const order = html`${INVOICE_ENTRY_LABELS[kind]} ${number(orderId)}${placed}`;
    const description = html`${order} ${small(orderRefId)} ${small(reference)}`;
    return entryRow(entry, currency, description, [entry.unpaidMinor, entry.toRefundMinor]);
  });
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">Orders on invoice in ${currency}</h2>
    ${summaryTable(`Summary of the orders on invoice in ${currency}`, summary)}
    ${entryTable(`List of the orders on invoice in ${currency}`, ["Unpaid", "To be refunded"], rows)}
  </section>`;
}

const summaryTable = (caption: string, rows: (Markup | string)[]): Markup =>
  html`<table class="summary">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${rows}
    </tbody>
  </table>`;

function summaryRow(
  label: string,
  count: string,
  minor: number,
  currency: Currency,
  kind = "",
): Markup {
  return html`<tr class="${kind}">
    <th scope="row">${label}</th>
    <td class="number count">${count}</td>
    <td class="number">${amount(minor, currency)}</td>
  </tr>`;
}

/** Empty without entries. `sign` is that of the amount's effect on the sum. */
function totalRow(
  label: string,
  { entries, amountMinor }: KindTotal,
  currency: Currency,
  sign: 1 | -1 = 1,
) {
  const count = entries === 1 ? "1 entry" : `${String(entries)} entries`;
  return entries === 0 ? "" : summaryRow(label, count, sign * amountMinor, currency);
}

const feesRow = (minor: number, currency: Currency) =>
  summaryRow("Fees, contained in the orders", "", minor, currency, "part");

/** A table that has its own scrollbar on a narrow screen. With tabindex, it can be scrolled with the keyboard. */
function entryTable(label: string, lastHeads: string[], rows: Markup[]): Markup {
  if (rows.length === 0) return html`<p class="none">There are no entries in this month.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="entries">
      <thead>
        <tr>
          <th scope="col" class="number">No.</th>
          <th scope="col">Date</th>
          <th scope="col">Description</th>
          ${["Gifts", "Fee", "Amount", ...lastHeads].map(
            (head) => html`<th scope="col" class="number">${head}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function entryRow(
  { sequence, createdAtMs, qty, feeMinor, amountMinor }: StatementEntry | InvoiceEntry,
  currency: Currency,
  description: Markup,
  lastMinor: number[],
): Markup {
  const fee = feeMinor === null ? "" : amount(feeMinor, currency);
  const amounts = [amountMinor, ...lastMinor].map((minor) => amount(minor, currency));
  const cells = [qty ?? "", fee, ...amounts];
  return html`<tr>
    <td class="number">${sequence}</td>
    <td class="date">${time(createdAtMs)}</td>
    <td>${description}</td>
    ${cells.map((cell) => html`<td class="number">${cell}</td>`)}
  </tr>`;
}

const number = (orderId: number) => html`<span class="order">${orderNumber(orderId)}</span>`;

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

/** -1234567 of AUD → `−12,345.67`, with a minus sign. */
function amount(minor: number, currency: Currency): string {
  return formatAmount(minor, currency)
    .replace("-", "\u2212")
    .replace(/(?<!\.\d*)\d(?=(?:\d{3})+(?:\.|$))/g, "$&,");
}
