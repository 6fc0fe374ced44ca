// The statements that read personal data for operators.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Clients } from "../../platform/db/schema.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, code, gift, order, shipment } from "../../platform/db/tables.ts";
import { readInChunks } from "../../core/values/chunks.ts";
import { toGiftId } from "../../core/values/ids.ts";
import { JOIN_CODE } from "../../features/codes/bind-queries.ts";
import { STATE_COLUMNS } from "../../features/codes/delivery-queries.ts";
import { wholeTerm } from "../../features/orders/search-terms.ts";
import { JOIN_RECEIVED_REVISION } from "../../features/orders/queries.ts";
import {
  ERASED_OF_ORDER,
  ERASED_OF_RECIPIENT,
  ERASED_OF_SHIPMENT,
  IS_FINISHED,
} from "../../features/privacy/queries.ts";

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
  ...STATE_COLUMNS,
  id: expression<number>()`v.value`,
  orderId: order("id").id,
  orderStatus: order("status").status,
  ...order("clientId"),
  ...gift("sequence"),
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
  SELECT DISTINCT ${gift("orderId", "sequence")} FROM search_terms t
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
  orderId: order("id").id,
  orderedAtMs: order("createdAtMs").createdAtMs,
  orderStatus: order("status").status,
  ...order("clientId", "orderRefId", "giftOrderMethod"),
  ...order(...ERASED_OF_ORDER),
  orderMetadata: order("metadata").metadata,
  orderStaffNotes: order("staffNotes").staffNotes,
  company: columnsOf<Clients>("l")("name").name,
  product: expression<string>()`r.content ->> '$.name'`,
  // Its `metadata` and `staffNotes` replace those of the order.
  ...gift(...ERASED_OF_RECIPIENT),
  ...gift("sequence", "redemptionStatus", "openedAtMs", "redeemedAtMs"),
  ...gift("declinedAtMs", "erasedAtMs"),
  ...orNull(shipment("carrier", "shippedAtMs", "deliveredAtMs", "problem", ...ERASED_OF_SHIPMENT)),
  shipmentStatus: orNull(shipment("status")).status,
  /** The number of codes, with those that were replaced. */
  codes: expression<number>()`(SELECT count(*) FROM codes b
    WHERE b.order_id = s.order_id AND b.sequence = s.sequence)`,
  codeExpiresAtMs: code("expiresAtMs").expiresAtMs,
};

/** Everything that is stored about a recipient except the codes, with the gift and the free texts of its order. */
export type StoredGift = RowOf<typeof STORED>;

const SELECT_STORED = sql<SelectionParams>()`
  SELECT ${STORED} ${SELECTED} JOIN clients l ON l.id = o.client_id
  ${JOIN_RECEIVED_REVISION} ${JOIN_CODE} ${JOIN_SHIPMENT}
  ORDER BY v.key`;

/** The data of the selected gifts that exist, in the order of their ids. One round trip. */
export function readStored(db: Database, selection: GiftSelection): Promise<StoredGift[]> {
  return SELECT_STORED.all(db, toParams(selection));
}
