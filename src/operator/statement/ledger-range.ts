// The entries of ledgers in a period. The times of a ledger never decrease, so what was booked in it is a range. Value
// dates move some entries into the period, and others out of it.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { orNull } from "../../platform/db/columns.ts";
import type { CreditEntries } from "../../platform/db/schema.ts";
import { expression, type Fragment, fragment, sql } from "../../platform/db/sql.ts";
import { order } from "../../platform/db/tables.ts";

/** A range of time, such as a month. */
export interface Period {
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** The clients with these ids, and with those between them. */
export interface ClientRange {
  clientId: string;
  lastClientId: string;
}

export const ALL_CLIENTS: ClientRange = { clientId: "", lastClientId: LAST_CLIENT_ID };

export type LedgerRangeParams = Period & ClientRange;

/** Booked entries of an account that follow each other. */
export interface EntryRange {
  clientId: string;
  currency: Currency;
  /** The sequence of the first entry. */
  firstSequence: number;
  /** The sequence after the last entry. Equal to `firstSequence` if there are no entries. */
  endSequence: number;
}

/** The condition of a table with the column `client_id`. */
export const IN_CLIENTS = fragment`client_id >= ${"clientId"} AND client_id <= ${"lastClientId"}`;

/** The last entry of account `a` before the time: one row of an index. */
const lastBefore = <const Time extends "fromMs" | "toMs">(ledger: Fragment<never>, time: Time) =>
  fragment`(SELECT e.sequence FROM ${ledger} e WHERE e.client_id = a.client_id AND e.currency = a.currency
    AND e.created_at_ms < ${time} ORDER BY e.created_at_ms DESC, e.sequence DESC LIMIT 1)`;

/** The columns of `EntryRange` in the periods of `ledgerSql`. */
export const RANGE_COLUMNS = {
  clientId: expression<string>()`a.client_id`,
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
  /** Entries with an earlier value date are left out. */
  fromMs: number;
}

/** The columns of an entry `e` of a ledger that its LEFT JOINed order `o` has. */
export const ORDER_OF_ENTRY = {
  ...orNull(order("orderRefId", "campaign")),
  /** The number of gifts of an order. Null for other entries. */
  qty: expression<number | null>()`iif(e.kind = 'order', o.qty, NULL)`,
  /** That of the product when it was ordered. Null for other entries. */
  taxCode: expression<string | null>()`iif(e.kind = 'order', (SELECT r.content ->> '$.taxCode'
    FROM product_revisions r WHERE r.product_id = o.product_id AND r.revision = o.product_revision), NULL)`,
  /** The fee that the amount of an order contains. Null for other entries. */
  feeMinor: expression<number | null>()`iif(e.kind = 'order', o.order_fee_minor, NULL)`,
};

const IS_NOT_EARLIER = fragment`ifnull(e.value_at_ms, e.created_at_ms) >= ${"fromMs"}`;

/** The entries `e` of `EntriesParams`. */
const IN_RANGE = fragment`
  e.client_id = ${"clientId"} AND e.currency = ${"currency"}
  AND e.sequence >= ${"fromSequence"} AND e.sequence < ${"endSequence"}
  AND ${IS_NOT_EARLIER} ORDER BY e.sequence`;

/** An entry that was booked after the month of its value date. */
export type MovedEntry = Pick<
  CreditEntries["$inferSelect"],
  "clientId" | "currency" | "sequence" | "amountMinor" | "createdAtMs" | "valueAtMs"
>;

/** Whether entry `e` belongs to a month before its booking: the condition of an index. */
const IS_MOVED = fragment`
  strftime('%Y-%m', e.value_at_ms / 1000, 'unixepoch') < strftime('%Y-%m', e.created_at_ms / 1000, 'unixepoch')`;

const sumOf = (entries: readonly MovedEntry[]) =>
  entries.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Whether the row belongs to the account. */
export const isOf =
  ({ clientId, currency }: Pick<EntryRange, "clientId" | "currency">) =>
  (row: { clientId: string; currency: string }) =>
    row.clientId === clientId && row.currency === currency;

/** How value dates change the period of an account. `entries` are those of `moves`. */
export function movesOf<Entry extends MovedEntry>(
  entries: readonly Entry[],
  account: EntryRange,
  { fromMs, toMs }: Period,
) {
  const own = entries.filter(isOf(account));
  const earlier = own.filter(({ valueAtMs }) => (valueAtMs ?? 0) < fromMs);
  const booked = own.filter(({ createdAtMs }) => createdAtMs >= toMs);
  const late = booked.filter((entry) => !earlier.includes(entry));
  const after = (moved: readonly Entry[], { sequence }: MovedEntry) =>
    sumOf(moved.filter((each) => each.sequence > sequence));
  return {
    /** Entries of the period that were booked after it. */
    late,
    /** What the balances before and after the period have besides what was booked until then. */
    openingMinor: sumOf(earlier),
    closingMinor: sumOf(booked),
    /** The balance after an entry of the period, from the one after its booking and the one after the period. */
    balanceAfter: (entry: Entry, bookedMinor: number, closingMinor: number) =>
      late.includes(entry)
        ? closingMinor - after(late, entry)
        : bookedMinor + after(earlier, entry),
  };
}

/** Selects the sequences of the entries of account `a` that belong to the period. */
const entriesOf = (ledger: Fragment<never>) => fragment`
  SELECT e.sequence FROM ${ledger} e WHERE e.client_id = a.client_id AND e.currency = a.currency
    AND e.created_at_ms >= ${"fromMs"} AND e.created_at_ms < ${"toMs"} AND ${IS_NOT_EARLIER}
  UNION ALL
  SELECT e.sequence FROM ${ledger} e WHERE e.client_id = a.client_id AND e.currency = a.currency
    AND e.created_at_ms >= ${"toMs"} AND e.value_at_ms >= ${"fromMs"} AND e.value_at_ms < ${"toMs"}
    AND ${IS_MOVED}`;

/** The sum of the entries of one sort of an account. */
export interface LedgerTotal {
  clientId: string;
  currency: Currency;
  /** Such as `Orders`. */
  item: string;
  entries: number;
  /** Negative if the entries reduced the balance. */
  amountMinor: number;
  /** The fees that the amounts of orders contain. */
  feesMinor: number;
}

/**
 * The statements about the table `ledger`. `accounts` selects the clients and currencies. In `period`, `b` and `l` are the
 * last entries before the period and before its end, with nulls if there are none. `entry` has columns of entry `e` and its
 * LEFT JOINed order `o`, and `item` is the sort of an entry.
 */
export function ledgerSql<PeriodRow, Entry>({
  ledger,
  accounts,
  period,
  entry,
  item,
}: Record<"ledger" | "item", Fragment<never>> & {
  accounts: Fragment<keyof ClientRange>;
  period: Fragment<never, PeriodRow>;
  entry: Fragment<never, Entry>;
}) {
  const joinEntries = fragment`(${accounts}) a CROSS JOIN ${ledger} e ON e.client_id = a.client_id AND e.currency = a.currency`;
  return {
    /** The clients and currencies with entries in the period. */
    withEntries: fragment`
      SELECT a.client_id, a.currency FROM (${accounts}) a WHERE EXISTS (${entriesOf(ledger)})`,
    /**
     * The periods of the accounts, by client and currency. Consecutive periods neither overlap nor have gaps. It reads a few
     * rows for each account.
     */
    periods: sql<LedgerRangeParams, PeriodRow>()`
      SELECT ${period} FROM (${accounts}) a
      LEFT JOIN ${ledger} b ON b.client_id = a.client_id AND b.currency = a.currency
        AND b.sequence = ${lastBefore(ledger, "fromMs")}
      LEFT JOIN ${ledger} l ON l.client_id = a.client_id AND l.currency = a.currency
        AND l.sequence = ${lastBefore(ledger, "toMs")}
      ORDER BY a.client_id, a.currency`,
    entries: sql<EntriesParams, Entry>()`
      SELECT ${entry} FROM ${ledger} e LEFT JOIN orders o ON o.id = e.order_id WHERE ${IN_RANGE}`,
    /**
     * The entries that were booked in the period or later, and belong to a month that ends before their booking, and not
     * after the period.
     */
    moves: sql<LedgerRangeParams, Entry>()`
      SELECT ${entry} FROM ${joinEntries}
        AND e.created_at_ms >= ${"fromMs"} AND e.value_at_ms < ${"toMs"} AND ${IS_MOVED}
      LEFT JOIN orders o ON o.id = e.order_id
      ORDER BY e.client_id, e.currency, e.sequence`,
    /** The totals of the entries that belong to the period. */
    totals: sql<LedgerRangeParams, LedgerTotal>()`
      SELECT client_id AS clientId, currency, item, count(*) AS entries, sum(amount_minor) AS amountMinor,
        sum(fee_minor) AS feesMinor
      FROM (SELECT e.client_id, e.currency, ${item} AS item, e.amount_minor,
          iif(e.kind = 'order', o.order_fee_minor, 0) AS fee_minor
        FROM ${joinEntries} AND e.sequence IN (${entriesOf(ledger)})
        LEFT JOIN orders o ON o.id = e.order_id)
      GROUP BY client_id, currency, item`,
  };
}
