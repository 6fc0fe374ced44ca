// The statements of carriers' reports, and of the numbers to register.
import { columnsOf } from "../../platform/db/columns.ts";
import type { Shipments } from "../../platform/db/schema.ts";
import { type Database, type RowOf, sql } from "../../platform/db/sql.ts";
import { SHIPMENT_UPDATED_AT } from "../lifecycle/queries.ts";

const h = columnsOf<Shipments>("h");

const PARCEL = {
  ...h("clientId", "orderId", "sequence", "status", "carrier", "trackingNumber"),
  ...h("carrierAnswers", "changeId", "updatedAtMs"),
};
export type CarrierParcel = RowOf<typeof PARCEL>;

/** The shipments with this term of a number. Carriers use numbers again, so older shipments are left out. */
export const SELECT_PARCELS = sql<{ term: string; sinceMs: number; limit: number }>()`
  SELECT ${PARCEL} FROM search_terms t
  CROSS JOIN gifts s ON s.order_id = t.order_id AND s.sequence = t.sequence AND s.has_shipment > 0
  CROSS JOIN shipments h ON h.order_id = t.order_id AND h.sequence = t.sequence AND h.shipped_at_ms >= ${"sinceMs"}
  WHERE t.term = ${"term"} AND t.kind = 'tracking_number' LIMIT ${"limit"}`;

interface AnswerParams {
  /** JSON: RequestedShipment[]. */
  parcels: string;
  nowMs: number;
  changeId: string;
}

/** Stores the answers with the shipments that have not changed since they were read. */
export const UPDATE_ANSWERS = sql<AnswerParams>()`
  UPDATE shipments AS h SET carrier_answers = n.answers, change_id = ${"changeId"}, updated_at_ms = n.updated_at_ms
  FROM (SELECT o.id, v.value ->> '$.sequence' AS sequence, v.value -> '$.answered.carrierAnswers' AS answers,
      v.value ->> '$.answered.changeId' AS change_id, ${SHIPMENT_UPDATED_AT} AS updated_at_ms
    FROM json_each(${"parcels"}) v CROSS JOIN orders o ON o.id = v.value ->> '$.orderId') n
  WHERE h.order_id = n.id AND h.sequence = n.sequence AND h.change_id = n.change_id`;

/** The first shipped parcels after the positions of their clients: a range of shipments_by_status for each client. */
export const SELECT_UNREGISTERED = sql<{ sinceMs: number; limit: number }>()`
  SELECT ${PARCEL} FROM clients c CROSS JOIN shipments h ON h.client_id = c.id AND h.status = 'shipped'
    AND (h.updated_at_ms, h.order_id, h.sequence) > (max(c.registered_until ->> '$[0]', ${"sinceMs"}),
      c.registered_until ->> '$[1]', c.registered_until ->> '$[2]')
  ORDER BY c.id, h.updated_at_ms, h.order_id, h.sequence LIMIT ${"limit"}`;

const UPDATE_POSITION = sql<{ clientId: string; position: string }>()`
  UPDATE clients SET registered_until = ${"position"} WHERE id = ${"clientId"}`;

/** One round trip. */
export const savePosition = (db: Database, { clientId, ...parcel }: CarrierParcel) => {
  const position = JSON.stringify([parcel.updatedAtMs, parcel.orderId, parcel.sequence]);
  return UPDATE_POSITION.bind(db, { clientId, position }).run();
};
