// Maps an invitation to the response that contract.ts defines.
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import type { ChangingGift } from "../lifecycle/change.ts";
import type { SendResponse } from "./contract.ts";

type SentGift = Pick<ChangingGift, "orderId" | "sequence" | "email" | "deliveryEmail">;

export function sendResponse(
  { orderId, sequence, email, deliveryEmail }: SentGift,
  sendAtMs: number,
): SendResponse {
  return {
    status: "success",
    order_data: { order_id: orderId, order_number: orderNumber(orderId) },
    suborder_id: toGiftId(orderId, sequence),
    suborder_number: toGiftNumber(orderId, sequence),
    email: deliveryEmail ?? email,
    send_at: new Date(sendAtMs).toISOString(),
  };
}
