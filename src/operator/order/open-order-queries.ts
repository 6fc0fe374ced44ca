// The statements of an order and its gifts, whose reading is recorded.
import { orNull, parseJson } from "../../platform/db/columns.ts";
import { batch, type Database, expression, type RowOf, sql } from "../../platform/db/sql.ts";
import { client, gift, order } from "../../platform/db/tables.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { CODE_OBSTACLE } from "../../features/codes/bind-queries.ts";
import { STEP_OBSTACLE } from "../../features/fulfilment/obstacles.ts";
import { TRACKING } from "../../features/fulfilment/shipment.ts";
import { CHANGING_GIFT_COLUMNS } from "../../features/lifecycle/change-queries.ts";
import { FINAL_AT } from "../../features/lifecycle/gift-end.ts";
import { operatorsStateOf } from "../../features/lifecycle/gift-state.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import { JOIN_MAILED_GIFT } from "../../features/schedule/queries.ts";
import { bindReading, type Reading } from "../audit/reading.ts";
import { SELECT_ORDER_ENTRIES, SELECT_SAME_ORDERS } from "./money-queries.ts";

const ORDER = {
  ...order("id", "clientId", "orderRefId", "giftOrderMethod", "status", "giftOfChoice"),
  ...order("collectionId", "senderName", "metadata", "productId", "variationId", "baseLocation"),
  ...order("currency", "qty", "productPriceMinor", "subtotalMinor", "shippingCostMinor"),
  ...order("orderFeeMinor", "orderTotalMinor", "refundedMinor", "owedMinor", "redeemedGifts"),
  ...order("cancelledGifts", "expiredGifts", "shippedGifts", "linkMessage", "sendAtMs"),
  ...order("expiresAtMs", "createdAtMs", "campaign", "credentialId"),
  hasLinks: expression<0 | 1>()`o.link_nonce IS NOT NULL`,
  clientName: client("name").name,
  /** Null without a collection, or if it was removed. */
  collectionName: expression<string | null>()`(SELECT l.name FROM collections l
    WHERE l.catalogue_id = c.catalogue_id AND l.id = o.collection_id)`,
  ...orNull({
    productName: expression<string>()`r.content ->> '$.name'`,
    picture: expression<string>()`r.content ->> '$.featuredImage'`,
  }),
};

const SELECT_ORDER = sql<{ orderId: number }>()`
  SELECT ${ORDER} FROM orders o JOIN clients c ON c.id = o.client_id
  LEFT JOIN product_revisions r
    ON r.product_id = o.product_id AND r.revision = o.product_revision
  WHERE o.id = ${"orderId"}`;

const GIFT = {
  ...CHANGING_GIFT_COLUMNS,
  ...gift("language", "externalId", "metadata", "variationId", "openedAtMs", "redeemedAtMs"),
  ...gift("thankYou", "credentialId", "swappedTo", "swappedFrom", "refundedMinor"),
  finalAtMs: FINAL_AT,
  productName: expression<string>()`r.content ->> '$.name'`,
  picture: expression<string>()`r.content ->> '$.featuredImage'`,
  codeObstacle: CODE_OBSTACLE,
  reshipObstacle: STEP_OBSTACLE.reship,
  ...TRACKING,
};

interface GiftsParams {
  orderId: number;
  afterSequence: number;
  limit: number;
}

// A range of the primary key.
const SELECT_GIFTS = sql<GiftsParams>()`
  SELECT ${GIFT}
  FROM gifts s ${JOIN_MAILED_GIFT} ${JOIN_RECEIVED_REVISION}
  WHERE s.order_id = ${"orderId"} AND s.sequence > ${"afterSequence"}
  ORDER BY s.sequence LIMIT ${"limit"}`;

const toGift = (row: RowOf<typeof GIFT>, nowMs: number) => ({
  ...row,
  state: operatorsStateOf(row, nowMs),
  deliveryAddress: parseJson(row.deliveryAddress),
  metadata: parseJson(row.metadata),
  emails: parseJson(row.emails),
  locations: parseJson(row.locations),
});

export type OpenedOrder = NonNullable<Awaited<ReturnType<typeof openOrder>>>;
export type OpenedGift = OpenedOrder["gifts"][number];

interface OrderOpening extends Pick<Reading, "actor" | "requestId" | "nowMs"> {
  orderId: number;
  /** Only this gift. Null for a page of the order's gifts. */
  sequence: number | null;
  afterSequence: number;
  limit: number;
}

/**
 * The order with the gifts after the sequence, or null if there is no such order or gift. Records in the audit log that
 * its personal data was read. One transaction, one round trip. Rows read are linear in the gifts shown and their e-mails, and
 * in the gifts of an order that was placed twice.
 */
export async function openOrder(
  db: Pick<Database, "prepare" | "batch">,
  { orderId, sequence, afterSequence, limit, ...reader }: OrderOpening,
) {
  const { nowMs } = reader;
  const range =
    sequence === null
      ? { afterSequence, limit: limit + 1 }
      : { afterSequence: sequence - 1, limit: 1 };
  // A gift's page does not show them. No order has the id 0.
  const shown = { orderId: sequence === null ? orderId : 0 };
  const { order, gifts, entries, same } = await batch(db, {
    order: SELECT_ORDER.bind(db, { orderId }),
    entries: SELECT_ORDER_ENTRIES.bind(db, { ...shown, limit }),
    same: SELECT_SAME_ORDERS.bind(db, shown),
    gifts: SELECT_GIFTS.bind(db, { orderId, ...range }),
    reading: bindReading(db, {
      ...reader,
      action: sequence === null ? "order show" : "gift show",
      reason: null,
      subjects:
        sequence === null
          ? { type: "order", keys: [orderId] }
          : { type: "gift", keys: [toGiftId(orderId, sequence)] },
      state: { read: sequence === null ? "order" : "gift" },
    }),
  });
  const [found] = order.results;
  const rows = gifts.results.filter((each) => sequence === null || each.sequence === sequence);
  if (!found || (sequence !== null && rows.length === 0)) return null;
  return {
    order: { ...found, metadata: parseJson(found.metadata) },
    gifts: rows.slice(0, limit).map((row) => toGift(row, nowMs)),
    hasMore: rows.length > limit,
    entries: entries.results,
    sameOrders: same.results.map(({ id }) => id),
  };
}
