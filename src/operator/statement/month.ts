// A client's statement of a month: its credit accounts and its orders on invoice, by currency.
import { bindAccountPeriods } from "./account.ts";
import { bindInvoicePeriods, toInvoicePeriod } from "./invoice.ts";
import type { EntryRange, Period } from "./ledger-range.ts";
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

/** The inputs that select a client's month. */
export const STATEMENT_INPUT = {
  client: kinds.client("Client"),
  month: kinds.optional(kinds.month("Month (UTC)", { preset: "the present month" })),
  currency: kinds.optional(kinds.currency("Currency", { preset: "all" })),
};

interface StatementInput {
  client: string;
  month: string | undefined;
  currency: Currency | undefined;
}

/** Errors: `validation_error` if the month has not begun. */
function monthOf(month: string, nowMs: number): Month {
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

export type StatementLedgers = Awaited<ReturnType<typeof readLedgers>>;

/**
 * A client's month, with the ledgers of its statement without their entries. One round trip for the client, and one for
 * its ledgers. Errors: `not_found`, `validation_error`.
 */
export async function readLedgers(
  d1: D1Database,
  { client: clientId, month: given, currency }: StatementInput,
  nowMs: number,
) {
  const month = monthOf(given ?? formatDay(nowMs).slice(0, 7), nowMs);
  const params = { clientId, fromMs: month.fromMs, toMs: month.toMs };
  const [{ name }, found] = await Promise.all([
    requireClient(d1, clientId),
    batch(d1, {
      accounts: bindAccountPeriods(d1, params),
      invoiced: bindInvoicePeriods(d1, params),
    }),
  ]);
  // A ledger whose first entry is in a later month did not exist at the end of this month.
  const isShown = (each: EntryRange) =>
    each.endSequence > 1 && (currency === undefined || each.currency === currency);
  return {
    ...month,
    clientId,
    clientName: name,
    accounts: found.accounts.results.filter(isShown),
    invoiced: found.invoiced.results.map(toInvoicePeriod).filter(isShown),
  };
}
