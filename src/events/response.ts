// Maps events to the responses that events/contract.ts defines.
import { suborderId } from "../values/ids.ts";
import { formatAmount } from "../values/money.ts";
import type { EventListResponse, EventResponse } from "./contract.ts";
import type { ClientEvent, EventType } from "./event.ts";

/** The order's status after the event. */
const ORDER_STATUS = {
  "order.created": "created",
  "order.paid": "paid",
  "order.failed": "failed",
  // The interface's spelling.
  "order.cancelled": "cancieled",
} as const;

/** A page of the feed. `after` is that of the request, and `last` is the sequence of the client's last event. */
export function eventListResponse(
  events: ClientEvent[],
  { after, last }: { after: number; last: number },
): EventListResponse {
  const nextAfter = events.at(-1)?.sequence ?? after;
  return {
    status: "success",
    events: events.map(eventResponse),
    next_after: nextAfter,
    has_more: nextAfter < last,
  };
}

export function eventResponse(event: ClientEvent): EventResponse {
  const { orderId, suborderSequence } = event;
  return {
    sequence: event.sequence,
    type: event.type,
    created_at: new Date(event.createdAtMs).toISOString(),
    order_id: orderId,
    order_ref_id: event.orderRefId,
    suborder_id:
      orderId === null || suborderSequence === null ? null : suborderId(orderId, suborderSequence),
    data: isOrderEvent(event.type) ? orderData(event, event.type) : otherData(event),
  };
}

function isOrderEvent(type: EventType): type is keyof typeof ORDER_STATUS {
  return type in ORDER_STATUS;
}

function orderData(
  { qty, currency, orderTotalMinor, data }: ClientEvent,
  type: keyof typeof ORDER_STATUS,
): EventResponse["data"] {
  return {
    order_status: ORDER_STATUS[type],
    recipient_count: qty as number,
    currency: currency as string,
    order_total: formatAmount(orderTotalMinor as number),
    ...(data.cancelledGifts !== undefined && { cancelled_count: data.cancelledGifts }),
    ...(data.refundMinor !== undefined && { refund: formatAmount(data.refundMinor) }),
  };
}

function otherData({ type, data }: ClientEvent): EventResponse["data"] {
  if (type === "gift.redeemed") {
    return {
      redemption_status: "redeemed",
      product_id: data.productId,
      variation_id: data.variationId ?? null,
    };
  }
  return {
    currency: data.currency,
    credit_balance: formatAmount(data.balanceMinor as number),
    alert_below: formatAmount(data.alertBelowMinor as number),
  };
}
