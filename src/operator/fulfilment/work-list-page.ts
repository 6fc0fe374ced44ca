// The operator's work list, read in pages. A page starts at its position, so its cost does not depend on the list.
import { chunksBySize } from "../../core/values/chunks.ts";
import type { GiftKey } from "../../features/fulfilment/shipment.ts";
import type { Database } from "../../platform/db/statement.ts";
import { CHUNK_GIFTS, isIn, LAST_CLIENT_ID, type WorkListFilter } from "./work-list.ts";
import {
  type ListedGift,
  readOpenGifts,
  selectBought,
  selectRedeemedGifts,
} from "./work-list-queries.ts";

/** A page starts with this order and the gifts after `sequence`. */
export interface OpenPosition extends GiftKey {
  /** Null among the redeemed gifts, which follow the orders that were bought outright. */
  clientId: string | null;
  createdAtMs: number;
}

export interface OpenPage {
  gifts: ListedGift[];
  /** Where the next page starts. Null at the end of the list. */
  next: OpenPosition | null;
}

/** An order, or a part of its redeemed gifts. */
interface Part extends Omit<OpenPosition, "sequence"> {
  gifts: number;
}

const START: OpenPosition = { clientId: "", createdAtMs: -1, orderId: 0, sequence: 0 };

/** Whether the filter has more than a client. */
export const isFiltered = (filter: WorkListFilter) =>
  Object.values({ ...filter, clientId: null }).some((value) => value !== null);

/**
 * The gifts to ship from the position on: those of orders that were bought outright, by client and time of the order, and
 * then redeemed gifts by number. A page of a filtered list may have fewer than `limit` gifts although others follow, because
 * it reads only one chunk. Three round trips.
 */
export async function readOpenPage(
  db: Database,
  filter: WorkListFilter,
  { from, limit }: { from: OpenPosition | null; limit: number },
): Promise<OpenPage> {
  const start = from ?? START;
  const size = isFiltered(filter) ? CHUNK_GIFTS : limit;
  const bought = await readBought(db, filter, start, size);
  const redeemed =
    bought.length > size ? { parts: [], end: null } : await readRedeemed(db, filter, start, size);
  const parts = [...bought, ...redeemed.parts];
  const [chunk = []] = chunksBySize(parts, ({ gifts }) => gifts, size);
  const read = await readChunk(db, chunk, filter);
  const open = read.filter(
    ({ orderId, sequence }) => orderId !== start.orderId || sequence > start.sequence,
  );
  const gifts = open.slice(0, limit);
  const cut = open.length > limit ? gifts.at(-1) : undefined;
  const order = cut ? chunk.find(({ orderId }) => orderId === cut.orderId) : chunk.at(-1);
  if (cut && order) return { gifts, next: { ...order, sequence: cut.sequence } };
  const following = order ? { ...order, orderId: order.orderId + 1, sequence: 0 } : null;
  return { gifts, next: chunk.length < parts.length ? following : redeemed.end };
}

async function readBought(
  db: Database,
  filter: WorkListFilter,
  { clientId, createdAtMs, orderId }: OpenPosition,
  size: number,
): Promise<Part[]> {
  if (clientId === null) return [];
  const after = { clientId: filter.clientId ?? clientId, createdAtMs, orderId: orderId - 1 };
  const lastClientId = filter.clientId ?? LAST_CLIENT_ID;
  return selectBought(db, after, { lastClientId, limit: size + 1 });
}

/** A list of one client also reads gifts of others, and therefore more of them. `end` is null at the end of the list. */
async function readRedeemed(
  db: Database,
  filter: WorkListFilter,
  start: OpenPosition,
  size: number,
): Promise<{ parts: Part[]; end: OpenPosition | null }> {
  const limit = filter.clientId === null ? size + 1 : CHUNK_GIFTS;
  const { orderId, sequence } = start.clientId === null ? start : START;
  const rows = await selectRedeemedGifts(db, { orderId, sequence }, limit);
  const shown = rows.filter(
    ({ clientId, isBought }) =>
      isBought === 0 && (filter.clientId === null || clientId === filter.clientId),
  );
  const parts = [...Map.groupBy(shown, (gift) => gift.orderId)].map(([id, { length: gifts }]) => ({
    clientId: null,
    createdAtMs: 0,
    orderId: id,
    gifts,
  }));
  // The gifts of an order are all read, also those after the last row.
  const last = rows.length < limit ? undefined : rows.at(-1);
  const end = last ? { ...START, clientId: null, orderId: last.orderId + 1 } : null;
  return { parts, end };
}

/** The open gifts of the chunk, in its order. */
async function readChunk(db: Database, chunk: readonly Part[], filter: WorkListFilter) {
  const positions = new Map(chunk.map(({ orderId }, position) => [orderId, position]));
  const gifts = await readOpenGifts(db, [...positions.keys()], filter);
  const positionOf = ({ orderId }: ListedGift) => positions.get(orderId) ?? 0;
  return gifts
    .filter((gift) => isIn(filter.country, gift))
    .sort((a, b) => positionOf(a) - positionOf(b));
}
