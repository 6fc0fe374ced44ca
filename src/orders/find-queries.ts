// The statements that find orders and gifts for the operator.
import type { shipments } from "../db/schema.ts";
import { batch, type Database, type Fragment, fragment, statement } from "../db/statement.ts";
import { splitSuborderId } from "../values/ids.ts";
import type { TimePosition } from "./list-cursor.ts";
import { newestOrders, newestParams, type NewestParams } from "./list-queries.ts";
import type { Order, SubOrder } from "./order.ts";

/** Filters of a search. A null client means all clients. */
export interface SearchRange {
  clientId: string | null;
  /** Inclusive. */
  fromMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** A gift, with columns of its order. The columns of an order without recipients are null. */
export interface FoundGift {
  orderId: number;
  sequence: number | null;
  clientId: string;
  orderRefId: string | null;
  orderStatus: Order["status"];
  giftOrderMethod: Order["giftOrderMethod"];
  createdAtMs: number;
  expiresAtMs: number | null;
  declinedAtMs: number | null;
  erasedAtMs: number | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  /** The address that the recipient entered for a digital gift. */
  deliveryEmail: string | null;
  redemptionStatus: SubOrder["redemptionStatus"];
  linkGeneration: number | null;
  /** Null if the gift is not shipped. */
  shipmentStatus: (typeof shipments.$inferSelect)["status"] | null;
}

const COLUMNS = fragment`
  o.id AS orderId, s.sequence, o.client_id AS clientId, o.order_ref_id AS orderRefId,
  o.status AS orderStatus, o.gift_order_method AS giftOrderMethod, o.created_at_ms AS createdAtMs,
  o.expires_at_ms AS expiresAtMs, s.declined_at_ms AS declinedAtMs,
  s.erased_at_ms AS erasedAtMs, s.first_name AS firstName,
  s.last_name AS lastName, s.email, s.delivery_email AS deliveryEmail,
  s.redemption_status AS redemptionStatus, s.link_generation AS linkGeneration,
  d.status AS shipmentStatus`;

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

const SELECT_GIFTS_OF_ORDERS = statement<IdsParams, FoundGift>()`
  SELECT ${COLUMNS} FROM json_each(${"ids"}) i CROSS JOIN orders o ON o.id = i.value
  LEFT JOIN sub_orders s ON s.order_id = o.id ${JOIN_SHIPMENT}
  WHERE ${IN_RANGE} ORDER BY i.key, s.sequence LIMIT ${"limit"}`;

// The quotient of two integers is an integer.
const SELECT_GIFTS = statement<IdsParams, FoundGift>()`
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
  const [ofOrders, single] = await batch(db, [
    SELECT_GIFTS_OF_ORDERS.bind(db, { ...range, ids: JSON.stringify(orderIds), limit }),
    SELECT_GIFTS.bind(db, { ...range, ids: JSON.stringify(suborderIds), limit }),
  ]);
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

/** A text that a recipient's value contains in one of three spellings, because SQLite ignores the case of ASCII only. */
export interface Spellings {
  spelling1: string;
  spelling2: string;
  spelling3: string;
}

export type RecipientField = "email" | "name";

const EMAIL = fragment`lower(s.email || ' ' || coalesce(s.delivery_email, ''))`;
const NAME = fragment`lower(s.first_name || ' ' || s.last_name)`;

const matches = (value: Fragment<never>) => fragment`
  instr(${value}, ${"spelling1"}) OR instr(${value}, ${"spelling2"}) OR instr(${value}, ${"spelling3"})`;

// One row. It contains ids only, because a row has at most 2 MB.
const candidates = (value: Fragment<never>) => fragment`
  SELECT coalesce(json_group_array(s.order_id * 1000 + s.sequence) FILTER (WHERE ${matches(value)}), '[]')
    AS ids, count(*) AS searched, min(s.order_id * 1000 + s.sequence) AS lastId`;

interface CandidatesRow {
  /** JSON: the ids of sub-orders. */
  ids: string;
  searched: number;
  /** Null if no sub-orders are left. */
  lastId: number | null;
}

interface PartParams extends Spellings {
  firstOrderId: number;
  beforeOrderId: number;
  beforeSequence: number;
  limit: number;
}

// The subquery is a range of the primary key, which is read backwards.
const partOf = (value: Fragment<never>) => fragment`
  ${candidates(value)} FROM (
    SELECT order_id, sequence, first_name, last_name, email, delivery_email FROM sub_orders
    WHERE (order_id, sequence) < (${"beforeOrderId"}, ${"beforeSequence"})
      AND order_id >= ${"firstOrderId"}
    ORDER BY order_id DESC, sequence DESC LIMIT ${"limit"}) s`;

const SELECT_PART = {
  email: statement<PartParams, CandidatesRow>()`${partOf(EMAIL)}`,
  name: statement<PartParams, CandidatesRow>()`${partOf(NAME)}`,
};

interface OfOrdersParams extends Spellings {
  /** A JSON array. */
  orderIds: string;
}

const ofOrders = (value: Fragment<never>) => fragment`
  ${candidates(value)} FROM json_each(${"orderIds"}) i CROSS JOIN sub_orders s ON s.order_id = i.value`;

const SELECT_OF_ORDERS = {
  email: statement<OfOrdersParams, CandidatesRow>()`${ofOrders(EMAIL)}`,
  name: statement<OfOrdersParams, CandidatesRow>()`${ofOrders(NAME)}`,
};

export interface Candidates {
  /** The ids of sub-orders, newest first. */
  ids: number[];
  /** The number of sub-orders that were read. */
  searched: number;
  /** The id of the oldest sub-order that was read, or null if none was read. */
  lastId: number | null;
}

function toCandidates(row: CandidatesRow | null): Candidates {
  if (!row) throw new Error("D1 returned no row");
  const ids = JSON.parse(row.ids) as number[];
  return { ...row, ids: ids.sort((a, b) => b - a) };
}

/**
 * The gifts with the text among the next `limit` sub-orders before the sub-order `beforeId`, down to the order
 * `firstOrderId`. One round trip, which reads at most `limit` + 1 rows.
 */
export async function searchPart(
  db: Database,
  field: RecipientField,
  spellings: Spellings,
  { firstOrderId, beforeId, limit }: { firstOrderId: number; beforeId: number; limit: number },
): Promise<Candidates> {
  const { orderId: beforeOrderId, sequence: beforeSequence } = splitSuborderId(beforeId);
  const part = { firstOrderId, beforeOrderId, beforeSequence, limit };
  return toCandidates(await SELECT_PART[field].first(db, { ...spellings, ...part }));
}

/** The gifts of the orders with the text. One round trip. */
export async function searchOrders(
  db: Database,
  field: RecipientField,
  spellings: Spellings,
  orderIds: readonly number[],
): Promise<Candidates> {
  const params = { ...spellings, orderIds: JSON.stringify(orderIds) };
  return toCandidates(await SELECT_OF_ORDERS[field].first(db, params));
}

export interface OrderSize {
  id: number;
  qty: number;
  createdAtMs: number;
}

const SELECT_SIZES = statement<NewestParams, OrderSize>()`
  ${newestOrders(fragment`o.id, o.qty, o.created_at_ms AS createdAtMs`)}`;

/** The client's first `limit` orders before the position, newest first. One round trip. */
export function listSizes(
  db: Database,
  clientId: string,
  { fromMs, before, limit }: { fromMs: number; before: TimePosition; limit: number },
): Promise<OrderSize[]> {
  const range = { status: undefined, method: undefined, fromMs, before };
  return SELECT_SIZES.all(db, newestParams({ clientId, limit }, range));
}

// For each client, ranges of the index orders_by_client. Orders are not numbered by their time: imported orders may have
// any id.
const SELECT_ID_RANGE = statement<
  { fromMs: number; untilMs: number },
  { firstId: number | null; lastId: number | null }
>()`
  SELECT min(o.id) AS firstId, max(o.id) AS lastId FROM clients c
  CROSS JOIN orders o ON o.client_id = c.id
    AND o.status IN ('failed', 'created', 'paid', 'cancieled')
    AND o.gift_order_method IN ('email', 'direct', 'link', 'api-purchase', 'api-giftlink')
    AND o.finished IN (0, 1) AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

/** The lowest and the highest id of the orders that were placed in this time. Null if there are none. One round trip. */
export async function readIdRange(
  db: Database,
  { fromMs, untilMs }: SearchRange,
): Promise<{ firstId: number; lastId: number } | null> {
  const row = await SELECT_ID_RANGE.first(db, { fromMs, untilMs });
  const { firstId = null, lastId = null } = row ?? {};
  return firstId === null || lastId === null ? null : { firstId, lastId };
}
