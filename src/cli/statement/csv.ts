// A statement as CSV: a row for each entry, between the rows of what its account had before and after the month. Scripts
// rely on the columns: add new ones at the end.
import type { StatementEntry } from "../../operator/credit/account-statement.ts";
import type { InvoiceEntry, InvoiceSums } from "../../operator/credit/invoice-statement.ts";
import { orderNumber } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { formatDateTime } from "../../core/values/time.ts";
import { csvRow } from "../../operator/files/csv-output.ts";
import { owedMinor, type StatementSource } from "./source.ts";
import type { Cell } from "../terminal.ts";

/** The columns and their descriptions, in the order of the file. */
export const STATEMENT_COLUMNS = {
  client_id: "the client",
  month: "such as 2026-11",
  currency: "the currency of all amounts of the row",
  type: "opening_balance, adjustment, order, cancellation, expiry, closing_balance; of orders on invoice: invoice_opening, invoice_order, invoice_cancellation, invoice_expiry, invoice_payment, invoice_refund, invoice_closing",
  sequence: "the number of the entry in the ledger of its account",
  date: "in UTC",
  order_number: "the order",
  order_ref_id: "the client's reference of the order",
  qty: "the number of gifts of an order",
  order_fee: "the fee that the total of an order contains",
  order_total: "the total of an order",
  reference: "the reference of an adjustment, or the bank's reference of a payment or refund",
  note: "the note of an adjustment",
  amount: "the change of the balance",
  balance:
    "the balance after the row; of orders on invoice, what the client owes: unpaid less to_be_refunded",
  order_date: "when an order on invoice was placed, in UTC",
  unpaid: "what is unpaid after the row, of orders on invoice",
  to_be_refunded:
    "what was paid and is to be refunded after the row, because gifts were cancelled or have expired",
} as const;

type Column = keyof typeof STATEMENT_COLUMNS;

const COLUMNS = Object.keys(STATEMENT_COLUMNS) as Column[];

/** The file in parts: the header, and a part for each page of entries or orders. */
export async function* statementCsv(source: StatementSource): AsyncGenerator<string> {
  const { clientId, month, fromMs, toMs } = source.head;
  const row = (currency: Currency, cells: Cells) => {
    const all = { ...cells, client_id: clientId, month, currency };
    return csvRow(COLUMNS.map((column) => all[column] ?? null));
  };
  yield csvRow(COLUMNS);
  for (const account of source.accounts) {
    const { currency } = account;
    const balanceRow = (type: Cell, dateMs: number, minor: number) =>
      row(currency, {
        type,
        date: formatDateTime(dateMs),
        balance: formatAmount(minor, currency),
      });
    yield balanceRow("opening_balance", fromMs, account.openingMinor);
    for await (const page of source.entriesOf(account)) {
      yield page.map((entry) => row(currency, entryCells(entry, currency))).join("");
    }
    yield balanceRow("closing_balance", toMs, account.closingMinor);
  }
  for (const period of source.invoiced) {
    const { currency } = period;
    const sumRow = (type: Cell, dateMs: number, sums: InvoiceSums) =>
      row(currency, { type, date: formatDateTime(dateMs), ...sumsOf(sums, currency) });
    yield sumRow("invoice_opening", fromMs, period.opening);
    for await (const page of source.invoiceEntriesOf(period)) {
      yield page.map((entry) => row(currency, invoiceCells(entry, currency))).join("");
    }
    yield sumRow("invoice_closing", toMs, period.closing);
  }
}

type Cells = Partial<Record<Column, Cell>>;

const entryCells = (entry: StatementEntry, currency: Currency): Cells => ({
  type: entry.kind,
  sequence: entry.sequence,
  date: formatDateTime(entry.createdAtMs),
  order_number: entry.orderId === null ? null : orderNumber(entry.orderId),
  order_ref_id: entry.orderRefId,
  qty: entry.qty,
  order_fee: entry.feeMinor === null ? null : formatAmount(entry.feeMinor, currency),
  order_total: entry.kind === "order" ? formatAmount(-entry.amountMinor, currency) : null,
  reference: entry.reference,
  note: entry.note,
  amount: formatAmount(entry.amountMinor, currency),
  balance: formatAmount(entry.balanceMinor, currency),
});

const sumsOf = (sums: InvoiceSums, currency: Currency): Cells => ({
  balance: formatAmount(owedMinor(sums), currency),
  unpaid: formatAmount(sums.unpaidMinor, currency),
  to_be_refunded: formatAmount(sums.toRefundMinor, currency),
});

const invoiceCells = (entry: InvoiceEntry, currency: Currency): Cells => ({
  type: `invoice_${entry.kind}`,
  sequence: entry.sequence,
  date: formatDateTime(entry.createdAtMs),
  order_number: orderNumber(entry.orderId),
  order_ref_id: entry.orderRefId,
  qty: entry.qty,
  order_fee: entry.feeMinor === null ? null : formatAmount(entry.feeMinor, currency),
  order_total: entry.kind === "order" ? formatAmount(entry.amountMinor, currency) : null,
  reference: entry.reference,
  amount: formatAmount(entry.amountMinor, currency),
  order_date: formatDateTime(entry.orderCreatedAtMs),
  ...sumsOf(entry, currency),
});
