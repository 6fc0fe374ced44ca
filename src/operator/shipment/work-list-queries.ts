// The statements of the operator's work list, which contains the shipments of all clients.
import type { Customs, Product, Variation } from "../../features/catalogue/product.ts";
import { type Json, type Parsed, parseJson } from "../../platform/db/columns.ts";
import {
  type Database,
  type Expression,
  expression,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, gift, order, revision, shipment } from "../../platform/db/tables.ts";
import { JOIN_RECEIVED_REVISION, OF_VENDOR } from "../../features/orders/queries.ts";
import { READY_AT_MS, selectToShip } from "../../features/fulfilment/ready-queries.ts";
import type { ShipmentStatus } from "../../core/values/shipment-states.ts";
import { type ShipmentKey, TRACKING } from "../../features/fulfilment/shipment.ts";

/** Which gifts are listed. Null for a filter that is not given. */
export interface GiftFilter {
  /** The `nameKey` of the vendor. */
  vendor: string | null;
  /** The name of the catalogue. */
  catalogue: string | null;
  delivery: Product["delivery"] | null;
  /** Only gifts that could be shipped at this time or earlier. */
  readyUntilMs: number | null;
}

/** The values that a warehouse needs to ship a gift. */
const COLUMNS = {
  orderId: order("id").id,
  orderedAtMs: order("createdAtMs").createdAtMs,
  readyAtMs: READY_AT_MS,
  ...order("clientId", "orderRefId", "baseLocation"),
  ...gift("sequence", "firstName", "lastName", "phoneNumber", "deliveryAddress", "deliveryNotes"),
  email: expression<string>()`coalesce(s.delivery_email, s.email)`,
  message: expression<string | null>()`coalesce(s.email_message, o.link_message)`,
  ...revision("delivery", "currency"),
  customs: expression<Json<Customs> | null>()`r.content -> '$.customs'`,
  vendor: expression<string>()`r.content ->> '$.vendor.name'`,
  productSku: expression<string>()`r.content ->> '$.sku'`,
  productName: expression<string>()`r.content ->> '$.name'`,
  /** Null if the product has no variations. */
  variation: expression<Json<Variation> | null>()`(SELECT v.value FROM json_each(r.variations) v
    WHERE v.value ->> '$.id' = s.variation_id)`,
  /** The carriers' service has refused a tracking number. */
  isRefused: expression<0 | 1>()`
    EXISTS (SELECT 1 FROM json_each(h.carrier_answers) a WHERE a.value ->> '$.isRefused')`,
  status: expression<ShipmentStatus>()`coalesce(h.status, 'open')`,
  ...TRACKING,
};

const OPEN_COLUMNS = { ...COLUMNS, listedAtMs: order("createdAtMs").createdAtMs };

type GiftRow = RowOf<typeof OPEN_COLUMNS>;

export type ListedGift = Parsed<GiftRow>;

const MATCHES = fragment`
  ${OF_VENDOR} AND (${"catalogue"} IS NULL OR EXISTS (SELECT 1 FROM products p
      JOIN catalogues g ON g.id = p.catalogue_id
      WHERE p.id = s.product_id AND g.name = ${"catalogue"}))
    AND (${"delivery"} IS NULL OR r.delivery = ${"delivery"})
    AND (${"readyUntilMs"} IS NULL OR ${READY_AT_MS} <= ${"readyUntilMs"})`;

const SELECT_CLIENT = sql<ShipmentKey & { vendor: string | null }, { clientId: string }>()`
  SELECT o.client_id AS clientId FROM orders o
  JOIN gifts s ON s.order_id = o.id AND s.sequence = ${"sequence"} ${JOIN_RECEIVED_REVISION} AND ${OF_VENDOR}
  WHERE o.id = ${"orderId"}`;

/** The client of a gift that the vendor sends. One round trip. */
export const readClientId = async (
  db: Database,
  { orderId, sequence }: ShipmentKey,
  vendor: string | null,
) => (await SELECT_CLIENT.first(db, { orderId, sequence, vendor }))?.clientId;

