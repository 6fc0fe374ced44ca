// Statements of orders on invoice for the operator's commands: the entries of a month, with what was unpaid and to be
// refunded before and after them.
import {
  type BoundaryParams,
  boundaryParams,
  type BoundaryRow,
  type EntriesParams,
  type EntryRange,
  IN_RANGE,
  ORDER_OF_ENTRY,
  pagesOf,
  type Period,
  rangesOf,
  withBoundaries,
} from "./period-boundaries.ts";
import { addEntry, noTotals, type Totals } from "./statement-totals.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { InvoiceEntries, Orders } from "../../platform/db/schema.ts";
import { fragment, type RowOf, statement } from "../../platform/db/statement.ts";

/** The sums over all orders at a time, in minor units. An order is unpaid, or it is paid and has an amount to refund. */
export interface InvoiceSums {
  unpaidMinor: number;
  toRefundMinor: number;
}

// Reads one row of the ledger for each currency.
const ACCOUNTS = fragment`
  WITH RECURSIVE c (currency) AS (
    SELECT min(currency) FROM invoice_entries WHERE client_id = ${"clientId"}
    UNION ALL
    SELECT (SELECT min(n.currency) FROM invoice_entries n
      WHERE n.client_id = ${"clientId"} AND n.currency > c.currency)
    FROM c WHERE c.currency IS NOT NULL
  )
  SELECT c.currency, (SELECT max(l.sequence) FROM invoice_entries l
    WHERE l.client_id = ${"clientId"} AND l.currency = c.currency) AS entries
  FROM c WHERE c.currency IS NOT NULL`;

export type SumsRow = BoundaryRow & InvoiceSums;

const SELECT_BOUNDARIES = statement<BoundaryParams, SumsRow>()`
  ${withBoundaries(fragment`invoice_entries`, ACCOUNTS)}
  SELECT f.currency, f.boundary_ms AS boundaryMs, f.sequence,
    coalesce(p.unpaid_minor, 0) AS unpaidMinor, coalesce(p.to_refund_minor, 0) AS toRefundMinor
  FROM boundaries f LEFT JOIN invoice_entries p ON p.client_id = ${"clientId"}
    AND p.currency = f.currency AND p.sequence = f.sequence - 1`;

/** The part of the ledger of orders on invoice in a currency that is in a period. */
export interface InvoicePeriod extends EntryRange {
  opening: InvoiceSums;
  closing: InvoiceSums;
}

/** As `bindAccountBoundaries`, for the client's orders on invoice. */
export const bindInvoiceBoundaries = (d1: D1Database, clientId: string, period: Period) =>
  SELECT_BOUNDARIES.bind(d1, boundaryParams(clientId, period));

export const toInvoicePeriods = (rows: SumsRow[], period: Period): InvoicePeriod[] =>
  rangesOf(rows, period).map(({ range, start, end }) => ({
    ...range,
    opening: { unpaidMinor: start.unpaidMinor, toRefundMinor: start.toRefundMinor },
    closing: { unpaidMinor: end.unpaidMinor, toRefundMinor: end.toRefundMinor },
  }));

const e = columnsOf<InvoiceEntries>("e");

/**
 * An entry of the ledger, with values of its order. Amounts are in minor units. `amountMinor` is the change of what the
 * client owes: of the unpaid sum, or with the opposite sign of the sum to be refunded.
 */
const ENTRY = {
  ...e("sequence", "kind", "orderId", "amountMinor", "unpaidMinor", "toRefundMinor"),
  ...e("reference", "createdAtMs"),
  ...ORDER_OF_ENTRY,
  /** When the order was placed, which may be in an earlier month. */
  orderCreatedAtMs: columnsOf<Orders>("o")("createdAtMs").createdAtMs,
};

export type InvoiceEntry = RowOf<typeof ENTRY>;

const SELECT_ENTRIES = statement<EntriesParams>()`
  SELECT ${ENTRY} FROM invoice_entries e JOIN orders o ON o.id = e.order_id WHERE ${IN_RANGE}`;

/** The statement of a page of entries. */
export const bindInvoiceEntries = (d1: D1Database, params: EntriesParams) =>
  SELECT_ENTRIES.bind(d1, params);

/** The entries of the period, in pages of at most `pageEntries`. */
export const readInvoiceEntries = (
  d1: D1Database,
  clientId: string,
  range: EntryRange,
  pageEntries?: number,
): AsyncGenerator<InvoiceEntry[]> =>
  pagesOf(clientId, range, (params) => SELECT_ENTRIES.all(d1, params), pageEntries);

/** Gifts that ended before the payment of their order reduce what is unpaid. Later ones are to be refunded. */
export const INVOICE_TOTAL_KINDS = [
  "orders",
  "endedUnpaid",
  "payments",
  "endedPaid",
  "refunds",
] as const;

export type InvoiceTotalKind = (typeof INVOICE_TOTAL_KINDS)[number];

export type InvoiceTotals = Totals<InvoiceTotalKind>;

function totalKindOf({ kind, toRefundMinor }: InvoiceEntry, before: InvoiceSums): InvoiceTotalKind {
  if (kind === "order") return "orders";
  if (kind === "payment") return "payments";
  if (kind === "refund") return "refunds";
  return toRefundMinor > before.toRefundMinor ? "endedPaid" : "endedUnpaid";
}

/** Adds the entries up. Errors: if they do not lead from the opening to the closing sums. */
export function invoiceTotals(
  { opening, closing, currency }: InvoicePeriod,
  entries: InvoiceEntry[],
): InvoiceTotals {
  const totals = noTotals(INVOICE_TOTAL_KINDS);
  let before = opening;
  for (const entry of entries) {
    addEntry(totals, totalKindOf(entry, before), entry);
    before = entry;
  }
  const { orders, endedUnpaid, payments, endedPaid, refunds } = totals;
  const unpaidMinor =
    opening.unpaidMinor + orders.amountMinor + endedUnpaid.amountMinor + payments.amountMinor;
  const toRefundMinor = opening.toRefundMinor - endedPaid.amountMinor - refunds.amountMinor;
  if (unpaidMinor !== closing.unpaidMinor || toRefundMinor !== closing.toRefundMinor) {
    throw new Error(`the ledger of orders on invoice in ${currency} does not add up`);
  }
  return totals;
}
