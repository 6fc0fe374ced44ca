// The endpoints with which clients manage their credentials, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { component, field } from "../../core/validation/described.ts";
import { BODY_ERRORS } from "../../core/api-error.ts";
import {
  amountTextField,
  currencyCode,
  idField,
  line,
  optionalField,
  positive,
} from "../../core/validation/fields.ts";
import { MAX_LIMITS } from "./limits.ts";
import { SCOPES } from "../../core/values/scopes.ts";
import { amountRule, parseAmount } from "../../core/values/money.ts";
import { SPENDING_PERIODS } from "../../core/values/spending.ts";
import { endpoint } from "../../platform/http/endpoint.ts";

export const SpendingLimitRequest = component("SpendingLimitRequest", () => ({
  _: "A spending limit.",
  period: field`${z.enum(SPENDING_PERIODS)} \`order\`: the total of one order. \`day\`, \`month\`: of all orders since it has begun, in UTC.`,
  currency: field`${currencyCode()} The currency of the amounts.`,
  amount: field`${z.string().check(z.regex(/^\d{1,15}(?:\.\d{1,4})?$/, "must be an amount such as 150.00"))} The limit, such as \`500.00\`.`,
}));

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

export const CredentialRequest = component(
  "CredentialRequest",
  () => ({
    _: "A new credential set. Unknown fields are ignored, unless they look misspelt or misplaced.",
    scope: field`${z.enum(SCOPES)} What the set permits. \`read\`: GET requests. \`order\`: also POST requests, except those that need \`admin\`. \`admin\`: everything.`,
    name: field`${optionalField(line(60))} Your name for the set, such as the program that uses it.`,
    limits: field`${optionalField(spendingLimits())} Limits of its orders. Only for the scope \`order\`.`,
    budget: field`${optionalField(line(60))} The name of a budget, which several sets may share: its limits count the orders of all of them, also of those that were revoked. Name it when you create the first of them. Only for the scope \`order\`.`,
    own: field`${optionalField(z.boolean())} \`true\`: the set sees and changes only orders that it has placed, and may not use operations that show others. Only for the scope \`order\`.`,
  }),
  z.superRefine(({ scope, limits = [], budget, own }, context) => {
    if (scope === "order") return;
    for (const [name, isSet] of Object.entries({ limits: limits.length > 0, budget, own })) {
      if (!isSet) continue;
      const message = "must not be set unless scope is order";
      context.addIssue({ code: "custom", path: [name], message });
    }
  }),
);
export type CredentialRequest = z.infer<ReturnType<typeof CredentialRequest>>;

export const LimitsRequest = component("LimitsRequest", () => ({
  _: "New limits of a credential set. Unknown fields are ignored, unless they look misspelt or misplaced.",
  credential_id: field`${idField()} The set's id.`,
  limits: field`${spendingLimits()} All its limits. They replace the present ones. An empty list removes them.`,
}));

export const CredentialSelection = component("CredentialSelection", () => ({
  _: "One of your credential sets.",
  credential_id: field`${idField()} The set's id.`,
}));

export const SpendingLimitResponse = component("SpendingLimit", () => ({
  _: "A spending limit, and what is used and left of it.",
  period: field`${z.enum(SPENDING_PERIODS)} \`order\`: the total of one order. \`day\`, \`month\`: of all orders since it has begun, in UTC.`,
  currency: field`${currencyCode()} The currency of the amounts.`,
  amount: field`${amountTextField()} The limit, such as \`500.00\`.`,
  used: field`${amountTextField()} The totals of the orders of its budget in the present period. \`0.00\` for \`order\`.`,
  left: field`${amountTextField()} What can still be spent.`,
}));

export const CredentialResponse = component("LimitedCredential", () => ({
  _: "A credential set with its new limits.",
  credential_id: field`${positive()} Identifies the credential set.`,
  name: field`${z.nullable(z.string())} Your name for the set. Null if there is none.`,
  scope: field`${z.enum(SCOPES)} What the set permits. \`read\`: GET requests. \`order\`: also POST requests, except those that need \`admin\`. \`admin\`: everything.`,
  limits: field`${z.nullable(z.array(SpendingLimitResponse()))} The limits of its orders, and what is used and left of them. With limits, the set cannot order in other currencies. A cancelled order gives nothing back in its period. Null without limits.`,
  budget: field`${z.nullable(z.string())} The name of the budget that it shares. Null if its orders count for it alone.`,
  own: field`${z.boolean()} Whether the set sees and changes only orders that it has placed.`,
  api_key_end: field`${z.string()} The last four characters of its \`API-KEY\`.`,
  created_at: field`${z.iso.datetime()} When the set was created, in UTC.`,
}));
export type CredentialResponse = z.infer<ReturnType<typeof CredentialResponse>>;

export const ListedCredentialResponse = component("Credential", () => ({
  _: "An active credential set: an `API-KEY` and its `API-PASSWORD`.",
  ...CredentialResponse().shape,
  last_used_on: field`${z.nullable(z.iso.date())} The day of the last request with the set, in UTC. Null if there was none.`,
  current: field`${z.boolean()} True for the set of this request.`,
}));

export const CredentialListResponse = component("CredentialList", () => ({
  _: "All your active credential sets.",
  status: z.literal("success"),
  credentials: field`${z.array(ListedCredentialResponse())} The sets, oldest first.`,
}));
export type CredentialListResponse = z.infer<ReturnType<typeof CredentialListResponse>>;

export const NewCredentialResponse = component("NewCredential", () => ({
  _: "A new credential set with its values, which cannot be read again.",
  ...CredentialResponse().shape,
  api_key: field`${z.string()} The value of the header \`API-KEY\`.`,
  api_password: field`${z.string()} The value of the header \`API-PASSWORD\`.`,
}));
export type NewCredentialResponse = z.infer<ReturnType<typeof NewCredentialResponse>>;

export const RevokedCredentialResponse = component("RevokedCredential", () => ({
  _: "A revoked credential set.",
  ...CredentialResponse().shape,
  revoked_at: field`${z.iso.datetime()} When the set was revoked, in UTC.`,
}));
export type RevokedCredentialResponse = z.infer<ReturnType<typeof RevokedCredentialResponse>>;

export const listCredentials = endpoint({
  operationId: "listCredentials",
  method: "GET",
  forOwn: true,
  path: "/api/credentials",
  near: true,
  response: CredentialListResponse,
  errors: ["validation_error"],
});

export const createCredential = endpoint({
  operationId: "createCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential",
  body: CredentialRequest,
  response: NewCredentialResponse,
  errors: [...BODY_ERRORS, "not_allowed_in_state"],
});

export const limitCredential = endpoint({
  operationId: "limitCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential/limits",
  body: LimitsRequest,
  response: CredentialResponse,
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});

export const revokeCredential = endpoint({
  operationId: "revokeCredential",
  method: "POST",
  scope: "admin",
  path: "/api/credential/revoke",
  body: CredentialSelection,
  response: RevokedCredentialResponse,
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});
