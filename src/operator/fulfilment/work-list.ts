// The operator's work list, read in chunks or pages: the gifts to ship of all clients, or the shipments that were recorded.
import type { Database } from "../../platform/db/statement.ts";
import { countryOf } from "../../core/values/country.ts";
import { LAST_CLIENT_ID, suborderId } from "../../core/values/ids.ts";
import type { GiftKey, ShipmentStatus } from "../../features/fulfilment/shipment.ts";
import {
  type GiftFilter,
  type ListedGift,
  type OpenPosition,
  readGiftsByKey,
  readOpenGifts,
  type RecordedPosition,
  selectRecorded,
} from "./work-list-queries.ts";

export interface WorkListFilter extends GiftFilter {
  /** Null for all clients. */
  clientId: string | null;
  /** ISO 3166-1 alpha-2. Null for all countries. */
  country: string | null;
}

/** Recorded shipments whose last change is in this range. */
export interface RecordedRange {
  status: Exclude<ShipmentStatus, "open">;
  /** Inclusive. */
  sinceMs: number;
  /** Exclusive. */
  untilMs: number;
}

/** The number of gifts that one call reads. */
const CHUNK_GIFTS = 1_000;

const START: OpenPosition = { clientId: "", orderedAtMs: -1, orderId: 0, sequence: 0 };

/**
 * The gifts to ship after the position, by client and time of the order, in chunks. A chunk is read when the caller
 * requests it, so a list that ends early does not read the rest. A chunk has fewer gifts if the filter has a country.
 */
export async function* listOpen(
  db: Database,
  filter: WorkListFilter,
  after = START,
  limit = CHUNK_GIFTS,
): AsyncGenerator<ListedGift[]> {
  const { clientId, country, ...others } = filter;
  const lastClientId = clientId ?? LAST_CLIENT_ID;
  const firstClientId = clientId ?? "";
  const start = after.clientId < firstClientId ? { ...START, clientId: firstClientId } : after;
  let gifts: ListedGift[] = [];
  do {
    const position = gifts.at(-1) ?? start;
    gifts = await readOpenGifts(db, {
      ...others,
      clientId: position.clientId,
      orderedAtMs: position.orderedAtMs,
      orderId: position.orderId,
      sequence: position.sequence,
      lastClientId,
      limit,
    });
    yield gifts.filter((gift) => isIn(country, gift));
  } while (gifts.length === limit);
}

/** The first `limit` gifts of the list after the position, and whether others follow. */
export async function readOpenPage(
  db: Database,
  filter: WorkListFilter,
  { after, limit }: { after: OpenPosition | undefined; limit: number },
): Promise<{ gifts: ListedGift[]; hasMore: boolean }> {
  const gifts: ListedGift[] = [];
  const size = filter.country === null ? limit + 1 : CHUNK_GIFTS;
  for await (const chunk of listOpen(db, filter, after, size)) {
    gifts.push(...chunk);
    if (gifts.length > limit) break;
  }
  return { gifts: gifts.slice(0, limit), hasMore: gifts.length > limit };
}

/** The gifts whose shipments are recorded, by client and in ascending order of their last change. */
export async function* listRecorded(
  db: Database,
  filter: WorkListFilter,
  range: RecordedRange,
): AsyncGenerator<ListedGift[]> {
  const { clientId, country } = filter;
  const page = { ...range, lastClientId: clientId ?? LAST_CLIENT_ID, limit: CHUNK_GIFTS };
  let keys: RecordedPosition[];
  let after = { clientId: clientId ?? "", updatedAtMs: -1, orderId: 0, sequence: 0 };
  do {
    keys = await selectRecorded(db, after, page);
    if (keys.length === 0) return;
    const gifts = await readGiftsByKey(db, keys, filter);
    const byId = new Map(gifts.map((gift) => [idOf(gift), gift]));
    yield keys
      .map((key) => byId.get(idOf(key)))
      .filter((gift) => gift !== undefined)
      .filter((gift) => isIn(country, gift));
    after = keys.at(-1) ?? after;
  } while (keys.length === CHUNK_GIFTS);
}

const idOf = ({ orderId, sequence }: GiftKey) => suborderId(orderId, sequence);

/**
 * The country that a gift is sent to: the code of the address's country, or its text if it is not the name of a country.
 * A digital gift is sent to the country of the order.
 */
export function destinationOf({ delivery, deliveryAddress, baseLocation }: ListedGift): string {
  if (delivery === "digital") return baseLocation;
  const country = deliveryAddress?.country ?? "";
  return countryOf(country) ?? country;
}

const isIn = (country: string | null, gift: ListedGift) =>
  country === null || destinationOf(gift) === country;
