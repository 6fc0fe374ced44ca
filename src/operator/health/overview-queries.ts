// What waits for operators, as bounded counts for the first page of the console.
import { batch, type Database, fragment, statement } from "../../platform/db/statement.ts";

/** A count stops here, so that a page does not read a long queue. */
export const MAX_COUNTED = 1_000;

interface Times {
  /** Gifts that were ready before are late. */
  readyBeforeMs: number;
  /** From when on failed e-mails are counted. */
  failedSinceMs: number;
}

interface Limit {
  limit: number;
}

interface Waiting {
  gifts: number;
  /** Of these, the gifts that were ready before the time. */
  late: number;
}

// Gifts of orders that were bought outright, and redeemed gifts. Of the former, an order counts with all gifts that are
// not shipped, also cancelled ones.
const SELECT_TO_SHIP = statement<Pick<Times, "readyBeforeMs"> & Limit, Waiting>()`
  SELECT total(gifts) AS gifts, total(iif(readyAtMs < ${"readyBeforeMs"}, gifts, 0)) AS late FROM (
    SELECT * FROM (
      SELECT o.qty - o.shipped_gifts AS gifts, o.created_at_ms AS readyAtMs
      FROM clients c CROSS JOIN orders o ON o.client_id = c.id AND o.status = 'paid'
        AND o.gift_order_method = 'api-purchase' AND o.finished = 0
      LIMIT ${"limit"})
    UNION ALL
    SELECT * FROM (
      SELECT 1, s.redeemed_at_ms FROM sub_orders s INDEXED BY redeemed_gifts_to_ship
      WHERE s.redemption_status = 'redeemed' AND s.has_shipment = 0 LIMIT ${"limit"}))`;

const UNPAID = fragment`
  SELECT 1 FROM clients c CROSS JOIN orders o ON o.client_id = c.id AND o.status = 'created'
  LIMIT ${"limit"}`;

interface Counts {
  unpaid: number;
  failedEmails: number;
  failingWebhooks: number;
  lowAccounts: number;
}

// Endpoints are few. Accounts with an alert have an index.
const SELECT_COUNTS = statement<Pick<Times, "failedSinceMs"> & Limit, Counts>()`
  SELECT (SELECT count(*) FROM (${UNPAID})) AS unpaid,
    (SELECT count(*) FROM (SELECT 1 FROM events INDEXED BY failed_emails_by_time
      WHERE type = 'gift.email_failed' AND created_at_ms >= ${"failedSinceMs"} LIMIT ${"limit"})) AS failedEmails,
    (SELECT count(*) FROM webhooks w WHERE w.status <> 'deleted'
      AND (w.failing_since_ms IS NOT NULL OR w.disabled_reason IS NOT NULL)) AS failingWebhooks,
    (SELECT count(*) FROM credit_accounts a
      WHERE a.alert_below_minor IS NOT NULL AND a.balance_minor < a.alert_below_minor) AS lowAccounts`;

export interface Overview extends Counts {
  toShip: Waiting;
}

/** Counts up to `MAX_COUNTED` and one more. One round trip. */
export async function readOverview(db: Database, times: Times): Promise<Overview> {
  const limit = MAX_COUNTED + 1;
  const { toShip, counts } = await batch(db, {
    toShip: SELECT_TO_SHIP.bind(db, { readyBeforeMs: times.readyBeforeMs, limit }),
    counts: SELECT_COUNTS.bind(db, { failedSinceMs: times.failedSinceMs, limit }),
  });
  const [waiting] = toShip.results;
  const [counted] = counts.results;
  if (!waiting || !counted) throw new Error("D1 returned no counts");
  return { ...counted, toShip: waiting };
}
