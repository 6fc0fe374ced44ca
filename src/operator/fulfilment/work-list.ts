// The operator's work list, read in chunks: the gifts to ship of all clients, or the shipments that were recorded.
import type { Database } from "../../platform/db/statement.ts";
import { chunksBySize } from "../../core/values/chunks.ts";
import { countryOf } from "../../core/values/country.ts";
import { suborderId } from "../../core/values/ids.ts";
import type { GiftKey, ShipmentStatus } from "../../features/fulfilment/shipment.ts";
import {
  type BoughtOrder,
  type GiftFilter,
  type ListedGift,
  readGiftsByKey,
  readOpenGifts,
  type RecordedPosition,
  selectBought,
  selectRecorded,
  selectRedeemed,
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

/** The maximum number of gifts in a chunk. An order has at most 500. */
export const CHUNK_GIFTS = 1_000;

/** The number of orders whose ids are read in one round trip. */
const PAGE_ORDERS = 20_000;

/** Greater than every client id, because SQLite compares the bytes of UTF-8. */
export const LAST_CLIENT_ID = "\u{10ffff}";

/**
 * The gifts to ship, in ascending order of their numbers. The ids of all their orders are in memory, but the gifts of
 * only one chunk. A chunk is read when the caller requests it, so a list that ends early does not read the rest.
 * `checkOrders` gets the number of orders after each read of their ids, before the gifts are read. It may throw.
 */
export async function* listOpen(
  db: Database,
  filter: WorkListFilter,
  checkOrders?: (orders: number) => void,
): AsyncGenerator<ListedGift[]> {
  const orders = await readOrdersToShip(db, filter, checkOrders);
  for (const chunk of chunksBySize(orders, ([, gifts]) => gifts, CHUNK_GIFTS)) {
    const orderIds = chunk.map(([orderId]) => orderId);
    const gifts = await readOpenGifts(db, orderIds, filter);
    yield gifts.filter((gift) => isIn(filter.country, gift));
  }
}

/** The id and the number of gifts to ship of each order, in ascending order. */
async function readOrdersToShip(
  db: Database,
  { clientId }: WorkListFilter,
  checkOrders?: (orders: number) => void,
): Promise<[orderId: number, gifts: number][]> {
  const gifts = new Map<number, number>();
  const lastClientId = clientId ?? LAST_CLIENT_ID;
  let bought: BoughtOrder[];
  let after = { clientId: clientId ?? "", createdAtMs: -1, orderId: 0 };
  do {
    bought = await selectBought(db, after, { lastClientId, limit: PAGE_ORDERS });
    for (const order of bought) gifts.set(order.orderId, order.gifts);
    checkOrders?.(gifts.size);
    after = bought.at(-1) ?? after;
  } while (bought.length === PAGE_ORDERS);
  for (let afterOrderId = 0, length = PAGE_ORDERS; length === PAGE_ORDERS;) {
    const redeemed = await selectRedeemed(db, { clientId, afterOrderId, limit: PAGE_ORDERS });
    // An order of the online store may be in both ranges. The count of the first range includes its redeemed gifts.
    for (const order of redeemed) {
      if (!gifts.has(order.orderId)) gifts.set(order.orderId, order.gifts);
    }
    checkOrders?.(gifts.size);
    afterOrderId = redeemed.at(-1)?.orderId ?? afterOrderId;
    length = redeemed.length;
  }
  return [...gifts].sort(([a], [b]) => a - b);
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

export const isIn = (country: string | null, gift: ListedGift) =>
  country === null || destinationOf(gift) === country;
