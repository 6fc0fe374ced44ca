// Statements of credit accounts: the entries of a month, with its opening and closing balances.
import { columnsOf } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import { expression, fragment, type RowOf } from "../../platform/db/sql.ts";
import { IN_CLIENTS, ledgerSql, ORDER_OF_ENTRY, RANGE_COLUMNS } from "./ledger-range.ts";

const PERIOD = {
  ...RANGE_COLUMNS,
  openingMinor: expression<number>()`coalesce(b.balance_minor, 0)`,
  closingMinor: expression<number>()`coalesce(l.balance_minor, 0)`,
};

/** The part of an account's ledger that is in a period. */
export type AccountPeriod = RowOf<typeof PERIOD>;

/** An entry of the ledger, with values of its order. Amounts are in minor units, and negative if they reduce the balance. */
const ENTRY = {
  ...columnsOf<CreditEntries>("e")("clientId", "currency", "sequence", "kind", "amountMinor"),
  ...columnsOf<CreditEntries>("e")("balanceMinor", "orderId", "reference", "note"),
  ...columnsOf<CreditEntries>("e")("createdAtMs", "valueAtMs"),
  ...ORDER_OF_ENTRY,
};

export type StatementEntry = RowOf<typeof ENTRY>;

/** Adjustments have two totals, one for each sign. */
export const CREDIT_LEDGER = ledgerSql({
  ledger: fragment`credit_entries`,
  accounts: fragment`SELECT client_id, currency FROM credit_accounts WHERE ${IN_CLIENTS}`,
  period: fragment`${PERIOD}`,
  entry: fragment`${ENTRY}`,
  item: fragment`CASE e.kind WHEN 'order' THEN 'Paid for orders' WHEN 'cancellation' THEN 'Cancelled gifts'
    WHEN 'expiry' THEN 'Expired gifts' ELSE iif(e.amount_minor < 0, 'Corrections of top-ups', 'Top-ups') END`,
});
