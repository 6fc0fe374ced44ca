// The endpoint that sends gift links by e-mail, with the schemas of its request and response.
import * as z from "zod/mini";
import { component, field } from "../../core/validation/described.ts";
import { BODY_ERRORS } from "../../core/api-error.ts";
import { idField, optionalField, positive, timestamp } from "../../core/validation/fields.ts";
import { endpoint } from "../../platform/http/endpoint.ts";
import { giftNumberSchema, PlacementResponse } from "../orders/contract.ts";

export const SendRequest = component("SendRequest", () => ({
  _: "The gift whose link is sent. Unknown fields are ignored, unless they look misspelt or misplaced.",
  suborder_id: field`${idField()} The gift: \`suborder_id\` of a gift-link order, or of a digital gift that has its code.`,
  send_at: field`${optionalField(timestamp())} When the e-mail is sent: a time with an offset, at most a year ahead and before the gift expires. A time in the past means now, which is the default. Codes are sent at once.`,
}));

export const SendResponse = component("Sending", () => ({
  _: "An e-mail that will be sent.",
  status: z.literal("success"),
  order_data: field`${PlacementResponse().shape.order_data} Id and number of the order.`,
  suborder_id: field`${positive()} Identifies the sub-order.`,
  suborder_number: giftNumberSchema(),
  email: field`${z.string()} The address to which it is sent.`,
  send_at: field`${z.iso.datetime()} When it is due.`,
}));
export type SendResponse = z.infer<ReturnType<typeof SendResponse>>;

export const sendGiftLink = endpoint({
  operationId: "sendGiftLink",
  method: "POST",
  forOwn: true,
  path: "/api/gift-link/send",
  body: SendRequest,
  response: SendResponse,
  errors: [...BODY_ERRORS, "not_found", "not_allowed_in_state"],
});
