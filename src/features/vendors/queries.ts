// The statements with which vendors are notified of gifts to ship.
import { columnsOf, type Json } from "../../platform/db/columns.ts";
import type { Vendors } from "../../platform/db/schema.ts";
import { batch, type Database, expression, type RowOf, sql } from "../../platform/db/sql.ts";
import { READY_GIFTS } from "../fulfilment/ready-queries.ts";

const v = columnsOf<Vendors>("v");
const VENDOR = {
  ...v("id", "email", "timeZone", "webhookUrl", "webhookNonce"),
  ...v("toldAtMs", "toldAnswer"),
};

export type ToldVendor = RowOf<typeof VENDOR>;

/** The vendors with an endpoint or an e-mail address that were not notified in the last `pauseMs`. */
export const SELECT_VENDORS = sql<{ nowMs: number; pauseMs: number }>()`
  SELECT ${VENDOR} FROM vendors v WHERE (v.webhook_url IS NOT NULL OR v.email IS NOT NULL)
    AND coalesce(v.told_at_ms, 0) <= ${"nowMs"} - ${"pauseMs"}`;

const READY = {
  /** When its gifts could be shipped, and the ids of those that it was not notified of. */
  readyAtMs: expression<Json<number[]>>()`json_group_array(g.readyAtMs)`,
  untold: expression<Json<number[]>>()`json_group_array(g.gift) FILTER (WHERE g.isTold = 0)`,
  ...VENDOR,
};

export type ReadyVendor = RowOf<typeof READY>;

/**
 * Those of these vendors that are to be notified of gifts to ship. An endpoint is notified of new gifts, and of the others
 * after `repeatMs` if they were not fetched.
 */
export const SELECT_READY = sql<{
  /** JSON: number[]. */
  vendors: string;
  nowMs: number;
  repeatMs: number;
  vendor: null;
  limit: number;
}>()`
  SELECT ${READY} FROM ${READY_GIFTS} g CROSS JOIN vendors v ON v.name_key = g.vendor
  WHERE v.id IN (SELECT value FROM json_each(${"vendors"})) GROUP BY v.id
  HAVING v.webhook_url IS NULL OR v.told_at_ms IS NULL OR min(g.isTold) = 0
    OR (v.told_at_ms > coalesce(v.fetched_at_ms, 0) AND v.told_at_ms <= ${"nowMs"} - ${"repeatMs"})`;

type Claim = Pick<ReadyVendor, "id" | "toldAtMs" | "untold"> & { nowMs: number };

const CLAIM = sql<Omit<Claim, "untold">>()`
  UPDATE vendors SET told_at_ms = ${"nowMs"}, told_answer = NULL
  WHERE id = ${"id"} AND told_at_ms IS ${"toldAtMs"}`;

const MARK_TOLD = sql<Omit<Claim, "toldAtMs">>()`
  UPDATE gifts SET vendor_told = 1 FROM json_each(${"untold"}) j
  WHERE order_id = j.value / 1000 AND sequence = j.value % 1000
    AND EXISTS (SELECT 1 FROM vendors WHERE id = ${"id"} AND told_at_ms = ${"nowMs"})`;

/** Whether this run notifies the vendor: of several at the same time, only one does. One transaction. */
export async function claimVendor(db: Database, claim: Claim): Promise<boolean> {
  const bound = { claimed: CLAIM.bind(db, claim), marked: MARK_TOLD.bind(db, claim) };
  return (await batch(db, bound)).claimed.meta.changes > 0;
}

/** If no other attempt has followed. */
export const SAVE_ANSWER = sql<{ id: number; nowMs: number; answer: string }>()`
  UPDATE vendors SET told_answer = ${"answer"} WHERE id = ${"id"} AND told_at_ms = ${"nowMs"}`;
