// The endpoints that change placed orders and gifts, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import {
  letter,
  MAX_DELIVERY_NOTES_LENGTH,
  oneName,
  personName,
  phoneNumber,
} from "../../core/validation/person.ts";
import {
  GiftLinkResponse,
  MAX_RECIPIENTS,
  orderNumber,
  OrderResponse,
  PlacementResponse,
  RecipientFields,
  suborderNumber,
  redemptionStatus,
} from "../orders/contract.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { ORDER_STATUSES } from "../orders/order.ts";
import { oneOrder, orderSelectors } from "../orders/selection.ts";
import {
  amountText,
  atLeastOne,
  currencyCode,
  distinct,
  email,
  id,
  optional,
  positive,
  text,
} from "../../core/validation/fields.ts";

// Without `suborder_ids`, the whole order is cancelled. So that no mistake in this field cancels an order, the request
// must not have null in it or have unknown fields, unlike other requests.
export const CancelRequest = lazy(() =>
  z
    .strictObject({
      ...orderSelectors(),
      suborder_ids: z.optional(
        distinct(
          z
            .array(id(), {
              error: ({ input }) =>
                input === null ? "must be left out to cancel the whole order" : undefined,
            })
            .check(z.minLength(1), z.maxLength(MAX_RECIPIENTS)),
          "must not contain an id twice",
        ),
      ),
    })
    .check(oneOrder()),
);

export const CancelResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: z.object({
      order_id: positive(),
      order_number: orderNumber(),
      order_ref_id: z.nullable(z.string()),
    }),
    order_status: z.enum(ORDER_STATUSES),
    order_totals: z.object({
      currency: currencyCode(),
      order_total: amountText(),
      refunded: amountText(),
    }),
    recipients: z.array(
      z.object({
        suborder_id: positive(),
        suborder_number: suborderNumber(),
        redemption_status: redemptionStatus(),
      }),
    ),
  }),
);
export type CancelResponse = z.infer<ReturnType<typeof CancelResponse>>;

export const cancelOrder = endpoint({
  operationId: "cancelOrder",
  method: "POST",
  path: "/api/order/cancel",
  body: CancelRequest,
  response: responseType<typeof CancelResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_cancellable"],
});

/** The rules of the fields are those of placements. Unknown fields are refused, so that no misspelt one is overlooked. */
export const CorrectionRequest = lazy(() => {
  const { email, delivery_address } = RecipientFields().shape;
  const fields = {
    first_name: optional(personName()),
    last_name: optional(personName()),
    email: optional(email),
    phone_number: optional(phoneNumber()),
    delivery_address,
    delivery_notes: optional(letter(MAX_DELIVERY_NOTES_LENGTH)),
    delivery_email: optional(email),
  };
  return z
    .strictObject({ suborder_id: id(), ...fields })
    .check(atLeastOne(...Object.keys(fields)), oneName());
});
export type CorrectionRequest = z.infer<ReturnType<typeof CorrectionRequest>>;

export const CorrectionResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: PlacementResponse().shape.order_data,
    recipient: z.pick(OrderResponse().shape.recipients.def.element, {
      suborder_id: true,
      suborder_number: true,
      recipient_details: true,
    }),
  }),
);
export type CorrectionResponse = z.infer<ReturnType<typeof CorrectionResponse>>;

export const correctRecipient = endpoint({
  operationId: "correctRecipient",
  method: "POST",
  path: "/api/order/correct",
  body: CorrectionRequest,
  response: responseType<typeof CorrectionResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_correctable"],
});

export const RenewalRequest = lazy(() =>
  z
    .object({
      suborder_id: id(),
      gift_url: optional(text(2_000, withoutInvisible)),
      first_name: optional(personName()),
      last_name: optional(personName()),
      email: optional(email()),
    })
    .check(oneName()),
);
export type RenewalRequest = z.infer<ReturnType<typeof RenewalRequest>>;

export const RenewalResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: PlacementResponse().shape.order_data,
    recipient: GiftLinkResponse().shape.recipient_return.def.element,
  }),
);
export type RenewalResponse = z.infer<ReturnType<typeof RenewalResponse>>;

export const renewGiftLink = endpoint({
  operationId: "renewGiftLink",
  method: "POST",
  path: "/api/gift-link/renew",
  body: RenewalRequest,
  response: responseType<typeof RenewalResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_renewable"],
});
