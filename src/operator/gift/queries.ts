// The statement that lists unredeemed gifts for operators.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Gifts, Orders } from "../../platform/db/schema.ts";
import { type Database, type RowOf, sql } from "../../platform/db/sql.ts";
import { GIFT_COST } from "../../features/lifecycle/gift-end.ts";
import { GIFT_EXPIRY } from "../../features/schedule/queries.ts";
import { OPEN_ORDERS } from "../client/money-queries.ts";

const o = columnsOf<Orders>("o");

const COLUMNS = {
  orderId: o("id").id,
  ...o("clientId", "orderRefId", "campaign", "createdAtMs", "currency"),
  amountMinor: GIFT_COST,
  ...columnsOf<Gifts>("s")("sequence", "firstName", "lastName", "email", "language"),
  expiresAtMs: GIFT_EXPIRY,
};

type UnredeemedGift = RowOf<typeof COLUMNS>;

/** The position of a gift in the list: by client, oldest orders first. */
export type UnredeemedPosition = Pick<
  UnredeemedGift,
  "clientId" | "createdAtMs" | "orderId" | "sequence"
>;

interface UnredeemedFilter {
  /** Null for all clients. */
  clientId: string | null;
  campaign: string | null;
  /** Exclusive. */
  placedBeforeMs: number;
  nowMs: number;
  limit: number;
}

interface UnredeemedParams extends UnredeemedFilter {
  afterClientId: string;
  afterMs: number;
  afterOrderId: number;
  afterSequence: number;
}

// The rows are read in the order of the list, so SQLite stops at the limit without sorting.
const SELECT_UNREDEEMED = sql<UnredeemedParams>()`
  SELECT ${COLUMNS}
  ${OPEN_ORDERS} AND o.status = 'paid'
    AND (${"campaign"} IS NULL OR o.campaign = ${"campaign"})
    AND o.created_at_ms < ${"placedBeforeMs"}
    AND o.created_at_ms >= iif(c.id = ${"afterClientId"}, ${"afterMs"}, 0)
  CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) AND c.id >= ${"afterClientId"}
    AND (c.id, o.created_at_ms, o.id, s.sequence)
      > (${"afterClientId"}, ${"afterMs"}, ${"afterOrderId"}, ${"afterSequence"})
    AND s.declined_at_ms IS NULL AND coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"}
  ORDER BY c.id, o.created_at_ms, o.id, s.sequence LIMIT ${"limit"}`;

/**
 * The gifts of paid gift-link orders that can still be redeemed, by client, and for each client the oldest orders first.
 * One round trip.
 */
export function listUnredeemed(
  db: Database,
  { after, ...filter }: UnredeemedFilter & { after?: UnredeemedPosition | undefined },
): Promise<UnredeemedGift[]> {
  return SELECT_UNREDEEMED.all(db, {
    ...filter,
    afterClientId: after?.clientId ?? "",
    afterMs: after?.createdAtMs ?? 0,
    afterOrderId: after?.orderId ?? 0,
    afterSequence: after?.sequence ?? 0,
  });
}
