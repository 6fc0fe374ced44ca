// What a gift costs, when a closed gift ends by itself, and what an end returns.
import { DAY_MS } from "../../core/values/time.ts";
import { expression, rawSql } from "../../platform/db/sql.ts";

/** What gift `s` costs. */
export const GIFT_COST = expression<number>()`(s.product_minor + s.shipping_minor + s.fee_minor)`;

/**
 * What gift `s` of order `o` returns if it ends now: nothing if the order has no entry in a ledger, or if the gift is declined
 * and the client's settings keep its credit.
 */
export const GIFT_REFUND = expression<number>()`
  iif((o.debit_sequence IS NULL AND o.owed_minor IS NULL) OR (s.declined_at_ms IS NOT NULL
    AND (SELECT refund_declined FROM clients WHERE id = o.client_id) = 0), 0, ${GIFT_COST})`;

/**
 * When the cron handler ends open gift `s` of order `o` of client `c`. Null for never. The last day of an unpaid order is
 * final, because its gifts could not be accepted after a late payment.
 */
export const FINAL_AT = expression<
  number | null
>()`(coalesce(s.declined_at_ms, s.expires_at_ms, o.expires_at_ms)
  + iif(o.status = 'paid', c.final_after_days, 0) * ${rawSql(String(DAY_MS))})`;
