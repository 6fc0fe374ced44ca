// Maps orders and gifts to the responses that sandbox/contract.ts defines.
import type { ShippedGift } from "../fulfilment/shipment.ts";
import type { OrderState } from "../lifecycle/queries.ts";
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type {
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
