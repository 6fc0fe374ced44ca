// What waits for operators, as bounded counts for the first page of the console.
import { type Database, sql } from "../../platform/db/sql.ts";
import { EXPIRING } from "../../features/codes/upkeep-queries.ts";
import { IS_UNRESOLVED } from "../email/queries.ts";
import { IS_FAILING } from "../webhook/queries.ts";
import { GIFTS_TO_SHIP, MAX_COUNTED } from "../shipment/count-queries.ts";

interface Params {
  /** Gifts that were ready before are late. */
  readyBeforeMs: number;
  /** From when on failed e-mails, and codes that were given out, are counted. */
  failedSinceMs: number;
  /** When free codes that expire are counted: those that are no longer valid for long enough then. */
  nowMs: number;
  limit: number;
}

export interface Overview {
  toShip: number;
  /** Of these, the gifts that are late. */
  late: number;
  undelivered: number;
  unpaid: number;
  toRefund: number;
  failedEmails: number;
  failingWebhooks: number;
  lowAccounts: number;
  lowCodes: number;
  expiringCodes: number;
}

// Endpoints are few. The others have an index.
const SELECT_COUNTS = sql<Params, Overview>()`
  SELECT total(gifts) AS toShip, total(iif(readyAtMs < ${"readyBeforeMs"}, gifts, 0)) AS late,
    (SELECT count(*) FROM (SELECT 1 FROM gifts INDEXED BY undelivered_gifts
      WHERE fulfilment = 'undelivered' LIMIT ${"limit"})) AS undelivered,
    (SELECT count(*) FROM (SELECT 1 FROM clients c CROSS JOIN orders o
      ON o.client_id = c.id AND o.status = 'created' LIMIT ${"limit"})) AS unpaid,
    (SELECT count(*) FROM (SELECT 1 FROM orders INDEXED BY orders_to_refund
      WHERE owed_minor < 0 LIMIT ${"limit"})) AS toRefund,
    (SELECT count(*) FROM (SELECT DISTINCT e.order_id, e.sequence, e.number
      FROM events v INDEXED BY failed_emails_by_time
      CROSS JOIN emails e ON e.order_id = v.order_id AND e.sequence = v.gift_sequence
      WHERE v.type = 'gift.email_failed' AND v.created_at_ms >= ${"failedSinceMs"}
        AND e.kind = v.data ->> '$.emailKind' AND ${IS_UNRESOLVED} LIMIT ${"limit"})) AS failedEmails,
    (SELECT count(*) FROM webhooks w WHERE w.status <> 'deleted' AND ${IS_FAILING}) AS failingWebhooks,
    (SELECT count(*) FROM credit_accounts a
      WHERE a.alert_below_minor IS NOT NULL AND a.balance_minor < a.alert_below_minor) AS lowAccounts,
    (SELECT count(*) FROM stock k INDEXED BY stock_of_codes WHERE k.code_days IS NOT NULL
      AND k.quantity < (SELECT count(*) FROM codes c WHERE c.product_id = k.product_id
        AND c.variation_id = k.variation_id AND c.bound_at_ms >= ${"failedSinceMs"})) AS lowCodes,
    (SELECT count(*) FROM (SELECT 1 ${EXPIRING} LIMIT ${"limit"})) AS expiringCodes
  FROM ${GIFTS_TO_SHIP}`;

/** Counts up to `MAX_COUNTED` and one more. One round trip. */
export async function readOverview(db: Database, times: Omit<Params, "limit">): Promise<Overview> {
  const counts = await SELECT_COUNTS.first(db, { ...times, limit: MAX_COUNTED + 1 });
  if (!counts) throw new Error("D1 returned no counts");
  return counts;
}
