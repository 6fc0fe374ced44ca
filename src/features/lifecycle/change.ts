// Changes whose rule depends only on an order and some of its gifts: read, decide, write.
import { ApiError, notFound } from "../../core/api-error.ts";
import { toGiftNumber } from "../../core/values/ids.ts";
import { type Json, parseJson } from "../../platform/db/columns.ts";
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import {
  type ChangeKey,
  type ChangingGift,
  type OrderChange,
  type ReadOrder,
  SELECT_FOR_CHANGE,
  writeChange,
} from "./change-queries.ts";
import { type Changer, type GiftKey, unknownOrder } from "./order-key.ts";

export type { ChangingGift };

/** Attempts in all, if others change the same rows at the same time. */
const MAX_ATTEMPTS = 3;

/** The order with its open gifts, or with the gift of the key. Errors: `not_found`. One round trip. */
export async function requireOrderToChange(
  db: Database,
  key: ChangeKey & Changer,
): Promise<ReadOrder> {
  return (await load(db, key)).order;
}

async function load(db: Database, key: ChangeKey & Changer, found?: Json<ReadOrder>) {
  const { orderId, sequence, clientId } = key;
  const read = found ?? (await retrying(() => SELECT_FOR_CHANGE.first(db, key)))?.read;
  const order = read && parseJson(read);
  if (order && (sequence === null || order.gifts.length > 0)) return { read, order };
  if (sequence === null) throw unknownOrder({ orderId, clientId });
  if (clientId !== null) throw unknownGift();
  throw notFound(`there is no gift ${toGiftNumber(orderId, sequence)}.`);
}

/** Errors: `not_found`. One round trip. */
export async function requireGiftToChange(db: Database, key: GiftKey): Promise<ChangingGift> {
  return giftOf(await requireOrderToChange(db, key));
}

function giftOf({ gifts: [gift] }: ReadOrder): ChangingGift {
  if (!gift || !("email" in gift)) throw unknownGift();
  return gift;
}

export const unknownGift = () => notFound("You have no such gift.");

/** Errors: `not_found` if the gift has no link. */
export function requireLink({ giftOrderMethod, linkNonce }: ChangingGift): void {
  if (giftOrderMethod !== "api-giftlink" || linkNonce === null) throw unknownGift();
}

/**
 * Reads the order, calls `decide`, and writes its decision. If one of the rows has changed meanwhile, it reads and decides
 * again. `decide` throws an error to refuse the change, and returns null if there is nothing to change. A failed attempt
 * may have been committed, so `decide` must return null for its own result. `found` is what was read before. Errors:
 * `not_found`, those of `decide`, and `service_unavailable` if the rows changed during each attempt. Two round trips.
 */
export async function changeOrder(
  db: Database,
  key: ChangeKey & Changer & { nowMs: number },
  decide: (order: ReadOrder) => OrderChange | null,
  found?: Json<ReadOrder>,
): Promise<{ order: ReadOrder; changed: boolean }> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { read, order } = await load(db, key, attempt === 1 ? found : undefined);
    const change = decide(order);
    if (!change) return { order, changed: false };
    const gifts = await retrying(() => writeChange(db, key, { read, gifts: order.gifts }, change));
    if (gifts) return { order: { ...order, gifts }, changed: true };
  }
  throw new ApiError("service_unavailable", "The order is being changed by others. Try again.");
}

/** The same for a single gift. */
export async function changeGift(
  db: Database,
  key: GiftKey & { nowMs: number },
  decide: (gift: ChangingGift) => OrderChange | null,
  found?: Json<ReadOrder>,
): Promise<{ gift: ChangingGift; changed: boolean }> {
  const { order, changed } = await changeOrder(db, key, (order) => decide(giftOf(order)), found);
  return { gift: giftOf(order), changed };
}
