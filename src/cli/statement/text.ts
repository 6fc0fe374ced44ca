// A statement as text for the terminal.
import type { StatementEntry } from "../../credit/account-statement.ts";
import { TOTAL_KINDS, type TotalKind } from "../../credit/statement-totals.ts";
import { orderNumber } from "../../values/ids.ts";
import { formatAmount, formatCurrency } from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import type { AccountStatement, InvoicedStatement, MonthStatement } from "./source.ts";
import { type Cell, fields, table } from "../terminal.ts";

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
    ...(isFinal ? [] : ["The statement is provisional, because the month has not ended."]),
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
    table(
      ["#", "DATE", "KIND", "ORDER", "REFERENCE", "QTY", "FEE", "AMOUNT", "BALANCE", "NOTE"],
      entries.map(entryRow),
    ),
  ].join("\n");
}

const entryRow = (entry: StatementEntry): Cell[] => [
  entry.sequence,
  formatDateTime(entry.createdAtMs),
  entry.kind,
  entry.orderId === null ? null : orderNumber(entry.orderId),
  entry.reference ?? entry.orderRefId,
  entry.qty,
  entry.feeMinor === null ? null : formatAmount(entry.feeMinor),
  formatAmount(entry.amountMinor),
  formatAmount(entry.balanceMinor),
  entry.note,
];

function invoicedText(invoiced: InvoicedStatement): string {
  const { currency, orders } = invoiced;
  return [
    `Orders on invoice in ${currency}`,
    fields({
      orders: `${formatCurrency(invoiced.totalMinor, currency)} (${String(orders.length)})`,
      "fees in the orders": formatCurrency(invoiced.feesMinor, currency),
      "cancelled or expired": formatCurrency(-invoiced.endedMinor, currency),
      remaining: formatCurrency(invoiced.remainingMinor, currency),
    }),
    "",
    table(
      ["DATE", "ORDER", "REFERENCE", "STATUS", "QTY", "ENDED", "FEE", "TOTAL", "REMAINING"],
      orders.map((order) => [
        formatDateTime(order.createdAtMs),
        orderNumber(order.id),
        order.orderRefId,
        order.status,
        order.qty,
        order.endedQty,
        formatAmount(order.feeMinor),
        formatAmount(order.totalMinor),
        formatAmount(order.totalMinor - order.endedMinor),
      ]),
    ),
  ].join("\n");
}
