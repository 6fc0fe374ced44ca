// The inputs that select an account, and amounts in its currency.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountRule, MAX_BALANCE_MINOR, parseAmount } from "../../core/values/money.ts";
import { formatDay, parseUtc } from "../../core/values/time.ts";
import * as kinds from "../declaration/kinds.ts";

/** The currency of an account. Links of rows have it. */
export const accountCurrency = () =>
  kinds.argument(
    kinds.optional(kinds.currency("Currency", { preset: "the currency of the client" })),
  );

export const VALUE_DATE = kinds.optional(
  kinds.day("Value date (UTC)", {
    preset: "today",
    hint: "When the money came. It decides the month of the statement, unless that month is closed.",
  }),
);

/** Noon of the value date, which may be later than now. Null without one. Errors: `validation_error`. */
export function valueAtOf(day: string | undefined, nowMs: number): number | null {
  if (day === undefined) return null;
  if (day <= formatDay(nowMs)) return parseUtc(day, "12:00:00") ?? null;
  throw validationError([{ field: "value_date", message: "must not be in the future" }]);
}

/** The amount in minor units, which is positive. Errors: `validation_error` with the name of the input. */
export function minorOf(input: string, text: string, currency: Currency): number {
  const minor = parseAmount(text, currency);
  if (minor === 0) throw validationError([{ field: input, message: "must not be zero" }]);
  if (minor !== undefined && minor <= MAX_BALANCE_MINOR) return minor;
  throw validationError([{ field: input, message: amountRule(text, currency) }]);
}
