// The statement that reads the webhook deliveries of an order's events.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Events, WebhookDeliveries } from "../../platform/db/schema.ts";
import { type Database, expression, type RowOf, statement } from "../../platform/db/statement.ts";
import type { EventType } from "../../features/events/event.ts";

const d = columnsOf<WebhookDeliveries>("d");

/** The last attempt to send event `e` of the order to an endpoint of its client. Without an attempt, its time is null. */
const DELIVERY = {
  ...d("webhookId", "sequence"),
  type: expression<EventType>()`e.type`,
  orderId: expression<number>()`e.order_id`,
  ...columnsOf<Events>("e")("suborderSequence"),
  ...d("status", "attempts", "attemptedAtMs", "nextAttemptAtMs", "responseStatus"),
  eventAtMs: expression<number>()`e.created_at_ms`,
};

export type OrderDelivery = RowOf<typeof DELIVERY>;

// Lookups of each event in the log of each endpoint. A client has a few endpoints.
const SELECT_DELIVERIES = statement<{ clientId: string; sequences: string }>()`
  SELECT ${DELIVERY} FROM webhooks w CROSS JOIN json_each(${"sequences"}) k
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
