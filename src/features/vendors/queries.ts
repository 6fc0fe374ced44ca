// The statements with which vendors are notified of gifts to ship.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Vendors } from "../../platform/db/schema.ts";
import { type RowOf, sql } from "../../platform/db/sql.ts";
import { READY_GIFTS } from "../fulfilment/ready-queries.ts";

const v = columnsOf<Vendors>("vendors");
const VENDOR = {
  ...v("id", "email", "timeZone", "webhookUrl", "webhookNonce"),
  ...v("toldAtMs", "toldAnswer", "toldGifts"),
};

export type ToldVendor = RowOf<typeof VENDOR>;

/** The vendors with an endpoint or an e-mail address. */
export const SELECT_VENDORS = sql<object>()`
  SELECT ${VENDOR} FROM vendors WHERE webhook_url IS NOT NULL OR email IS NOT NULL`;

/**
 * Sets the time of the vendors that are to be notified now: of several runs, one does. An endpoint is notified of gifts that it
 * was not notified of, and of others after `repeatMs` if they were not fetched. Gifts that were shipped are forgotten.
 */
export const TELL = sql<{
  /** JSON: number[]. */
  vendors: string;
  nowMs: number;
  pauseMs: number;
  repeatMs: number;
  vendor: null;
  limit: number;
}>()`
  UPDATE vendors SET told_gifts = n.gifts, told_at_ms = iif(n.is_due, ${"nowMs"}, told_at_ms),
    told_answer = iif(n.is_due, NULL, told_answer)
  FROM (
    SELECT v.id, coalesce(ready.gifts, '[]') AS gifts,
      ready.gifts IS NOT NULL AND (v.webhook_url IS NULL
        OR EXISTS (SELECT value FROM json_each(ready.gifts) EXCEPT SELECT value FROM json_each(v.told_gifts))
        OR (v.told_at_ms > coalesce(v.fetched_at_ms, 0) AND v.told_at_ms <= ${"nowMs"} - ${"repeatMs"})) AS is_due
    FROM json_each(${"vendors"}) j CROSS JOIN vendors v ON v.id = j.value
    LEFT JOIN (
      SELECT w.id, json_group_array(json_array(g.gift, g.readyAtMs)) AS gifts
      FROM ${READY_GIFTS} g CROSS JOIN vendors w ON w.name = g.vendor GROUP BY w.id) ready ON ready.id = v.id
    WHERE coalesce(v.told_at_ms, 0) <= ${"nowMs"} - ${"pauseMs"}) n
  WHERE vendors.id = n.id AND (n.is_due OR n.gifts <> told_gifts) RETURNING ${VENDOR}`;

/** If no other attempt has followed. */
export const SAVE_ANSWER = sql<{ id: number; nowMs: number; answer: string }>()`
  UPDATE vendors SET told_answer = ${"answer"} WHERE id = ${"id"} AND told_at_ms = ${"nowMs"}`;
