// The statement that stops the e-mails about a gift.
import { type Database, sql } from "../../../platform/db/sql.ts";
import type { LinkedGiftKey } from "../../redeem/queries.ts";

// Of a link that was replaced, another person may be the recipient. It gets no more e-mails anyway. If an operator has
// replaced the gift, its recipient is that of the new gift, too.
const STOP = sql<LinkedGiftKey>()`
  WITH RECURSIVE linked (order_id, sequence, swapped_to) AS (
    SELECT s.order_id, s.sequence, s.swapped_to FROM gifts s CROSS JOIN orders o ON o.id = s.order_id
    WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"}
      AND s.link_generation = ${"generation"} AND o.link_nonce = ${"nonce"}
    UNION ALL
    SELECT n.order_id, n.sequence, n.swapped_to FROM linked l
    CROSS JOIN gifts n ON n.order_id = l.swapped_to / 1000 AND n.sequence = l.swapped_to % 1000
      AND n.link_generation = 0)
  UPDATE gifts SET emails_stopped = 'unsubscribed' FROM linked l
  WHERE gifts.order_id = l.order_id AND gifts.sequence = l.sequence
    AND gifts.emails_stopped IS NULL AND gifts.erased_at_ms IS NULL`;

/** Stops the e-mails about the gift, and about those that have replaced it. Safe to repeat. One round trip. */
export async function stopEmails(db: Database, key: LinkedGiftKey): Promise<void> {
  await STOP.bind(db, key).run();
}
