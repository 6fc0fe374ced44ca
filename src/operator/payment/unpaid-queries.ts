// Unpaid orders of all clients, and orders that are to be refunded.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import type { Currency } from "../../core/values/iso.ts";
import {
  type Database,
  expression,
  type Fragment,
  fragment,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { client, order } from "../../platform/db/tables.ts";

const COLUMNS = {
  ...order("id", "clientId", "orderRefId", "giftOrderMethod", "qty", "currency", "createdAtMs"),
  /** What is to be paid: the total without the share of gifts that have ended. Negative if it is to be refunded. */
  owedMinor: expression<number>()`coalesce(o.owed_minor, o.order_total_minor)`,
};

/** SQLite sorts the orders of all clients unless the column is that of the outer loop. */
const OF_CLIENTS = { ...COLUMNS, clientId: client("id").id };

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

interface Total {
  currency: Currency;
  orders: number;
  owedMinor: number;
}

/** The condition is a range of an index. */
const sqlOf = (condition: Fragment<never>) => ({
  // The rest of the position's client, and then the clients after it. Both are in the order of the index.
  orders: sql<UnpaidParams>()`
    SELECT ${COLUMNS} FROM orders o WHERE o.client_id = ${"clientId"} AND ${condition}
      AND (o.gift_order_method, o.created_at_ms, o.id) > (${"giftOrderMethod"}, ${"createdAtMs"}, ${"id"})
    UNION ALL
    SELECT ${OF_CLIENTS} FROM clients c CROSS JOIN orders o
    WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${condition}
    ORDER BY clientId, giftOrderMethod, createdAtMs, id LIMIT ${"limit"}`,
  totals: sql<Pick<UnpaidParams, "clientId" | "lastClientId" | "limit">, Total>()`
    SELECT currency, count(*) AS orders, sum(owedMinor) AS owedMinor FROM (
      SELECT o.currency, ${COLUMNS.owedMinor} AS owedMinor
      FROM clients c CROSS JOIN orders o
      WHERE c.id >= ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${condition}
      LIMIT ${"limit"})
    GROUP BY currency ORDER BY currency`,
});

const SQL = {
  unpaid: sqlOf(fragment`o.status = 'created'`),
  refund: sqlOf(fragment`o.owed_minor < 0`),
};

export type PaymentState = keyof typeof SQL;

/** The number and the amount of the first `limit` orders in each currency, of one client or of all. One round trip. */
export const readTotals = (
  db: Pick<Database, "prepare">,
  state: PaymentState,
  { clientId, limit }: { clientId: string | null; limit: number },
): Promise<Total[]> =>
  SQL[state].totals.all(db, {
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
  return SQL[state].orders.all(db, { ...after, lastClientId: client ?? LAST_CLIENT_ID, limit });
}
