// The rows of a statement: one for each entry, between the rows of what its ledger had before and after the month. Scripts
// rely on the columns: add new ones at the end.
import { type AccountPeriod, CREDIT_LEDGER, type StatementEntry } from "./account.ts";
import {
  INVOICE_LEDGER,
  type InvoiceEntry,
  type InvoicePeriod,
  type InvoiceSums,
  owedMinor,
} from "./invoice.ts";
import {
  type EntriesParams,
  type EntryRange,
  isOf,
  type LedgerTotal,
  movesOf,
} from "./ledger-range.ts";
import type { NumberedStatement } from "./closing-queries.ts";
import type { MonthLedgers } from "./month.ts";
import type { Currency } from "../../core/values/iso.ts";
import { orderNumber } from "../../core/values/ids.ts";
import { formatAmount } from "../../core/values/money.ts";
import { adjustmentName } from "../../features/credit/response.ts";
import type { Bound } from "../../platform/db/sql.ts";
import { wordsOf } from "../words.ts";
import * as kinds from "../declaration/kinds.ts";

/** In the order of the CSV file. All amounts of a row are in its currency. */
export const STATEMENT_COLUMNS = {
  client_id: kinds.client("Client"),
  month: kinds.month("Month"),
  currency: kinds.currency("Currency"),
  /** Those of orders on invoice begin with `invoice_`. */
  type: kinds.text("Type"),
  sequence: kinds.count("No."),
  date: kinds.time("Date"),
  order_number: kinds.order("Order"),
  order_ref_id: kinds.text("Reference of the order"),
  qty: kinds.count("Gifts"),
  order_fee: kinds.amount("Fee"),
  order_total: kinds.amount("Total of the order"),
  reference: kinds.text("Reference"),
  note: kinds.lines("Note"),
  amount: kinds.amount("Amount"),
  /** Of orders on invoice, what the client owes: unpaid less to be refunded. */
  balance: kinds.amount("Balance after"),
  order_date: kinds.time("Order placed"),
  unpaid: kinds.amount("Unpaid"),
  to_be_refunded: kinds.amount("To be refunded"),
  /** Later than the date if the entry has a value date. */
  booked: kinds.time("Booked"),
  /** For programs of accounting. Null until the month is closed. */
  number: kinds.text("Number of the statement"),
  contact: kinds.text("Contact"),
  description: kinds.text("Description"),
  campaign: kinds.text("Campaign"),
  tax_code: kinds.text("Tax code"),
};

export type StatementRow = kinds.OutputOf<typeof STATEMENT_COLUMNS>;

const EMPTY = Object.fromEntries(
  Object.keys(STATEMENT_COLUMNS).map((name) => [name, null]),
) as StatementRow;

/** Values of a ledger before or after the month, in minor units, by their names. */
type Sums = Readonly<Record<string, number>>;

/** A ledger, whose rows are numbered: those of entries by their sequences, the others by the numbers before and after. */
export interface StatementLedger {
  kind: "credit" | "invoice";
  range: EntryRange;
  /** The beginning of the month. */
  fromMs: number;
  /** The numbered statement. Undefined until the month is closed. */
  numbered: NumberedStatement | undefined;
  totals: readonly LedgerTotal[];
  before: Sums;
  after: Sums;
  /** Credit, or what is owed. The difference is what the entries add up to. */
  balances: { openingMinor: number; closingMinor: number };
  opening: StatementRow;
  closing: StatementRow;
  bindEntries: (d1: D1Database, params: EntriesParams) => Bound<object>;
  /** Entries of the month that were booked later. They follow the others. */
  late: readonly StatementRow[];
  /** The row of an entry that was read with `bindEntries`. */
  rowOf: (entry: never) => StatementRow;
}

/** The parameters for the entries from the sequence on, and before another one, that are in the ledger. */
export const entriesIn = (
  { range: { clientId, currency, firstSequence, endSequence }, fromMs }: StatementLedger,
  from = firstSequence,
  end = endSequence,
): EntriesParams => ({
  clientId,
  currency,
  fromMs,
  fromSequence: Math.max(from, firstSequence),
  endSequence: Math.min(end, endSequence),
});

/** The ledgers of statements in the order of the file. */
export const ledgersOf = (month: MonthLedgers): StatementLedger[] => [
  ...month.accounts.map((account) => accountLedger(account, month)),
  ...month.invoiced.map((period) => invoiceLedger(period, month)),
];

const ledgerIn = (
  { fromMs, numbered, totals }: MonthLedgers,
  kind: StatementLedger["kind"],
  range: EntryRange,
) => ({
  kind,
  range,
  fromMs,
  numbered: numbered.find(isOf(range)),
  totals: totals[kind].filter(isOf(range)),
});

