// The description and the examples of the operation that lists shipments.
import { listShipments, MAX_PAGE_SHIPMENTS } from "../features/fulfilment/contract.ts";
import { REQUEST_EXAMPLES, type ResponseExamples } from "./examples.ts";
import type { Operation } from "./operations.ts";

export function fulfilmentOperations(examples: ResponseExamples): Operation[] {
  return [
    {
      endpoint: listShipments,
      tag: "Orders",
      summary: "List shipments",
      description: `Returns the shipments of an order, or your shipments that have changed. Set exactly one of
\`order_id\`, \`order_number\`, \`order_ref_id\` and \`updated_from\`.

- **Of an order**: its gifts that are shipped or are to be shipped, in ascending order of \`suborder_id\`. The list is
  empty if there are none yet, for example because no recipient has accepted a gift.
- **With \`updated_from\`**: your shipments that changed at this time or later, in the order of their changes. A
  shipment is in this list when it is shipped or sent. It moves to the end when it is delivered, when its tracking is
  corrected, and when it is set back to \`open\`. Gifts that were never shipped or sent are not in it.
  A gift whose shipment is \`open\` again may be cancelled later, which only \`gift.cancelled\` or \`order.cancelled\`
  reports.

If \`has_more\` is true, send the request again with \`cursor\` set to \`next_cursor\` to read the next page. With
\`updated_from\`, \`next_cursor\` is always set. To read later changes, save it, and send it with the same
\`updated_from\` after a few minutes or when you receive an event. No change is missed, whatever the clocks show.`,
      query: {
        sample: ["order_ref_id"],
        parameters: {
          order_id: { description: "The order's id.", example: 42 },
          order_number: { description: "The order's number.", example: "GO-00042" },
          order_ref_id: {
            description: "Your own reference for the order, exactly as you sent it.",
            example: REQUEST_EXAMPLES.order.order_ref_id,
          },
          updated_from: {
            description:
              "Only shipments that changed at this time or later: a day in UTC, or an RFC 3339 timestamp with `Z` or an offset. Write the `+` of an offset as `%2B`. It stays the same in all requests of a list.",
            example: "2026-09-01",
          },
          limit: {
            description: `Maximum number of shipments on the page, at most ${String(MAX_PAGE_SHIPMENTS)}.`,
            example: 100,
          },
          cursor: {
            description:
              "The `next_cursor` of the previous response to the same request. Leave it out for the first page.",
            example: examples.updatedShipments.next_cursor as string,
          },
        },
      },
      response: {
        schema: "ShipmentList",
        description: "A page of shipments.",
        examples: { order: examples.shipmentsOfOrder, updated: examples.updatedShipments },
      },
    },
  ];
}
