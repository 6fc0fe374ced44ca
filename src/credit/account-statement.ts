// Statements of credit accounts for the operator's commands: the entries of a month, with its opening and closing
// balances. src/credit/statement-totals.ts adds the entries up.
import { statement } from "../db/statement.ts";
import { HOUR_MS } from "../values/time.ts";

/** How far the clocks of two Workers or operators' machines may differ. */
export const CLOCK_TOLERANCE_MS = HOUR_MS;

/** The number of entries that one call reads. */
const PAGE_ENTRIES = 5_000;

interface BoundaryParams {
  clientId: string;
  /** JSON array of times. */
  boundaries: string;
  toleranceMs: number;
}

interface BoundaryRow {
  currency: string;
  boundaryMs: number;
  /** The first entry at or after the boundary, or the next entry of the account. */
  sequence: number;
  /** The balance before that entry. */
  balanceMinor: number;
}

// No index has the times of entries. A binary search finds the last entry before the boundary minus the tolerance, and
// the following entries are read up to the first one at or after the boundary. The steps are powers of two, so that
// later entries do not change the result (DECISIONS.md: A statement is a range of the ledger).
const SELECT_BOUNDARIES = statement<BoundaryParams, BoundaryRow>()`
  WITH RECURSIVE search (currency, boundary_ms, step, position) AS (
    SELECT a.currency, b.value, 1 << (4 * length(printf('%x', a.entries))), 0
    FROM credit_accounts a CROSS JOIN json_each(${"boundaries"}) b
    WHERE a.client_id = ${"clientId"}
    UNION ALL
    SELECT s.currency, s.boundary_ms, s.step >> 1, s.position + iif(
      (SELECT e.created_at_ms FROM credit_entries e WHERE e.client_id = ${"clientId"}
        AND e.currency = s.currency AND e.sequence = s.position + (s.step >> 1))
      < s.boundary_ms - ${"toleranceMs"}, s.step >> 1, 0)
    FROM search s WHERE s.step > 1
  ),
  boundaries (currency, boundary_ms, sequence) AS MATERIALIZED (
    SELECT s.currency, s.boundary_ms, coalesce(
      (SELECT e.sequence FROM credit_entries e WHERE e.client_id = ${"clientId"}
        AND e.currency = s.currency AND e.sequence > s.position AND e.created_at_ms >= s.boundary_ms
        ORDER BY e.sequence LIMIT 1),
      (SELECT a.entries + 1 FROM credit_accounts a
        WHERE a.client_id = ${"clientId"} AND a.currency = s.currency))
    FROM search s WHERE s.step = 1
  )
  SELECT f.currency, f.boundary_ms AS boundaryMs, f.sequence, coalesce(
    (SELECT e.balance_minor FROM credit_entries e WHERE e.client_id = ${"clientId"}
      AND e.currency = f.currency AND e.sequence = f.sequence - 1), 0) AS balanceMinor
  FROM boundaries f`;

/** The part of an account's ledger that is in a period. */
export interface AccountPeriod {
  currency: string;
  /** The sequence of the first entry. */
  firstSequence: number;
  /** The sequence after the last entry. Equal to `firstSequence` if there are no entries. */
  endSequence: number;
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
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<AccountPeriod[]> {
  const boundaries = JSON.stringify([fromMs, toMs]);
  const toleranceMs = CLOCK_TOLERANCE_MS;
  const rows = await SELECT_BOUNDARIES.all(d1, { clientId, boundaries, toleranceMs });
  const starts = rows.filter(({ boundaryMs }) => boundaryMs === fromMs);
  return starts
    .map((start) => {
      const end = rows.find(
        ({ currency, boundaryMs }) => currency === start.currency && boundaryMs === toMs,
      );
      if (!end) throw new Error(`the ledger in ${start.currency} has no end of the period`);
      return {
        currency: start.currency,
        firstSequence: start.sequence,
        endSequence: end.sequence,
        openingMinor: start.balanceMinor,
        closingMinor: end.balanceMinor,
      };
    })
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

interface EntriesParams {
  clientId: string;
  currency: string;
  /** Inclusive. */
  fromSequence: number;
  /** Exclusive. */
  endSequence: number;
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
 * The entries of the period in the order of the ledger, in pages of at most `pageEntries`. One round trip for each page.
 * Errors: if the entries do not lead from the opening to the closing balance.
 */
export async function* readPeriodEntries(
  d1: D1Database,
  clientId: string,
  period: AccountPeriod,
  pageEntries = PAGE_ENTRIES,
): AsyncGenerator<StatementEntry[]> {
  const { currency, firstSequence, endSequence, openingMinor, closingMinor } = period;
  let balanceMinor = openingMinor;
  for (let from = firstSequence; from < endSequence; from += pageEntries) {
    const page = await SELECT_ENTRIES.all(d1, {
      clientId,
      currency,
      fromSequence: from,
      endSequence: Math.min(from + pageEntries, endSequence),
    });
    for (const { amountMinor } of page) balanceMinor += amountMinor;
    yield page;
  }
  if (balanceMinor !== closingMinor) {
    throw new Error(`the ledger of ${clientId} in ${currency} does not add up`);
  }
}
