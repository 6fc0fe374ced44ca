// What GET /api/credit-balance takes, and how its answer is made (decision 12).
import * as z from "zod/mini";
import { amountAsNumber, formatCurrency } from "../values/money.ts";
import { currencyCode, lazy } from "../validate.ts";
import type { CreditBalance } from "./answer.ts";

export const BalanceQuery = lazy(() => z.object({ currency: z.optional(currencyCode()) }));

export function balanceToWire(balanceMinor: number, currency: string): CreditBalance {
  return {
    credit_balance: amountAsNumber(balanceMinor),
    currency,
    credit_balance_formatted: formatCurrency(balanceMinor, currency),
  };
}
