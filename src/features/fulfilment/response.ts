// Maps shipments to the response that fulfilment/contract.ts defines.
import { parseJson } from "../../platform/db/columns.ts";
import { carrierAnswerOf } from "../../core/values/carrier-answer.ts";
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { optionalTimestamp } from "../../core/values/time.ts";
import { otherTrackingUrls, trackingUrlOf } from "../../core/values/tracking.ts";
import type { ShipmentListResponse, ShipmentResponse } from "./contract.ts";
import type { ShipmentPage } from "./list.ts";
import type { ListedShipment } from "./list-queries.ts";

export function shipmentListResponse({
  shipments,
  nextCursor,
  hasMore,
}: ShipmentPage): ShipmentListResponse {
  return {
    status: "success",
    shipments: shipments.map(shipmentResponse),
    next_cursor: nextCursor,
    has_more: hasMore,
  };
}

function shipmentResponse(shipment: ListedShipment): ShipmentResponse {
  const { orderId, sequence, trackingNumber } = shipment;
  const answer = carrierAnswerOf(trackingNumber, parseJson(shipment.carrierAnswers));
  return {
    suborder_id: toGiftId(orderId, sequence),
    suborder_number: toGiftNumber(orderId, sequence),
    order_id: orderId,
    order_number: orderNumber(orderId),
    order_ref_id: shipment.orderRefId,
    external_id: shipment.externalId,
    shipment_status: shipment.status,
    carrier: shipment.carrier,
    tracking_number: trackingNumber,
    tracking_url: trackingUrlOf(shipment),
    other_tracking_urls: otherTrackingUrls(shipment) ?? [],
    shipped_at: optionalTimestamp(shipment.shippedAtMs),
    delivered_at: optionalTimestamp(shipment.deliveredAtMs),
    shipment_problem: shipment.problem,
    carrier_status: answer.status,
    expected_delivery: answer.expectedOn,
    updated_at: optionalTimestamp(shipment.updatedAtMs),
  };
}
