// What `ops health` shows besides the state of the cron handler: endpoints, expiries and the size of the database.
import { batch, sql } from "../../platform/db/sql.ts";

/** A webhook endpoint, with the oldest event that it should have received. */
export interface EndpointHealth {
  id: number;
  clientId: string;
  /** When the oldest due delivery became due. Null if nothing is due. */
  dueSinceMs: number | null;
}

// An event after the position is due since its creation. A retry is due at its time. Nothing is due while the endpoint
// is paused.
const SELECT_ENDPOINTS = sql<{ nowMs: number }, EndpointHealth>()`
  SELECT id, clientId,
    CASE WHEN isActive THEN min(coalesce(retryMs, eventMs), coalesce(eventMs, retryMs)) END AS dueSinceMs
  FROM (SELECT w.id, w.client_id AS clientId,
      w.status = 'enabled' AND c.status = 'active' AND coalesce(w.paused_until_ms, 0) <= ${"nowMs"} AS isActive,
      (SELECT min(d.next_attempt_at_ms) FROM webhook_deliveries d
        WHERE d.webhook_id = w.id AND d.next_attempt_at_ms <= ${"nowMs"}) AS retryMs,
      (SELECT e.created_at_ms FROM events e
        WHERE e.client_id = w.client_id AND e.sequence > w.position ORDER BY e.sequence LIMIT 1) AS eventMs
    FROM webhooks w JOIN clients c ON c.id = w.client_id WHERE w.status <> 'deleted')
  ORDER BY id`;

interface Overdue {
  orders: number;
  /** When the oldest of the checks was due. Null if there is none. */
  sinceMs: number | null;
}

const SELECT_OVERDUE = sql<{ nowMs: number }, Overdue>()`
  SELECT count(*) AS orders, min(next_expiry_check_ms) AS sinceMs
  FROM orders INDEXED BY orders_by_expiry_check WHERE next_expiry_check_ms <= ${"nowMs"}`;

export interface Backlogs {
  endpoints: EndpointHealth[];
  /** The orders whose gifts should have expired or been reminded of. */
  expiry: Overdue;
  /** Null if D1 does not report it. */
  databaseBytes: number | null;
}

/** One round trip. */
export async function readBacklogs(d1: D1Database, nowMs: number): Promise<Backlogs> {
  const { endpoints, overdue } = await batch(d1, {
    endpoints: SELECT_ENDPOINTS.bind(d1, { nowMs }),
    overdue: SELECT_OVERDUE.bind(d1, { nowMs }),
  });
  return {
    endpoints: endpoints.results,
    expiry: overdue.results[0] ?? { orders: 0, sinceMs: null },
    databaseBytes: overdue.meta.size_after || null,
  };
}
