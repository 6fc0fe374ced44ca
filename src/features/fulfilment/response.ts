// Maps shipments to the response that fulfilment/contract.ts defines.
import { orderNumber, toGiftId, toGiftNumber } from "../../core/values/ids.ts";
import { optionalTimestamp } from "../../core/values/time.ts";
import { trackingUrlOf } from "../../core/values/tracking.ts";
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
  const { orderId, sequence } = shipment;
  return {
    suborder_id: toGiftId(orderId, sequence),
    suborder_number: toGiftNumber(orderId, sequence),
    order_id: orderId,
    order_number: orderNumber(orderId),
    order_ref_id: shipment.orderRefId,
    external_id: shipment.externalId,
    shipment_status: shipment.status,
    carrier: shipment.carrier,
    tracking_number: shipment.trackingNumber,
    tracking_url: trackingUrlOf(shipment),
    shipped_at: optionalTimestamp(shipment.shippedAtMs),
    delivered_at: optionalTimestamp(shipment.deliveredAtMs),
    shipment_problem: shipment.problem,
    updated_at: optionalTimestamp(shipment.updatedAtMs),
  };
}
