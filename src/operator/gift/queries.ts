// The statement that lists unredeemed gifts for operators.
import { type Database, type RowOf, sql } from "../../platform/db/sql.ts";
import { gift, order } from "../../platform/db/tables.ts";
import { GIFT_COST } from "../../features/lifecycle/gift-end.ts";
import { GIFT_EXPIRY } from "../../features/codes/delivery-queries.ts";
import { OPEN_ORDERS } from "../client/money-queries.ts";

const COLUMNS = {
  orderId: order("id").id,
  ...order("clientId", "orderRefId", "campaign", "createdAtMs", "currency"),
  amountMinor: GIFT_COST,
  ...gift("sequence", "firstName", "lastName", "email", "language"),
  expiresAtMs: GIFT_EXPIRY,
};

type UnredeemedGift = RowOf<typeof COLUMNS>;

interface UnredeemedParams {
  /** Null for all clients. */
  client: string | null;
  campaign: string | null;
  /** Exclusive. */
  placedBeforeMs: number;
  nowMs: number;
  limit: number;
  /** The gifts after this one, by client, oldest orders first. */
  clientId: string;
  createdAtMs: number;
  orderId: number;
  sequence: number;
}

// The rows are read in the order of the list, so SQLite stops at the limit without sorting.
const SELECT_UNREDEEMED = sql<UnredeemedParams>()`
  SELECT ${COLUMNS}
  ${OPEN_ORDERS} AND o.status = 'paid'
    AND (${"campaign"} IS NULL OR o.campaign = ${"campaign"})
    AND o.created_at_ms < ${"placedBeforeMs"}
    AND o.created_at_ms >= iif(c.id = ${"clientId"}, ${"createdAtMs"}, 0)
  CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE (${"client"} IS NULL OR c.id = ${"client"}) AND c.id >= ${"clientId"}
    AND (c.id, o.created_at_ms, o.id, s.sequence)
      > (${"clientId"}, ${"createdAtMs"}, ${"orderId"}, ${"sequence"})
    AND s.declined_at_ms IS NULL AND coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"}
  ORDER BY c.id, o.created_at_ms, o.id, s.sequence LIMIT ${"limit"}`;

/**
 * The gifts of paid gift-link orders that can still be redeemed, by client, and for each client the oldest orders first.
 * One round trip.
 */
export const listUnredeemed = (db: Database, params: UnredeemedParams): Promise<UnredeemedGift[]> =>
  SELECT_UNREDEEMED.all(db, params);
