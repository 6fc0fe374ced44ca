// The rows of a statement: one for each entry, between the rows of what its ledger had before and after the month. Scripts
// rely on the columns: add new ones at the end.
import {
  type AccountPeriod,
  bindAccountEntries,
  bindAccountTotals,
  type StatementEntry,
} from "./account.ts";
import {
  bindInvoiceEntries,
  bindInvoiceTotals,
  type InvoiceEntry,
  type InvoicePeriod,
  type InvoiceSums,
  owedMinor,
} from "./invoice.ts";
import type { EntriesParams, EntryRange, LedgerTotal } from "./ledger-range.ts";
import type { StatementLedgers } from "./month.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { adjustmentName } from "../../features/credit/response.ts";
import type { Bound } from "../../platform/db/sql.ts";
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
  before: Sums;
  after: Sums;
  /** What the entries add up to. */
  changeMinor: number;
  opening: StatementRow;
  closing: StatementRow;
  bindEntries: (d1: D1Database, params: EntriesParams) => Bound<object>;
  bindTotals: (d1: D1Database, params: EntriesParams) => Bound<LedgerTotal>;
  /** The row of an entry that was read with `bindEntries`. */
  rowOf: (entry: never) => StatementRow;
}

/** The parameters for the entries from the sequence on, and before another one, that are in the ledger. */
export const entriesIn = (
  clientId: string,
  { currency, firstSequence, endSequence }: EntryRange,
  from = firstSequence,
  end = endSequence,
): EntriesParams => ({
  clientId,
  currency,
  fromSequence: Math.max(from, firstSequence),
  endSequence: Math.min(end, endSequence),
});

/** The ledgers of a statement in the order of the file. */
export function ledgersOf({ accounts, invoiced, ...month }: StatementLedgers): StatementLedger[] {
  return [
    ...accounts.map((account) => accountLedger(account, month)),
    ...invoiced.map((period) => invoiceLedger(period, month)),
  ];
}

type StatementMonth = Omit<StatementLedgers, "accounts" | "invoiced">;

const rowIn =
  ({ clientId, month }: StatementMonth, currency: Currency) =>
  (type: string, cells: Partial<StatementRow>): StatementRow => ({
    ...EMPTY,
    client_id: clientId,
    month,
    currency,
    type,
    ...cells,
  });

function accountLedger(account: AccountPeriod, month: StatementMonth): StatementLedger {
  const { currency } = account;
  const row = rowIn(month, currency);
  const amount = (minor: number) => formatAmount(minor, currency);
  const { openingMinor, closingMinor } = account;
  const balance = (date: number, minor: number) => ({ date, balance: amount(minor) });
  return {
    kind: "credit",
    range: account,
    before: { "Opening balance": openingMinor },
    after: { "Closing balance": closingMinor },
    changeMinor: closingMinor - openingMinor,
    opening: row("opening_balance", balance(month.fromMs, openingMinor)),
    closing: row("closing_balance", balance(month.toMs, closingMinor)),
    bindEntries: bindAccountEntries,
    bindTotals: bindAccountTotals,
    rowOf: (entry: StatementEntry) =>
      row(entry.kind === "adjustment" ? adjustmentName(entry.amountMinor) : entry.kind, {
        ...entryCells(entry, currency),
        order_total: entry.kind === "order" ? amount(-entry.amountMinor) : null,
        note: entry.note,
        balance: amount(entry.balanceMinor),
      }),
  };
}

function invoiceLedger(period: InvoicePeriod, month: StatementMonth): StatementLedger {
  const { currency } = period;
  const row = rowIn(month, currency);
  const amount = (minor: number) => formatAmount(minor, currency);
  const { opening, closing } = period;
  const sums = (each: InvoiceSums) => ({
    balance: amount(owedMinor(each)),
    unpaid: amount(each.unpaidMinor),
    to_be_refunded: amount(each.toRefundMinor),
  });
  return {
    kind: "invoice",
    range: period,
    before: {
      "Unpaid at the beginning": opening.unpaidMinor,
      "To be refunded at the beginning": opening.toRefundMinor,
    },
    after: {
      Unpaid: closing.unpaidMinor,
      "To be refunded": closing.toRefundMinor,
      "Owed at the end": owedMinor(closing),
    },
    changeMinor: owedMinor(closing) - owedMinor(opening),
    opening: row("invoice_opening", { date: month.fromMs, ...sums(opening) }),
    closing: row("invoice_closing", { date: month.toMs, ...sums(closing) }),
    bindEntries: bindInvoiceEntries,
    bindTotals: (d1, params) => bindInvoiceTotals(d1, params, opening.toRefundMinor),
    rowOf: (entry: InvoiceEntry) =>
      row(`invoice_${entry.kind}`, {
        ...entryCells(entry, currency),
        order_total: entry.kind === "order" ? amount(entry.amountMinor) : null,
        order_date: entry.orderCreatedAtMs,
        ...sums(entry),
      }),
  };
}

const entryCells = (entry: StatementEntry | InvoiceEntry, currency: Currency) => ({
  sequence: entry.sequence,
  date: entry.createdAtMs,
  order_number: entry.orderId,
  order_ref_id: entry.orderRefId,
  qty: entry.qty,
  order_fee: entry.feeMinor === null ? null : formatAmount(entry.feeMinor, currency),
  reference: entry.reference,
  amount: formatAmount(entry.amountMinor, currency),
});
