// The endpoints of the sandbox controls, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS, type ErrorCode } from "../../core/api-error.ts";
import { TrackingInput } from "../fulfilment/tracking.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { AddressInput } from "../orders/address.ts";
import { EmailResponse, PlacementResponse, suborderNumber } from "../orders/contract.ts";
import { ORDER_STATUSES } from "../orders/order.ts";
import { OrderSelection } from "../orders/selection.ts";
import { MAX_LENGTHS } from "../redeem/form.ts";
import { id, optional, positive, queryId, text } from "../../core/validation/fields.ts";

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

export const SandboxOrderResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: PlacementResponse().shape.order_data,
    order_status: z.enum(ORDER_STATUSES),
  }),
);
export type SandboxOrderResponse = z.infer<ReturnType<typeof SandboxOrderResponse>>;

export const SandboxGiftResponse = /* @__PURE__ */ lazy(() =>
  z.extend(SandboxOrderResponse(), {
    suborder_id: positive(),
    suborder_number: suborderNumber(),
    redemption_status: z.enum(["redeemed", "expired"]),
  }),
);
export type SandboxGiftResponse = z.infer<ReturnType<typeof SandboxGiftResponse>>;

export const SandboxShipmentResponse = /* @__PURE__ */ lazy(() =>
  z.extend(SandboxOrderResponse(), {
    suborder_id: positive(),
    suborder_number: suborderNumber(),
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
