// Statements of credit accounts for the operator's commands: the entries of a month, with its opening and closing
// balances. src/operator/credit/statement-totals.ts adds the entries up.
import { columnsOf } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import { fragment, type RowOf, statement } from "../../platform/db/statement.ts";
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

export interface BalanceRow extends BoundaryRow {
  /** The balance before the entry. */
  balanceMinor: number;
}

const ACCOUNTS = fragment`
  SELECT currency, entries FROM credit_accounts WHERE client_id = ${"clientId"}`;

const SELECT_BOUNDARIES = statement<BoundaryParams, BalanceRow>()`
  ${withBoundaries(fragment`credit_entries`, ACCOUNTS)}
  SELECT f.currency, f.boundary_ms AS boundaryMs, f.sequence, coalesce(
    (SELECT e.balance_minor FROM credit_entries e WHERE e.client_id = ${"clientId"}
      AND e.currency = f.currency AND e.sequence = f.sequence - 1), 0) AS balanceMinor
  FROM boundaries f`;

/** The part of an account's ledger that is in a period. */
export interface AccountPeriod extends EntryRange {
  openingMinor: number;
  closingMinor: number;
}

/** The statement of the periods of the client's accounts. It reads few rows of a ledger of any size. */
export const bindAccountBoundaries = (d1: D1Database, clientId: string, period: Period) =>
  SELECT_BOUNDARIES.bind(d1, boundaryParams(clientId, period));

/**
 * The periods by currency. `fromMs` is inclusive and `toMs` exclusive. Consecutive periods neither overlap nor have gaps.
 */
export const toAccountPeriods = (rows: BalanceRow[], period: Period): AccountPeriod[] =>
  rangesOf(rows, period).map(({ range, start, end }) => ({
    ...range,
    openingMinor: start.balanceMinor,
    closingMinor: end.balanceMinor,
  }));

/** An entry of the ledger, with values of its order. Amounts are in minor units, and negative if they reduce the balance. */
const ENTRY = {
  ...columnsOf<CreditEntries>("e")("sequence", "kind", "amountMinor", "balanceMinor", "orderId"),
  ...columnsOf<CreditEntries>("e")("reference", "note", "createdAtMs"),
  ...ORDER_OF_ENTRY,
};

export type StatementEntry = RowOf<typeof ENTRY>;

const SELECT_ENTRIES = statement<EntriesParams>()`
  SELECT ${ENTRY} FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id
  WHERE ${IN_RANGE}`;

/** The statement of a page of entries. */
export const bindAccountEntries = (d1: D1Database, params: EntriesParams) =>
  SELECT_ENTRIES.bind(d1, params);

/** Errors: if the entries do not lead from the opening to the closing balance. */
export function checkBalance(
  clientId: string,
  { currency, openingMinor, closingMinor }: AccountPeriod,
  entries: readonly Pick<StatementEntry, "amountMinor">[],
): void {
  const changeMinor = entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (openingMinor + changeMinor !== closingMinor) {
    throw new Error(`the ledger of ${clientId} in ${currency} does not add up`);
  }
}

/**
 * The entries of the period, in pages of at most `pageEntries`. Errors: if they do not lead from the opening to the closing
 * balance.
 */
export async function* readPeriodEntries(
  d1: D1Database,
  clientId: string,
  period: AccountPeriod,
  pageEntries?: number,
): AsyncGenerator<StatementEntry[]> {
  const read = (params: EntriesParams) => SELECT_ENTRIES.all(d1, params);
  let amountMinor = 0;
  for await (const page of pagesOf(clientId, period, read, pageEntries)) {
    for (const entry of page) amountMinor += entry.amountMinor;
    yield page;
  }
  checkBalance(clientId, period, [{ amountMinor }]);
}
