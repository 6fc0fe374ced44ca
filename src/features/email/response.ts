// Maps an invitation to the response that contract.ts defines.
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type { SendResponse } from "./contract.ts";

export function sendResponse(
  { orderId, sequence, email }: { orderId: number; sequence: number; email: string },
  sendAtMs: number,
): SendResponse {
  return {
    status: "success",
    order_data: { order_id: orderId, order_number: orderNumber(orderId) },
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
    email,
    send_at: new Date(sendAtMs).toISOString(),
  };
}
