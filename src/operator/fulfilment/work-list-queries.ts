// The statements of the operator's work list, which contains the shipments of all clients.
import type { Product, Variation } from "../../features/catalogue/product.ts";
import { columnsOf, type Json, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Orders, ProductRevisions, Shipments, SubOrders } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import { HAS_OPEN_SHIPMENT } from "../../features/fulfilment/queries.ts";
import { type GiftKey, type ShipmentStatus, TRACKING } from "../../features/fulfilment/shipment.ts";

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");
const h = columnsOf<Shipments>("h");

/** Which gifts of a chunk are read. Null for a filter that is not given. */
export interface GiftFilter {
  /** The name of the vendor. Case does not matter. */
  vendor: string | null;
  catalogueId: number | null;
  delivery: Product["delivery"] | null;
  /** Only gifts that could be shipped at this time or earlier. */
  readyUntilMs: number | null;
}

/**
 * When the gift of sub-order `s` and order `o` could be shipped. The time of a payment is not stored with the order, so
 * for a gift that was bought outright it is the time of the order.
 */
const READY_AT_MS = expression<number>()`coalesce(s.redeemed_at_ms, o.created_at_ms)`;

/** The values that a warehouse needs to ship a gift. */
const COLUMNS = {
  orderId: o("id").id,
  orderedAtMs: o("createdAtMs").createdAtMs,
  readyAtMs: READY_AT_MS,
  ...o("clientId", "orderRefId", "baseLocation"),
  ...s("sequence", "firstName", "lastName", "phoneNumber", "deliveryAddress", "deliveryNotes"),
  email: expression<string>()`coalesce(s.delivery_email, s.email)`,
  message: expression<string | null>()`coalesce(s.email_message, o.link_message)`,
  ...columnsOf<ProductRevisions>("r")("delivery"),
  vendor: expression<string>()`r.content ->> '$.vendor.name'`,
  productSku: expression<string>()`r.content ->> '$.sku'`,
  productName: expression<string>()`r.content ->> '$.name'`,
  /** Null if the product has no variations. */
  variation: expression<Json<Variation> | null>()`(SELECT v.value FROM json_each(r.variations) v
    WHERE v.value ->> '$.id' = s.variation_id)`,
  status: expression<ShipmentStatus>()`coalesce(h.status, 'open')`,
  ...TRACKING,
};

type GiftRow = RowOf<typeof COLUMNS>;

export type ListedGift = Parsed<GiftRow>;

/** The gifts of the subquery `k`, which has the columns order_id and sequence. */
const GIFTS_OF = fragment`
  SELECT ${COLUMNS}
  FROM k CROSS JOIN orders o ON o.id = k.order_id
  CROSS JOIN sub_orders s ON s.order_id = k.order_id AND s.sequence = k.sequence
  ${JOIN_RECEIVED_REVISION}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE (${"vendor"} IS NULL OR r.content ->> '$.vendor.name' = ${"vendor"} COLLATE NOCASE)
    AND (${"catalogueId"} IS NULL OR EXISTS (SELECT 1 FROM products p
      WHERE p.id = s.product_id AND p.catalogue_id = ${"catalogueId"}))
    AND (${"delivery"} IS NULL OR r.delivery = ${"delivery"})
    AND (${"readyUntilMs"} IS NULL OR ${READY_AT_MS} <= ${"readyUntilMs"})`;

/** Orders `o` that were bought outright and of which gifts are to be shipped: a range of the index orders_to_finish. */
const IS_TO_SHIP = fragment`
  o.status = 'paid' AND o.gift_order_method = 'api-purchase' AND o.finished = 0`;

/** An order with gifts to ship. */
export interface OrderToShip {
  orderId: number;
  /** The number of its gifts that are not shipped. Some of them may have ended. */
  gifts: number;
}

/** The position of an order among those that were bought outright. */
export interface BoughtOrder extends OrderToShip {
  clientId: string;
  createdAtMs: number;
}

/** A list of all clients, or of one, starts before its first order. */
export type BoughtPosition = Omit<BoughtOrder, "gifts">;

interface BoughtParams extends BoughtPosition {
  lastClientId: string;
  limit: number;
}

const BOUGHT_COLUMNS = {
  orderId: o("id").id,
  ...o("clientId", "createdAtMs"),
  gifts: expression<number>()`o.qty - o.shipped_gifts`,
};

// The rest of the position's client, and then the clients after it. Both are in the order of the index.
const SELECT_BOUGHT = statement<BoughtParams>()`
  SELECT ${BOUGHT_COLUMNS} FROM orders o
  WHERE o.client_id = ${"clientId"} AND ${IS_TO_SHIP}
    AND (o.created_at_ms, o.id) > (${"createdAtMs"}, ${"orderId"})
  UNION ALL
  SELECT ${BOUGHT_COLUMNS} FROM clients c CROSS JOIN orders o
  WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${IS_TO_SHIP}
  ORDER BY clientId, createdAtMs, orderId LIMIT ${"limit"}`;

/** The first `limit` orders after the position that were bought outright. One round trip. */
export function selectBought(
  db: Database,
  after: BoughtPosition,
  page: Pick<BoughtParams, "lastClientId" | "limit">,
): Promise<BoughtOrder[]> {
  return SELECT_BOUGHT.all(db, { ...after, ...page });
}

interface RedeemedParams {
  clientId: string | null;
  afterOrderId: number;
  limit: number;
}

