// Statements of orders on invoice: the entries of a month, with what was unpaid and to be refunded before and after them.
import { IN_CLIENTS, ledgerSql, ORDER_OF_ENTRY, RANGE_COLUMNS } from "./ledger-range.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { InvoiceEntries } from "../../platform/db/schema.ts";
import { expression, fragment, type RowOf } from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";

/** The sums over all orders at a time, in minor units. An order is unpaid, or it is paid and has an amount to refund. */
export interface InvoiceSums {
  unpaidMinor: number;
  toRefundMinor: number;
}

/** What the client owes: the unpaid sum less the sum to be refunded. */
export const owedMinor = ({ unpaidMinor, toRefundMinor }: InvoiceSums) =>
  unpaidMinor - toRefundMinor;

const PERIOD = {
  ...RANGE_COLUMNS,
  openingUnpaidMinor: expression<number>()`coalesce(b.unpaid_minor, 0)`,
  openingToRefundMinor: expression<number>()`coalesce(b.to_refund_minor, 0)`,
  closingUnpaidMinor: expression<number>()`coalesce(l.unpaid_minor, 0)`,
  closingToRefundMinor: expression<number>()`coalesce(l.to_refund_minor, 0)`,
};

/** The part of the ledger of orders on invoice in a currency that is in a period. */
export type InvoicePeriod = RowOf<typeof PERIOD>;

const e = columnsOf<InvoiceEntries>("e");

/**
 * An entry of the ledger, with values of its order. Amounts are in minor units. `amountMinor` is the change of what the
 * client owes: of the unpaid sum, or with the opposite sign of the sum to be refunded.
 */
const ENTRY = {
  ...e("clientId", "currency", "sequence", "kind", "orderId", "amountMinor", "unpaidMinor"),
  ...e("toRefundMinor", "reference", "createdAtMs", "valueAtMs"),
  ...ORDER_OF_ENTRY,
  /** When the order was placed, which may be in an earlier month. */
  orderCreatedAtMs: order("createdAtMs").createdAtMs,
};

export type InvoiceEntry = RowOf<typeof ENTRY>;

/** Gifts that ended before the payment of their order reduce what is unpaid. Later ones are to be refunded. */
export const INVOICE_LEDGER = ledgerSql({
  ledger: fragment`invoice_entries`,
  accounts: fragment`SELECT client_id, currency FROM invoice_entries INDEXED BY first_invoice_entries
    WHERE sequence = 1 AND ${IN_CLIENTS}`,
  period: fragment`${PERIOD}`,
  entry: fragment`${ENTRY}`,
  item: fragment`CASE e.kind WHEN 'order' THEN 'Orders' WHEN 'payment' THEN 'Payments'
    WHEN 'refund' THEN 'Refunded' ELSE iif(e.to_refund_minor <> coalesce((SELECT p.to_refund_minor
      FROM invoice_entries p WHERE p.client_id = e.client_id AND p.currency = e.currency
        AND p.sequence = e.sequence - 1), 0), 'Ended after payment', 'Ended before payment') END`,
});
