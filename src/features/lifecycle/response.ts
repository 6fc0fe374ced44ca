// Maps changed orders and gifts to the responses that lifecycle/contract.ts defines.
import { recipientDetails } from "../orders/response.ts";
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { formatAmount } from "../../core/values/money.ts";
import type { CancelResponse, CorrectionResponse, RenewalResponse } from "./contract.ts";
import type { ChangingGift } from "./change.ts";
import type { OrderGift, OrderState } from "./queries.ts";

type ShownAmount = "currency" | "orderTotalMinor" | "refundedMinor";

/** The response shows only the present state, so a repeated request gets the same response. */
export function cancelResponse({
  order,
  gifts,
}: {
  order: Pick<OrderState, "id" | "orderRefId" | "status" | ShownAmount>;
  gifts: Pick<OrderGift, "sequence" | "redemptionStatus">[];
}): CancelResponse {
  return {
    status: "success",
    order_data: {
      order_id: order.id,
      order_number: orderNumber(order.id),
      order_ref_id: order.orderRefId,
    },
    order_status: order.status,
    order_totals: {
      currency: order.currency,
      order_total: formatAmount(order.orderTotalMinor, order.currency),
      refunded: formatAmount(order.refundedMinor, order.currency),
    },
    recipients: gifts.map(({ sequence, redemptionStatus }) => ({
      suborder_id: toGiftId(order.id, sequence),
      suborder_number: toGiftNumber(order.id, sequence),
      redemption_status: redemptionStatus,
    })),
  };
}

/** The response shows only the present values, so a repeated request gets the same response. */
export function correctionResponse(
  gift: Parameters<typeof recipientDetails>[0] &
    Pick<ChangingGift, "orderId" | "sequence" | "deliveryEmail">,
): CorrectionResponse {
  const details = { ...recipientDetails(gift), delivery_email: gift.deliveryEmail };
  return responseOf(gift, { recipient_details: details });
}

export function renewalResponse(
  gift: Pick<ChangingGift, "orderId" | "sequence" | "firstName" | "lastName" | "email">,
  giftUrl: string,
): RenewalResponse {
  return responseOf(gift, {
    first_name: gift.firstName,
    last_name: gift.lastName,
    email: gift.email,
    gift_url: giftUrl,
  });
}

const responseOf = <Values extends object>(
  { orderId, sequence }: Pick<ChangingGift, "orderId" | "sequence">,
  values: Values,
) => ({
  status: "success" as const,
  order_data: { order_id: orderId, order_number: orderNumber(orderId) },
  recipient: {
    suborder_id: toGiftId(orderId, sequence),
    suborder_number: toGiftNumber(orderId, sequence),
    ...values,
  },
});
