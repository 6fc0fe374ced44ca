// A client's statement of a month: its credit accounts and its orders on invoice, by currency.
import {
  type AccountPeriod,
  findAccountPeriods,
  readPeriodEntries,
} from "../../operator/credit/account-statement.ts";
import {
  CLOCK_TOLERANCE_MS,
  type EntryRange,
  type Period,
} from "../../operator/credit/period-boundaries.ts";
import { statementTotals } from "../../operator/credit/statement-totals.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  findInvoicePeriods,
  type InvoicePeriod,
  type InvoiceSums,
  invoiceTotals,
  readInvoiceEntries,
} from "../../operator/credit/invoice-statement.ts";
import { parseUtc } from "../../core/values/time.ts";
import { UsageError } from "../errors.ts";

export interface Month extends Period {
  /** Such as `2026-11`. */
  month: string;
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
  /** Null if the statement is final: it is then the same whenever it is printed. */
  createdAtMs: number | null;
  /** False while entries may still be added to the month. */
  isFinal: boolean;
}

/** Whether new entries are in a later month, even if the clock that sets their time is slow. */
export const isFinalAt = ({ toMs }: Month, nowMs: number) => nowMs >= toMs + CLOCK_TOLERANCE_MS;

/** The notice of a statement that is not final. */
export const PROVISIONAL =
  "Provisional: entries may be added until one hour after the end of the month.";

export type StatementSource = Awaited<ReturnType<typeof statementSource>>;

/** A statement whose entries have not been read. They are read in pages. */
export async function statementSource(
  d1: D1Database,
  head: StatementHead,
  currency: string | undefined,
) {
  const { clientId } = head;
  const [accounts, invoiced] = await Promise.all([
    findAccountPeriods(d1, clientId, head),
    findInvoicePeriods(d1, clientId, head),
  ]);
  // A ledger whose first entry is in a later month did not exist at the end of this month.
  const isShown = (each: EntryRange) =>
    each.endSequence > 1 && (currency === undefined || each.currency === currency);
  return {
    head,
    accounts: accounts.filter(isShown),
    invoiced: invoiced.filter(isShown),
    entriesOf: (account: AccountPeriod) => readPeriodEntries(d1, clientId, account),
    invoiceEntriesOf: (period: InvoicePeriod) => readInvoiceEntries(d1, clientId, period),
  };
}

/** What the client owes: the unpaid sum less the sum to be refunded. */
export const owedMinor = ({ unpaidMinor, toRefundMinor }: InvoiceSums) =>
  unpaidMinor - toRefundMinor;

export type MonthStatement = Awaited<ReturnType<typeof readStatement>>;
export type AccountStatement = MonthStatement["accounts"][number];
/** The orders on invoice of one currency. */
export type InvoicedStatement = MonthStatement["invoiced"][number];

/** Reads the whole statement into memory. */
export async function readStatement(source: StatementSource) {
  const accounts = await Promise.all(
    source.accounts.map(async (account) => {
      const entries = await readAll(source.entriesOf(account));
      const { currency, openingMinor, closingMinor } = account;
      return { currency, openingMinor, totals: statementTotals(entries), closingMinor, entries };
    }),
  );
  const invoiced = await Promise.all(
    source.invoiced.map(async (period) => {
      const entries = await readAll(source.invoiceEntriesOf(period));
      const { currency, opening, closing } = period;
      return { currency, opening, totals: invoiceTotals(period, entries), closing, entries };
    }),
  );
  return { ...source.head, accounts, invoiced };
}

async function readAll<T>(pages: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) for (const each of page) all.push(each);
  return all;
}
