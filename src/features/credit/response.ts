// Maps a balance to the response that credit/contract.ts defines.
import type { Currency } from "../../core/values/iso.ts";
import { amountAsNumber, formatCurrency } from "../../core/values/money.ts";
import type { CreditBalanceResponse } from "./contract.ts";

export function creditBalanceResponse(
  balanceMinor: number,
  currency: Currency,
): CreditBalanceResponse {
  return {
    credit_balance: amountAsNumber(balanceMinor, currency),
    currency,
    credit_balance_formatted: formatCurrency(balanceMinor, currency),
  };
}
