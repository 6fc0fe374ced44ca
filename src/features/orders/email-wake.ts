// Wakes: the outbox looks for due e-mails of an order. A lost wake would lose e-mails, so each is inserted in the transaction
// of its change. One that turns out to be unnecessary does no harm.
import { fragment } from "../../platform/db/statement.ts";

/** The start of each statement that inserts a wake. A SELECT of the order's client, the time and the order follows. */
export const INSERT_WAKE = fragment`
  INSERT OR IGNORE INTO email_wakes (client_id, due_ms, order_id)`;

/** Some recipients of order `o` are invited by e-mail. */
export const SENDS_EMAILS = fragment`
  (o.send_at_ms IS NOT NULL
    OR EXISTS (SELECT 1 FROM sub_orders s WHERE s.order_id = o.id AND s.send_at_ms IS NOT NULL))`;
