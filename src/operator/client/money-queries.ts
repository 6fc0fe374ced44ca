// What a client has, owes and has ordered.
import type { Currency } from "../../core/values/iso.ts";
import { plural } from "../../core/values/plural.ts";
import { SELECT_BALANCES } from "../../features/credit/queries.ts";
import { GIFT_REFUND } from "../../features/lifecycle/gift-end.ts";
import { IS_BILLED } from "../../features/report/queries.ts";
import { ANY_METHOD, ANY_STATUS, SOME_ARE_OPEN } from "../../features/orders/queries.ts";
import { batch, type Database, expression, fragment, sql } from "../../platform/db/sql.ts";

/** Precedes a condition on the status: for each client and status, a range of the index orders_with_open_gifts. */
export const OPEN_ORDERS = fragment`
  FROM clients c CROSS JOIN orders o INDEXED BY orders_with_open_gifts
    ON o.client_id = c.id AND o.gift_order_method = 'api-giftlink' AND ${SOME_ARE_OPEN}`;

/** The gifts of a client that are neither accepted nor ended, and what they would return. */
interface Outstanding {
  clientId: string;
  currency: Currency;
  gifts: number;
  amountMinor: number;
}

/** Those of a client, or of all clients. The report has the same amounts. */
export const SELECT_OUTSTANDING = sql<{ clientId: string | null }, Outstanding>()`
  SELECT c.id AS clientId, o.currency, count(*) AS gifts, sum(${GIFT_REFUND}) AS amountMinor
  ${OPEN_ORDERS} AND o.status IN ('created', 'paid')
  CROSS JOIN gifts s ON s.order_id = o.id AND s.redemption_status IS NULL
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) GROUP BY c.id, o.currency`;

const OPEN = {
  gifts: expression<number>()`total(o.qty - o.redeemed_gifts - o.cancelled_gifts - o.expired_gifts)`,
  orders: expression<number>()`count(*)`,
  clients: expression<number>()`count(DISTINCT c.id)`,
  /** The orders whose offered product the catalogue lacks. */
  unlisted: expression<number>()`total(NOT EXISTS (SELECT 1 FROM catalogues k CROSS JOIN catalogue_entries e
    ON e.catalogue_id = k.id AND e.version = k.version AND e.product_id = o.product_id
    WHERE k.id = ${"catalogueId"}))`,
};

type OpenParams = Record<"clientId" | "collectionId", string | null> & { catalogueId: number };

const SELECT_OPEN = sql<OpenParams>()`SELECT ${OPEN} ${OPEN_ORDERS} AND o.status = 'paid'
  WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) AND (${"collectionId"} IS NULL
    OR (c.catalogue_id = ${"catalogueId"} AND o.collection_id = ${"collectionId"}))`;

/**
 * `, which affects 12 open gifts of 5 orders of 2 clients`: those of a client, or those whose recipients choose from a
 * collection of the catalogue. One round trip.
 */
export async function affectedText(
  db: Database,
  catalogueId: number,
  of: { clientId: string } | { collectionId: string },
): Promise<string> {
  const none = { clientId: null, collectionId: null };
  const [open] = await SELECT_OPEN.all(db, { ...none, ...of, catalogueId });
  const { gifts = 0, orders = 0, clients = 0, unlisted = 0 } = open ?? {};
  const lost =
    unlisted > 0 ? `; the catalogue lacks the product of ${plural(unlisted, "order")}` : "";
  return `, which affects ${plural(gifts, "open gift")} of ${plural(orders, "order")} of ${plural(clients, "client")}${lost}`;
}

interface OrderSum {
  item: "month" | "owed";
  currency: Currency;
  orders: number;
  minor: number;
}

// A range of the index for each status and method.
const SELECT_SUMS = sql<{ clientId: string; sinceMs: number }, OrderSum>()`
  SELECT 'month' AS item, o.currency, count(*) AS orders, sum(iif(${IS_BILLED}, o.order_total_minor, 0)) AS minor
  FROM orders o INDEXED BY orders_by_status
  WHERE o.client_id = ${"clientId"} AND o.status IN ${ANY_STATUS}
    AND o.gift_order_method IN ${ANY_METHOD}
    AND o.created_at_ms >= ${"sinceMs"}
  GROUP BY o.currency
  UNION ALL
  SELECT 'owed', a.currency, 0, e.unpaid_minor - e.to_refund_minor
  FROM invoice_entries a INDEXED BY first_invoice_entries CROSS JOIN invoice_entries e
    ON e.client_id = a.client_id AND e.currency = a.currency AND e.sequence = (
      SELECT max(l.sequence) FROM invoice_entries l WHERE l.client_id = a.client_id AND l.currency = a.currency)
  WHERE a.client_id = ${"clientId"} AND a.sequence = 1`;

/** The sums by currency. Rows read are linear in the orders of the month and in the open gifts. One round trip. */
export async function readMoney(db: Database, clientId: string, nowMs: number) {
  const now = new Date(nowMs);
  const sinceMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const { balances, sums, open } = await batch(db, {
    balances: SELECT_BALANCES.bind(db, { clientId }),
    sums: SELECT_SUMS.bind(db, { clientId, sinceMs }),
    open: SELECT_OUTSTANDING.bind(db, { clientId }),
  });
  const month = sums.results.filter(({ item }) => item === "month");
  return {
    balances: balances.results.map(({ currency, balanceMinor: minor }) => ({ minor, currency })),
    owed: sums.results.filter(({ item }) => item === "owed"),
    open: open.results.map(({ currency, amountMinor: minor }) => ({ minor, currency })),
    month,
    orders: month.reduce((sum, { orders }) => sum + orders, 0),
  };
}
