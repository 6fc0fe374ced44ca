// The statements of the sandbox's clock. They move the times of a client instead of its clock, so that no other statement
// depends on a clock of its own (DECISIONS.md: The clock of the sandbox moves the times).
import { concernsDelivery, EMAIL_KINDS } from "../../core/values/email-kinds.ts";
import { batch, type Database, fragment, rawSql, sql } from "../../platform/db/sql.ts";
import { LINKED_ORDERS } from "../lifecycle/expiry-queries.ts";

interface ClockParams {
  clientId: string;
  /** By how much the times move into the past. Positive. */
  ms: number;
}

const COUNT_GIFTS = sql<{ clientId: string; limit: number }, { gifts: number }>()`
  SELECT coalesce(sum(qty), 0) AS gifts
  FROM (SELECT o.qty FROM ${LINKED_ORDERS} LIMIT ${"limit"})`;

/** The number of gifts of at most `limit` orders that are not finished. */
export const readMovedGiftCount = async (db: Database, of: { clientId: string; limit: number }) =>
  (await COUNT_GIFTS.first(db, of))?.gifts ?? 0;

const LINKED_IDS = fragment`(SELECT o.id FROM ${LINKED_ORDERS})`;

const MOVE_GIFTS = sql<ClockParams>()`
  UPDATE gifts SET send_at_ms = send_at_ms - ${"ms"}, expires_at_ms = expires_at_ms - ${"ms"},
    next_email_ms = next_email_ms - ${"ms"}, declined_at_ms = declined_at_ms - ${"ms"}
  WHERE order_id IN ${LINKED_IDS} AND coalesce(send_at_ms, expires_at_ms, next_email_ms, declined_at_ms) IS NOT NULL`;

const DELIVERY_KINDS = rawSql(`'${EMAIL_KINDS.filter(concernsDelivery).join("', '")}'`);

// Reminders follow the time of the invitation. The times of acceptances and shipments do not move.
const MOVE_EMAILS = sql<ClockParams>()`
  UPDATE emails SET due_ms = due_ms - iif(kind IN (${DELIVERY_KINDS}), 0, ${"ms"}), attempted_at_ms = attempted_at_ms - ${"ms"},
    next_attempt_at_ms = next_attempt_at_ms - ${"ms"}
  WHERE order_id IN ${LINKED_IDS}`;

const MOVE_ORDERS = sql<ClockParams>()`
  UPDATE orders SET send_at_ms = send_at_ms - ${"ms"}, expires_at_ms = expires_at_ms - ${"ms"},
    next_expiry_check_ms = next_expiry_check_ms - ${"ms"},
    expiry_checked_ms = coalesce(expiry_checked_ms, created_at_ms) - ${"ms"}
  WHERE id IN ${LINKED_IDS} AND coalesce(send_at_ms, expires_at_ms, next_expiry_check_ms) IS NOT NULL`;

const WEBHOOKS = fragment`client_id = ${"clientId"} AND status <> 'deleted'`;

const MOVE_WEBHOOKS = sql<ClockParams>()`
  UPDATE webhooks SET paused_until_ms = paused_until_ms - ${"ms"}, failing_since_ms = failing_since_ms - ${"ms"},
    previous_secret_until_ms = previous_secret_until_ms - ${"ms"}
  WHERE ${WEBHOOKS} AND coalesce(paused_until_ms, failing_since_ms, previous_secret_until_ms) IS NOT NULL`;

const MOVE_RETRIES = sql<ClockParams>()`
  UPDATE webhook_deliveries SET next_attempt_at_ms = next_attempt_at_ms - ${"ms"}
  WHERE webhook_id IN (SELECT id FROM webhooks WHERE ${WEBHOOKS}) AND next_attempt_at_ms IS NOT NULL`;

const ADVANCE = sql<ClockParams, { clockMs: number }>()`
  UPDATE clients SET clock_ms = clock_ms + ${"ms"} WHERE id = ${"clientId"} RETURNING clock_ms AS clockMs`;

/**
 * Moves the future times of the client into the past. Not safe to repeat. Returns by how much they have moved in total.
 * One transaction, one round trip.
 */
export async function moveTimes(db: Database, params: ClockParams): Promise<number> {
  const { clock } = await batch(db, {
    gifts: MOVE_GIFTS.bind(db, params),
    emails: MOVE_EMAILS.bind(db, params),
    orders: MOVE_ORDERS.bind(db, params),
    webhooks: MOVE_WEBHOOKS.bind(db, params),
    retries: MOVE_RETRIES.bind(db, params),
    clock: ADVANCE.bind(db, params),
  });
  return clock.results[0]?.clockMs ?? 0;
}
