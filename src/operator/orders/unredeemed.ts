// Unredeemed gifts, for the operator's commands.
import { type Database, statement } from "../../platform/db/statement.ts";
import { GIFT_EXPIRY } from "../../features/orders/queries.ts";

export interface UnredeemedGift {
  orderId: number;
  sequence: number;
  clientId: string;
  orderRefId: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Null if the partner has not set one. */
  language: string | null;
  createdAtMs: number;
  expiresAtMs: number | null;
}

interface UnredeemedParams {
  /** Null for all clients. */
  clientId: string | null;
  /** Exclusive. */
  placedBeforeMs: number;
  nowMs: number;
  limit: number;
}

// For each client, a range of the index orders_by_status, in which the unfinished orders stand apart from the others. The
// rows are read in the order of the list, so SQLite stops at the limit without sorting.
const SELECT_UNREDEEMED = statement<UnredeemedParams, UnredeemedGift>()`
  SELECT o.id AS orderId, s.sequence, o.client_id AS clientId, o.order_ref_id AS orderRefId,
    s.first_name AS firstName, s.last_name AS lastName, s.email, s.language, o.created_at_ms AS createdAtMs,
    ${GIFT_EXPIRY} AS expiresAtMs
  FROM clients c
  CROSS JOIN orders o ON o.client_id = c.id AND o.status = 'paid'
    AND o.gift_order_method = 'api-giftlink' AND o.finished = 0
    AND o.created_at_ms < ${"placedBeforeMs"}
  CROSS JOIN sub_orders s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"})
    AND coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"}
  ORDER BY c.id, o.created_at_ms, o.id, s.sequence LIMIT ${"limit"}`;

/**
 * The gifts of paid gift-link orders that can still be redeemed, by client, and for each client the oldest orders first.
 * Finished orders are not read. One round trip.
 */
export function listUnredeemed(db: Database, params: UnredeemedParams): Promise<UnredeemedGift[]> {
  return SELECT_UNREDEEMED.all(db, params);
}
