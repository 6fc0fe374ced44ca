// The statement that lists unredeemed gifts for operators.
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Gifts, Orders } from "../../platform/db/schema.ts";
import { type Database, expression, fragment, type RowOf, sql } from "../../platform/db/sql.ts";
import { SOME_ARE_OPEN } from "../../features/orders/queries.ts";
import { GIFT_EXPIRY } from "../../features/schedule/queries.ts";

const o = columnsOf<Orders>("o");

/** The gift's share of the total of its order. */
const SHARE = fragment`o.order_total_minor / o.qty`;

const COLUMNS = {
  orderId: o("id").id,
  ...o("clientId", "orderRefId", "campaign", "createdAtMs", "currency"),
  amountMinor: expression<number>()`${SHARE}`,
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

/** For each client, a range of the index orders_with_open_gifts. */
const ORDERS = fragment`
  FROM clients c
  CROSS JOIN orders o INDEXED BY orders_with_open_gifts ON o.client_id = c.id AND o.status = 'paid'
    AND o.gift_order_method = 'api-giftlink'
    AND ${SOME_ARE_OPEN}`;

const IS_REDEEMABLE = fragment`coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"}`;

// The rows are read in the order of the list, so SQLite stops at the limit without sorting.
const SELECT_UNREDEEMED = sql<UnredeemedParams>()`
  SELECT ${COLUMNS}
  ${ORDERS}
    AND (${"campaign"} IS NULL OR o.campaign = ${"campaign"})
    AND o.created_at_ms < ${"placedBeforeMs"}
    AND o.created_at_ms >= iif(c.id = ${"afterClientId"}, ${"afterMs"}, 0)
  CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) AND c.id >= ${"afterClientId"}
    AND (c.id, o.created_at_ms, o.id, s.sequence)
      > (${"afterClientId"}, ${"afterMs"}, ${"afterOrderId"}, ${"afterSequence"})
    AND ${IS_REDEEMABLE}
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

/** What clients have ordered, and nobody has redeemed yet. */
interface Outstanding {
  clientId: string;
  currency: Currency;
  gifts: number;
  amountMinor: number;
}

const SELECT_OUTSTANDING = sql<{ nowMs: number }, Outstanding>()`
  SELECT c.id AS clientId, o.currency, count(*) AS gifts, sum(${SHARE}) AS amountMinor
  ${ORDERS}
  CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE ${IS_REDEEMABLE}
  GROUP BY c.id, o.currency`;

/** The sums of the gifts of `listUnredeemed`, of all clients. One round trip. */
export const readOutstanding = (db: Database, nowMs: number): Promise<Outstanding[]> =>
  SELECT_OUTSTANDING.all(db, { nowMs });
