// The statement of an order's view: products and shipments of its gifts.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Orders, Shipments, SubOrders } from "../../platform/db/schema.ts";
import { type Database, expression, type RowOf, statement } from "../../platform/db/statement.ts";
import { TRACKING } from "../../features/fulfilment/shipment.ts";
import { STATE_COLUMNS } from "../../features/lifecycle/gift-state.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";

const COLUMNS = {
  ...STATE_COLUMNS,
  ...columnsOf<Orders>("o")("giftOrderMethod"),
  ...columnsOf<SubOrders>("s")("sequence"),
  /** The product that the recipient gets. */
  productName: expression<string>()`r.content ->> '$.name'`,
  /** The product of the order. */
  offeredName: expression<string>()`offered.content ->> '$.name'`,
  shipmentStatus: orNull(columnsOf<Shipments>("h")("status")).status,
  ...TRACKING,
};

const SELECT_DETAILS = statement<{ orderId: number }>()`
  SELECT ${COLUMNS}
  FROM orders o JOIN sub_orders s ON s.order_id = o.id ${JOIN_RECEIVED_REVISION}
  JOIN product_revisions offered
    ON offered.product_id = o.product_id AND offered.revision = o.product_revision
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE o.id = ${"orderId"} ORDER BY s.sequence`;

/** The details of all gifts of the order. One round trip. */
export function readGiftDetails(db: Database, orderId: number): Promise<RowOf<typeof COLUMNS>[]> {
  return SELECT_DETAILS.all(db, { orderId });
}
