// A client's statement of a month: its credit accounts and its orders on invoice, by currency.
import {
  type AccountPeriod,
  bindAccountPeriods,
  bindAccountEntries,
  checkBalance,
  readPeriodEntries,
  type StatementEntry,
} from "./account-statement.ts";
import { type EntriesParams, type EntryRange, pageParams, type Period } from "./ledger-range.ts";
import { statementTotals } from "./statement-totals.ts";
import type { Bindings } from "../../platform/env.ts";
import {
  bindInvoicePeriods,
  bindInvoiceEntries,
  type InvoiceEntry,
  type InvoicePeriod,
  type InvoiceSums,
  invoiceTotals,
  readInvoiceEntries,
  toInvoicePeriod,
} from "./invoice-statement.ts";
import { HOUR_MS, parseUtc } from "../../core/values/time.ts";
import { batch, type Bound } from "../../platform/db/statement.ts";

export interface Month extends Period {
  /** Such as `2026-11`. */
  month: string;
}

/** Parses a month such as `2026-11`. Undefined for any other text. */
export function parseMonth(text: string): Month | undefined {
  const fromMs = /^\d{4}-\d\d$/.test(text) ? parseUtc(`${text}-01`) : undefined;
  if (fromMs === undefined) return undefined;
  const start = new Date(fromMs);
  return { month: text, fromMs, toMs: start.setUTCMonth(start.getUTCMonth() + 1) };
}

/** The values at the beginning of every format. */
interface StatementHead extends Month {
  environment: Bindings["ENVIRONMENT"];
  clientId: string;
  clientName: string;
  /** Null if the statement is final: it is then the same whenever it is printed. */
  createdAtMs: number | null;
  /** False while entries may still be added to the month. */
  isFinal: boolean;
}

/** How far the clocks of two Workers or operators' machines may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** Whether new entries are in a later month, even if the clock that sets their time is slow. */
export const isFinalAt = ({ toMs }: Month, nowMs: number) => nowMs >= toMs + CLOCK_TOLERANCE_MS;

/** The notice of a statement that is not final. */
export const PROVISIONAL =
  "Provisional: entries may be added until one hour after the end of the month.";

export type StatementSource = Awaited<ReturnType<typeof statementSource>>;

/** A statement whose entries have not been read. They are read in pages. One round trip. */
export async function statementSource(
  d1: D1Database,
  head: StatementHead,
  currency: string | undefined,
) {
  const { clientId } = head;
  const found = await batch(d1, {
    accounts: bindAccountPeriods(d1, head),
    invoiced: bindInvoicePeriods(d1, head),
  });
  // A ledger whose first entry is in a later month did not exist at the end of this month.
  const isShown = (each: EntryRange) =>
    each.endSequence > 1 && (currency === undefined || each.currency === currency);
  return {
    head,
    d1,
    accounts: found.accounts.results.filter(isShown),
    invoiced: found.invoiced.results.map(toInvoicePeriod).filter(isShown),
    entriesOf: (account: AccountPeriod) => readPeriodEntries(d1, clientId, account),
    invoiceEntriesOf: (period: InvoicePeriod) => readInvoiceEntries(d1, clientId, period),
  };
}

/** What the client owes: the unpaid sum less the sum to be refunded. */
export const owedMinor = ({ unpaidMinor, toRefundMinor }: InvoiceSums) =>
  unpaidMinor - toRefundMinor;

type MonthStatement = Awaited<ReturnType<typeof readStatement>>;
export type AccountStatement = MonthStatement["accounts"][number];
/** The orders on invoice of one currency. */
export type InvoicedStatement = MonthStatement["invoiced"][number];

/** Reads the whole statement into memory. One round trip. */
export async function readStatement({ d1, head, ...source }: StatementSource) {
  const { clientId } = head;
  const pagesOf = <Entry>(range: EntryRange, bind: (params: EntriesParams) => Bound<Entry>) =>
    pageParams(clientId, range).map(bind);
  const accountPages = source.accounts.map((each) =>
    pagesOf(each, (params) => bindAccountEntries(d1, params)),
  );
  const invoicePages = source.invoiced.map((each) =>
    pagesOf(each, (params) => bindInvoiceEntries(d1, params)),
  );
  const pages = [...accountPages.flat(), ...invoicePages.flat()];
  const results = pages.length === 0 ? [] : await d1.batch(pages);
  const take = <Entry>(count: number) =>
    results.splice(0, count).flatMap((page) => page.results as Entry[]);
  const accounts = source.accounts.map((account, index) => {
    const entries = take<StatementEntry>(accountPages[index]?.length ?? 0);
    checkBalance(clientId, account, entries);
    const { currency, openingMinor, closingMinor } = account;
    return { currency, openingMinor, totals: statementTotals(entries), closingMinor, entries };
  });
  const invoiced = source.invoiced.map((period, index) => {
    const entries = take<InvoiceEntry>(invoicePages[index]?.length ?? 0);
    const { currency, opening, closing } = period;
    return { currency, opening, totals: invoiceTotals(period, entries), closing, entries };
  });
  return { ...head, accounts, invoiced };
}