const SELECT_REDEEMED = statement<RedeemedParams, OrderToShip>()`
  SELECT s.order_id AS orderId, count(*) AS gifts
  FROM sub_orders s INDEXED BY redeemed_gifts_to_ship
  WHERE s.redemption_status = 'redeemed' AND s.has_shipment = 0 AND s.order_id > ${"afterOrderId"}
    AND (${"clientId"} IS NULL OR EXISTS (SELECT 1 FROM orders o
      WHERE o.id = s.order_id AND o.client_id = ${"clientId"}))
  GROUP BY s.order_id ORDER BY s.order_id LIMIT ${"limit"}`;

/** The first `limit` orders after `afterOrderId` with redeemed gifts to ship. One round trip. */
export function selectRedeemed(db: Database, params: RedeemedParams): Promise<OrderToShip[]> {
  return SELECT_REDEEMED.all(db, params);
}

/** A redeemed gift to ship. */
interface RedeemedGift extends GiftKey {
  clientId: string;
  /** Whether `selectBought` also selects its order. */
  isBought: 0 | 1;
}

const SELECT_REDEEMED_GIFTS = statement<GiftKey & { limit: number }, RedeemedGift>()`
  SELECT s.order_id AS orderId, s.sequence, o.client_id AS clientId, (${IS_TO_SHIP}) AS isBought
  FROM sub_orders s INDEXED BY redeemed_gifts_to_ship CROSS JOIN orders o ON o.id = s.order_id
  WHERE s.redemption_status = 'redeemed' AND s.has_shipment = 0
    AND (s.order_id, s.sequence) > (${"orderId"}, ${"sequence"})
  ORDER BY s.order_id, s.sequence LIMIT ${"limit"}`;

/** The first `limit` redeemed gifts after the position, of all clients. One round trip. */
export const selectRedeemedGifts = (db: Database, after: GiftKey, limit: number) =>
  SELECT_REDEEMED_GIFTS.all(db, { ...after, limit });

// The gifts of an order that was bought outright are all read, redeemed gifts through their index.
const SELECT_OPEN = statement<GiftFilter & { orderIds: string }>()`
  WITH k AS (
    SELECT s.order_id, s.sequence FROM json_each(${"orderIds"}) v
    CROSS JOIN orders o ON o.id = v.value CROSS JOIN sub_orders s ON s.order_id = o.id
    WHERE o.gift_order_method = 'api-purchase' AND ${HAS_OPEN_SHIPMENT}
    UNION ALL
    SELECT s.order_id, s.sequence FROM json_each(${"orderIds"}) v
    CROSS JOIN orders o ON o.id = v.value
    CROSS JOIN sub_orders s INDEXED BY redeemed_gifts_to_ship ON s.order_id = o.id
    WHERE o.gift_order_method <> 'api-purchase' AND s.redemption_status = 'redeemed'
      AND s.has_shipment = 0)
  ${GIFTS_OF}`;

/** The open gifts of these orders that match the filter, in ascending order. One round trip. */
export async function readOpenGifts(
  db: Database,
  orderIds: readonly number[],
  filter: GiftFilter,
): Promise<ListedGift[]> {
  const rows = await SELECT_OPEN.all(db, { ...filter, orderIds: JSON.stringify(orderIds) });
  return rows.sort((a, b) => a.orderId - b.orderId || a.sequence - b.sequence).map(toListedGift);
}

/** A shipped gift, with its position among the last changes. */
export interface RecordedPosition extends GiftKey {
  clientId: string;
  updatedAtMs: number;
}

interface RecordedParams extends RecordedPosition {
  lastClientId: string;
  status: ShipmentStatus;
  sinceMs: number;
  untilMs: number;
  limit: number;
}

const RECORDED_COLUMNS = h("clientId", "updatedAtMs", "orderId", "sequence");

// Like SELECT_BOUGHT, with ranges of the index shipments_by_update.
const SELECT_RECORDED = statement<RecordedParams>()`
  SELECT ${RECORDED_COLUMNS} FROM shipments h
  WHERE h.client_id = ${"clientId"} AND h.status = ${"status"}
    AND h.updated_at_ms >= ${"sinceMs"} AND h.updated_at_ms < ${"untilMs"}
    AND (h.updated_at_ms, h.order_id, h.sequence) > (${"updatedAtMs"}, ${"orderId"}, ${"sequence"})
  UNION ALL
  SELECT ${RECORDED_COLUMNS} FROM clients c CROSS JOIN shipments h
  WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND h.client_id = c.id
    AND h.status = ${"status"} AND h.updated_at_ms >= ${"sinceMs"} AND h.updated_at_ms < ${"untilMs"}
  ORDER BY clientId, updatedAtMs, orderId, sequence LIMIT ${"limit"}`;

/** The first `limit` shipments after the position that have this status. One round trip. */
export function selectRecorded(
  db: Database,
  after: RecordedPosition,
  range: Omit<RecordedParams, keyof RecordedPosition>,
): Promise<RecordedPosition[]> {
  return SELECT_RECORDED.all(db, { ...after, ...range });
}

const SELECT_GIFTS_BY_KEY = statement<GiftFilter & { keys: string }>()`
  WITH k AS (SELECT v.value ->> '$.orderId' AS order_id, v.value ->> '$.sequence' AS sequence
    FROM json_each(${"keys"}) v)
  ${GIFTS_OF}`;

/** Those of these gifts that match the filter, in any order. One round trip. */
export async function readGiftsByKey(
  db: Database,
  keys: readonly GiftKey[],
  filter: GiftFilter,
): Promise<ListedGift[]> {
  const rows = await SELECT_GIFTS_BY_KEY.all(db, { ...filter, keys: JSON.stringify(keys) });
  return rows.map(toListedGift);
}

const toListedGift = (row: GiftRow): ListedGift => ({
  ...row,
  variation: parseJson(row.variation),
  deliveryAddress: parseJson(row.deliveryAddress),
});
