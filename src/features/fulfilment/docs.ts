// Describes the endpoint that lists shipments.
import { type FeatureDocs, operation } from "../../platform/http/documentation.ts";
import { SAMPLE_ORDER, SAMPLE_TRACKING } from "../events/docs.ts";
import { ORDER_TAG } from "../orders/docs.ts";
import { formatCursor } from "../orders/list-cursor.ts";
import * as contract from "./contract.ts";
import { shipmentListResponse } from "./response.ts";
import type { ListedShipment } from "./list-queries.ts";

const open = (sequence: number): ListedShipment => ({
  orderId: SAMPLE_ORDER.id,
  sequence,
  orderRefId: SAMPLE_ORDER.orderRefId,
  externalId: SAMPLE_ORDER.externalIds[sequence - 1] ?? null,
  status: "open",
  carrier: null,
  trackingNumber: null,
  trackingUrl: null,
  shippedAtMs: null,
  deliveredAtMs: null,
  problem: null,
  carrierAnswers: null,
  updatedAtMs: null,
});

const shipped: ListedShipment = {
  ...open(1),
  status: "shipped",
  carrier: SAMPLE_TRACKING.carrier,
  trackingNumber: SAMPLE_TRACKING.tracking_number,
  trackingUrl: SAMPLE_TRACKING.tracking_url,
  shippedAtMs: SAMPLE_ORDER.shippedAtMs,
  updatedAtMs: SAMPLE_ORDER.shippedAtMs,
};

const nextCursor = formatCursor(
  { updatedAtMs: SAMPLE_ORDER.shippedAtMs, orderId: SAMPLE_ORDER.id, sequence: 1 },
  { updated_from: Date.parse("2026-09-01") },
);

export const fulfilmentDocs: FeatureDocs = {
  tag: ORDER_TAG,

  operations: [
    operation(contract.listShipments, {
      summary: "List shipments",
      description: `Returns the shipments of an order, or your shipments that have changed. Set exactly one of
\`order_id\`, \`order_number\`, \`order_ref_id\` and \`updated_from\`.

- **Of an order**: its gifts that are shipped or are to be shipped, in ascending order of \`suborder_id\`. The list is
  empty if there are none yet, for example because no recipient has accepted a gift.
- **With \`updated_from\`**: your shipments that changed at this time or later, in the order of their changes. A
  shipment is in this list when it is shipped or sent. It moves to the end when it is delivered, when its tracking is
  corrected, when the carrier reports something else, and when it is set back to \`open\`. Gifts that were never shipped or sent are not in it.
  A gift whose shipment is \`open\` again may be cancelled later, which only \`gift.cancelled\` or \`order.cancelled\`
  reports.

If \`has_more\` is true, send the request again with \`cursor\` set to \`next_cursor\` to read the next page. With
\`updated_from\`, \`next_cursor\` is always set. To read later changes, save it, and send it with the same
\`updated_from\` after a few minutes or when you receive an event. No change is missed, whatever the clocks show.`,
      sample: ["order_ref_id"],
      returns: "A page of shipments.",
      responses: {
        order: shipmentListResponse({
          shipments: [shipped, open(2)],
          nextCursor: null,
          hasMore: false,
        }),
        updated: shipmentListResponse({ shipments: [shipped], nextCursor, hasMore: false }),
      },
    }),
  ],
};
