// Maps a balance to the response that credit/contract.ts defines.
import { amountAsNumber, formatCurrency } from "../../core/values/money.ts";
import type { CreditBalanceResponse } from "./contract.ts";

export function creditBalanceResponse(
  balanceMinor: number,
  currency: string,
): CreditBalanceResponse {
  return {
    credit_balance: amountAsNumber(balanceMinor),
    currency,
    credit_balance_formatted: formatCurrency(balanceMinor, currency),
  };
}
