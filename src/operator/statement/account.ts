// Statements of credit accounts: the entries of a month, with its opening and closing balances.
import { columnsOf } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import { expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import {
  accountPeriods,
  type EntriesParams,
  IN_RANGE,
  type LedgerTotal,
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

const ACCOUNTS = fragment`SELECT currency FROM credit_accounts WHERE client_id = ${"clientId"}`;

const SELECT_PERIODS = sql<LedgerRangeParams>()`
  SELECT ${PERIOD} ${accountPeriods(fragment`credit_entries`, ACCOUNTS)}`;

/**
 * The statement of the periods of the client's accounts, by currency. Consecutive periods neither overlap nor have gaps.
 * It reads a few rows for each account.
 */
export const bindAccountPeriods = (d1: D1Database, params: LedgerRangeParams) =>
  SELECT_PERIODS.bind(d1, params);

/** An entry of the ledger, with values of its order. Amounts are in minor units, and negative if they reduce the balance. */
const ENTRY = {
  ...columnsOf<CreditEntries>("e")("sequence", "kind", "amountMinor", "balanceMinor", "orderId"),
  ...columnsOf<CreditEntries>("e")("reference", "note", "createdAtMs"),
  ...ORDER_OF_ENTRY,
};

export type StatementEntry = RowOf<typeof ENTRY>;

const SELECT_ENTRIES = sql<EntriesParams>()`
  SELECT ${ENTRY} FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id
  WHERE ${IN_RANGE}`;

/** The statement of a page of entries. */
export const bindAccountEntries = (d1: D1Database, params: EntriesParams) =>
  SELECT_ENTRIES.bind(d1, params);

const ITEM = fragment`CASE e.kind WHEN 'order' THEN 'Orders' WHEN 'cancellation' THEN 'Cancelled gifts'
  WHEN 'expiry' THEN 'Expired gifts' ELSE iif(e.amount_minor < 0, 'Corrections of top-ups', 'Top-ups') END`;

const SELECT_TOTALS = sql<EntriesParams, LedgerTotal>()`
  ${ledgerTotals(ITEM, fragment`credit_entries e LEFT JOIN orders o ON o.id = e.order_id`)}`;

/** The statement of the totals of entries. Adjustments have two, one for each sign. */
export const bindAccountTotals = (d1: D1Database, params: EntriesParams) =>
  SELECT_TOTALS.bind(d1, params);
