// The statement that inserts the events of e-mails.
import { type Fragment, fragment } from "../../platform/db/sql.ts";

/**
 * Inserts an event for each row of the SELECT `rows`, whose columns are client_id, key (the order of a client's events),
 * type, order_id, sequence, kind and reason. `events_by_order` leaves them out, which saves a row for each.
 */
export const insertEmailEvents = <Name extends string>(rows: Fragment<Name>) => fragment`
  INSERT INTO events (client_id, sequence, type, order_id, gift_sequence, data, named_elsewhere, created_at_ms)
  SELECT n.client_id, (SELECT coalesce(max(l.sequence), 0) FROM events l WHERE l.client_id = n.client_id)
      + row_number() OVER (PARTITION BY n.client_id ORDER BY n.key) AS number,
    n.type, n.order_id, n.sequence, json_object('emailKind', n.kind, 'emailReason', n.reason), 1, ${"nowMs"}
  FROM (${rows}) n ORDER BY n.client_id, number`;
