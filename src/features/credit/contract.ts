// The endpoints of a client's credit.
import * as z from "zod/mini";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { MAX_ID } from "../../core/values/ids.ts";
import { count, currencyCode, positive, queryInteger } from "../../core/validation/fields.ts";

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

export const CreditBalanceListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    credit_balances: z.array(CreditBalanceResponse()),
  }),
);
export type CreditBalanceListResponse = z.infer<ReturnType<typeof CreditBalanceListResponse>>;

export const listCreditBalances = endpoint({
  operationId: "listCreditBalances",
  method: "GET",
  path: "/api/credit-balances",
  near: true,
  response: responseType<typeof CreditBalanceListResponse>(),
  errors: [],
});

/** The maximum number of entries on a page. */
export const MAX_PAGE_ENTRIES = 500;

const CreditEntriesQuery = lazy(() =>
  z.object({
    currency: z.optional(currencyCode()),
    after: z._default(queryInteger(0, MAX_ID), 0),
    limit: z._default(queryInteger(1, MAX_PAGE_ENTRIES), 100),
  }),
);

const signedAmount = () => z.string().check(z.regex(/^-?\d+(\.\d{2,4})?$/));

export const CreditEntryResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    sequence: positive(),
    kind: z.enum(["order", "refund", "top_up", "correction"]),
    amount: signedAmount(),
    balance: signedAmount(),
    order_id: z.nullable(positive()),
    order_ref_id: z.nullable(z.string()),
    reference: z.nullable(z.string()),
    created_at: z.iso.datetime(),
  }),
);
export type CreditEntryResponse = z.infer<ReturnType<typeof CreditEntryResponse>>;

export const CreditEntryListResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    currency: currencyCode(),
    credit_entries: z.array(CreditEntryResponse()),
    next_after: count(),
    has_more: z.boolean(),
  }),
);
export type CreditEntryListResponse = z.infer<ReturnType<typeof CreditEntryListResponse>>;

export const listCreditEntries = endpoint({
  operationId: "listCreditEntries",
  method: "GET",
  path: "/api/credit-entries",
  query: CreditEntriesQuery,
  near: true,
  response: responseType<typeof CreditEntryListResponse>(),
  errors: ["validation_error"],
});
