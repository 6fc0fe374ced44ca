// Maps events to the responses that events/contract.ts defines.
import { toGiftId } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { formatAmount } from "../../core/values/money.ts";
import { parseJson } from "../../platform/db/columns.ts";
import { redeemByOf } from "../../core/values/redeem-by.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";
import { SHIPMENT_STATUSES } from "../../core/values/shipment-states.ts";
import type { EventListResponse, EventResponse } from "./contract.ts";
import { type EventType, SHIPMENT_EVENTS } from "./event.ts";
import type { ClientEvent } from "./queries.ts";

/** The order's status after the event. */
const ORDER_STATUS = {
  "order.created": "created",
  "order.paid": "paid",
  "order.failed": "failed",
  // The interface's spelling.
  "order.cancelled": "cancieled",
} as const;

const shipmentStatus = (type: EventType) =>
  SHIPMENT_STATUSES.find((status) => SHIPMENT_EVENTS[status] === type);

/** A page of the feed. `read` is the sequence of the last event that was read, and `last` that of the client's last event. */
export function eventListResponse(
  events: ClientEvent[],
  { read, last }: { read: number; last: number },
): EventListResponse {
  return {
    status: "success",
    events: events.map(eventResponse),
    next_after: read,
    has_more: read < last,
  };
}

export function eventResponse(event: ClientEvent): EventResponse {
  const { orderId, giftSequence } = event;
  return {
    sequence: event.sequence,
    type: event.type,
    created_at: new Date(event.createdAtMs).toISOString(),
    order_id: orderId,
    order_ref_id: event.orderRefId,
    suborder_id: orderId === null || giftSequence === null ? null : toGiftId(orderId, giftSequence),
    data: { ...dataOf(event), ...partnerData(event) },
  };
}

function dataOf(event: ClientEvent): EventResponse["data"] {
  const { type, data, currency } = event;
  switch (type) {
    case "order.created":
    case "order.paid":
    case "order.failed":
    case "order.cancelled":
      return orderData(event, type);
    case "order.extended":
    case "gift.extended":
    case "gift.expiring":
      return { redeem_by: redeemByOf(data.expiresAtMs ?? null) };
    case "gift.redeemed":
      return {
        redemption_status: "redeemed",
        product_id: data.productId,
        variation_id: data.variationId ?? null,
        ...(data.correctedFields?.length && { corrected_fields: data.correctedFields }),
      };
    case "gift.declined":
      return {
        final_at: new Date(data.finalAtMs as number).toISOString(),
        ...(data.declineReason && { decline_reason: data.declineReason }),
      };
    case "gift.cancelled":
    case "gift.expired":
      return {
        redemption_status: type === "gift.expired" ? "expired" : "cancelled",
        currency: currency as Currency,
        refund: formatAmount(data.refundMinor as number, currency as Currency),
      };
    case "gift.corrected":
      return { corrected_fields: data.correctedFields };
    case "gift.opened":
    case "gift.reinstated":
    case "gift.thanked":
    case "gift.renewed":
      return {};
    case "gift.shipped":
    case "gift.delivered":
      return {
        shipment_status: shipmentStatus(type),
        carrier: event.carrier,
        tracking_number: event.trackingNumber,
        tracking_url: trackingUrlOf(event),
      };
    case "gift.returned":
    case "gift.failed":
      return {
        shipment_status: shipmentStatus(type),
        shipment_problem: event.problem,
        tracking_number: event.trackingNumber,
      };
    case "gift.sent":
    case "gift.reopened":
      return { shipment_status: shipmentStatus(type) };
    case "gift.email_sent":
      return { email_kind: data.emailKind };
    case "gift.email_failed":
      return { email_kind: data.emailKind, email_failure: data.emailReason };
    case "credit.low":
      return {
        currency: data.currency,
        credit_balance: formatAmount(data.balanceMinor as number, data.currency as Currency),
        alert_below: formatAmount(data.alertBelowMinor as number, data.currency as Currency),
      };
    case "credential.created":
    case "credential.limited":
    case "credential.revoked":
      return { credential_id: data.credentialId, scope: data.scope };
    case "product.added":
    case "product.changed":
    case "product.removed":
      return { product_id: data.productId };
    case "product.sold_out":
    case "product.available":
      return { product_id: data.productId, variation_id: data.variationId ?? null };
    case "collection.changed":
    case "collection.removed":
      return { collection: data.collection };
    case "data.restored":
      return { last_sequence: data.lastSequence };
  }
}

function orderData(
  { orderId, qty, currency, orderTotalMinor, data }: ClientEvent,
  type: keyof typeof ORDER_STATUS,
): EventResponse["data"] {
  return {
    order_status: ORDER_STATUS[type],
    recipient_count: qty as number,
    currency: currency as Currency,
    order_total: formatAmount(orderTotalMinor as number, currency as Currency),
    ...(data.expiresAtMs !== undefined && { redeem_by: redeemByOf(data.expiresAtMs) }),
    ...(data.cancelledGifts !== undefined && {
      cancelled_count: data.cancelledGifts,
      suborder_ids: (data.cancelledSequences ?? []).map((n) => toGiftId(orderId as number, n)),
    }),
    ...(data.refundMinor !== undefined && {
      refund: formatAmount(data.refundMinor, currency as Currency),
    }),
  };
}

/** The credential set of the change, and what the partner has stored with the order and its recipient. */
function partnerData({
  orderId,
  data: { credentialId },
  campaign,
  metadata,
  externalId,
  recipientMetadata,
}: ClientEvent): EventResponse["data"] {
  return {
    ...(orderId !== null && credentialId !== undefined && { credential_id: credentialId }),
    ...(campaign !== null && { campaign }),
    ...(metadata !== null && { metadata: parseJson(metadata) }),
    ...(externalId !== null && { external_id: externalId }),
    ...(recipientMetadata !== null && { recipient_metadata: parseJson(recipientMetadata) }),
  };
}
