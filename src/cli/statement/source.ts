// A client's statement of a month: its credit accounts and its orders on invoice, by currency.
import {
  type AccountPeriod,
  CLOCK_TOLERANCE_MS,
  readPeriodEntries,
  type StatementEntry,
} from "../../credit/account-statement.ts";
import { statementTotals, type StatementTotals } from "../../credit/statement-totals.ts";
import type { Bindings } from "../../env.ts";
import { type InvoicedOrder, readInvoicedOrders } from "../../orders/invoiced-orders.ts";
import { parseUtc } from "../../values/time.ts";
import { UsageError } from "../errors.ts";

export interface Month {
  /** Such as `2026-11`. */
  month: string;
  fromMs: number;
  /** Exclusive. */
  toMs: number;
}

/** Parses a month such as `2026-11`. Errors: `UsageError` if it is none, or has not begun. */
export function monthOption(text: string, nowMs: number): Month {
  const fromMs = /^\d{4}-\d\d$/.test(text) ? parseUtc(`${text}-01`) : undefined;
  if (fromMs === undefined)
    throw new UsageError(`--month must be a month such as 2026-11: ${text}`);
  if (fromMs > nowMs) throw new UsageError(`--month ${text} has not begun.`);
  const start = new Date(fromMs);
  return { month: text, fromMs, toMs: start.setUTCMonth(start.getUTCMonth() + 1) };
}

/** The values at the beginning of every format. */
export interface StatementHead extends Month {
  environment: Bindings["ENVIRONMENT"];
  clientId: string;
  clientName: string;
  createdAtMs: number;
  /** False while entries may still be added to the month. */
  isFinal: boolean;
}

/** Whether new entries are in a later month, even if the clock that sets their time is slow. */
export const isFinalAt = ({ toMs }: Month, nowMs: number) => nowMs >= toMs + CLOCK_TOLERANCE_MS;

/** A statement whose entries have not been read. */
export interface StatementSource {
  head: StatementHead;
  accounts: AccountPeriod[];
  /** In pages. */
  entriesOf: (account: AccountPeriod) => AsyncIterable<StatementEntry[]>;
  /** In pages. */
  invoicedOrders: () => AsyncIterable<InvoicedOrder[]>;
}

export function statementSource(
  d1: D1Database,
  head: StatementHead,
  accounts: AccountPeriod[],
  currency: string | undefined,
): StatementSource {
  const { clientId, fromMs, toMs } = head;
  return {
    head,
    accounts: accounts.filter((each) => currency === undefined || each.currency === currency),
    entriesOf: (account) => readPeriodEntries(d1, clientId, account),
    invoicedOrders: () => readInvoicedOrders(d1, clientId, { fromMs, toMs, currency }),
  };
}

export interface AccountStatement {
  currency: string;
  openingMinor: number;
  totals: StatementTotals;
  closingMinor: number;
  entries: StatementEntry[];
}

/** The orders on invoice of one currency. */
export interface InvoicedStatement {
  currency: string;
  feesMinor: number;
  totalMinor: number;
  /** The share of cancelled and expired gifts. */
  endedMinor: number;
  /** The total without that share. */
  remainingMinor: number;
  orders: InvoicedOrder[];
}

export interface MonthStatement extends StatementHead {
  accounts: AccountStatement[];
  invoiced: InvoicedStatement[];
}

/** Reads the whole statement into memory. */
export async function readStatement(source: StatementSource): Promise<MonthStatement> {
  const accounts: AccountStatement[] = [];
  for (const account of source.accounts) {
    const entries = await readAll(source.entriesOf(account));
    const { currency, openingMinor, closingMinor } = account;
    const totals = statementTotals(entries);
    accounts.push({ currency, openingMinor, totals, closingMinor, entries });
  }
  const orders = await readAll(source.invoicedOrders());
  const currencies = [...new Set(orders.map(({ currency }) => currency))].sort();
  const invoiced = currencies.map((currency) =>
    invoicedStatement(
      currency,
      orders.filter((order) => order.currency === currency),
    ),
  );
  return { ...source.head, accounts, invoiced };
}

function invoicedStatement(currency: string, orders: InvoicedOrder[]): InvoicedStatement {
  const sumOf = (column: "feeMinor" | "totalMinor" | "endedMinor") =>
    orders.reduce((sum, order) => sum + order[column], 0);
  const [totalMinor, endedMinor] = [sumOf("totalMinor"), sumOf("endedMinor")];
  return {
    currency,
    feesMinor: sumOf("feeMinor"),
    totalMinor,
    endedMinor,
    remainingMinor: totalMinor - endedMinor,
    orders,
  };
}

async function readAll<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) for (const each of page) all.push(each);
  return all;
}
