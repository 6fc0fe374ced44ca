// The endpoint of a client's credit.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { currencyCode } from "../../core/validation/fields.ts";

export const BalanceQuery = lazy(() => z.object({ currency: z.optional(currencyCode()) }));

export const CreditBalanceResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    credit_balance: z.number(),
    currency: currencyCode(),
    credit_balance_formatted: z.string(),
  }),
);
export type CreditBalanceResponse = z.infer<ReturnType<typeof CreditBalanceResponse>>;

export const getCreditBalance = endpoint({
  operationId: "getCreditBalance",
  method: "GET",
  path: "/api/credit-balance",
  query: BalanceQuery,
  near: true,
  response: responseType<typeof CreditBalanceResponse>(),
  errors: ["validation_error"],
});
