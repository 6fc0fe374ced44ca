// The statements that find orders and gifts for the operator.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Orders, Shipments, SubOrders } from "../../platform/db/schema.ts";
import {
  batch,
  type Database,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { GIFT_EXPIRY } from "../../features/orders/queries.ts";

/** Filters of a search. A null client means all clients. */
export interface SearchRange {
  clientId: string | null;
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");

/** The columns of order `o`, its LEFT JOINed sub-order `s` and the shipment `d` of the sub-order. */
const COLUMNS = {
  orderId: o("id").id,
  orderStatus: o("status").status,
  ...o("clientId", "orderRefId", "giftOrderMethod", "createdAtMs"),
  expiresAtMs: GIFT_EXPIRY,
  ...orNull(s("sequence", "firstName", "lastName", "email", "deliveryEmail", "redemptionStatus")),
  ...orNull(s("linkGeneration", "declinedAtMs", "erasedAtMs")),
  shipmentStatus: orNull(columnsOf<Shipments>("d")("status")).status,
};

/** A gift, with columns of its order. The columns of an order without recipients are null. */
export type FoundGift = RowOf<typeof COLUMNS>;

const JOIN_SHIPMENT = fragment`
  LEFT JOIN shipments d ON s.has_shipment = 1 AND d.order_id = s.order_id AND d.sequence = s.sequence`;

const IN_RANGE = fragment`
  (${"clientId"} IS NULL OR o.client_id = ${"clientId"})
  AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

interface IdsParams extends SearchRange {
  /** A JSON array. */
  ids: string;
  limit: number;
}

const SELECT_GIFTS_OF_ORDERS = statement<IdsParams>()`
  SELECT ${COLUMNS} FROM json_each(${"ids"}) i CROSS JOIN orders o ON o.id = i.value
  LEFT JOIN sub_orders s ON s.order_id = o.id ${JOIN_SHIPMENT}
  WHERE ${IN_RANGE} ORDER BY i.key, s.sequence LIMIT ${"limit"}`;

// The quotient of two integers is an integer.
const SELECT_GIFTS = statement<IdsParams>()`
  SELECT ${COLUMNS} FROM json_each(${"ids"}) i
  CROSS JOIN sub_orders s ON s.order_id = i.value / 1000 AND s.sequence = i.value % 1000
  CROSS JOIN orders o ON o.id = s.order_id ${JOIN_SHIPMENT}
  WHERE ${IN_RANGE} ORDER BY i.key LIMIT ${"limit"}`;

/**
 * At most `limit` gifts: all gifts of the orders, and those with the sub-order ids. The orders, and then the gifts, have
 * the order of their ids. One round trip.
 */
export async function selectGifts(
  db: Database,
  { orderIds, suborderIds }: { orderIds: readonly number[]; suborderIds: readonly number[] },
  range: SearchRange,
  limit: number,
): Promise<FoundGift[]> {
  const { ofOrders, single } = await batch(db, {
    ofOrders: SELECT_GIFTS_OF_ORDERS.bind(db, { ...range, ids: JSON.stringify(orderIds), limit }),
    single: SELECT_GIFTS.bind(db, { ...range, ids: JSON.stringify(suborderIds), limit }),
  });
  return [...ofOrders.results, ...single.results].slice(0, limit);
}

// For each client, a lookup of the unique index.
const SELECT_ORDERS_BY_REFERENCE = statement<
  { clientId: string | null; reference: string },
  { id: number }
>()`
  SELECT o.id FROM clients c
  CROSS JOIN orders o ON o.client_id = c.id AND o.order_ref_id = ${"reference"}
  WHERE ${"clientId"} IS NULL OR c.id = ${"clientId"} ORDER BY o.id DESC`;

/** The ids of the orders with this order_ref_id, newest first. A client has at most one. One round trip. */
export async function findByReference(
  db: Database,
  { clientId }: SearchRange,
  reference: string,
): Promise<number[]> {
  const rows = await SELECT_ORDERS_BY_REFERENCE.all(db, { clientId, reference });
  return rows.map(({ id }) => id);
}

const SELECT_NONCE = statement<{ orderId: number }, { nonce: string | null }>()`
  SELECT link_nonce AS nonce FROM orders WHERE id = ${"orderId"}`;

/** The nonce of the order's gift links. Null if the order does not exist or has no links. */
export async function readLinkNonce(db: Database, orderId: number): Promise<string | null> {
  return (await SELECT_NONCE.first(db, { orderId }))?.nonce ?? null;
}
