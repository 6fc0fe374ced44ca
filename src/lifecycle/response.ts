// Maps changed orders and gifts to the responses that lifecycle/contract.ts defines.
import { orderNumber, suborderId, suborderNumber } from "../values/ids.ts";
import type { RenewalResponse } from "./contract.ts";
import type { Renewed } from "./renew.ts";

export function renewalResponse(
  {
    orderId,
    sequence,
    gift,
  }: Pick<Renewed, "orderId" | "sequence"> & {
    gift: Pick<Renewed["gift"], "firstName" | "lastName" | "email">;
  },
  giftUrl: string,
): RenewalResponse {
  return {
    status: "success",
    order_data: { order_id: orderId, order_number: orderNumber(orderId) },
    recipient: {
      suborder_id: suborderId(orderId, sequence),
      suborder_number: suborderNumber(orderId, sequence),
      first_name: gift.firstName,
      last_name: gift.lastName,
      email: gift.email,
      gift_url: giftUrl,
    },
  };
}
