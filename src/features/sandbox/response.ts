// Maps orders and gifts to the responses that sandbox/contract.ts defines.
import type { SentEmail } from "../orders/email-queries.ts";
import { sentEmail } from "../orders/response.ts";
import type { ShippedGift } from "../fulfilment/shipment.ts";
import type { OrderState } from "../lifecycle/queries.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type {
  SandboxEmailResponse,
  SandboxEmailsResponse,
  SandboxGiftResponse,
  SandboxOrderResponse,
  SandboxShipmentResponse,
} from "./contract.ts";
import type { ControlledGift } from "./control.ts";

export function sandboxOrderResponse({
  id,
  status,
}: Pick<OrderState, "id" | "status">): SandboxOrderResponse {
  return {
    status: "success",
    order_data: { order_id: id, order_number: orderNumber(id) },
    order_status: status,
  };
}

export function sandboxGiftResponse({
  orderId,
  orderStatus,
  sequence,
  redemptionStatus,
}: ControlledGift): SandboxGiftResponse {
  return {
    ...sandboxOrderResponse({ id: orderId, status: orderStatus }),
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
    redemption_status: redemptionStatus,
  };
}

/** A gift that is shipped, delivered or sent. */
export function sandboxShipmentResponse({
  orderId,
  orderStatus,
  sequence,
  shipmentStatus,
}: Pick<
  ShippedGift,
  "orderId" | "orderStatus" | "sequence" | "shipmentStatus"
>): SandboxShipmentResponse {
  return {
    ...sandboxOrderResponse({ id: orderId, status: orderStatus }),
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
    shipment_status: shipmentStatus as SandboxShipmentResponse["shipment_status"],
  };
}

/** The e-mails of a gift, with what would have been sent. */
export const sandboxEmailsResponse = (emails: SentEmail[]): SandboxEmailsResponse => ({
  status: "success",
  emails: emails.map(withMessage),
});

export const sandboxEmailResponse = (email: SentEmail): SandboxEmailResponse => ({
  status: "success",
  email: withMessage(email),
});

function withMessage(email: SentEmail): SandboxEmailResponse["email"] {
  const { message } = email;
  if (!message) return { ...sentEmail(email), message };
  const { replyTo, ...content } = message;
  return { ...sentEmail(email), message: { ...content, reply_to: replyTo } };
}
