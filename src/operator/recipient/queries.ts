// The statements that read personal data for operators.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Clients, Codes, Gifts, Orders, Shipments } from "../../platform/db/schema.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { readInChunks } from "../../core/values/chunks.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { JOIN_CODE } from "../../features/codes/bind-queries.ts";
import { DELIVERY_OBSTACLE } from "../../features/codes/delivery-queries.ts";
import { wholeTerm } from "../../features/orders/search-terms.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import {
  ERASED_OF_ORDER,
  ERASED_OF_RECIPIENT,
  ERASED_OF_SHIPMENT,
  IS_FINISHED,
} from "../../features/privacy/queries.ts";

const o = columnsOf<Orders>("o");
const s = columnsOf<Gifts>("s");
const h = columnsOf<Shipments>("h");
const c = columnsOf<Codes>("c");

/** The maximum number of gifts of a call, which is one transaction. */
export const MAX_GIFTS = 200;

/** Gifts of all clients, or of one. */
interface GiftSelection {
  ids: readonly number[];
  clientId: string | null;
}

/** JSON: the ids of gifts. */
type SelectionParams = Omit<GiftSelection, "ids"> & { ids: string };

const toParams = ({ ids, clientId }: GiftSelection) => ({ ids: JSON.stringify(ids), clientId });

/** The selected gifts `s` with their orders `o`. */
const SELECTED = fragment`
  FROM json_each(${"ids"}) v
  CROSS JOIN gifts s ON s.order_id = v.value / 1000 AND s.sequence = v.value % 1000
  CROSS JOIN orders o ON o.id = s.order_id AND (${"clientId"} IS NULL OR o.client_id = ${"clientId"})`;

const STATE = {
  id: expression<number>()`v.value`,
  orderId: o("id").id,
  orderStatus: o("status").status,
  ...o("clientId"),
  ...s("sequence", "erasedAtMs", "hasShipment"),
  deliveryObstacle: DELIVERY_OBSTACLE,
  /** Empty without an address. */
  email: expression<string>()`coalesce(nullif(s.email, ''), s.delivery_email, '')`,
  isFinished: expression<0 | 1>()`${IS_FINISHED}`,
};

/** What an erasure depends on, and the recipient. */
export type ErasureState = Omit<RowOf<typeof STATE>, "isFinished"> & { isFinished: boolean };

const SELECT_STATES = sql<SelectionParams>()`SELECT ${STATE} ${SELECTED} ORDER BY v.key`;

/** The selected gifts that exist, in the order of their ids. One round trip for each `MAX_GIFTS` gifts. */
export async function readAllStates(
  db: Database,
  { ids, clientId }: GiftSelection,
): Promise<ErasureState[]> {
  const read = (chunk: number[]) => SELECT_STATES.all(db, toParams({ ids: chunk, clientId }));
  const rows = await readInChunks(ids, read, MAX_GIFTS);
  return rows.map((row) => ({ ...row, isFinished: row.isFinished === 1 }));
}

interface AddressedGifts {
  email: string;
  clientId: string | null;
  /** Only gifts with a smaller id. Null for all. */
  before: number | null;
  limit: number;
}

const SELECT_BY_EMAIL = sql<AddressedGifts & { term: string }>()`
  SELECT DISTINCT ${s("orderId", "sequence")} FROM search_terms t
  CROSS JOIN gifts s ON s.order_id = t.order_id AND s.sequence = t.sequence
  WHERE t.term = ${"term"} AND (${"clientId"} IS NULL OR t.client_id = ${"clientId"})
    AND ${"email"} COLLATE NOCASE IN (s.email, s.delivery_email)
    AND (${"before"} IS NULL OR s.order_id * 1000 + s.sequence < ${"before"})
  ORDER BY s.order_id DESC, s.sequence DESC LIMIT ${"limit"}`;

/**
 * The ids of the gifts whose recipient has exactly this e-mail address, or entered it for a digital gift, newest orders
 * first. The case does not matter. One round trip.
 */
export async function listByEmail(db: Database, query: AddressedGifts): Promise<number[]> {
  const rows = await SELECT_BY_EMAIL.all(db, { ...query, term: wholeTerm(query.email) });
  return rows.map(({ orderId, sequence }) => toGiftId(orderId, sequence));
}

const STORED = {
  orderId: o("id").id,
  orderedAtMs: o("createdAtMs").createdAtMs,
  orderStatus: o("status").status,
  ...o("clientId", "orderRefId", "giftOrderMethod"),
  ...o(...ERASED_OF_ORDER),
  orderMetadata: o("metadata").metadata,
  orderStaffNotes: o("staffNotes").staffNotes,
  company: columnsOf<Clients>("l")("name").name,
  product: expression<string>()`r.content ->> '$.name'`,
  // Its `metadata` and `staffNotes` replace those of the order.
  ...s(...ERASED_OF_RECIPIENT),
  ...s("sequence", "redemptionStatus", "openedAtMs", "redeemedAtMs", "declinedAtMs", "erasedAtMs"),
  ...orNull(h("carrier", "shippedAtMs", "deliveredAtMs", "problem", ...ERASED_OF_SHIPMENT)),
  shipmentStatus: orNull(h("status")).status,
  /** The number of codes, with those that were replaced. */
  codes: expression<number>()`(SELECT count(*) FROM codes b
    WHERE b.order_id = s.order_id AND b.sequence = s.sequence)`,
  codeExpiresAtMs: c("expiresAtMs").expiresAtMs,
};

/** Everything that is stored about a recipient except the codes, with the gift and the free texts of its order. */
export type StoredGift = RowOf<typeof STORED>;

const SELECT_STORED = sql<SelectionParams>()`
  SELECT ${STORED} ${SELECTED} JOIN clients l ON l.id = o.client_id ${JOIN_RECEIVED_REVISION} ${JOIN_CODE}
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  ORDER BY v.key`;

/** The data of the selected gifts that exist, in the order of their ids. One round trip. */
export function readStored(db: Database, selection: GiftSelection): Promise<StoredGift[]> {
  return SELECT_STORED.all(db, toParams(selection));
}
