// The statement that stops the e-mails about a gift.
import { type Database, sql } from "../../../platform/db/sql.ts";
import type { LinkedGiftKey } from "../../redeem/queries.ts";

// Of a link that was replaced, another person may be the recipient. It gets no more e-mails anyway.
const STOP = sql<LinkedGiftKey>()`
  UPDATE gifts SET emails_stopped = 'unsubscribed'
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND link_generation = ${"generation"}
    AND emails_stopped IS NULL AND erased_at_ms IS NULL
    AND EXISTS (SELECT 1 FROM orders WHERE id = ${"orderId"} AND link_nonce = ${"nonce"})`;

/** Stops the e-mails about the gift. Safe to repeat. One round trip. */
export async function stopEmails(db: Database, key: LinkedGiftKey): Promise<void> {
  await STOP.bind(db, key).run();
}
