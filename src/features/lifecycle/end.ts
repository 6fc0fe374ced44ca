// Ends gifts: what cancellations, failed orders and expiries have in common.
import { retrying } from "../../platform/db/faults.ts";
import { batch, type Database } from "../../platform/db/sql.ts";
import { bindEnding, type Ending, type OrderGift, type OrderState, toState } from "./queries.ts";

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
 * Ends gifts: returns their stock and credit, and inserts the events. Nothing changes if the order's state does not
 * allow it, if no gift may end, or if one of `giftIds`, which are distinct, is shipped, is redeemed (unless `withRedeemed`)
 * or undelivered (unless `undelivered`), or belongs to another order. Errors: `not_found`. One transaction, one round trip.
 */
export async function endGifts(
  db: Database,
  { requestId, ...ending }: EndingRequest,
): Promise<EndingOutcome> {
  // A failed attempt may have been committed. The next attempt has another id, so it does not return the stock and
  // credit of these gifts again.
  const { state } = await retrying((attempt) =>
    batch(db, bindEnding(db, { ...ending, endingId: `${requestId}.${String(attempt)}` })),
  );
  const order = toState(state, ending);
  const ended = order.gifts.filter(({ endingId }) => endingId?.startsWith(requestId));
  return { order, ended, changed: ended.length > 0 };
}
