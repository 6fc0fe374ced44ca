// Adds up the entries of a statement by kind.
import type { StatementEntry } from "./account-statement.ts";

/** Adjustments have two kinds, one for each sign. */
const TOTAL_KINDS = [
  "creditAdded",
  "creditRemoved",
  "orders",
  "cancellations",
  "expiries",
] as const;

type TotalKind = (typeof TOTAL_KINDS)[number];

export interface KindTotal {
  entries: number;
  /** Negative if the entries reduced the balance. */
  amountMinor: number;
}

export type Totals<Kind extends string> = Record<Kind, KindTotal> & {
  /** The fees that the amounts of the orders contain. */
  feesMinor: number;
};

type StatementTotals = Totals<TotalKind>;

export const noTotals = <Kind extends string>(kinds: readonly Kind[]) =>
  ({
    ...Object.fromEntries(kinds.map((kind) => [kind, { entries: 0, amountMinor: 0 }])),
    feesMinor: 0,
  }) as Totals<Kind>;

export function addEntry<Kind extends string>(
  totals: Totals<Kind>,
  kind: Kind,
  { amountMinor, feeMinor }: { amountMinor: number; feeMinor: number | null },
): void {
  totals[kind].entries += 1;
  totals[kind].amountMinor += amountMinor;
  totals.feesMinor += feeMinor ?? 0;
}

function totalKindOf({
  kind,
  amountMinor,
}: Pick<StatementEntry, "kind" | "amountMinor">): TotalKind {
  if (kind === "order") return "orders";
  if (kind === "cancellation") return "cancellations";
  if (kind === "expiry") return "expiries";
  return amountMinor < 0 ? "creditRemoved" : "creditAdded";
}

export function statementTotals(entries: StatementEntry[]): StatementTotals {
  const totals = noTotals(TOTAL_KINDS);
  for (const entry of entries) addEntry(totals, totalKindOf(entry), entry);
  return totals;
}