const rowIn =
  (month: string, { range, numbered }: Pick<StatementLedger, "range" | "numbered">) =>
  (type: string, cells: Partial<StatementRow>): StatementRow => ({
    ...EMPTY,
    client_id: range.clientId,
    month,
    currency: range.currency,
    type,
    number: numbered?.name ?? null,
    contact: numbered?.addressee.split("\n")[0] ?? null,
    description: [
      wordsOf(type.replace("invoice_", "")),
      cells.order_number == null ? null : orderNumber(cells.order_number),
      ...[cells.order_ref_id, cells.reference],
    ]
      .filter((text) => text != null)
      .join(" "),
    ...cells,
  });

export const sumOf = (totals: readonly LedgerTotal[], name: "amountMinor" | "feesMinor") =>
  totals.reduce((sum, total) => sum + total[name], 0);

/** Whether the entries lead from the opening to the closing balance. */
export const addsUp = ({ balances, totals }: StatementLedger) =>
  balances.openingMinor + sumOf(totals, "amountMinor") === balances.closingMinor;

function accountLedger(account: AccountPeriod, month: MonthLedgers): StatementLedger {
  const { currency } = account;
  const ledger = ledgerIn(month, "credit", account);
  const row = rowIn(month.month, ledger);
  const amount = (minor: number) => formatAmount(minor, currency);
  const moves = movesOf(month.movedAccounts, account, month);
  const openingMinor = account.openingMinor + moves.openingMinor;
  const closingMinor = account.closingMinor + moves.closingMinor;
  const balance = (date: number, minor: number) => ({ date, balance: amount(minor) });
  const rowOf = (entry: StatementEntry) =>
    row(entry.kind === "adjustment" ? adjustmentName(entry.amountMinor) : entry.kind, {
      ...entryCells(entry, currency),
      order_total: entry.kind === "order" ? amount(-entry.amountMinor) : null,
      note: entry.note,
      balance: amount(moves.balanceAfter(entry, entry.balanceMinor, closingMinor)),
    });
  return {
    ...ledger,
    before: { "Opening balance": openingMinor },
    after: { "Closing balance": closingMinor },
    balances: { openingMinor, closingMinor },
    opening: row("opening_balance", balance(month.fromMs, openingMinor)),
    closing: row("closing_balance", balance(month.toMs, closingMinor)),
    bindEntries: CREDIT_LEDGER.entries.bind,
    late: moves.late.map(rowOf),
    rowOf,
  };
}

/** Payments with a value date change only what is unpaid. */
function invoiceLedger(period: InvoicePeriod, month: MonthLedgers): StatementLedger {
  const { currency } = period;
  const ledger = ledgerIn(month, "invoice", period);
  const row = rowIn(month.month, ledger);
  const amount = (minor: number) => formatAmount(minor, currency);
  const moves = movesOf(month.movedInvoiced, period, month);
  const opening = {
    unpaidMinor: period.openingUnpaidMinor + moves.openingMinor,
    toRefundMinor: period.openingToRefundMinor,
  };
  const closing = {
    unpaidMinor: period.closingUnpaidMinor + moves.closingMinor,
    toRefundMinor: period.closingToRefundMinor,
  };
  const sums = (each: InvoiceSums) => ({
    balance: amount(owedMinor(each)),
    unpaid: amount(each.unpaidMinor),
    to_be_refunded: amount(each.toRefundMinor),
  });
  const sumsAfter = (entry: InvoiceEntry): InvoiceSums => ({
    unpaidMinor: moves.balanceAfter(entry, entry.unpaidMinor, closing.unpaidMinor),
    toRefundMinor: moves.late.includes(entry) ? closing.toRefundMinor : entry.toRefundMinor,
  });
  const rowOf = (entry: InvoiceEntry) =>
    row(`invoice_${entry.kind}`, {
      ...entryCells(entry, currency),
      order_total: entry.kind === "order" ? amount(entry.amountMinor) : null,
      order_date: entry.orderCreatedAtMs,
      ...sums(sumsAfter(entry)),
    });
  return {
    ...ledger,
    before: {
      "Unpaid at the beginning": opening.unpaidMinor,
      "To be refunded at the beginning": opening.toRefundMinor,
    },
    after: {
      Unpaid: closing.unpaidMinor,
      "To be refunded": closing.toRefundMinor,
      "Owed at the end": owedMinor(closing),
    },
    balances: { openingMinor: owedMinor(opening), closingMinor: owedMinor(closing) },
    opening: row("invoice_opening", { date: month.fromMs, ...sums(opening) }),
    closing: row("invoice_closing", { date: month.toMs, ...sums(closing) }),
    bindEntries: INVOICE_LEDGER.entries.bind,
    late: moves.late.map(rowOf),
    rowOf,
  };
}

const entryCells = (entry: StatementEntry | InvoiceEntry, currency: Currency) => ({
  sequence: entry.sequence,
  date: entry.valueAtMs ?? entry.createdAtMs,
  booked: entry.createdAtMs,
  order_number: entry.orderId,
  order_ref_id: entry.orderRefId,
  campaign: entry.campaign,
  tax_code: entry.taxCode,
  qty: entry.qty,
  order_fee: entry.feeMinor === null ? null : formatAmount(entry.feeMinor, currency),
  reference: entry.reference,
  amount: formatAmount(entry.amountMinor, currency),
});
