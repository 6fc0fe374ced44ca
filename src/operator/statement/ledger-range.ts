// The entries of a ledger in a period. The times of a ledger never decrease, so they are a range of it.
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import { expression, type Fragment, fragment } from "../../platform/db/sql.ts";

/** A range of time, such as a month. */
export interface Period {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

export type LedgerRangeParams = Period & { clientId: string };

/** Entries of an account that follow each other. */
export interface EntryRange {
  currency: Currency;
  /** The sequence of the first entry. */
  firstSequence: number;
  /** The sequence after the last entry. Equal to `firstSequence` if there are no entries. */
  endSequence: number;
}

/** The last entry of account `a` before the time: one row of an index. */
const lastBefore = <const Time extends "fromMs" | "toMs">(ledger: Fragment<never>, time: Time) =>
  fragment`(SELECT e.sequence FROM ${ledger} e WHERE e.client_id = ${"clientId"} AND e.currency = a.currency
    AND e.created_at_ms < ${time} ORDER BY e.created_at_ms DESC, e.sequence DESC LIMIT 1)`;

/**
 * The period of each of the client's accounts in the table `ledger`: `a` has its currency, and `b` and `l` are the last
 * entries before the period and before its end, with nulls if there are none. `accounts` selects the currencies.
 */
export const accountPeriods = (ledger: Fragment<never>, accounts: Fragment<"clientId">) => fragment`
  FROM (${accounts}) a
  LEFT JOIN ${ledger} b ON b.client_id = ${"clientId"} AND b.currency = a.currency
    AND b.sequence = ${lastBefore(ledger, "fromMs")}
  LEFT JOIN ${ledger} l ON l.client_id = ${"clientId"} AND l.currency = a.currency
    AND l.sequence = ${lastBefore(ledger, "toMs")}
  ORDER BY a.currency`;

/** The columns of `EntryRange` in `accountPeriods`. */
export const RANGE_COLUMNS = {
  currency: expression<Currency>()`a.currency`,
  firstSequence: expression<number>()`coalesce(b.sequence, 0) + 1`,
  endSequence: expression<number>()`coalesce(l.sequence, 0) + 1`,
};

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

/** The sum of the entries of one sort. */
export interface LedgerTotal {
  /** Such as `Orders`. */
  item: string;
  entries: number;
  /** Negative if the entries reduced the balance. */
  amountMinor: number;
  /** The fees that the amounts of orders contain. */
  feesMinor: number;
}

/** The totals of the entries `e` of `EntriesParams`, which have their orders `o`. `item` is the sort of an entry. */
export const ledgerTotals = <Name extends string, Joined extends string>(
  item: Fragment<Name>,
  entries: Fragment<Joined>,
) => fragment`
  SELECT item, count(*) AS entries, sum(amount_minor) AS amountMinor, sum(fee_minor) AS feesMinor
  FROM (SELECT ${item} AS item, e.amount_minor, iif(e.kind = 'order', o.order_fee_minor, 0) AS fee_minor
    FROM ${entries} WHERE ${IN_RANGE})
  GROUP BY item`;