/**
 * The position before the first gift of the list, which is by client and time: that of the order of a gift to ship, or of
 * the last change of a recorded shipment.
 */
export const workListStart = ({ client = "" }: { client?: string | undefined }) => ({
  clientId: client,
  listedAtMs: -1,
  orderId: 0,
  sequence: 0,
});

export type WorkListPosition = ReturnType<typeof workListStart>;

interface PageParams extends GiftFilter, WorkListPosition {
  lastClientId: string;
  limit: number;
}

/** The gifts from the position on: a range of the index of orders, in the order of the list. */
const FROM_POSITION = fragment`
  (o.client_id, o.created_at_ms, o.id) >= (${"clientId"}, ${"listedAtMs"}, ${"orderId"})
    AND o.client_id <= ${"lastClientId"} AND (o.id <> ${"orderId"} OR s.sequence > ${"sequence"})`;

const SELECT_OPEN = sql<PageParams, GiftRow>()`
  ${selectToShip(
    fragment`${OPEN_COLUMNS}`,
    fragment`${JOIN_RECEIVED_REVISION} AND ${FROM_POSITION} AND ${MATCHES} ${JOIN_SHIPMENT}`,
  )}
  ORDER BY clientId, listedAtMs, orderId, sequence LIMIT ${"limit"}`;

/** The first `limit` gifts to ship after the position that match the filter. One round trip. */
export const readOpenGifts = async (db: Database, params: PageParams): Promise<ListedGift[]> =>
  (await SELECT_OPEN.all(db, params)).map(toListedGift);

interface RecordedRange {
  status: Exclude<ShipmentStatus, "open">;
  /** Of the last change, inclusive. */
  sinceMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** The columns of shipment `h`, so that both ranges have the order of the index and are merged without sorting. */
const recordedColumns = (clientId: Expression<string, never>) => ({
  ...COLUMNS,
  ...shipment("orderId", "sequence"),
  clientId,
  listedAtMs: shipment("updatedAtMs").updatedAtMs,
});

const GIFT_OF_SHIPMENT = fragment`
  CROSS JOIN orders o ON o.id = h.order_id
  CROSS JOIN gifts s ON s.order_id = h.order_id AND s.sequence = h.sequence ${JOIN_RECEIVED_REVISION}`;

const IN_RANGE = fragment`
  h.status = ${"status"} AND s.fulfilment IS NOT NULL
    AND h.updated_at_ms >= ${"sinceMs"} AND h.updated_at_ms < ${"untilMs"} AND ${MATCHES}`;

// The rest of the position's client, and then the clients after it: ranges of the index shipments_by_status.
const SELECT_RECORDED = sql<PageParams & RecordedRange>()`
  SELECT ${recordedColumns(shipment("clientId").clientId)} FROM shipments h ${GIFT_OF_SHIPMENT}
  WHERE h.client_id = ${"clientId"} AND ${IN_RANGE}
    AND (h.updated_at_ms, h.order_id, h.sequence) > (${"listedAtMs"}, ${"orderId"}, ${"sequence"})
  UNION ALL
  SELECT ${recordedColumns(expression<string>()`c.id`)} FROM clients c CROSS JOIN shipments h ${GIFT_OF_SHIPMENT}
  WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND h.client_id = c.id AND ${IN_RANGE}
  ORDER BY clientId, listedAtMs, orderId, sequence LIMIT ${"limit"}`;

/** The first `limit` recorded shipments after the position that match the filter. One round trip. */
export const readRecordedGifts = async (
  db: Database,
  params: PageParams & RecordedRange,
): Promise<ListedGift[]> => (await SELECT_RECORDED.all(db, params)).map(toListedGift);

const toListedGift = (row: GiftRow): ListedGift => ({
  ...row,
  variation: parseJson(row.variation),
  customs: parseJson(row.customs),
  deliveryAddress: parseJson(row.deliveryAddress),
});
