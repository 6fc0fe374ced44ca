// The endpoints that change placed orders and gifts, with the schemas of their requests and responses.
import * as z from "zod/mini";
import { endpoint, responseType } from "../http/endpoint.ts";
import { lazy } from "../lazy.ts";
import { GiftLinkResponse, PlacementResponse } from "../orders/contract.ts";
import { email, id, optional, requiredText, text } from "../validation/fields.ts";

export const RenewalRequest = lazy(() =>
  z.object({
    suborder_id: id(),
    gift_url: optional(text(2_000)),
    first_name: optional(requiredText(100)),
    last_name: optional(requiredText(100)),
    email: optional(email()),
  }),
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
  errors: [
    "invalid_json",
    "validation_error",
    "not_found",
    "not_renewable",
    "payload_too_large",
    "unsupported_media_type",
  ],
});
