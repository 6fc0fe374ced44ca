// The response, as credit/contract.ts defines it, from a balance.
import { amountAsNumber, formatCurrency } from "../values/money.ts";
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
