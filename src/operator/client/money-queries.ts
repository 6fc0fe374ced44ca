// What a client has, owes and has ordered.
import type { Currency } from "../../core/values/iso.ts";
import { formatDay, parseUtc } from "../../core/values/time.ts";
import { INVOICED_CURRENCIES } from "../../features/credit/invoice-queries.ts";
import { SELECT_BALANCES } from "../../features/credit/queries.ts";
import { SOME_ARE_OPEN } from "../../features/orders/queries.ts";
import { batch, type Database, sql } from "../../platform/db/sql.ts";

interface OrderSum {
  item: "month" | "open" | "owed";
  currency: Currency;
  orders: number;
  minor: number;
}

/** The orders of each sum that are read. */
export const MAX_SUMMED = 5_000;

// Gifts that are bought outright are not accepted, so they are not open. Both are ranges of their indexes.
const SELECT_SUMS = sql<{ clientId: string; sinceMs: number; limit: number }, OrderSum>()`
  SELECT 'month' AS item, currency, count(*) AS orders, sum(order_total_minor) AS minor
  FROM (SELECT o.currency, o.order_total_minor FROM orders o INDEXED BY orders_by_status
    WHERE o.client_id = ${"clientId"} AND o.status IN ('created', 'paid')
      AND o.gift_order_method IN ('email', 'direct', 'link', 'api-purchase', 'api-giftlink')
      AND o.created_at_ms >= ${"sinceMs"} LIMIT ${"limit"})
  GROUP BY currency
  UNION ALL
  SELECT 'open', currency, count(*), sum(minor)
  FROM (SELECT o.currency, o.order_total_minor
      * (o.qty - o.redeemed_gifts - o.cancelled_gifts - o.expired_gifts) / o.qty AS minor
    FROM orders o INDEXED BY orders_with_open_gifts
    WHERE o.client_id = ${"clientId"} AND o.status = 'paid'
      AND o.gift_order_method IN ('email', 'direct', 'link', 'api-giftlink') AND ${SOME_ARE_OPEN}
    LIMIT ${"limit"})
  GROUP BY currency
  UNION ALL
  SELECT 'owed', a.currency, 0, e.unpaid_minor - e.to_refund_minor
  FROM (${INVOICED_CURRENCIES}) a CROSS JOIN invoice_entries e
    ON e.client_id = ${"clientId"} AND e.currency = a.currency AND e.sequence = (
      SELECT max(l.sequence) FROM invoice_entries l WHERE l.client_id = e.client_id AND l.currency = e.currency)`;

/** The sums by currency. Rows read are linear in the orders of the month and in those with open gifts. One round trip. */
export async function readMoney(db: Database, clientId: string, nowMs: number) {
  const sinceMs = parseUtc(`${formatDay(nowMs).slice(0, 7)}-01`) ?? nowMs;
  const { balances, sums } = await batch(db, {
    balances: SELECT_BALANCES.bind(db, { clientId }),
    sums: SELECT_SUMS.bind(db, { clientId, sinceMs, limit: MAX_SUMMED }),
  });
  const of = (item: OrderSum["item"]) => sums.results.filter((each) => each.item === item);
  const count = (item: OrderSum["item"]) => of(item).reduce((sum, { orders }) => sum + orders, 0);
  return {
    balances: balances.results.map(({ currency, balanceMinor: minor }) => ({ minor, currency })),
    owed: of("owed"),
    open: of("open"),
    month: of("month"),
    orders: count("month"),
    isComplete: Math.max(count("month"), count("open")) < MAX_SUMMED,
  };
}
