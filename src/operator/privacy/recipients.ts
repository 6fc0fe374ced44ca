// Finds the gifts of a person, and erases their personal data, for the operator's commands.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/statement.ts";
import { chunksOf, readInChunks } from "../../core/values/chunks.ts";
import {
  type ErasureState,
  findByEmail,
  type GiftSelection,
  readStates,
  readStored,
  type StoredRecipient,
} from "./queries.ts";
import { writeErasure } from "../../features/privacy/queries.ts";

/** The maximum number of gifts of a call, which is one transaction. */
export const MAX_GIFTS = 200;

/** A person by an e-mail address, or single gifts. */
export type PersonQuery = { email: string } | { suborderIds: readonly number[] };

/** The ids of the person's gifts, for an e-mail address the newest orders first. At most one round trip. */
export const findGifts = async (
  db: Database,
  person: PersonQuery,
  clientId: string | null,
): Promise<number[]> =>
  "email" in person ? findByEmail(db, person.email, clientId) : [...person.suborderIds];

/** The selected gifts that exist. One round trip for each 200 gifts. */
export const readAllStates = (
  db: Database,
  { ids, clientId }: GiftSelection,
): Promise<ErasureState[]> =>
  readInChunks(ids, (chunk) => readStates(db, { ids: chunk, clientId }), MAX_GIFTS);

/** Everything that is stored about the recipients of the gifts, in chunks. */
export async function* readAllStored(
  db: Database,
  { ids, clientId }: GiftSelection,
): AsyncGenerator<StoredRecipient[]> {
  for (const chunk of chunksOf(ids, MAX_GIFTS)) yield readStored(db, { ids: chunk, clientId });
}

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
