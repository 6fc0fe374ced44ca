// A client's statement of a month: its credit accounts and its orders on invoice, by currency.
import { CREDIT_LEDGER } from "./account.ts";
import { SELECT_NUMBERED } from "./closing-queries.ts";
import { INVOICE_LEDGER } from "./invoice.ts";
import type { ClientRange, EntryRange, MovedEntry, Period } from "./ledger-range.ts";
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatDay, HOUR_MS, parseUtc } from "../../core/values/time.ts";
import { batch } from "../../platform/db/sql.ts";
import { requireClient } from "../client/require-client.ts";
import * as kinds from "../declaration/kinds.ts";

export interface Month extends Period {
  /** Such as `2026-11`. */
  month: string;
}

export const MONTH_INPUT = kinds.optional(
  kinds.month("Month (UTC)", { preset: "the present month" }),
);

/** The inputs that select a client's month. */
export const STATEMENT_INPUT = {
  client: kinds.client("Client"),
  month: MONTH_INPUT,
  currency: kinds.optional(kinds.currency("Currency", { preset: "all" })),
};

interface StatementInput {
  client: string;
  month: string | undefined;
  currency: Currency | undefined;
}

/** The month, by default the present one. Errors: `validation_error` if it has not begun. */
export function monthOf(given: string | undefined, nowMs: number): Month {
  const month = given ?? formatDay(nowMs).slice(0, 7);
  const fromMs = parseUtc(`${month}-01`) ?? Infinity;
  if (fromMs > nowMs) {
    throw validationError([{ field: "month", message: "must be a month that has begun" }]);
  }
  const start = new Date(fromMs);
  return { month, fromMs, toMs: start.setUTCMonth(start.getUTCMonth() + 1) };
}

/** How far the clocks of two Workers may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS;

/** Whether new entries are in a later month, even if the clock that sets their time is slow. */
export const isFinalAt = ({ toMs }: Month, nowMs: number) => nowMs >= toMs + CLOCK_TOLERANCE_MS;

export const PROVISIONAL =
  "Provisional: entries may be added until one hour after the end of the month.";

export type MonthLedgers = Awaited<ReturnType<typeof readMonth>>;

/**
 * The ledgers of the clients in the month, without their entries, and the totals of these, unless `hasTotals` is false.
 * One round trip, and one transaction: entries may be added meanwhile.
 */
export async function readMonth(
  d1: D1Database,
  clients: ClientRange,
  month: Month,
  hasTotals: boolean,
) {
  const params = { ...clients, fromMs: month.fromMs, toMs: month.toMs };
  const summed = hasTotals ? params : { ...params, toMs: params.fromMs };
  const found = await batch(d1, {
    accounts: CREDIT_LEDGER.periods.bind(d1, params),
    invoiced: INVOICE_LEDGER.periods.bind(d1, params),
    movedAccounts: CREDIT_LEDGER.moves.bind(d1, params),
    movedInvoiced: INVOICE_LEDGER.moves.bind(d1, params),
    numbered: SELECT_NUMBERED.bind(d1, params),
    credit: CREDIT_LEDGER.totals.bind(d1, summed),
    invoice: INVOICE_LEDGER.totals.bind(d1, summed),
  });
  const movedAccounts = found.movedAccounts.results;
  const movedInvoiced = found.movedInvoiced.results;
  /** A ledger whose entries are all in later months did not exist at the end of this month. */
  const exists = (moved: readonly MovedEntry[]) => (range: EntryRange) =>
    range.endSequence > 1 ||
    moved.some((each) => each.clientId === range.clientId && each.currency === range.currency);
  return {
    ...month,
    accounts: found.accounts.results.filter(exists(movedAccounts)),
    invoiced: found.invoiced.results.filter(exists(movedInvoiced)),
    movedAccounts,
    movedInvoiced,
    numbered: found.numbered.results,
    totals: { credit: found.credit.results, invoice: found.invoice.results },
  };
}

/**
 * A client's month, with the ledgers of its statement without their entries. One round trip for the client, and one for
 * its ledgers. Errors: `not_found`, `validation_error`.
 */
export async function readLedgers(
  d1: D1Database,
  { client: clientId, month: given, currency }: StatementInput,
  nowMs: number,
  hasTotals: boolean,
) {
  const month = monthOf(given, nowMs);
  const [{ name }, ledgers] = await Promise.all([
    requireClient(d1, clientId),
    readMonth(d1, { clientId, lastClientId: clientId }, month, hasTotals),
  ]);
  const isShown = (each: EntryRange) => currency === undefined || each.currency === currency;
  return {
    ...ledgers,
    clientName: name,
    accounts: ledgers.accounts.filter(isShown),
    invoiced: ledgers.invoiced.filter(isShown),
  };
}
