// The statements that search all recipients, or the references of all orders, in parts.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Orders } from "../../platform/db/schema.ts";
import { type Database, type Fragment, fragment, statement } from "../../platform/db/statement.ts";
import { splitSuborderId } from "../../core/values/ids.ts";
import type { SearchRange } from "./find-queries.ts";
import type { TimePosition } from "../../features/orders/list-cursor.ts";

/** A text that a value contains in one of three spellings, because SQLite ignores the case of ASCII only. */
export interface Spellings {
  spelling1: string;
  spelling2: string;
  spelling3: string;
}

/** What a search compares: columns of recipients, or the references of orders. */
export type SearchedFields = "name" | "email" | "name and email" | "reference";

const NAME = fragment`(s.first_name || ' ' || s.last_name)`;
const EMAIL = fragment`(s.email || ' ' || coalesce(s.delivery_email, ''))`;

// SQLite cannot compare a letter with an accent with the letter without it. So all values with letters of scripts with
// accents, or of full or half width, are candidates. A pattern may have at most 50 bytes.
const hasAccents = (value: Fragment<never>) => fragment`
  ${value} GLOB '*[\u00c0-\u06ff\u1e00-\u1ffe\uff00-\uffef]*'`;

// The three spellings of ASCII are the same.
const isSpelled = (value: Fragment<never>) => fragment`
  (instr(lower(${value}), ${"spelling1"}) OR (${"spelling1"} <> ${"spelling2"}
    AND (instr(lower(${value}), ${"spelling2"}) OR instr(lower(${value}), ${"spelling3"}))))`;

// One row with the candidates, without columns that the search does not need. `text` is short, because a row has at most
// 2 MB, and 20,000 candidates may be in it.
const candidates = (id: Fragment<never>, value: Fragment<never>, text = value) => fragment`
  SELECT coalesce(json_group_array(json_array(${id},
      iif(${isSpelled(value)} OR octet_length(json_quote(${text})) > 70, NULL, ${text})))
      FILTER (WHERE ${hasAccents(value)} OR ${isSpelled(value)}), '[]') AS candidates,
    count(*) AS searched, min(${id}) AS lastId`;

const SUBORDER_ID = fragment`s.order_id * 1000 + s.sequence`;

const CANDIDATES = {
  name: candidates(SUBORDER_ID, NAME),
  email: candidates(SUBORDER_ID, EMAIL),
  // E-mail addresses have no accents.
  "name and email": candidates(SUBORDER_ID, fragment`(${NAME} || ' ' || ${EMAIL})`, NAME),
  reference: candidates(fragment`o.id`, fragment`o.order_ref_id`),
};

interface CandidatesRow {
  /** JSON: Candidate[]. */
  candidates: string;
  searched: number;
  /** Null if no rows are left. */
  lastId: number | null;
}

interface PartParams extends Spellings {
  firstOrderId: number;
  beforeOrderId: number;
  beforeSequence: number;
  limit: number;
}

// The subquery is a range of the primary key, which is read backwards.
const partOfRecipients = (selected: Fragment<keyof Spellings>) => statement<
  PartParams,
  CandidatesRow
>()`
  ${selected} FROM (
    SELECT order_id, sequence, first_name, last_name, email, delivery_email FROM sub_orders
    WHERE (order_id, sequence) < (${"beforeOrderId"}, ${"beforeSequence"})
      AND order_id >= ${"firstOrderId"}
    ORDER BY order_id DESC, sequence DESC LIMIT ${"limit"}) s`;

const SELECT_PART = {
  name: partOfRecipients(CANDIDATES.name),
  email: partOfRecipients(CANDIDATES.email),
  "name and email": partOfRecipients(CANDIDATES["name and email"]),
};

const SELECT_PART_OF_ORDERS = statement<Omit<PartParams, "beforeSequence">, CandidatesRow>()`
  ${CANDIDATES.reference} FROM (SELECT id, order_ref_id FROM orders
    WHERE id < ${"beforeOrderId"} AND id >= ${"firstOrderId"} ORDER BY id DESC LIMIT ${"limit"}) o`;

interface OfOrdersParams extends Spellings {
  /** A JSON array. */
  orderIds: string;
}

const ofOrders = (selected: Fragment<keyof Spellings>, table: Fragment<never>) =>
  statement<OfOrdersParams, CandidatesRow>()`
  ${selected} FROM json_each(${"orderIds"}) i CROSS JOIN ${table} = i.value`;

