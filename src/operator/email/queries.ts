// E-mails to recipients, for the operator's commands. A message contains the gift's link, so it is not read.
import { columnsOf, type Json, type Parsed, parseJson } from "../../platform/db/columns.ts";
import type { Clients, Emails, Orders, SubOrders } from "../../platform/db/schema.ts";
import {
  type Database,
  expression,
  fragment,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { INVITE_AT, NEXT_EMAIL } from "../../features/orders/next-email.ts";
import type { EmailKind, EmailStatus } from "../../core/values/email-kinds.ts";
import { STATE_COLUMNS } from "../../features/lifecycle/gift-state.ts";
import type { GiftKey } from "../../features/lifecycle/order-key.ts";

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");
const e = columnsOf<Emails>("e");

const COLUMNS = {
  ...o("clientId"),
  ...e("orderId", "sequence", "number", "kind", "status", "reason", "attempts", "attemptedAtMs"),
  ...e("nextAttemptAtMs", "linkGeneration", "messageId"),
  /** The present address, which may have been corrected since. */
  ...s("email"),
};

export type ListedEmail = RowOf<typeof COLUMNS>;

const JOIN_GIFT = fragment`
  CROSS JOIN sub_orders s ON s.order_id = e.order_id AND s.sequence = e.sequence
  CROSS JOIN orders o ON o.id = e.order_id`;

interface Filter {
  statuses: readonly EmailStatus[];
  limit: number;
}

/** `statuses` is JSON. */
type Params<Key> = Key & { statuses: string; limit: number };
const HAS_STATUS = fragment`e.status IN (SELECT value FROM json_each(${"statuses"}))`;

type OrderKey = Pick<GiftKey, "orderId"> & { sequence: number | null };

const SELECT_OF_ORDER = statement<Params<OrderKey>>()`
  SELECT ${COLUMNS} FROM emails e ${JOIN_GIFT}
  WHERE e.order_id = ${"orderId"} AND (${"sequence"} IS NULL OR e.sequence = ${"sequence"})
    AND ${HAS_STATUS}
  ORDER BY e.sequence, e.number LIMIT ${"limit"}`;

/** The e-mails of an order, or of one of its gifts, oldest first. One round trip. */
export const listEmailsOfOrder = (db: Database, { statuses, ...key }: OrderKey & Filter) =>
  SELECT_OF_ORDER.all(db, { ...key, statuses: JSON.stringify(statuses) });

interface Period {
  /** Null for all clients. */
  clientId: string | null;
  sinceMs: number;
  nowMs: number;
}

/** The last event of client `c` before the time, by bisection: the sequences of a client's events have no gaps. */
const LAST_BEFORE = fragment`
  (WITH RECURSIVE bounds(low, high) AS (
    SELECT 0, (SELECT coalesce(max(l.sequence), 0) FROM events l WHERE l.client_id = c.id)
    UNION ALL
    SELECT iif(m.created_at_ms < ${"sinceMs"}, m.sequence, b.low),
      iif(m.created_at_ms < ${"sinceMs"}, b.high, m.sequence - 1)
    FROM bounds b CROSS JOIN events m ON m.client_id = c.id AND m.sequence = (b.low + b.high + 1) / 2
    WHERE b.low < b.high)
  SELECT b.low FROM bounds b WHERE b.low = b.high)`;

// E-mails have no index by client or time. Events name the gifts whose e-mails were sent or have failed, and wakes the
// orders with e-mails that are attempted again, within hours. So the rows read are linear in the events since the time,
// and in these wakes.
const SELECT_EMAILS = statement<Params<Period>>()`
  SELECT ${COLUMNS}
  FROM (
    SELECT * FROM (
      SELECT e.order_id, e.sequence, e.number, e.attempted_at_ms
      FROM clients c CROSS JOIN events v ON v.client_id = c.id AND v.sequence > ${LAST_BEFORE}
      CROSS JOIN emails e ON e.order_id = v.order_id AND e.sequence = v.suborder_sequence
      WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"})
        AND v.type IN ('gift.email_sent', 'gift.email_failed') AND e.kind = v.data ->> '$.emailKind'
        AND (e.attempted_at_ms >= ${"sinceMs"} OR (v.type = 'gift.email_failed'
          AND e.status IN ('failed', 'bounced', 'rejected', 'complained'))) AND ${HAS_STATUS}
      UNION
      SELECT e.order_id, e.sequence, e.number, e.attempted_at_ms
      FROM clients c CROSS JOIN email_wakes w ON w.client_id = c.id AND w.due_ms < ${"nowMs"} + 86400000
      CROSS JOIN emails e ON e.order_id = w.order_id AND e.status = 'retry'
      WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) AND ${HAS_STATUS})
    ORDER BY attempted_at_ms DESC, order_id DESC, sequence, number LIMIT ${"limit"}) n
  CROSS JOIN emails e ON e.order_id = n.order_id AND e.sequence = n.sequence AND e.number = n.number
  ${JOIN_GIFT}
  ORDER BY n.attempted_at_ms DESC, n.order_id DESC, n.sequence, n.number`;

/**
 * The e-mails that were attempted or have failed since the time, and those that are attempted again, newest first. One
 * round trip.
 */
export const listEmails = (db: Database, { statuses, ...period }: Period & Filter) =>
  SELECT_EMAILS.all(db, { ...period, statuses: JSON.stringify(statuses) });

type Key = Pick<GiftKey, "orderId" | "sequence">;

const GIFT_COLUMNS = {
  ...STATE_COLUMNS,
  ...o("clientId"),
  clientStatus: columnsOf<Clients>("c")("status").status,
  ...s("firstName", "lastName", "email", "emailsStopped"),
  /** Null if the client sends the link. */
  inviteAtMs: expression<number | null>()`${INVITE_AT}`,
  nextEmail: expression<Json<
    [kind: EmailKind, dueMs: number, atMs: number]
  > | null>()`${NEXT_EMAIL}`,
  /** Until when nothing is sent, and the code with which the e-mail service has refused. */
  pausedUntilMs: expression<number | null>()`(SELECT paused_until_ms FROM email_outbox)`,
  pauseCode: expression<string | null>()`(SELECT fault FROM email_outbox)`,
};

const SELECT_GIFT = statement<Key & { nowMs: number }>()`
  SELECT ${GIFT_COLUMNS}
  FROM sub_orders s JOIN orders o ON o.id = s.order_id JOIN clients c ON c.id = o.client_id
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence
  WHERE s.order_id = ${"orderId"} AND s.sequence = ${"sequence"} AND o.link_nonce IS NOT NULL`;

/** A gift with a link, as far as it concerns e-mails. */
export type EmailGift = Parsed<RowOf<typeof GIFT_COLUMNS>>;

/** The gift, or null if there is no such gift with a link. One round trip. */
export async function readEmailGift(
  db: Database,
  key: Key & { nowMs: number },
): Promise<EmailGift | null> {
  const row = await SELECT_GIFT.first(db, key);
  return row && { ...row, nextEmail: parseJson(row.nextEmail) };
}

// A bounce and a complaint no longer count with another address. This always does.
const STOP = statement<Key>()`
  UPDATE sub_orders SET emails_stopped = 'stopped'
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND erased_at_ms IS NULL
    AND (emails_stopped IS NULL OR emails_stopped IN ('bounced', 'complained'))`;

/** Stops the e-mails about the gift for good. False, and nothing changes, if they are. One round trip. */
export const stopEmails = async (db: Database, key: Key): Promise<boolean> =>
  (await STOP.bind(db, key).run()).meta.changes === 1;
