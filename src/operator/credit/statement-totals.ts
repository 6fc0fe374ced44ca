// Adds up the entries of a statement by kind.
import type { StatementEntry } from "./account-statement.ts";

/** Adjustments have two kinds, one for each sign. */
export const TOTAL_KINDS = [
  "creditAdded",
  "creditRemoved",
  "orders",
  "cancellations",
  "expiries",
] as const;

export type TotalKind = (typeof TOTAL_KINDS)[number];

export interface KindTotal {
  entries: number;
  /** Negative if the entries reduced the balance. */
  amountMinor: number;
}

export type StatementTotals = Record<TotalKind, KindTotal> & {
  /** The fees that the amounts of the orders contain. */
  feesMinor: number;
};

export function totalKindOf({
  kind,
  amountMinor,
}: Pick<StatementEntry, "kind" | "amountMinor">): TotalKind {
  if (kind === "order") return "orders";
  if (kind === "cancellation") return "cancellations";
  if (kind === "expiry") return "expiries";
  return amountMinor < 0 ? "creditRemoved" : "creditAdded";
}

export function statementTotals(entries: StatementEntry[]): StatementTotals {
  const totals: StatementTotals = {
    creditAdded: { entries: 0, amountMinor: 0 },
    creditRemoved: { entries: 0, amountMinor: 0 },
    orders: { entries: 0, amountMinor: 0 },
    cancellations: { entries: 0, amountMinor: 0 },
    expiries: { entries: 0, amountMinor: 0 },
    feesMinor: 0,
  };
  for (const entry of entries) {
    const total = totals[totalKindOf(entry)];
    total.entries += 1;
    total.amountMinor += entry.amountMinor;
    totals.feesMinor += entry.feeMinor ?? 0;
  }
  return totals;
}
