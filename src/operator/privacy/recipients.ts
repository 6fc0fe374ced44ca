// Reads and erases the personal data of gifts, in chunks.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { readInChunks } from "../../core/values/chunks.ts";
import { type ErasureState, type GiftSelection, readStates } from "./queries.ts";
import { writeErasure } from "../../features/privacy/queries.ts";

/** The maximum number of gifts of a call, which is one transaction. */
export const MAX_GIFTS = 200;

/** The selected gifts that exist. One round trip for each 200 gifts. */
export const readAllStates = (
  db: Database,
  { ids, clientId }: GiftSelection,
): Promise<ErasureState[]> =>
  readInChunks(ids, (chunk) => readStates(db, { ids: chunk, clientId }), MAX_GIFTS);

/**
 * Why the data of a gift is still needed. Null if the gift is finished. The reason follows the number of the gift, as
 * in "GO-00042-3 is to be shipped".
 */
export function obstacleOf(gift: ErasureState): string | null {
  const { isFinished, redemptionStatus, orderStatus, giftOrderMethod } = gift;
  if (isFinished) return null;
  if (redemptionStatus === "redeemed") return "is to be shipped";
  if (orderStatus === "created") return "belongs to an order that is not paid";
  return giftOrderMethod === "api-purchase" ? "is to be shipped" : "can still be accepted";
}

/**
 * Erases the personal data of at most `MAX_GIFTS` gifts that are finished. A gift that is open or to be shipped is not
 * changed. Safe to repeat. One transaction, one round trip.
 */
export function eraseGifts(db: Database, ids: readonly number[], nowMs: number): Promise<void> {
  return retrying(() => writeErasure(db, ids, nowMs));
}
