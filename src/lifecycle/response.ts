// Maps orders to the responses that lifecycle/contract.ts defines.
import { orderNumber, suborderId, suborderNumber } from "../values/ids.ts";
import { formatAmount } from "../values/money.ts";
import type { Cancelled } from "./cancel.ts";
import type { CancelResponse } from "./contract.ts";

/** The response shows only the present state, so a repeated request gets the same response. */
export function cancelResponse({
  order,
  gifts,
}: Pick<Cancelled, "order" | "gifts">): CancelResponse {
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
      order_total: formatAmount(order.orderTotalMinor),
      refunded: formatAmount(order.refundedMinor),
    },
    recipients: gifts.map(({ sequence, redemptionStatus }) => ({
      suborder_id: suborderId(order.id, sequence),
      suborder_number: suborderNumber(order.id, sequence),
      redemption_status: redemptionStatus,
    })),
  };
}
