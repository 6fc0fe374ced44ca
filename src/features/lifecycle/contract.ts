// The endpoints that change placed orders and gifts, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { component, field, named } from "../../core/validation/described.ts";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { CorrectionRequest } from "./correction.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import { lazy } from "../../core/lazy.ts";
import { oneName, personName } from "../../core/validation/person.ts";
import {
  GiftLink,
  MAX_RECIPIENTS,
  orderNumberField,
  PlacementResponse,
  referenceOrNull,
  giftNumberSchema,
  GiftOfOrderResponse,
  orderStatus,
  redemptionStatus,
} from "../orders/contract.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { oneOrder, orderSelectors } from "../orders/selection.ts";
import {
  amountTextField,
  currencyCode,
  distinct,
  emailField,
  idField,
  optionalField,
  positive,
  textField,
} from "../../core/validation/fields.ts";

// Without `suborder_ids`, the whole order is cancelled. So that no mistake in this field cancels an order, the request
// must not have null in it or have unknown fields, unlike other requests.
export const CancelRequest = lazy(() => {
  const giftIds = z.array(idField(), {
    error: ({ input }) =>
      input === null ? "must be left out to cancel the whole order" : undefined,
  });
  const listed = giftIds.check(z.minLength(1), z.maxLength(MAX_RECIPIENTS));
  return named(
    "CancelRequest",
    "The order or the gifts to cancel. Set exactly one of `order_id`, `order_number` and `order_ref_id`. Unknown fields are refused, so that a misspelt `suborder_ids` does not cancel the whole order.",
    z
      .strictObject({
        ...orderSelectors(),
        suborder_ids: field`${z.optional(distinct(listed, "must not contain an id twice"))} The \`suborder_id\` of each gift to cancel. If it is left out, the order is cancelled with all its open gifts. Null is refused.`,
      })
      .check(oneOrder()),
  );
});

const CancelledOrderData = component("CancelledOrderData", () => ({
  _: "Id, number and reference of an order.",
  order_id: field`${positive()} Identifies the order.`,
  order_number: orderNumberField(),
  order_ref_id: referenceOrNull(),
}));

const CancelledOrderTotals = component("CancelledOrderTotals", () => ({
  _: "The total of an order and its refunds.",
  currency: field`${currencyCode()} ISO 4217 code of the currency of both amounts.`,
  order_total: field`${amountTextField()} The costs of the order. They never change.`,
  refunded: field`${amountTextField()} What its cancelled and expired gifts have returned to your credit or, for an order on invoice, what you no longer owe or get back for them.`,
}));

const CancelledGift = component("CancelledGift", () => ({
  _: "A gift after a cancellation.",
  suborder_id: field`${positive()} Identifies the sub-order.`,
  suborder_number: giftNumberSchema(),
  redemption_status: field`${redemptionStatus()} \`cancelled\`: this or an earlier request cancelled the gift, its recipient declined it, or its order failed. \`expired\`: the gift has expired. \`redeemed\`: the recipient has accepted it. Null for a shipped gift of an order of POST /api/order, and in cancelled orders of Regalo's online store.`,
}));

export const CancelResponse = component("CancelledOrder", () => ({
  _: "An order after a cancellation.",
  status: z.literal("success"),
  order_data: field`${CancelledOrderData()} Id, number and reference of the order.`,
  order_status: orderStatus(),
  order_totals: field`${CancelledOrderTotals()} The total of the order, and the amount that was refunded for it.`,
  recipients: field`${z.array(CancelledGift())} The gifts of \`suborder_ids\`, otherwise all gifts of the order, in ascending order of \`suborder_id\`.`,
}));
export type CancelResponse = z.infer<ReturnType<typeof CancelResponse>>;

export const cancelOrder = endpoint({
  operationId: "cancelOrder",
  method: "POST",
  forOwn: true,
  path: "/api/order/cancel",
  body: CancelRequest,
  response: CancelResponse,
  errors: [...BODY_ERRORS, "not_found", "not_cancellable"],
});

const CorrectedRecipient = component("CorrectedRecipient", () => {
  const { suborder_id, suborder_number, recipient_details } = GiftOfOrderResponse().shape;
  return {
    _: "A recipient with the present data.",
    suborder_id,
    suborder_number,
    recipient_details: field`${recipient_details} The recipient, as GET /api/order returns it with \`include=delivery_email\`.`,
  };
});

export const CorrectionResponse = component("Correction", () => ({
  _: "A recipient after a correction.",
  status: z.literal("success"),
  order_data: field`${PlacementResponse().shape.order_data} Id and number of the order.`,
  recipient: field`${CorrectedRecipient()} The recipient with the present data.`,
}));
export type CorrectionResponse = z.infer<ReturnType<typeof CorrectionResponse>>;

export const correctRecipient = endpoint({
  operationId: "correctRecipient",
  method: "POST",
  forOwn: true,
  path: "/api/order/correct",
  body: CorrectionRequest,
  response: CorrectionResponse,
  errors: [...BODY_ERRORS, "not_found", "not_correctable"],
});

export const RenewalRequest = component(
  "RenewalRequest",
  () => ({
    _: "The gift whose link is replaced. Unknown fields are ignored, unless they look misspelt or misplaced.",
    suborder_id: field`${idField()} The recipient's part of the order: \`suborder_id\` of a gift-link order.`,
    gift_url: field`${optionalField(textField(2_000, withoutInvisible))} The link to replace. If the gift has another link now, nothing changes, and the response contains that link. Leave it out to replace any link.`,
    first_name: field`${optionalField(personName())} Corrected first name. The name does not change if it is left out.`,
    last_name: field`${optionalField(personName())} Corrected last name. The name does not change if it is left out.`,
    email: field`${optionalField(emailField())} Corrected e-mail address. The address does not change if it is left out.`,
  }),
  oneName(),
);
export type RenewalRequest = z.infer<ReturnType<typeof RenewalRequest>>;

export const RenewalResponse = component("Renewal", () => ({
  _: "The current link of a gift.",
  status: z.literal("success"),
  order_data: field`${PlacementResponse().shape.order_data} Id and number of the order.`,
  recipient: field`${GiftLink()} The recipient with the current link.`,
}));
export type RenewalResponse = z.infer<ReturnType<typeof RenewalResponse>>;

export const renewGiftLink = endpoint({
  operationId: "renewGiftLink",
  method: "POST",
  forOwn: true,
  path: "/api/gift-link/renew",
  body: RenewalRequest,
  response: RenewalResponse,
  errors: [...BODY_ERRORS, "not_found", "not_renewable"],
});
