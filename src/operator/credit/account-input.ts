// The inputs that select an account, and amounts in its currency.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { amountRule, MAX_BALANCE_MINOR, parseAmount } from "../../core/values/money.ts";
import * as kinds from "../declaration/kinds.ts";

/** The currency of an account. Links of rows have it. */
export const accountCurrency = () =>
  kinds.argument(
    kinds.optional(kinds.currency("Currency", { preset: "the currency of the client" })),
  );

/** The amount in minor units, which is positive. Errors: `validation_error` with the name of the input. */
export function minorOf(input: string, text: string, currency: Currency): number {
  const minor = parseAmount(text, currency);
  if (minor === 0) throw validationError([{ field: input, message: "must not be zero" }]);
  if (minor !== undefined && minor <= MAX_BALANCE_MINOR) return minor;
  throw validationError([{ field: input, message: amountRule(text, currency) }]);
}
