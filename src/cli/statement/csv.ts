// A statement as CSV: a row for each entry between the rows of its account's opening and closing balance, and a row for
// each order on invoice. Scripts rely on the columns: add new ones at the end.
import type { AccountPeriod, StatementEntry } from "../../credit/account-statement.ts";
import type { InvoicedOrder } from "../../orders/invoiced-orders.ts";
import { orderNumber } from "../../values/ids.ts";
import { formatAmount } from "../../values/money.ts";
import { formatDateTime } from "../../values/time.ts";
import { csvRow } from "../csv-output.ts";
import type { StatementSource } from "./source.ts";
import type { Cell } from "../terminal.ts";

/** The columns and their descriptions, in the order of the file. */
export const STATEMENT_COLUMNS = {
  client_id: "the client",
  month: "such as 2026-11",
  currency: "the currency of all amounts of the row",
  type: "opening_balance, adjustment, order, cancellation, expiry, closing_balance or invoiced_order",
  sequence: "the number of the entry in the ledger of its account",
  date: "in UTC",
  order_number: "the order",
  order_ref_id: "the client's reference of the order",
  order_status: "the status of an order on invoice",
  qty: "the number of gifts of an order",
  order_fee: "the fee that the total of an order contains",
  order_total: "the total of an order",
  ended_qty:
    "the number of cancelled and expired gifts of an order on invoice that the client does not pay for",
  ended_total: "the share of the total of these gifts",
  reference: "the reference of an adjustment",
  note: "the note of an adjustment",
  amount: "the change of the balance; empty for an order on invoice",
  balance: "the balance after the row",
} as const;

type Column = keyof typeof STATEMENT_COLUMNS;

const COLUMNS = Object.keys(STATEMENT_COLUMNS) as Column[];

/** The file in parts: the header, and a part for each page of entries or orders. */
export async function* statementCsv(source: StatementSource): AsyncGenerator<string> {
  const { clientId, month, fromMs, toMs } = source.head;
  const row = (currency: string, cells: Partial<Record<Column, Cell>>) => {
    const all = { ...cells, client_id: clientId, month, currency };
    return csvRow(COLUMNS.map((column) => all[column] ?? null));
  };
  yield csvRow(COLUMNS);
  for (const account of source.accounts) {
    const { currency } = account;
    yield row(currency, balanceCells("opening_balance", fromMs, account.openingMinor));
    for await (const page of source.entriesOf(account)) {
      yield page.map((entry) => row(currency, entryCells(entry))).join("");
    }
    yield row(currency, balanceCells("closing_balance", toMs, account.closingMinor));
  }
  for await (const page of source.invoicedOrders()) {
    yield page.map((order) => row(order.currency, orderCells(order))).join("");
  }
}

type Cells = Partial<Record<Column, Cell>>;

const balanceCells = (
  type: "opening_balance" | "closing_balance",
  dateMs: number,
  balanceMinor: AccountPeriod["openingMinor"],
): Cells => ({ type, date: formatDateTime(dateMs), balance: formatAmount(balanceMinor) });

const entryCells = (entry: StatementEntry): Cells => ({
  type: entry.kind,
  sequence: entry.sequence,
  date: formatDateTime(entry.createdAtMs),
  order_number: entry.orderId === null ? null : orderNumber(entry.orderId),
  order_ref_id: entry.orderRefId,
  qty: entry.qty,
  order_fee: entry.feeMinor === null ? null : formatAmount(entry.feeMinor),
  order_total: entry.kind === "order" ? formatAmount(-entry.amountMinor) : null,
  reference: entry.reference,
  note: entry.note,
  amount: formatAmount(entry.amountMinor),
  balance: formatAmount(entry.balanceMinor),
});

const orderCells = (order: InvoicedOrder): Cells => ({
  type: "invoiced_order",
  date: formatDateTime(order.createdAtMs),
  order_number: orderNumber(order.id),
  order_ref_id: order.orderRefId,
  order_status: order.status,
  qty: order.qty,
  order_fee: formatAmount(order.feeMinor),
  order_total: formatAmount(order.totalMinor),
  ended_qty: order.endedQty,
  ended_total: formatAmount(order.endedMinor),
});
