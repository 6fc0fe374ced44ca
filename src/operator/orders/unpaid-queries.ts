// Unpaid orders of all clients.
import { LAST_CLIENT_ID } from "../../core/values/ids.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Clients, Orders } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";

const o = columnsOf<Orders>("o");

const COLUMNS = {
  ...o("id", "clientId", "orderRefId", "giftOrderMethod", "qty", "currency", "createdAtMs"),
  /** What is to be paid: the total without the share of gifts that have ended. */
  owedMinor: expression<number>()`coalesce(o.owed_minor, o.order_total_minor)`,
};

/** SQLite sorts the orders of all clients unless the column is that of the outer loop. */
const OF_CLIENTS = { ...COLUMNS, clientId: columnsOf<Clients>("c")("id").id };

type UnpaidOrder = RowOf<typeof COLUMNS>;

/** The position of an order in the list: by client and method, oldest first. */
interface UnpaidPosition {
  clientId: string;
  giftOrderMethod: string;
  createdAtMs: number;
  id: number;
}

interface UnpaidParams extends UnpaidPosition {
  lastClientId: string;
  limit: number;
}

/** Unpaid orders `o`: a range of the index orders_by_status. */
const IS_UNPAID = fragment`o.status = 'created'`;

// The rest of the position's client, and then the clients after it. Both are in the order of the index.
const SELECT_UNPAID = statement<UnpaidParams>()`
  SELECT ${COLUMNS} FROM orders o WHERE o.client_id = ${"clientId"} AND ${IS_UNPAID}
    AND (o.gift_order_method, o.created_at_ms, o.id) > (${"giftOrderMethod"}, ${"createdAtMs"}, ${"id"})
  UNION ALL
  SELECT ${OF_CLIENTS} FROM clients c CROSS JOIN orders o
  WHERE c.id > ${"clientId"} AND c.id <= ${"lastClientId"} AND o.client_id = c.id AND ${IS_UNPAID}
  ORDER BY clientId, giftOrderMethod, createdAtMs, id LIMIT ${"limit"}`;

/** The first `limit` unpaid orders after the position, of one client or of all. One round trip. */
export function listUnpaid(
  db: Pick<Database, "prepare">,
  {
    clientId,
    after,
    limit,
  }: { clientId: string | null; after?: UnpaidPosition | undefined; limit: number },
): Promise<UnpaidOrder[]> {
  const start = { clientId: clientId ?? "", giftOrderMethod: "", createdAtMs: 0, id: 0 };
  return SELECT_UNPAID.all(db, {
    ...(after ?? start),
    lastClientId: clientId ?? LAST_CLIENT_ID,
    limit,
  });
}
