// The statements that read personal data for the operator's commands.
import type { Address, Metadata } from "../../platform/db/schema.ts";
import { type Database, fragment, statement } from "../../platform/db/statement.ts";
import type { ShipmentStatus } from "../../features/fulfilment/shipment.ts";
import type { Order, SubOrder } from "../../features/orders/order.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { IS_FINISHED, IS_SETTLED, isOlder } from "../../features/privacy/queries.ts";

/** Gifts of all clients, or of one. */
export interface GiftSelection {
  ids: readonly number[];
  clientId: string | null;
}

/** JSON: the ids of sub-orders. */
type SelectionParams = Omit<GiftSelection, "ids"> & { ids: string };

const toParams = ({ ids, clientId }: GiftSelection) => ({ ids: JSON.stringify(ids), clientId });

/** The selected sub-orders `s` with their orders `o`. */
const SELECTED = fragment`
  FROM json_each(${"ids"}) v
  CROSS JOIN sub_orders s ON s.order_id = v.value / 1000 AND s.sequence = v.value % 1000
  CROSS JOIN orders o ON o.id = s.order_id AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})`;

/** What an erasure depends on. */
export interface ErasureState {
  id: number;
  orderId: number;
  sequence: number;
  clientId: string;
  giftOrderMethod: Order["giftOrderMethod"];
  orderStatus: Order["status"];
  redemptionStatus: SubOrder["redemptionStatus"];
  erasedAtMs: number | null;
  isFinished: boolean;
}

type ErasureStateRow = Omit<ErasureState, "isFinished"> & { isFinished: number };

const SELECT_STATES = statement<SelectionParams, ErasureStateRow>()`
  SELECT v.value AS id, o.id AS orderId, s.sequence, o.client_id AS clientId,
    o.gift_order_method AS giftOrderMethod, o.status AS orderStatus,
    s.redemption_status AS redemptionStatus, s.erased_at_ms AS erasedAtMs,
    ${IS_FINISHED} AS isFinished
  ${SELECTED} ORDER BY v.key`;

/** The selected gifts that exist, in the order of their ids. One round trip. */
export async function readStates(db: Database, selection: GiftSelection): Promise<ErasureState[]> {
  const rows = await SELECT_STATES.all(db, toParams(selection));
  return rows.map((row) => ({ ...row, isFinished: row.isFinished === 1 }));
}

/** Everything that is stored about a recipient, with the gift and the free texts of its order. */
export interface StoredRecipient extends Omit<StoredRow, "address" | `${string}Metadata`> {
  address: Address | null;
  metadata: Metadata | null;
  orderMetadata: Metadata | null;
}

interface StoredRow {
  orderId: number;
  sequence: number;
  clientId: string;
  company: string;
  orderRefId: string | null;
  orderedAtMs: number;
  orderStatus: Order["status"];
  giftOrderMethod: Order["giftOrderMethod"];
  senderName: string | null;
  linkMessage: string | null;
  /** JSON, like all metadata and the address. */
  orderMetadata: string | null;
  product: string;
  firstName: string;
  lastName: string;
  email: string;
  deliveryEmail: string | null;
  phoneNumber: string | null;
  language: string | null;
  externalId: string | null;
  recipientMetadata: string | null;
  message: string | null;
  address: string | null;
  deliveryNotes: string | null;
  redemptionStatus: SubOrder["redemptionStatus"];
  redeemedAtMs: number | null;
  declinedAtMs: number | null;
  thankYou: string | null;
  thankedAtMs: number | null;
  shipmentStatus: ShipmentStatus | null;
  carrier: string | null;
  trackingNumber: string | null;
  trackingUrl: string | null;
  shippedAtMs: number | null;
  deliveredAtMs: number | null;
  /** JSON. */
  earlierTracking: string | null;
  erasedAtMs: number | null;
}

const SELECT_STORED = statement<SelectionParams, StoredRow>()`
  SELECT o.id AS orderId, s.sequence, o.client_id AS clientId, c.name AS company,
    o.order_ref_id AS orderRefId, o.created_at_ms AS orderedAtMs, o.status AS orderStatus,
    o.gift_order_method AS giftOrderMethod, o.sender_name AS senderName,
    o.link_message AS linkMessage, o.metadata AS orderMetadata, r.content ->> '$.name' AS product,
    s.first_name AS firstName, s.last_name AS lastName, s.email, s.delivery_email AS deliveryEmail,
    s.phone_number AS phoneNumber, s.language, s.external_id AS externalId,
    s.metadata AS recipientMetadata, s.email_message AS message, s.delivery_address AS address,
    s.delivery_notes AS deliveryNotes, s.redemption_status AS redemptionStatus,
    s.redeemed_at_ms AS redeemedAtMs, s.declined_at_ms AS declinedAtMs, s.thank_you AS thankYou,
    s.thanked_at_ms AS thankedAtMs, h.status AS shipmentStatus, h.carrier,
    h.tracking_number AS trackingNumber, h.tracking_url AS trackingUrl,
    h.shipped_at_ms AS shippedAtMs, h.delivered_at_ms AS deliveredAtMs,
    h.earlier_tracking AS earlierTracking, s.erased_at_ms AS erasedAtMs
  ${SELECTED} JOIN clients c ON c.id = o.client_id ${JOIN_RECEIVED_REVISION}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  ORDER BY v.key`;

/** The data of the selected gifts that exist, in the order of their ids. One round trip. */
export async function readStored(
  db: Database,
  selection: GiftSelection,
): Promise<StoredRecipient[]> {
  const rows = await SELECT_STORED.all(db, toParams(selection));
  return rows.map(({ address, recipientMetadata, orderMetadata, ...row }) => ({
    ...row,
    address: JSON.parse(address ?? "null") as Address | null,
    metadata: JSON.parse(recipientMetadata ?? "null") as Metadata | null,
    orderMetadata: JSON.parse(orderMetadata ?? "null") as Metadata | null,
  }));
}

interface DueParams {
  clientId: string;
  retainDays: number;
  nowMs: number;
  dayMs: number;
  limit: number;
}

const COUNT_DUE = statement<DueParams, { orders: number }>()`
  SELECT count(*) AS orders FROM (
    SELECT 1 FROM orders o INDEXED BY orders_to_erase
    WHERE o.client_id = ${"clientId"} AND ${IS_SETTLED} AND ${isOlder(fragment`${"retainDays"}`)}
    LIMIT ${"limit"})`;

/** The number of the client's orders that this retention period would erase, at most `limit`. One round trip. */
export async function countDue(db: Database, params: Omit<DueParams, "dayMs">): Promise<number> {
  return (await COUNT_DUE.first(db, { ...params, dayMs: DAY_MS }))?.orders ?? 0;
}
