// The operator's statements for e-mails. A message contains the gift's link, so it is not read.
import { CODE_OF_GIFT } from "../../features/codes/bind-queries.ts";
import { statesThat } from "../../core/values/shipment-states.ts";
import { toJson } from "../../platform/db/columns.ts";
import {
  type Database,
  expression,
  fragment,
  rawSql,
  type RowOf,
  sql,
  sqlOf,
} from "../../platform/db/sql.ts";
import { JOIN_SHIPMENT, email, gift, order } from "../../platform/db/tables.ts";
import {
  ADDRESS_REFUSED,
  EMAIL_FACTS,
  EMAIL_KINDS,
  type EmailStatus,
} from "../../core/values/email-kinds.ts";
import type { GiftKey } from "../../features/lifecycle/order-key.ts";

/** Whether the recipient of gift `s` with order `o` and shipment `h` still needs what e-mail `e` brings. */
const IS_NEEDED = {
  link: `s.redemption_status IS NULL AND s.declined_at_ms IS NULL AND o.status IN ('created', 'paid')
            AND s.link_generation = e.link_generation`,
  tracking: `h.status IN (${statesThat(({ email }) => email !== null && EMAIL_FACTS[email].brings === "tracking")})`,
  code: `EXISTS (SELECT 1 ${sqlOf(CODE_OF_GIFT)} AND c.opened_at_ms IS NULL)`,
};
const CASES = EMAIL_KINDS.map(
  (kind) => `WHEN '${kind}' THEN ${IS_NEEDED[EMAIL_FACTS[kind].brings]}`,
);

/**
 * E-mail `e` did not arrive, nothing was done about it, and its recipient still needs it. A later time at which it was
 * wanted, or the gift was shipped, is that of the e-mail that is planned.
 */
export const IS_UNRESOLVED = fragment`
  (e.status IN ('failed', 'bounced', 'rejected', 'complained')
    AND NOT EXISTS (SELECT 1 FROM emails l
      WHERE l.order_id = e.order_id AND l.sequence = e.sequence AND l.number > e.number)
    AND EXISTS (SELECT 1 FROM gifts s JOIN orders o ON o.id = s.order_id ${JOIN_SHIPMENT}
      WHERE s.order_id = e.order_id AND s.sequence = e.sequence AND s.erased_at_ms IS NULL
        AND (s.next_email_ms IS NULL OR max(ifnull(s.send_at_ms, 0), ifnull(h.shipped_at_ms, 0)) <= e.due_ms)
        AND coalesce(s.emails_stopped, '') NOT IN ('stopped', 'unsubscribed')
        AND CASE e.kind ${rawSql(CASES.join(" "))} END))`;

const COLUMNS = {
  ...order("clientId"),
  ...email("orderId", "sequence", "number", "kind", "status", "reason", "attempts"),
  ...email("attemptedAtMs", "nextAttemptAtMs", "linkGeneration", "messageId"),
  /** The recipient at present. */
  ...gift("firstName", "lastName"),
  email: expression<string | null>()`nullif(s.email, '')`,
  isUnresolved: expression<0 | 1>()`
    CASE e.status WHEN 'sent' THEN 0 WHEN 'delivered' THEN 0 ELSE ${IS_UNRESOLVED} END`,
};

export type ListedEmail = RowOf<typeof COLUMNS>;

/** The position before all e-mails in the list, which is newest first. */
export const NEWEST_EMAIL = {
  attemptedAtMs: Number.MAX_SAFE_INTEGER,
  orderId: 0,
  sequence: 0,
  number: 0,
};

interface EmailFilter {
  /** Null for all clients. */
  clientId: string | null;
  sinceMs: number;
  nowMs: number;
  /** Null for unresolved e-mails. */
  statuses: readonly EmailStatus[] | null;
  /** The last e-mail of the page before. */
  after?: typeof NEWEST_EMAIL;
  limit: number;
}

type ListParams = Omit<EmailFilter, "statuses" | "after"> &
  typeof NEWEST_EMAIL & { statuses: string | null };

const HAS_STATUS = fragment`
  (e.status IN (SELECT value FROM json_each(${"statuses"})) OR (${"statuses"} IS NULL AND ${IS_UNRESOLVED}))`;

