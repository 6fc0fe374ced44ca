// The statement that reads the webhook deliveries of an order's events.
import { type Database, statement } from "../../platform/db/statement.ts";
import type { EventType } from "../../features/events/event.ts";
import type { DeliveryStatus } from "../../features/webhooks/webhook.ts";

/** The last attempt to send an event of the order to an endpoint of its client. */
export interface OrderDelivery {
  webhookId: number;
  sequence: number;
  type: EventType;
  orderId: number;
  suborderSequence: number | null;
  status: DeliveryStatus;
  attempts: number;
  /** Null if no attempt was made yet. */
  attemptedAtMs: number | null;
  nextAttemptAtMs: number | null;
  responseStatus: number | null;
  eventAtMs: number;
}

// Lookups of each event in the log of each endpoint. A client has a few endpoints.
const SELECT_DELIVERIES = statement<{ clientId: string; sequences: string }, OrderDelivery>()`
  SELECT d.webhook_id AS webhookId, d.sequence, e.type, e.order_id AS orderId,
    e.suborder_sequence AS suborderSequence, d.status, d.attempts, d.attempted_at_ms AS attemptedAtMs,
    d.next_attempt_at_ms AS nextAttemptAtMs, d.response_status AS responseStatus,
    e.created_at_ms AS eventAtMs
  FROM webhooks w CROSS JOIN json_each(${"sequences"}) k
  CROSS JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.sequence = k.value
  CROSS JOIN events e ON e.client_id = w.client_id AND e.sequence = d.sequence
  WHERE w.client_id = ${"clientId"} AND w.status <> 'deleted'`;

/** The deliveries of the client's events with these sequences, without those of deleted endpoints. One round trip. */
export function readDeliveriesOf(
  db: Database,
  clientId: string,
  sequences: readonly number[],
): Promise<OrderDelivery[]> {
  return SELECT_DELIVERIES.all(db, { clientId, sequences: JSON.stringify(sequences) });
}
