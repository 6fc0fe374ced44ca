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
import { EmailResponse, PlacementResponse, suborderNumber } from "../orders/contract.ts";
import { ORDER_STATUSES } from "../orders/order.ts";
import { OrderSelection } from "../orders/selection.ts";
import { MAX_LENGTHS } from "../redeem/form.ts";
import {
  count,
  currencyCode,
  day,
  id,
  line,
  optional,
  positive,
  queryId,
  text,
} from "../../core/validation/fields.ts";

export const SandboxGiftRequest = lazy(() => z.object({ suborder_id: id() }));

export const SandboxRedemptionRequest = lazy(() =>
  z.object({
    suborder_id: id(),
    delivery_address: optional(AddressInput()),
    delivery_notes: optional(text(MAX_LENGTHS.delivery_notes)),
  }),
);
export type SandboxRedemptionRequest = z.infer<ReturnType<typeof SandboxRedemptionRequest>>;

export const SandboxShipmentRequest = lazy(() =>
  z.object({ suborder_id: id(), ...TrackingInput().shape }),
);
export type SandboxShipmentRequest = z.infer<ReturnType<typeof SandboxShipmentRequest>>;

export const SandboxGiftEventRequest = lazy(() =>
  z.object({
    suborder_id: id(),
    event: z.enum([
      ...(["gift.thanked", "gift.declined", "gift.extended", "gift.reopened"] as const),
      "order.extended",
    ]),
    redeem_by: optional(day()),
  }),
);
export const SandboxProductEventRequest = lazy(() =>
  z.object({ product_id: id(), event: z.enum(PRODUCT_EVENT_TYPES) }),
);
export type SandboxProductEventRequest = z.infer<ReturnType<typeof SandboxProductEventRequest>>;

export type SandboxGiftEventRequest = z.infer<ReturnType<typeof SandboxGiftEventRequest>>;

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

export const SandboxOrderResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: PlacementResponse().shape.order_data,
    order_status: z.enum(ORDER_STATUSES),
  }),
);
export type SandboxOrderResponse = z.infer<ReturnType<typeof SandboxOrderResponse>>;

export const SandboxProductEventResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), sequence: positive() }),
);

export const SandboxGiftEventResponse = /* @__PURE__ */ lazy(() =>
  z.extend(SandboxOrderResponse(), {
    suborder_id: positive(),
    suborder_number: suborderNumber(),
  }),
);
export type SandboxGiftEventResponse = z.infer<ReturnType<typeof SandboxGiftEventResponse>>;

export const SandboxGiftResponse = /* @__PURE__ */ lazy(() =>
  z.extend(SandboxGiftEventResponse(), {
    redemption_status: z.enum(["redeemed", "expired"]),
  }),
);
export type SandboxGiftResponse = z.infer<ReturnType<typeof SandboxGiftResponse>>;

export const SandboxShipmentResponse = /* @__PURE__ */ lazy(() =>
  z.extend(SandboxGiftEventResponse(), {
    shipment_status: z.enum(["shipped", "delivered", "sent"]),
  }),
);
export type SandboxShipmentResponse = z.infer<ReturnType<typeof SandboxShipmentResponse>>;

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

const SandboxEmail = /* @__PURE__ */ lazy(() =>
  z.extend(EmailResponse(), { message: z.nullable(SandboxMessage()) }),
);

export const SandboxEmailsResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), emails: z.array(SandboxEmail()) }),
);
export type SandboxEmailsResponse = z.infer<ReturnType<typeof SandboxEmailsResponse>>;

export const SandboxEmailEventRequest = lazy(() =>
  z.object({
    suborder_id: id(),
    event: z.enum(["delivered", "deferred", "bounced", "rejected", "complained"]),
  }),
);
export type SandboxEmailEventRequest = z.infer<ReturnType<typeof SandboxEmailEventRequest>>;

export const SandboxEmailResponse = /* @__PURE__ */ lazy(() =>
  z.object({ status: z.literal("success"), email: SandboxEmail() }),
);
export type SandboxEmailResponse = z.infer<ReturnType<typeof SandboxEmailResponse>>;

const ERRORS: ErrorCode[] = [...BODY_ERRORS, "not_found", "not_allowed_in_state"];

export const paySandboxOrder = endpoint({
  operationId: "paySandboxOrder",
  method: "POST",
  path: "/api/sandbox/pay-order",
  body: OrderSelection,
  response: responseType<typeof SandboxOrderResponse>(),
  errors: ERRORS,
});

export const failSandboxOrder = endpoint({
  operationId: "failSandboxOrder",
  method: "POST",
  path: "/api/sandbox/fail-order",
  body: OrderSelection,
  response: responseType<typeof SandboxOrderResponse>(),
  errors: ERRORS,
});

export const redeemSandboxGift = endpoint({
  operationId: "redeemSandboxGift",
  method: "POST",
  path: "/api/sandbox/redeem-gift",
  body: SandboxRedemptionRequest,
  response: responseType<typeof SandboxGiftResponse>(),
  errors: ERRORS,
});

export const expireSandboxGift = endpoint({
  operationId: "expireSandboxGift",
  method: "POST",
  path: "/api/sandbox/expire-gift",
  body: SandboxGiftRequest,
  response: responseType<typeof SandboxGiftResponse>(),
  errors: ERRORS,
});

export const shipSandboxGift = endpoint({
  operationId: "shipSandboxGift",
  method: "POST",
  path: "/api/sandbox/ship-gift",
  body: SandboxShipmentRequest,
  response: responseType<typeof SandboxShipmentResponse>(),
  errors: ERRORS,
});

export const deliverSandboxGift = endpoint({
  operationId: "deliverSandboxGift",
  method: "POST",
  path: "/api/sandbox/deliver-gift",
  body: SandboxGiftRequest,
  response: responseType<typeof SandboxShipmentResponse>(),
  errors: ERRORS,
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

export const reportSandboxEmail = endpoint({
  operationId: "reportSandboxEmail",
  method: "POST",
  path: "/api/sandbox/email-event",
  body: SandboxEmailEventRequest,
  response: responseType<typeof SandboxEmailResponse>(),
  errors: ERRORS,
});

export const causeSandboxGiftEvent = endpoint({
  operationId: "causeSandboxGiftEvent",
  method: "POST",
  path: "/api/sandbox/gift-event",
  body: SandboxGiftEventRequest,
  response: responseType<typeof SandboxGiftEventResponse>(),
  errors: ERRORS,
});

export const causeSandboxProductEvent = endpoint({
  operationId: "causeSandboxProductEvent",
  method: "POST",
  path: "/api/sandbox/product-event",
  body: SandboxProductEventRequest,
  response: responseType<typeof SandboxProductEventResponse>(),
  errors: [...BODY_ERRORS, "not_found"],
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
