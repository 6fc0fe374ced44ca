// The endpoints of the sandbox controls, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS, type ErrorCode } from "../../core/api-error.ts";
import { TrackingInput } from "../fulfilment/tracking.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { displayName } from "../../core/validation/name.ts";
import { CreditBalanceResponse } from "../credit/contract.ts";
import { PRODUCT_EVENT_TYPES } from "../events/event.ts";
import { AddressInput } from "../../core/address/address.ts";
import { EmailResponse } from "../orders/contract.ts";
import { orderSelectors } from "../orders/selection.ts";
import { MAX_LENGTHS } from "../redeem/form.ts";
import {
  count,
  currencyCode,
  day,
  id,
  line,
  notWith,
  optional,
  positive,
  queryId,
  text,
} from "../../core/validation/fields.ts";

/** The events of orders, gifts, e-mails and products that partners can cause. */
export const SANDBOX_EVENTS = [
  ...(["order.paid", "order.failed", "order.cancelled", "order.extended"] as const),
  ...(["gift.redeemed", "gift.thanked", "gift.declined", "gift.extended", "gift.expired"] as const),
  ...(["gift.shipped", "gift.delivered", "gift.sent", "gift.reopened"] as const),
  ...(["email.delivered", "email.deferred", "email.bounced"] as const),
  ...(["email.rejected", "email.complained"] as const),
  ...PRODUCT_EVENT_TYPES,
];
export type SandboxEvent = (typeof SANDBOX_EVENTS)[number];

export const GiftSelection = lazy(() => z.object({ suborder_id: id() }));
export type GiftSelection = z.infer<ReturnType<typeof GiftSelection>>;
export const ProductSelection = lazy(() => z.object({ product_id: id() }));

export const SandboxEventRequest = lazy(() =>
  z
    .object({
      event: z.enum(SANDBOX_EVENTS),
      ...orderSelectors(),
      suborder_id: optional(id()),
      product_id: optional(id()),
      redeem_by: optional(day()),
      delivery_address: optional(AddressInput()),
      delivery_notes: optional(text(MAX_LENGTHS.delivery_notes)),
      ...TrackingInput().shape,
    })
    .check(
      notWith("suborder_id", "order_id", "order_number", "order_ref_id", "product_id"),
      notWith("product_id", "order_id", "order_number", "order_ref_id"),
    ),
);
export type SandboxEventRequest = z.infer<ReturnType<typeof SandboxEventRequest>>;

export const SandboxEventResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), event: z.enum(SANDBOX_EVENTS) }),
);

/** `P1D` to `P365D`. A last day moves by whole days, so the clock does too. */
const DAYS = /^P(?:[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-5])D$/;

export const SandboxClockRequest = lazy(() =>
  z.object({
    advance: z
      .string()
      .check(z.regex(DAYS, "must be a number of days from P1D to P365D, such as P30D")),
  }),
);

export const SandboxClockResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), advanced_days: positive(), due_orders: count() }),
);
export type SandboxClockResponse = z.infer<ReturnType<typeof SandboxClockResponse>>;

const amount = () =>
  z.string().check(z.regex(/^\d{1,15}(?:\.\d{1,4})?$/, "must be an amount such as 150.00"));

export const SandboxCreditRequest = lazy(() =>
  z.object({
    currency: optional(currencyCode()),
    amount: amount(),
    reference: line(100),
    alert_below: optional(amount()),
  }),
);
export type SandboxCreditRequest = z.infer<ReturnType<typeof SandboxCreditRequest>>;

const BILLINGS = ["credit", "invoice"] as const;

export const SandboxClientRequest = lazy(() =>
  z.object({ name: optional(displayName(200)), billing: optional(z.enum(BILLINGS)) }),
);
export type SandboxClientRequest = z.infer<ReturnType<typeof SandboxClientRequest>>;

export const SandboxClientResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    client_id: z.string(),
    api_key: z.string(),
    api_password: z.string(),
    billing: z.enum(BILLINGS),
    ...CreditBalanceResponse().shape,
    remaining_clients: count(),
  }),
);
export type SandboxClientResponse = z.infer<ReturnType<typeof SandboxClientResponse>>;

export const SandboxClientSelection = lazy(() => z.object({ client_id: line(64) }));

export const SandboxListedClient = /* @__PURE__ */ lazy(() =>
  z.object({
    client_id: z.string(),
    name: z.string(),
    billing: z.enum(BILLINGS),
    created_at: z.iso.datetime(),
  }),
);

export const SandboxClientListResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), clients: z.array(SandboxListedClient()) }),
);
export type SandboxClientListResponse = z.infer<ReturnType<typeof SandboxClientListResponse>>;

export const SandboxEmailsQuery = lazy(() => z.object({ suborder_id: queryId() }));

export const SandboxMessage = /* @__PURE__ */ lazy(() =>
  z.object({
    to: z.string(),
    from: z.object({ name: z.string(), email: z.string() }),
    reply_to: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    headers: z.record(z.string(), z.string()),
  }),
);

export const SandboxEmail = /* @__PURE__ */ lazy(() =>
  z.extend(EmailResponse(), { message: z.nullable(SandboxMessage()) }),
);

export const SandboxEmailsResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), emails: z.array(SandboxEmail()) }),
);
export type SandboxEmailsResponse = z.infer<ReturnType<typeof SandboxEmailsResponse>>;

const ERRORS: ErrorCode[] = [...BODY_ERRORS, "not_found", "not_allowed_in_state"];

export const causeSandboxEvent = endpoint({
  operationId: "causeSandboxEvent",
  method: "POST",
  path: "/api/sandbox/event",
  body: SandboxEventRequest,
  response: responseType<typeof SandboxEventResponse>(),
  errors: [...ERRORS, "not_cancellable"],
});

export const listSandboxEmails = endpoint({
  operationId: "listSandboxEmails",
  method: "GET",
  // The messages contain gift links.
  scope: "order",
  path: "/api/sandbox/emails",
  query: SandboxEmailsQuery,
  response: responseType<typeof SandboxEmailsResponse>(),
  errors: ["validation_error", "not_found"],
});

export const addSandboxCredit = endpoint({
  operationId: "addSandboxCredit",
  method: "POST",
  path: "/api/sandbox/credit",
  body: SandboxCreditRequest,
  response: responseType<typeof CreditBalanceResponse>(),
  errors: ERRORS,
});

export const advanceSandboxClock = endpoint({
  operationId: "advanceSandboxClock",
  method: "POST",
  path: "/api/sandbox/clock",
  body: SandboxClockRequest,
  response: responseType<typeof SandboxClockResponse>(),
  errors: ERRORS,
});

export const createSandboxClient = endpoint({
  operationId: "createSandboxClient",
  method: "POST",
  scope: "admin",
  path: "/api/sandbox/client",
  body: SandboxClientRequest,
  response: responseType<typeof SandboxClientResponse>(),
  errors: ERRORS,
});

export const listSandboxClients = endpoint({
  operationId: "listSandboxClients",
  method: "GET",
  path: "/api/sandbox/clients",
  response: responseType<typeof SandboxClientListResponse>(),
  errors: ["not_found"],
});

export const removeSandboxClient = endpoint({
  operationId: "removeSandboxClient",
  method: "POST",
  scope: "admin",
  path: "/api/sandbox/client/remove",
  body: SandboxClientSelection,
  response: responseType<typeof SandboxClientListResponse>(),
  errors: [...BODY_ERRORS, "not_found"],
});
