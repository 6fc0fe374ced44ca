// The order that a change and its event concern, and the times of the change.
import { fragment } from "../../platform/db/sql.ts";

/** The id of the order. The statements accept its reference too, so that a request with it needs no second round trip. */
export const ORDER_ID = fragment`
  coalesce(${"orderId"}, (SELECT id FROM orders
    WHERE client_id = ${"clientId"} AND order_ref_id = ${"orderRefId"}))`;

/** The time of a change of order `o`. It is not before an earlier change, even if the clocks of two Workers differ. */
export const ORDER_UPDATED_AT = fragment`
  max(coalesce(o.updated_at_ms, o.created_at_ms), ${"nowMs"})`;

/** The time of a change, after all earlier changes of the shipments of order `o`'s client, even if two clocks differ. */
export const SHIPMENT_UPDATED_AT = fragment`
  max(${"nowMs"}, 1 + coalesce((SELECT max(l.updated_at_ms) FROM shipments l
    WHERE l.client_id = o.client_id), 0))`;

/**
 * The `next_email_ms` of a gift with which the outbox looks at the gift at once, and decides which e-mail is next. It is
 * always earlier than the time before, so that the outbox notices a change of a gift that it has read.
 */
export const LOOK_NOW = fragment`min(${"nowMs"}, ifnull(next_email_ms, ${"nowMs"} + 1) - 1)`;
