// A statement as text for the terminal.
import type { StatementEntry } from "../../operator/credit/account-statement.ts";
import { TOTAL_KINDS, type TotalKind } from "../../operator/credit/statement-totals.ts";
import {
  INVOICE_TOTAL_KINDS,
  type InvoiceEntry,
  type InvoiceSums,
  type InvoiceTotalKind,
} from "../../operator/credit/invoice-statement.ts";
import { orderNumber } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount, formatCurrency } from "../../core/values/money.ts";
import { formatDateTime, formatDay } from "../../core/values/time.ts";
import {
  type AccountStatement,
  type InvoicedStatement,
  type MonthStatement,
  owedMinor,
  PROVISIONAL,
} from "../../operator/credit/month-statement.ts";
import { type Cell, type Columns, fields, tableOf } from "../terminal.ts";

const TOTAL_LABELS: Record<TotalKind, string> = {
  creditAdded: "credit added",
  creditRemoved: "credit removed",
  orders: "orders",
  cancellations: "cancellations",
  expiries: "expiries",
};

export function statementText(statement: MonthStatement): string {
  const { environment, clientId, clientName, month, isFinal, accounts, invoiced } = statement;
  const parts = [
    fields({ client: `${clientName} (${clientId})`, month: `${month} (UTC)`, environment }),
    ...(isFinal ? [] : [PROVISIONAL]),
    ...accounts.map(accountText),
    ...invoiced.map(invoicedText),
  ];
  if (accounts.length + invoiced.length === 0) parts.push("(no accounts and no orders on invoice)");
  return `${parts.join("\n\n")}\n`;
}

function accountText({ currency, openingMinor, totals, closingMinor, entries }: AccountStatement) {
  const summary: Record<string, Cell> = {
    "opening balance": formatCurrency(openingMinor, currency),
  };
  for (const kind of TOTAL_KINDS) {
    const { amountMinor, entries: number } = totals[kind];
    summary[TOTAL_LABELS[kind]] = `${formatCurrency(amountMinor, currency)} (${String(number)})`;
  }
  summary["fees in the orders"] = formatCurrency(totals.feesMinor, currency);
  summary["closing balance"] = formatCurrency(closingMinor, currency);
  return [
    `Credit account in ${currency}`,
    fields(summary),
    "",
    tableOf(entries, {
      ...ENTRY_COLUMNS,
      ORDER: ({ orderId }) => (orderId === null ? null : orderNumber(orderId)),
      ...amountColumns(currency),
      BALANCE: (entry) => formatAmount(entry.balanceMinor, currency),
      NOTE: (entry) => entry.note,
    }),
  ].join("\n");
}

type Entry = StatementEntry | InvoiceEntry;

const ENTRY_COLUMNS: Columns<Entry> = {
  "#": (entry) => entry.sequence,
  DATE: (entry) => formatDateTime(entry.createdAtMs),
  KIND: (entry) => entry.kind,
};

const amountColumns = (currency: Currency): Columns<Entry> => ({
  REFERENCE: (entry) => entry.reference ?? entry.orderRefId,
  QTY: (entry) => entry.qty,
  FEE: ({ feeMinor }) => (feeMinor === null ? null : formatAmount(feeMinor, currency)),
  AMOUNT: (entry) => formatAmount(entry.amountMinor, currency),
});

const INVOICE_TOTAL_LABELS: Record<InvoiceTotalKind, string> = {
  orders: "orders",
  endedUnpaid: "cancelled or expired before payment",
  payments: "paid",
  endedPaid: "cancelled or expired after payment",
  refunds: "refunded",
};

function invoicedText({ currency, opening, totals, closing, entries }: InvoicedStatement): string {
  const amount = (minor: number) => formatCurrency(minor, currency);
  const sums = (when: string, each: InvoiceSums) => ({
    [`unpaid at the ${when}`]: amount(each.unpaidMinor),
    [`to be refunded at the ${when}`]: amount(each.toRefundMinor),
  });
  const summary: Record<string, Cell> = sums("beginning", opening);
  for (const kind of INVOICE_TOTAL_KINDS) {
    const { amountMinor, entries: number } = totals[kind];
    summary[INVOICE_TOTAL_LABELS[kind]] = `${amount(amountMinor)} (${String(number)})`;
  }
  return [
    `Orders on invoice in ${currency}`,
    fields({
      ...summary,
      "fees in the orders": amount(totals.feesMinor),
      ...sums("end", closing),
      "owed at the end": amount(owedMinor(closing)),
    }),
    "",
    tableOf(entries, {
      ...ENTRY_COLUMNS,
      ORDER: (entry) => orderNumber(entry.orderId),
      ORDERED: (entry) => formatDay(entry.orderCreatedAtMs),
      ...amountColumns(currency),
      UNPAID: (entry) => formatAmount(entry.unpaidMinor, currency),
      "TO REFUND": (entry) => formatAmount(entry.toRefundMinor, currency),
    }),
  ].join("\n");
}
