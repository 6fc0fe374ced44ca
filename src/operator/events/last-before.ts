import { fragment } from "../../platform/db/statement.ts";

/**
 * The sequence of the last event of client `c` before the time in the parameter, by bisection: the sequences of a client's
 * events have no gaps.
 */
export const lastEventBefore = <const Name extends string>(time: Name) => fragment`
  (WITH RECURSIVE bounds(low, high) AS (
    SELECT 0, (SELECT coalesce(max(l.sequence), 0) FROM events l WHERE l.client_id = c.id)
    UNION ALL
    SELECT iif(m.created_at_ms < ${time}, m.sequence, b.low),
      iif(m.created_at_ms < ${time}, b.high, m.sequence - 1)
    FROM bounds b CROSS JOIN events m ON m.client_id = c.id AND m.sequence = (b.low + b.high + 1) / 2
    WHERE b.low < b.high)
  SELECT b.low FROM bounds b WHERE b.low = b.high)`;
