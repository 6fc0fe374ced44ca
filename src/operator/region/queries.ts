// The ids that a database has given out, and those that it must not give out.
import { lastIdOf } from "../../platform/db/last-id.ts";
import { type Database, sql } from "../../platform/db/sql.ts";

/** The last number of each kind that was given out. 0 if there is none. */
export type LastIds = Record<
  "orders" | "products" | "variations" | "credentials" | "webhooks",
  number
>;

const SELECT_LAST_IDS = sql<object, LastIds>()`
  SELECT ${lastIdOf("orders")} AS orders, ${lastIdOf("credentials")} AS credentials,
    ${lastIdOf("webhooks")} AS webhooks,
    (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
    (SELECT last_id FROM id_sequences WHERE name = 'variations') AS variations`;

/** The last ids that the database has given out. */
export async function readLastIds(db: Database): Promise<LastIds> {
  const ids = await SELECT_LAST_IDS.first(db, {});
  if (!ids) throw new Error("a query without a table always has one row");
  return ids;
}

const RESERVE_IDS = sql<{ ids: string }>()`
  INSERT INTO id_sequences (name, last_id)
  SELECT key, value FROM json_each(${"ids"}) WHERE true
  ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id WHERE excluded.last_id > last_id`;

// SQLite gives a new order the highest id in the table plus 1. After a reservation, the trigger changes the id of the
// first order. No row refers to it at that time. Later orders have higher ids, and only read the reservation.
const RESERVE_ORDER_IDS = sql<object>()`
  CREATE TRIGGER IF NOT EXISTS order_ids_follow_the_reserved_one AFTER INSERT ON orders
  WHEN NEW.id <= (SELECT last_id FROM id_sequences WHERE name = 'orders')
  BEGIN
    UPDATE orders SET id = (SELECT last_id + 1 FROM id_sequences WHERE name = 'orders')
    WHERE id = NEW.id;
  END`;

/** The statements that reserve ids: the next ones follow them. */
export const reservationOf = (db: Database, ids: Partial<LastIds>) => [
  RESERVE_IDS.bind(db, { ids: JSON.stringify(ids) }),
  ...(ids.orders === undefined ? [] : [RESERVE_ORDER_IDS.bind(db, {})]),
];
