// Reading an order back: always one client's, always from the primary, since partners read what they have
// just written.
import { parseOrderNumber } from "../values/ids.ts";
import type { Branding } from "../db/schema.ts";
import type { Order, SubOrder } from "./order.ts";
import type { OrderQuery } from "./wire.ts";

/** JSON where the table has it, and the sub-orders as one more. */
type OrderRow = Omit<Order, "branding"> & { branding: string | null; subOrders: string };

const ORDER_COLUMNS = `
  o.id, o.client_id AS clientId, o.order_ref_id AS orderRefId, o.placement_id AS placementId,
  o.request_digest AS requestDigest, o.gift_order_method AS giftOrderMethod, o.status,
  o.gift_of_choice AS giftOfChoice, o.branding_selected AS brandingSelected, o.branding,
  o.email_template AS emailTemplate, o.product_id AS productId, o.variation_id AS variationId,
  o.product_revision AS productRevision, o.base_location AS baseLocation, o.currency,
  o.product_price_minor AS productPriceMinor, o.qty, o.subtotal_minor AS subtotalMinor,
  o.shipping_cost_minor AS shippingCostMinor, o.order_fee_minor AS orderFeeMinor,
  o.order_total_minor AS orderTotalMinor, o.link_how_many_times AS linkHowManyTimes,
  o.link_url AS linkUrl, o.link_message AS linkMessage, o.created_at_ms AS createdAtMs,
  o.link_nonce AS linkNonce, o.link_key_id AS linkKeyId`;

// JSON in the order's row is half the work for D1 that a second statement would be. An order for many comes in a
// row for each hundred: their messages came in one body of 1 MiB, and what recipients typed is 5 kB each at most,
// so that no row comes near the 2 MB that D1 allows.
const SUB_ORDERS = `
  json_group_array(json_object('orderId', s.order_id, 'sequence', s.sequence,
    'firstName', s.first_name, 'lastName', s.last_name, 'email', s.email,
    'phoneNumber', s.phone_number, 'emailMessage', s.email_message,
    'deliveryAddress', json(s.delivery_address), 'deliveryNotes', s.delivery_notes,
    'productId', s.product_id, 'variationId', s.variation_id,
    'redemptionStatus', s.redemption_status, 'redeemedAtMs', s.redeemed_at_ms,
    'redemptionId', s.redemption_id, 'selectedRevision', s.selected_revision) ORDER BY s.sequence)
  FILTER (WHERE s.order_id IS NOT NULL) AS subOrders`;

/** The client's order and its sub-orders in their order, or null; one round trip. */
export async function findOrder(
  d1: D1Database,
  clientId: string,
  query: OrderQuery,
): Promise<{ order: Order; subOrders: SubOrder[] } | null> {
  const orderId =
    query.order_number === undefined ? query.order_id : parseOrderNumber(query.order_number);
  const [where, value] =
    query.order_ref_id === undefined
      ? (["o.id = ?2", orderId ?? null] as const)
      : (["o.order_ref_id = ?2", query.order_ref_id] as const);
  const { results } = await d1
    .prepare(
      `SELECT ${ORDER_COLUMNS}, ${SUB_ORDERS}
       FROM orders o LEFT JOIN sub_orders s ON s.order_id = o.id
       WHERE o.client_id = ?1 AND ${where} GROUP BY s.sequence / 100 ORDER BY s.sequence / 100`,
    )
    .bind(clientId, value)
    .all<OrderRow>();
  const [first] = results;
  if (!first) return null;
  return {
    order: { ...first, branding: JSON.parse(first.branding ?? "null") as Branding | null },
    subOrders: results.flatMap(({ subOrders }) => JSON.parse(subOrders) as SubOrder[]),
  };
}
