// Maps an invitation to the response that contract.ts defines.
import { orderNumber, suborderId, suborderNumber } from "../../core/values/ids.ts";
import type { SendResponse } from "./contract.ts";
import type { Invitation } from "./request.ts";

export function sendResponse(
  { orderId, sequence }: { orderId: number; sequence: number },
  { gift, sendAtMs }: { gift: Pick<Invitation["gift"], "email">; sendAtMs: number },
): SendResponse {
  return {
    status: "success",
    order_data: { order_id: orderId, order_number: orderNumber(orderId) },
    suborder_id: suborderId(orderId, sequence),
    suborder_number: suborderNumber(orderId, sequence),
    email: gift.email,
    send_at: new Date(sendAtMs).toISOString(),
  };
}
