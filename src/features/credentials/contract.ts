// The endpoints with which clients manage their credentials, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import {
  amountText,
  currencyCode,
  id,
  line,
  optional,
  positive,
} from "../../core/validation/fields.ts";
import { MAX_LIMITS } from "./limits.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { amountRule, parseAmount } from "../../core/values/money.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";

export const SpendingLimitRequest = lazy(() =>
  z.object({
    period: z.enum(SPENDING_PERIODS),
    currency: currencyCode(),
    amount: z
      .string()
      .check(z.regex(/^\d{1,15}(?:\.\d{1,4})?$/, "must be an amount such as 150.00")),
  }),
);

const spendingLimits = () =>
  z.array(SpendingLimitRequest()).check(
    z.maxLength(MAX_LIMITS),
    z.superRefine((limits, context) => {
      for (const [index, { period, currency, amount }] of limits.entries()) {
        const isFirst =
          limits.findIndex((each) => each.period === period && each.currency === currency) ===
          index;
        const message = isFirst
          ? parseAmount(amount, currency) === undefined && amountRule(amount, currency)
          : `must have one limit a period and currency: ${period} ${currency}`;
        if (!message) continue;
        const field = isFirst ? "amount" : "period";
        context.addIssue({ code: "custom", path: [index, field], message });
      }
    }),
  );

export const CredentialRequest = lazy(() =>
  z
    .object({
      scope: z.enum(SCOPES),
      name: optional(line(60)),
      limits: optional(spendingLimits()),
    })
    .check(
      z.superRefine(({ scope, limits = [] }, context) => {
        if (scope === "order" || limits.length === 0) return;
        const message = "must not be set unless scope is order";
        context.addIssue({ code: "custom", path: ["limits"], message });
      }),
    ),
);
export type CredentialRequest = z.infer<ReturnType<typeof CredentialRequest>>;

export const LimitsRequest = lazy(() =>
  z.object({ credential_id: id(), limits: spendingLimits() }),
);

export const CredentialSelection = lazy(() => z.object({ credential_id: id() }));

export const SpendingLimitResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    period: z.enum(SPENDING_PERIODS),
    currency: currencyCode(),
    amount: amountText(),
    used: amountText(),
    left: amountText(),
  }),
);

export const CredentialResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    credential_id: positive(),
    name: z.nullable(z.string()),
    scope: z.enum(SCOPES),
    limits: z.nullable(z.array(SpendingLimitResponse())),
    created_at: z.iso.datetime(),
  }),
);
export type CredentialResponse = z.infer<ReturnType<typeof CredentialResponse>>;

export const ListedCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), {
    last_used_on: z.nullable(z.iso.date()),
    current: z.boolean(),
  }),
);

export const CredentialListResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), credentials: z.array(ListedCredentialResponse()) }),
);
export type CredentialListResponse = z.infer<ReturnType<typeof CredentialListResponse>>;

export const NewCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), { api_key: z.string(), api_password: z.string() }),
);
export type NewCredentialResponse = z.infer<ReturnType<typeof NewCredentialResponse>>;

export const RevokedCredentialResponse = /* @__PURE__ */ lazy(() =>
  z.extend(CredentialResponse(), { revoked_at: z.iso.datetime() }),
);
export type RevokedCredentialResponse = z.infer<ReturnType<typeof RevokedCredentialResponse>>;

export const listCredentials = endpoint({
  operationId: "listCredentials",
  method: "GET",
  path: "/api/credentials",
  near: true,
  response: responseType<typeof CredentialListResponse>(),
  errors: ["validation_error"],
});

export const createCredential = endpoint({
  operationId: "createCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential",
  body: CredentialRequest,
  response: responseType<typeof NewCredentialResponse>(),
  errors: [...BODY_ERRORS, "not_allowed_in_state"],
});

export const limitCredential = endpoint({
  operationId: "limitCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential/limits",
  body: LimitsRequest,
  response: responseType<typeof CredentialResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});

export const revokeCredential = endpoint({
  operationId: "revokeCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential/revoke",
  body: CredentialSelection,
  response: responseType<typeof RevokedCredentialResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});
