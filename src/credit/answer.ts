// The answer to GET /api/credit-balance (decision 12). The Worker imports its type only.
import * as z from "zod";
import { currencyCode } from "../validate.ts";

export const CreditBalance = z.object({
  credit_balance: z.number(),
  currency: currencyCode(),
  credit_balance_formatted: z.string(),
});
export type CreditBalance = z.infer<typeof CreditBalance>;
