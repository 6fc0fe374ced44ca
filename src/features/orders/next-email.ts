// Which e-mails of a gift are due, by the gift's state. The fragments are about sub-order `s`, its order `o`, its client
// `c` and its LEFT JOINed shipment `h`.
import { DAY_MS } from "../../core/values/time.ts";
import { fragment, rawSql } from "../../platform/db/statement.ts";
import { GIFT_EXPIRY } from "./queries.ts";

/** From when the recipient is to be invited. Null if the partner sends the link. */
export const INVITE_AT = fragment`coalesce(s.send_at_ms, o.send_at_ms)`;

/** A recipient who was invited less than this before is not reminded of the last day. */
const PAUSE = rawSql(String(2 * DAY_MS));
const WEEK = rawSql(String(7 * DAY_MS));
const DAY = rawSql(String(DAY_MS));

const LAST_WEEK = fragment`(${GIFT_EXPIRY} - ${WEEK})`;

const IS_OPEN = fragment`
  (o.status = 'paid' AND s.redemption_status IS NULL AND coalesce(${GIFT_EXPIRY}, ${"nowMs"} + 1) > ${"nowMs"})`;

/** The largest number of invitations that are sent to a recipient in 24 hours. */
export const MAX_INVITATIONS_A_DAY = 3;

/** When the recipient can be invited again: now, or when the limit allows it. */
export const INVITABLE_FROM = fragment`
  max(${"nowMs"}, coalesce((SELECT e.attempted_at_ms + ${DAY} FROM emails e
    WHERE e.order_id = s.order_id AND e.sequence = s.sequence AND e.kind = 'invitation'
      AND e.status NOT IN ('retry', 'failed')
    ORDER BY e.attempted_at_ms DESC LIMIT 1 OFFSET ${rawSql(String(MAX_INVITATIONS_A_DAY - 1))}), 0))`;

/** The e-mails of the gift whose outcome is known, and that no other attempt follows. */
const ENDED = fragment`
  FROM emails e WHERE e.order_id = s.order_id AND e.sequence = s.sequence AND e.status NOT IN ('sending', 'retry')`;

/** The reason of an e-mail that waits because the client has sent enough e-mails to its address on that day. */
export const ADDRESS_LIMIT = "address_limit";

/** When the recipient was invited. Null if no invitation was sent. */
const INVITED_AT = fragment`
  (SELECT max(e.attempted_at_ms) ${ENDED} AND e.kind = 'invitation' AND e.status <> 'failed')`;

// The last week has its own e-mail, so a reminder is sent only before. Shipments of more than a week ago are no news, such
// as those before the client wanted to be told of them.
const DUE = fragment`
  SELECT 'invitation' AS kind, ${INVITE_AT} AS due_ms
  WHERE ${IS_OPEN} AND NOT EXISTS (SELECT 1 ${ENDED} AND e.kind = 'invitation' AND e.due_ms >= ${INVITE_AT})
  UNION ALL SELECT 'reminder', ${INVITED_AT} + c.reminder_days * ${DAY}
  WHERE ${IS_OPEN} AND ${INVITED_AT} + c.reminder_days * ${DAY} < coalesce(${LAST_WEEK} - ${PAUSE}, 9e15)
    AND NOT EXISTS (SELECT 1 ${ENDED} AND e.kind = 'reminder')
  UNION ALL SELECT 'last_days', max(${LAST_WEEK}, ${INVITED_AT} + ${PAUSE})
  WHERE ${IS_OPEN} AND NOT EXISTS (SELECT 1 ${ENDED} AND e.kind = 'last_days' AND e.due_ms >= ${LAST_WEEK})
  UNION ALL SELECT 'shipped', h.shipped_at_ms
  WHERE c.notify_shipped = 1 AND h.status = 'shipped' AND h.shipped_at_ms > ${"nowMs"} - ${WEEK} AND ${INVITED_AT} IS NOT NULL
    AND NOT EXISTS (SELECT 1 ${ENDED} AND e.kind = 'shipped')`;

/**
 * The gift's next e-mail as the JSON [kind, due, time], both in epoch milliseconds: when it is to be sent, and when the
 * next attempt is. An invitation comes before a reminder that is late. Null if there is none: e-mails were stopped, the
 * recipient was erased, or nothing follows.
 */
export const NEXT_EMAIL = fragment`
  CASE WHEN ${INVITE_AT} IS NOT NULL AND s.emails_stopped IS NULL AND s.erased_at_ms IS NULL THEN
    (SELECT json_array(n.kind, n.due_ms, n.at_ms) FROM (
      SELECT d.kind, d.due_ms, max(d.due_ms, coalesce((SELECT e.next_attempt_at_ms FROM emails e
        WHERE e.order_id = s.order_id AND e.sequence = s.sequence
          AND e.status = 'retry' AND e.kind = d.kind AND e.due_ms = d.due_ms), 0)) AS at_ms
      FROM (${DUE}) d) n
    WHERE n.at_ms < iif(n.kind = 'shipped', 9e15, coalesce(${GIFT_EXPIRY}, 9e15))
    ORDER BY max(n.at_ms, ${"nowMs"}), n.kind <> 'invitation' LIMIT 1)
  END`;
