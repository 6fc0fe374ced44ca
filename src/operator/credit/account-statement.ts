// Statements of credit accounts for the operator's commands: the entries of a month, with its opening and closing
// balances. src/operator/credit/statement-totals.ts adds the entries up.
import { fragment, statement } from "../../platform/db/statement.ts";
import {
  type BoundaryParams,
  boundaryParams,
  type BoundaryRow,
  type EntriesParams,
  type EntryRange,
  pagesOf,
  type Period,
  rangesOf,
  withBoundaries,
} from "./period-boundaries.ts";

interface BalanceRow extends BoundaryRow {
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

/**
 * The periods of the client's accounts, by currency. `fromMs` is inclusive and `toMs` exclusive. Consecutive periods
 * neither overlap nor have gaps. One round trip; it reads few rows of a ledger of any size.
 */
export async function findAccountPeriods(
  d1: D1Database,
  clientId: string,
  period: Period,
): Promise<AccountPeriod[]> {
  const rows = await SELECT_BOUNDARIES.all(d1, boundaryParams(clientId, period));
  return rangesOf(rows, period).map(({ range, start, end }) => ({
    ...range,
    openingMinor: start.balanceMinor,
    closingMinor: end.balanceMinor,
  }));
}

/** An entry of the ledger, with values of its order. Amounts in minor units. */
export interface StatementEntry {
  sequence: number;
  kind: "adjustment" | "order" | "cancellation" | "expiry";
  /** Negative if it reduced the balance. */
  amountMinor: number;
  /** The balance after the entry. */
  balanceMinor: number;
  orderId: number | null;
  orderRefId: string | null;
  /** The number of gifts of an order. Null for other entries. */
  qty: number | null;
  /** The fee that the amount of an order contains. Null for other entries. */
  feeMinor: number | null;
  /** The reference of an adjustment. */
  reference: string | null;
  note: string | null;
  createdAtMs: number;
}

const SELECT_ENTRIES = statement<EntriesParams, StatementEntry>()`
  SELECT e.sequence, e.kind, e.amount_minor AS amountMinor, e.balance_minor AS balanceMinor,
    e.order_id AS orderId, o.order_ref_id AS orderRefId, iif(e.kind = 'order', o.qty, NULL) AS qty,
    iif(e.kind = 'order', o.order_fee_minor, NULL) AS feeMinor, e.reference, e.note,
    e.created_at_ms AS createdAtMs
  FROM credit_entries e LEFT JOIN orders o ON o.id = e.order_id
  WHERE e.client_id = ${"clientId"} AND e.currency = ${"currency"}
    AND e.sequence >= ${"fromSequence"} AND e.sequence < ${"endSequence"}
  ORDER BY e.sequence`;

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
  const { currency, openingMinor, closingMinor } = period;
  const read = (params: EntriesParams) => SELECT_ENTRIES.all(d1, params);
  let balanceMinor = openingMinor;
  for await (const page of pagesOf(clientId, period, read, pageEntries)) {
    for (const { amountMinor } of page) balanceMinor += amountMinor;
    yield page;
  }
  if (balanceMinor !== closingMinor) {
    throw new Error(`the ledger of ${clientId} in ${currency} does not add up`);
  }
}
