// Three months of histories, for tests of statements.
import type {
  EntriesParams,
  EntryRange,
  LedgerRangeParams,
  LedgerTotal,
  Period,
} from "../../../src/operator/statement/ledger-range.ts";
import type { Bound } from "../../../src/platform/db/sql.ts";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/core/values/time.ts";
import { simpleProduct } from "../../support/fixtures.ts";

export const MARCH = Date.UTC(2031, 2, 1);
export const APRIL = Date.UTC(2031, 3, 1);
export const MAY = Date.UTC(2031, 4, 1);

/** The months of the histories, with all time before and after. */
const BOUNDARIES = [0, MARCH, APRIL, MAY, Date.UTC(2100, 0, 1)];
export const MONTHS = BOUNDARIES.slice(1).map((toMs, index) => ({
  fromMs: BOUNDARIES[index] as number,
  toMs,
}));

export const END = "until the end of the month";

export interface ActionTime {
  pauseMs: number | typeof END;
  clockMs: number;
}

/** Time passes between actions, and the clock of each action differs by some seconds. */
export const TIMES = {
  pauseMs: fc.constantFrom(
    ...[0, 1, SECOND_MS, 2 * SECOND_MS, 20 * MINUTE_MS, 5 * HOUR_MS, 9 * DAY_MS],
    ...([END, END] as const),
  ),
  clockMs: fc.integer({ min: -5 * SECOND_MS, max: 5 * SECOND_MS }),
};

export function after(timeMs: number, pauseMs: ActionTime["pauseMs"]): number {
  if (pauseMs !== END) return timeMs + pauseMs;
  const nextMs = BOUNDARIES.find((boundaryMs) => boundaryMs > timeMs + MINUTE_MS) ?? timeMs;
  return Math.min(nextMs, MAY) - SECOND_MS;
}

/** The entries of the range, in pages of at most `pageEntries`. */
export async function readPages<Entry>(
  clientId: string,
  range: EntryRange,
  bind: (params: EntriesParams) => Bound<Entry>,
  pageEntries = 5_000,
): Promise<Entry[][]> {
  const pages: Entry[][] = [];
  const { firstSequence, endSequence: end } = range;
  for (let fromSequence = firstSequence; fromSequence < end; fromSequence += pageEntries) {
    const endSequence = Math.min(fromSequence + pageEntries, end);
    const params = { clientId, currency: range.currency, fromSequence, endSequence, fromMs: 0 };
    pages.push((await bind(params).all<Entry>()).results);
  }
  return pages;
}

/** The totals of the account in the month by their items. */
export async function readTotals(
  { clientId, currency }: EntryRange,
  month: Period,
  bind: (params: LedgerRangeParams) => Bound<LedgerTotal>,
) {
  const params = { clientId, lastClientId: clientId, ...month };
  const found = (await bind(params).all<LedgerTotal>()).results;
  const results = found.filter((total) => total.currency === currency);
  const sumOf = (name: "entries" | "amountMinor" | "feesMinor", ...items: string[]) =>
    results
      .filter(({ item }) => items.length === 0 || items.includes(item))
      .reduce((sum, total) => sum + total[name], 0);
  return { results, sumOf };
}

/** A product in each of three currencies, which have two, no and three decimals. */
export const createProducts = () => ({
  AUD: simpleProduct({ priceMinor: 3_333 }, { quantity: null }),
  JPY: simpleProduct({ priceMinor: 1_999, currency: "JPY" }, { quantity: null }),
  KWD: simpleProduct({ priceMinor: 2_477, currency: "KWD" }, { quantity: null }),
});
