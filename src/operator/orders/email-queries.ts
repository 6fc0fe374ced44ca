// The statement that reads a gift as far as it concerns e-mails. A message contains the gift's link, so it is not read.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type { Clients, Orders, SubOrders } from "../../platform/db/schema.ts";
import { type Database, expression, type RowOf, statement } from "../../platform/db/statement.ts";
import { STATE_COLUMNS } from "../../features/lifecycle/gift-state.ts";
import type { GiftKey } from "../../features/lifecycle/order-key.ts";
import { INVITE_AT } from "../../features/orders/email-queries.ts";

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");

type Key = Pick<GiftKey, "orderId" | "sequence">;

const GIFT_COLUMNS = {
  ...STATE_COLUMNS,
  ...o("clientId"),
  clientStatus: columnsOf<Clients>("c")("status").status,
  ...s("email", "emailsStopped"),
  ...orNull(s("nextEmail", "nextEmailMs")),
  /** Until when an e-mail waits because its address gets no more. Null if none does. */
  waitsUntilMs: expression<number | null>()`(SELECT max(e.next_attempt_at_ms) FROM emails e
    WHERE e.order_id = s.order_id AND e.sequence = s.sequence AND e.status = 'retry' AND e.attempts = 0)`,
  /** Null if the client sends the link. */
  inviteAtMs: INVITE_AT,
  /** Until when nothing is sent, and the code with which the e-mail service has refused. */
  pausedUntilMs: expression<number | null>()`(SELECT paused_until_ms FROM email_outbox)`,
  pauseCode: expression<string | null>()`(SELECT fault FROM email_outbox)`,
};

const SELECT_GIFT = statement<Key>()`
  SELECT ${GIFT_COLUMNS}
  FROM sub_orders s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.link_nonce IS NOT NULL`;

/** A gift with a link, as far as it concerns e-mails. */
export type EmailGift = RowOf<typeof GIFT_COLUMNS>;

/** The gift, or null if there is no such gift with a link. One round trip. */
export const readEmailGift = (db: Database, key: Key): Promise<EmailGift | null> =>
  SELECT_GIFT.first(db, key);
