// Unpaid orders of all clients, and orders that are to be refunded.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Clients, Orders } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";

const o = columnsOf<Orders>("o");

const COLUMNS = {
  ...o("id", "clientId", "orderRefId", "giftOrderMethod", "qty", "currency", "createdAtMs"),
  /** What is to be paid: the total without the share of gifts that have ended. Negative if it is to be refunded. */
  owedMinor: expression<number>()`coalesce(o.owed_minor, o.order_total_minor)`,
};

/** SQLite sorts the orders of all clients unless the column is that of the outer loop. */
const OF_CLIENTS = { ...COLUMNS, clientId: columnsOf<Clients>("c")("id").id };

type UnpaidOrder = RowOf<typeof COLUMNS>;

/** The position before all orders, or those of one client. They are listed by client and method, oldest first. */
export const firstUnpaid = ({ client = "" }: { client?: string | undefined }) => ({
  clientId: client,
  giftOrderMethod: "",
  createdAtMs: 0,
  id: 0,
});

type UnpaidPosition = ReturnType<typeof firstUnpaid>;

type UnpaidParams = UnpaidPosition & { lastClientId: string; limit: number };

// The rest of the position's client, and then the clients after it. Both are in the order of the index.
const selectOrders = (condition: Fragment<never>) => sql<UnpaidParams>()`
  SELECT ${COLUMNS} FROM orders o WHERE o.client_id = ${"clientId"} AND ${condition}
    AND (o.gift_order_method, o.created_at_ms, o.id) > (${"giftOrderMethod"}, ${"createdAtMs"}, ${"id"})
  UNION ALL
  SELECT ${OF_CLIENTS} FROM clients c CROSS JOIN orders o
  WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${condition}
  ORDER BY clientId, giftOrderMethod, createdAtMs, id LIMIT ${"limit"}`;

interface TotalParams {
  clientId: string;
  lastClientId: string;
  limit: number;
}

interface Total {
  currency: Currency;
  orders: number;
  owedMinor: number;
}

const selectTotals = (condition: Fragment<never>) => sql<TotalParams, Total>()`
  SELECT currency, count(*) AS orders, sum(owedMinor) AS owedMinor FROM (
    SELECT o.currency, coalesce(o.owed_minor, o.order_total_minor) AS owedMinor
    FROM clients c CROSS JOIN orders o
    WHERE c.id >= ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${condition}
    LIMIT ${"limit"})
  GROUP BY currency ORDER BY currency`;

/** Ranges of the indexes orders_by_status and orders_to_refund. */
const CONDITIONS = { unpaid: fragment`o.status = 'created'`, refund: fragment`o.owed_minor < 0` };

export type PaymentState = keyof typeof CONDITIONS;

const SELECT_ORDERS = {
  unpaid: selectOrders(CONDITIONS.unpaid),
  refund: selectOrders(CONDITIONS.refund),
};

const SELECT_TOTALS = {
  unpaid: selectTotals(CONDITIONS.unpaid),
  refund: selectTotals(CONDITIONS.refund),
};

/** The number and the amount of the first `limit` orders in each currency, of one client or of all. One round trip. */
export const readTotals = (
  db: Pick<Database, "prepare">,
  state: PaymentState,
  { clientId, limit }: { clientId: string | null; limit: number },
): Promise<Total[]> =>
  SELECT_TOTALS[state].all(db, {
    clientId: clientId ?? "",
    lastClientId: clientId ?? LAST_CLIENT_ID,
    limit,
  });

/** The first `limit` orders of the state after the position, of one client or of all. One round trip. */
export function listUnpaid(
  db: Pick<Database, "prepare">,
  state: PaymentState,
  page: { client?: string | undefined; after?: UnpaidPosition; limit: number },
): Promise<UnpaidOrder[]> {
  const { client, after = firstUnpaid(page), limit } = page;
  return SELECT_ORDERS[state].all(db, { ...after, lastClientId: client ?? LAST_CLIENT_ID, limit });
}
