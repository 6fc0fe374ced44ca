// The statements of carriers' reports, and of the numbers to register.
import { type RowOf, sql } from "../../platform/db/sql.ts";
import { shipment } from "../../platform/db/tables.ts";
import { SHIPMENT_UPDATED_AT } from "../events/subject-queries.ts";

const PARCEL = {
  ...shipment("orderId", "sequence", "status", "carrier", "trackingNumber", "shippedAtMs"),
  ...shipment("carrierAnswers", "changeId", "clientId", "updatedAtMs"),
};
export type CarrierParcel = RowOf<typeof PARCEL>;

/** The shipments with this term of a number. */
export const SELECT_PARCELS = sql<{ term: string; limit: number }>()`
  SELECT ${PARCEL} FROM search_terms t
  CROSS JOIN gifts s ON s.order_id = t.order_id AND s.sequence = t.sequence AND s.fulfilment IS NOT NULL
  CROSS JOIN shipments h ON h.order_id = t.order_id AND h.sequence = t.sequence
  WHERE t.term = ${"term"} AND t.kind = 'tracking_number' LIMIT ${"limit"}`;

/** Stores the answers with the shipments that have not changed since they were read. */
export const UPDATE_ANSWERS = sql<{ gifts: string; changeId: string; nowMs: number }>()`
  UPDATE shipments AS h SET carrier_answers = v.value -> '$.answered.carrierAnswers', change_id = ${"changeId"},
    updated_at_ms = ${SHIPMENT_UPDATED_AT}
  FROM json_each(${"gifts"}) v CROSS JOIN orders o ON o.id = v.value ->> '$.orderId'
  WHERE h.order_id = o.id AND h.sequence = v.value ->> '$.sequence' AND h.change_id = v.value ->> '$.answered.changeId'`;

/** The first shipped parcels after the positions of their clients: a range of shipments_by_status for each client. */
export const SELECT_UNREGISTERED = sql<{ sinceMs: number; limit: number }>()`
  SELECT ${PARCEL}
  FROM clients c CROSS JOIN shipments h ON h.client_id = c.id AND h.status = 'shipped'
    AND (h.updated_at_ms, h.order_id, h.sequence) > (max(c.registered_until ->> '$[0]', ${"sinceMs"}),
      c.registered_until ->> '$[1]', c.registered_until ->> '$[2]')
  ORDER BY c.id, h.updated_at_ms, h.order_id, h.sequence LIMIT ${"limit"}`;

/** The positions of the clients are their last parcels. */
export const UPDATE_POSITIONS = sql<{ parcels: string }>()`
  UPDATE clients SET registered_until = n.position FROM (
    SELECT v.value ->> '$.clientId' AS client_id, max(v.key), json_array(v.value -> '$.updatedAtMs',
      v.value -> '$.orderId', v.value -> '$.sequence') AS position
    FROM json_each(${"parcels"}) v GROUP BY 1) n
  WHERE clients.id = n.client_id`;
