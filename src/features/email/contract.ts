// The endpoint that sends gift links by e-mail, with the schemas of its request and response.
import * as z from "zod/mini";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { id, optional, positive, timestamp } from "../../core/validation/fields.ts";
import { endpoint, responseType } from "../../platform/http/endpoint.ts";
import { PlacementResponse, suborderNumber } from "../orders/contract.ts";

export const SendRequest = lazy(() =>
  z.object({ suborder_id: id(), send_at: optional(timestamp()) }),
);

export const SendResponse = /* @__PURE__ */ lazy(() =>
  z.object({
    status: z.literal("success"),
    order_data: PlacementResponse().shape.order_data,
    suborder_id: positive(),
    suborder_number: suborderNumber(),
    email: z.string(),
    send_at: z.iso.datetime(),
  }),
);
export type SendResponse = z.infer<ReturnType<typeof SendResponse>>;

export const sendGiftLink = endpoint({
  operationId: "sendGiftLink",
  method: "POST",
  path: "/api/gift-link/send",
  body: SendRequest,
  response: responseType<typeof SendResponse>(),
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});
