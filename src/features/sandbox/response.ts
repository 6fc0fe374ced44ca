// Maps orders and gifts to the responses that sandbox/contract.ts defines.
import { creditBalanceResponse } from "../credit/response.ts";
import type { SentEmail } from "../orders/email-queries.ts";
import { sentEmail } from "../orders/response.ts";
import type { ShippedGift } from "../fulfilment/shipment.ts";
import type { OrderState } from "../lifecycle/queries.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type { ListedTestClient } from "./client-queries.ts";
import type { Clock } from "./clock.ts";
import type {
  SandboxClientListResponse,
  SandboxClientResponse,
  SandboxClockResponse,
  SandboxEmailResponse,
  SandboxEmailsResponse,
  SandboxGiftEventResponse,
  SandboxGiftResponse,
  SandboxOrderResponse,
  SandboxShipmentResponse,
} from "./contract.ts";
import type { ControlledGift } from "./control.ts";
import type { TestClient } from "./test-client.ts";

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

export function sandboxGiftEventResponse({
  orderId,
  orderStatus,
  sequence,
}: Omit<ControlledGift, "redemptionStatus">): SandboxGiftEventResponse {
  return {
    ...sandboxOrderResponse({ id: orderId, status: orderStatus }),
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
  };
}

export const sandboxGiftResponse = (gift: ControlledGift): SandboxGiftResponse => ({
  ...sandboxGiftEventResponse(gift),
  redemption_status: gift.redemptionStatus,
});

/** A gift that is shipped, delivered or sent. */
export const sandboxShipmentResponse = (
  gift: Pick<ShippedGift, "orderId" | "orderStatus" | "sequence" | "shipmentStatus">,
): SandboxShipmentResponse => ({
  ...sandboxGiftEventResponse(gift),
  shipment_status: gift.shipmentStatus as SandboxShipmentResponse["shipment_status"],
});

export const sandboxClockResponse = (clock: Clock): SandboxClockResponse => ({
  status: "success",
  advanced_days: clock.advancedDays,
  due_orders: clock.dueOrders,
});

export const sandboxClientResponse = (client: TestClient): SandboxClientResponse => ({
  status: "success",
  client_id: client.id,
  api_key: client.apiKey,
  api_password: client.apiPassword,
  billing: client.billing,
  ...creditBalanceResponse(client.creditMinor, client.currency),
  remaining_clients: client.remaining,
});

export const sandboxClientListResponse = (
  clients: ListedTestClient[],
): SandboxClientListResponse => ({
  status: "success",
  clients: clients.map(({ id, name, billing, createdAtMs }) => ({
    client_id: id,
    name,
    billing,
    created_at: new Date(createdAtMs).toISOString(),
  })),
});

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
