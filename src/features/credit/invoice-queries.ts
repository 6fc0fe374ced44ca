// Writes the ledger of orders on invoice.
import { type Fragment, fragment } from "../../platform/db/sql.ts";

/**
 * Adds an entry for the row of `source`, and none if it has no row. The columns of `source` are those of
 * `invoice_entries` without the sequence and the sums, and `owed_minor`: what the client owes for the order before. The
 * entry is not earlier than the previous one, also if the clocks of two Workers differ. `ofPayment`: the value date and the
 * bank line, which are columns of the row `n`.
 */
export const insertInvoiceEntry = <Name extends string>(
  source: Fragment<Name>,
  ofPayment: Fragment<never> = fragment`NULL, NULL`,
) => fragment`
  INSERT INTO invoice_entries (client_id, currency, sequence, kind, order_id, amount_minor,
    unpaid_minor, to_refund_minor, reference, created_at_ms, value_at_ms, bank_line)
  SELECT n.client_id, n.currency, coalesce(p.sequence, 0) + 1, n.kind, n.order_id, n.amount_minor,
    coalesce(p.unpaid_minor, 0) + max(n.owed_minor + n.amount_minor, 0) - max(n.owed_minor, 0),
    coalesce(p.to_refund_minor, 0) - min(n.owed_minor + n.amount_minor, 0) + min(n.owed_minor, 0),
    n.reference, max(n.created_at_ms, coalesce(p.created_at_ms, 0)), ${ofPayment}
  FROM (${source}) n
  LEFT JOIN invoice_entries p ON p.client_id = n.client_id AND p.currency = n.currency
    AND p.sequence = (SELECT max(l.sequence) FROM invoice_entries l
      WHERE l.client_id = n.client_id AND l.currency = n.currency)`;
