// The statements of the operator's work list, which contains the shipments of all clients.
import type { Product, Variation } from "../../features/catalogue/product.ts";
import { type Database, fragment, statement } from "../../platform/db/statement.ts";
import type { Address } from "../../platform/db/schema.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import { HAS_OPEN_SHIPMENT } from "../../features/fulfilment/queries.ts";
import type { GiftKey, Parcel, ShipmentStatus } from "../../features/fulfilment/shipment.ts";

/** A gift with the values that a warehouse needs to ship it. */
export interface ListedGift extends Omit<GiftRow, "variation" | "deliveryAddress"> {
  /** Null if the product has no variations. */
  variation: Variation | null;
  /** Null if the gift has no address, which is normal for a digital gift. */
  deliveryAddress: Address | null;
}

/** Which gifts of a chunk are read. Null for a filter that is not given. */
export interface GiftFilter {
  /** The name of the vendor. Case does not matter. */
  vendor: string | null;
  catalogueId: number | null;
  delivery: Product["delivery"] | null;
  /** Only gifts that could be shipped at this time or earlier. */
  readyUntilMs: number | null;
}

interface GiftRow extends Parcel {
  clientId: string;
  orderRefId: string | null;
  orderedAtMs: number;
  readyAtMs: number;
  baseLocation: string;
  delivery: Product["delivery"];
  vendor: string;
  productSku: string;
  productName: string;
  /** JSON. */
  variation: string | null;
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string | null;
  /** JSON. */
  deliveryAddress: string | null;
  deliveryNotes: string | null;
  message: string | null;
  status: ShipmentStatus;
  shippedAtMs: number | null;
  deliveredAtMs: number | null;
}

/**
 * When the gift of sub-order `s` and order `o` could be shipped. The time of a payment is not stored with the order, so
 * for a gift that was bought outright it is the time of the order.
 */
const READY_AT_MS = fragment`coalesce(s.redeemed_at_ms, o.created_at_ms)`;

/** The gifts of the subquery `k`, which has the columns order_id and sequence. */
const GIFTS_OF = fragment`
  SELECT o.id AS orderId, s.sequence, o.client_id AS clientId, o.order_ref_id AS orderRefId,
    o.created_at_ms AS orderedAtMs, ${READY_AT_MS} AS readyAtMs, o.base_location AS baseLocation,
    r.delivery, r.content ->> '$.vendor.name' AS vendor, r.content ->> '$.sku' AS productSku,
    r.content ->> '$.name' AS productName,
    (SELECT v.value FROM json_each(r.variations) v WHERE v.value ->> '$.id' = s.variation_id) AS variation,
    s.first_name AS firstName, s.last_name AS lastName,
    coalesce(s.delivery_email, s.email) AS email, s.phone_number AS phoneNumber,
    s.delivery_address AS deliveryAddress, s.delivery_notes AS deliveryNotes,
    coalesce(s.email_message, o.link_message) AS message, coalesce(h.status, 'open') AS status,
    h.carrier, h.tracking_number AS trackingNumber, h.tracking_url AS trackingUrl,
    h.shipped_at_ms AS shippedAtMs, h.delivered_at_ms AS deliveredAtMs
  FROM k CROSS JOIN orders o ON o.id = k.order_id
  CROSS JOIN sub_orders s ON s.order_id = k.order_id AND s.sequence = k.sequence
  ${JOIN_RECEIVED_REVISION}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE (${"vendor"} IS NULL OR r.content ->> '$.vendor.name' = ${"vendor"} COLLATE NOCASE)
    AND (${"catalogueId"} IS NULL OR EXISTS (SELECT 1 FROM products p
      WHERE p.id = s.product_id AND p.catalogue_id = ${"catalogueId"}))
    AND (${"delivery"} IS NULL OR r.delivery = ${"delivery"})
    AND (${"readyUntilMs"} IS NULL OR ${READY_AT_MS} <= ${"readyUntilMs"})`;

/** Orders `o` that were bought outright and of which gifts are to be shipped: a range of the index orders_by_status. */
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

const BOUGHT_COLUMNS = fragment`
  o.id AS orderId, o.client_id AS clientId, o.created_at_ms AS createdAtMs,
  o.qty - o.shipped_gifts AS gifts`;

// The rest of the position's client, and then the clients after it. Both are in the order of the index.
const SELECT_BOUGHT = statement<BoughtParams, BoughtOrder>()`
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

// The gifts of an order that was bought outright are all read, redeemed gifts through their index.
const SELECT_OPEN = statement<GiftFilter & { orderIds: string }, GiftRow>()`
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

const RECORDED_COLUMNS = fragment`
  h.client_id AS clientId, h.updated_at_ms AS updatedAtMs, h.order_id AS orderId, h.sequence`;

// Like SELECT_BOUGHT, with ranges of the index shipments_by_update.
const SELECT_RECORDED = statement<RecordedParams, RecordedPosition>()`
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

const SELECT_GIFTS_BY_KEY = statement<GiftFilter & { keys: string }, GiftRow>()`
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

function toListedGift({ variation, deliveryAddress, ...row }: GiftRow): ListedGift {
  return {
    ...row,
    variation: variation === null ? null : (JSON.parse(variation) as Variation),
    deliveryAddress: deliveryAddress === null ? null : (JSON.parse(deliveryAddress) as Address),
  };
}
