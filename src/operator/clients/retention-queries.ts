// The orders that a retention period erases.
import { type Database, fragment, statement } from "../../platform/db/statement.ts";
import { DAY_MS } from "../../core/values/time.ts";
import { IS_SETTLED, isOlder } from "../../features/privacy/queries.ts";

interface DueParams {
  clientId: string;
  retainDays: number;
  nowMs: number;
  dayMs: number;
  limit: number;
}

const COUNT_DUE = statement<DueParams, { orders: number }>()`
  SELECT count(*) AS orders FROM (
    SELECT 1 FROM orders o INDEXED BY orders_to_erase
    WHERE o.client_id = ${"clientId"} AND ${IS_SETTLED} AND ${isOlder(fragment`${"retainDays"}`)}
    LIMIT ${"limit"})`;

/** The number of the client's orders that this retention period would erase, at most `limit`. One round trip. */
export async function countDue(db: Database, params: Omit<DueParams, "dayMs">): Promise<number> {
  return (await COUNT_DUE.first(db, { ...params, dayMs: DAY_MS }))?.orders ?? 0;
}
