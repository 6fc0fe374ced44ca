// Ends gifts: what cancellations, failed orders and expiries have in common.
import { retrying } from "../../platform/db/faults.ts";
import type { Database } from "../../platform/db/sql.ts";
import { type Ending, type OrderGift, type OrderState, writeEnding } from "./queries.ts";

export interface EndingRequest extends Omit<Ending, "endingId"> {
  /** Unique for each request. The ids of its attempts begin with it. */
  requestId: string;
}

/** An order after a request to end gifts. */
export interface EndingOutcome {
  order: OrderState;
  /** The gifts that this request has ended. Empty for a repeated request. */
  ended: OrderGift[];
  /** Whether this request has changed the order. */
  changed: boolean;
}

/**
 * Ends gifts, and returns their stock and credit. If the state of the order or of a named gift does not allow it, nothing
 * changes. Errors: `not_found`. One round trip.
 */
export async function endGifts(
  db: Database,
  { requestId, ...ending }: EndingRequest,
): Promise<EndingOutcome> {
  // A failed attempt may have been committed. The next attempt has another id, so it does not return the stock and
  // credit of these gifts again.
  const order = await retrying((attempt) =>
    writeEnding(db, { ...ending, endingId: `${requestId}.${String(attempt)}` }),
  );
  const ended = order.gifts.filter(({ endingId }) => endingId?.startsWith(requestId));
  return { order, ended, changed: ended.length > 0 };
}