const RECIPIENTS = fragment`sub_orders s ON s.order_id`;

const SELECT_OF_ORDERS = {
  name: ofOrders(CANDIDATES.name, RECIPIENTS),
  email: ofOrders(CANDIDATES.email, RECIPIENTS),
  "name and email": ofOrders(CANDIDATES["name and email"], RECIPIENTS),
  reference: ofOrders(CANDIDATES.reference, fragment`orders o ON o.id`),
};

/**
 * The id of a sub-order, or of an order for a search of references, and its text if SQLite could not compare it. The text
 * is null for a match, and for one that is too long.
 */
export type Candidate = [id: number, text: string | null];

export interface Part {
  /** Newest first. */
  candidates: Candidate[];
  /** The number of recipients or orders that were read. */
  searched: number;
  /** The lowest id that was read, or null if none was read. */
  lastId: number | null;
}

function toPart(row: CandidatesRow | null): Part {
  if (!row) throw new Error("D1 returned no row");
  const found = JSON.parse(row.candidates) as Candidate[];
  return { ...row, candidates: found.sort(([a], [b]) => b - a) };
}

/**
 * The candidates among the next `limit` recipients or orders before `beforeId`, down to the order `firstOrderId`. The ids
 * are those of candidates. One round trip, which reads at most `limit` + 1 rows.
 */
export async function searchPart(
  db: Database,
  fields: SearchedFields,
  spellings: Spellings,
  { firstOrderId, beforeId, limit }: { firstOrderId: number; beforeId: number; limit: number },
): Promise<Part> {
  if (fields === "reference") {
    const part = { firstOrderId, beforeOrderId: beforeId, limit };
    return toPart(await SELECT_PART_OF_ORDERS.first(db, { ...spellings, ...part }));
  }
  const { orderId: beforeOrderId, sequence: beforeSequence } = splitSuborderId(beforeId);
  const part = { firstOrderId, beforeOrderId, beforeSequence, limit };
  return toPart(await SELECT_PART[fields].first(db, { ...spellings, ...part }));
}

/** The candidates of the orders. One round trip. */
export async function searchOrders(
  db: Database,
  fields: SearchedFields,
  spellings: Spellings,
  orderIds: readonly number[],
): Promise<Part> {
  const params = { ...spellings, orderIds: JSON.stringify(orderIds) };
  return toPart(await SELECT_OF_ORDERS[fields].first(db, params));
}

export interface OrderSize {
  id: number;
  qty: number;
  createdAtMs: number;
}

interface NewestParams {
  clientId: string;
  fromMs: number;
  beforeMs: number;
  beforeId: number;
  limit: number;
}

const SELECT_SIZES = statement<NewestParams>()`
  SELECT ${columnsOf<Orders>("o")("id", "qty", "createdAtMs")} FROM orders o
  WHERE o.client_id = ${"clientId"} AND o.created_at_ms >= ${"fromMs"}
    AND (o.created_at_ms, o.id) < (${"beforeMs"}, ${"beforeId"})
  ORDER BY o.created_at_ms DESC, o.id DESC LIMIT ${"limit"}`;

/** The client's first `limit` orders before the position, newest first. One round trip. */
export function listSizes(
  db: Database,
  clientId: string,
  {
    fromMs,
    before: [beforeMs, beforeId],
    limit,
  }: { fromMs: number; before: TimePosition; limit: number },
): Promise<OrderSize[]> {
  return SELECT_SIZES.all(db, { clientId, limit, fromMs, beforeMs, beforeId });
}

// For each client, a range of the index orders_by_client. Orders are not numbered by their time: those of the online
// store may have any id.
const SELECT_ID_RANGE = statement<
  { fromMs: number; untilMs: number },
  { firstId: number | null; lastId: number | null }
>()`
  SELECT min(o.id) AS firstId, max(o.id) AS lastId FROM clients c
  CROSS JOIN orders o ON o.client_id = c.id
    AND o.created_at_ms >= ${"fromMs"} AND o.created_at_ms < ${"untilMs"}`;

/** The lowest and the highest id of the orders that were placed in this time. Null if there are none. One round trip. */
export async function readIdRange(
  db: Database,
  { fromMs, untilMs }: SearchRange,
): Promise<{ firstId: number; lastId: number } | null> {
  const row = await SELECT_ID_RANGE.first(db, { fromMs, untilMs });
  const { firstId = null, lastId = null } = row ?? {};
  return firstId === null || lastId === null ? null : { firstId, lastId };
}