/**
 * The sequence of the last event of client `c` before `sinceMs`, by bisection: the sequences of a client's
 * events have no gaps.
 */
const LAST_EVENT_BEFORE = fragment`
  (WITH RECURSIVE bounds(low, high) AS (
    SELECT 0, (SELECT coalesce(max(l.sequence), 0) FROM events l WHERE l.client_id = c.id)
    UNION ALL
    SELECT iif(m.created_at_ms < ${"sinceMs"}, m.sequence, b.low),
      iif(m.created_at_ms < ${"sinceMs"}, b.high, m.sequence - 1)
    FROM bounds b CROSS JOIN events m ON m.client_id = c.id AND m.sequence = (b.low + b.high + 1) / 2
    WHERE b.low < b.high)
  SELECT b.low FROM bounds b WHERE b.low = b.high)`;

// E-mails have no index by client or time. Events name the gifts whose e-mails were sent or have failed, and the planned
// e-mails of the next day are those that may be attempted again. The rows read are linear in both.
const SELECT_EMAILS = sql<ListParams>()`
  SELECT ${COLUMNS}
  FROM (
    SELECT * FROM (
      SELECT e.order_id, e.sequence, e.number, e.attempted_at_ms
      FROM clients c CROSS JOIN events v ON v.client_id = c.id AND v.sequence > ${LAST_EVENT_BEFORE}
      CROSS JOIN emails e ON e.order_id = v.order_id AND e.sequence = v.gift_sequence
      WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"})
        AND v.type IN ('gift.email_sent', 'gift.email_failed') AND e.kind = v.data ->> '$.emailKind'
        AND (e.attempted_at_ms >= ${"sinceMs"} OR (v.type = 'gift.email_failed'
          AND e.status IN ('failed', 'bounced', 'rejected', 'complained'))) AND ${HAS_STATUS}
      UNION
      SELECT e.order_id, e.sequence, e.number, e.attempted_at_ms
      FROM clients c CROSS JOIN gifts s ON s.client_id = c.id AND s.next_email_ms < ${"nowMs"} + 86400000
      CROSS JOIN emails e ON e.order_id = s.order_id AND e.sequence = s.sequence AND e.status = 'retry'
        AND e.next_attempt_at_ms < ${"nowMs"} + 86400000
      WHERE (${"clientId"} IS NULL OR c.id = ${"clientId"}) AND ${HAS_STATUS})
    WHERE (attempted_at_ms, order_id, sequence, number)
      < (${"attemptedAtMs"}, ${"orderId"}, ${"sequence"}, ${"number"})
    ORDER BY attempted_at_ms DESC, order_id DESC, sequence DESC, number DESC LIMIT ${"limit"}) n
  CROSS JOIN emails e ON e.order_id = n.order_id AND e.sequence = n.sequence AND e.number = n.number
  CROSS JOIN orders o ON o.id = e.order_id
  CROSS JOIN gifts s ON s.order_id = e.order_id AND s.sequence = e.sequence
  ORDER BY n.attempted_at_ms DESC, n.order_id DESC, n.sequence DESC, n.number DESC`;

/**
 * The e-mails that were attempted or have failed since the time, and those that are attempted again, newest first. One
 * round trip.
 */
export const listEmails = (
  db: Database,
  { statuses, after = NEWEST_EMAIL, ...filter }: EmailFilter,
) => SELECT_EMAILS.all(db, { ...filter, ...after, statuses: statuses && toJson(statuses) });

type Key = Pick<GiftKey, "orderId" | "sequence">;

// E-mails that stopped after a bounce or a complaint start again with another address. These do not.
const STOP = sql<Key>()`
  UPDATE gifts SET emails_stopped = 'stopped'
  WHERE order_id = ${"orderId"} AND sequence = ${"sequence"} AND erased_at_ms IS NULL
    AND (emails_stopped IS NULL OR emails_stopped IN (${rawSql(ADDRESS_REFUSED)}))`;

/** Stops the e-mails about the gift for good. Safe to repeat. One round trip. */
export async function stopEmailsForGood(db: Database, key: Key): Promise<void> {
  await STOP.bind(db, key).run();
}
