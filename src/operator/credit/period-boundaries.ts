// Finds the entries of a ledger with which months begin and end (DECISIONS.md: A statement is a range of the ledger).
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import { expression, type Fragment, fragment } from "../../platform/db/statement.ts";
import { HOUR_MS } from "../../core/values/time.ts";

/** How far the clocks of two Workers or operators' machines may differ. */
export const CLOCK_TOLERANCE_MS = HOUR_MS;

/** A range of time, such as a month. */
export interface Period {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

export interface BoundaryParams {
  clientId: string;
  /** JSON array of times. */
  boundaries: string;
  toleranceMs: number;
}

export interface BoundaryRow {
  currency: Currency;
  boundaryMs: number;
  /** The first entry at or after the boundary, or the next entry of the account. */
  sequence: number;
}

export const boundaryParams = (clientId: string, { fromMs, toMs }: Period): BoundaryParams => ({
  clientId,
  boundaries: JSON.stringify([fromMs, toMs]),
  toleranceMs: CLOCK_TOLERANCE_MS,
});

/**
 * The CTE `boundaries (currency, boundary_ms, sequence)`. `ledger` is a table of entries, and `accounts` selects the
 * currency and the number of entries of each of the client's accounts in it.
 */
// No index has the times of entries. A binary search finds the last entry before the boundary minus the tolerance, and
// the following entries are read up to the first one at or after the boundary. The steps are powers of two, so that
// later entries do not change the result.
export const withBoundaries = (ledger: Fragment<never>, accounts: Fragment<"clientId">) => fragment`
  WITH RECURSIVE search (currency, entries, boundary_ms, step, position) AS (
    SELECT a.currency, a.entries, b.value, 1 << (4 * length(printf('%x', a.entries))), 0
    FROM (${accounts}) a CROSS JOIN json_each(${"boundaries"}) b
    UNION ALL
    SELECT s.currency, s.entries, s.boundary_ms, s.step >> 1, s.position + iif(
      (SELECT e.created_at_ms FROM ${ledger} e WHERE e.client_id = ${"clientId"}
        AND e.currency = s.currency AND e.sequence = s.position + (s.step >> 1))
      < s.boundary_ms - ${"toleranceMs"}, s.step >> 1, 0)
    FROM search s WHERE s.step > 1
  ),
  boundaries (currency, boundary_ms, sequence) AS MATERIALIZED (
    SELECT s.currency, s.boundary_ms, coalesce(
      (SELECT e.sequence FROM ${ledger} e WHERE e.client_id = ${"clientId"}
        AND e.currency = s.currency AND e.sequence > s.position AND e.created_at_ms >= s.boundary_ms
        ORDER BY e.sequence LIMIT 1), s.entries + 1)
    FROM search s WHERE s.step = 1
  )`;

/** Entries of an account that follow each other. */
export interface EntryRange {
  currency: Currency;
  /** The sequence of the first entry. */
  firstSequence: number;
  /** The sequence after the last entry. Equal to `firstSequence` if there are no entries. */
  endSequence: number;
}

/** The range of each account, by currency, with the rows of its two boundaries. */
export function rangesOf<Row extends BoundaryRow>(
  rows: Row[],
  { fromMs, toMs }: Period,
): { range: EntryRange; start: Row; end: Row }[] {
  return rows
    .filter(({ boundaryMs }) => boundaryMs === fromMs)
    .map((start) => {
      const { currency, sequence: firstSequence } = start;
      const end = rows.find((row) => row.currency === currency && row.boundaryMs === toMs);
      if (!end) throw new Error(`the ledger in ${currency} has no end of the period`);
      return { range: { currency, firstSequence, endSequence: end.sequence }, start, end };
    })
    .sort((a, b) => (a.range.currency < b.range.currency ? -1 : 1));
}

/** Selects entries of an account. */
export interface EntriesParams {
  clientId: string;
  currency: Currency;
  /** Inclusive. */
  fromSequence: number;
  /** Exclusive. */
  endSequence: number;
}

/** The columns of an entry `e` of a ledger that its LEFT JOINed order `o` has. */
export const ORDER_OF_ENTRY = {
  ...orNull(columnsOf<Orders>("o")("orderRefId")),
  /** The number of gifts of an order. Null for other entries. */
  qty: expression<number | null>()`iif(e.kind = 'order', o.qty, NULL)`,
  /** The fee that the amount of an order contains. Null for other entries. */
  feeMinor: expression<number | null>()`iif(e.kind = 'order', o.order_fee_minor, NULL)`,
};

/** The entries `e` of `EntriesParams`. */
export const IN_RANGE = fragment`
  e.client_id = ${"clientId"} AND e.currency = ${"currency"}
  AND e.sequence >= ${"fromSequence"} AND e.sequence < ${"endSequence"} ORDER BY e.sequence`;

/** The number of entries that one call reads. */
const PAGE_ENTRIES = 5_000;

/** The parameters of each page of the range, with at most `pageEntries` entries. */
export function pageParams(
  clientId: string,
  { currency, firstSequence, endSequence: end }: EntryRange,
  pageEntries = PAGE_ENTRIES,
): EntriesParams[] {
  const pages: EntriesParams[] = [];
  for (let from = firstSequence; from < end; from += pageEntries) {
    const endSequence = Math.min(from + pageEntries, end);
    pages.push({ clientId, currency, fromSequence: from, endSequence });
  }
  return pages;
}

/** The entries of the range in the order of the ledger, in pages of at most `pageEntries`. A round trip for each page. */
export async function* pagesOf<Entry>(
  clientId: string,
  range: EntryRange,
  read: (params: EntriesParams) => Promise<Entry[]>,
  pageEntries?: number,
): AsyncGenerator<Entry[]> {
  for (const params of pageParams(clientId, range, pageEntries)) yield await read(params);
}
