// Statements of credit accounts: the entries of a month, with its opening and closing balances.
import { columnsOf } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import { expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import {
  accountPeriods,
  entriesOf,
  type EntriesParams,
  IN_CLIENTS,
  IN_RANGE,
  type LedgerTotal,
  movedEntries,
  ORDER_OF_ENTRY,
  RANGE_COLUMNS,
  type LedgerRangeParams,
  ledgerTotals,
} from "./ledger-range.ts";

const PERIOD = {
  ...RANGE_COLUMNS,
  openingMinor: expression<number>()`coalesce(b.balance_minor, 0)`,
  closingMinor: expression<number>()`coalesce(l.balance_minor, 0)`,
};

/** The part of an account's ledger that is in a period. */
export type AccountPeriod = RowOf<typeof PERIOD>;

const LEDGER = fragment`credit_entries`;

const ACCOUNTS = fragment`SELECT client_id, currency FROM credit_accounts WHERE ${IN_CLIENTS}`;

/** The clients and currencies whose accounts have entries in the period. */
export const ACCOUNTS_WITH_ENTRIES = fragment`
  SELECT a.client_id, a.currency FROM (${ACCOUNTS}) a WHERE EXISTS (${entriesOf(LEDGER)})`;

/**
 * The periods of the clients' accounts, by client and currency. Consecutive periods neither overlap nor have gaps. It reads
 * a few rows for each account.
 */
export const SELECT_ACCOUNT_PERIODS = sql<LedgerRangeParams>()`
  SELECT ${PERIOD} ${accountPeriods(LEDGER, ACCOUNTS)}`;

/** An entry of the ledger, with values of its order. Amounts are in minor units, and negative if they reduce the balance. */
const ENTRY = {
  ...columnsOf<CreditEntries>("e")("clientId", "currency", "sequence", "kind", "amountMinor"),
  ...columnsOf<CreditEntries>("e")("balanceMinor", "orderId", "reference", "note"),
  ...columnsOf<CreditEntries>("e")("createdAtMs", "valueAtMs"),
  ...ORDER_OF_ENTRY,
};

export type StatementEntry = RowOf<typeof ENTRY>;

export const SELECT_ACCOUNT_ENTRIES = sql<EntriesParams>()`
  SELECT ${ENTRY} FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id
  WHERE ${IN_RANGE}`;

/** The entries that were booked after the month of their value date. */
export const SELECT_ACCOUNT_MOVES = sql<LedgerRangeParams>()`
  SELECT ${ENTRY} ${movedEntries(LEDGER, ACCOUNTS)}`;

const ITEM = fragment`CASE e.kind WHEN 'order' THEN 'Paid for orders' WHEN 'cancellation' THEN 'Cancelled gifts'
  WHEN 'expiry' THEN 'Expired gifts' ELSE iif(e.amount_minor < 0, 'Corrections of top-ups', 'Top-ups') END`;

/** The totals of entries. Adjustments have two, one for each sign. */
export const SELECT_ACCOUNT_TOTALS = sql<LedgerRangeParams, LedgerTotal>()`
  ${ledgerTotals(ITEM, LEDGER, ACCOUNTS)}`;
