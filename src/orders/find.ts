// Reading an order back: always one client's, always from the primary, since partners read what they have
// just written.
import { parseOrderNumber } from "../ids.ts";
import type { Address, Branding } from "../db/schema.ts";
import type { Order, SubOrder } from "./store.ts";
import type { OrderQuery } from "./wire.ts";

type OrderRow = Omit<Order, "branding"> & { branding: string | null };
type SubOrderRow = Omit<SubOrder, "deliveryAddress"> & { deliveryAddress: string | null };

const ORDER_COLUMNS = `
  id, client_id AS clientId, order_ref_id AS orderRefId, placement_id AS placementId,
  request_digest AS requestDigest, gift_order_method AS giftOrderMethod, status,
  gift_of_choice AS giftOfChoice, branding_selected AS brandingSelected, branding,
  email_template AS emailTemplate, product_id AS productId, variation_id AS variationId,
  product_revision AS productRevision, base_location AS baseLocation, currency,
  product_price_minor AS productPriceMinor, qty, subtotal_minor AS subtotalMinor,
  shipping_cost_minor AS shippingCostMinor, order_fee_minor AS orderFeeMinor,
  order_total_minor AS orderTotalMinor, link_how_many_times AS linkHowManyTimes,
  link_url AS linkUrl, link_message AS linkMessage, created_at_ms AS createdAtMs`;

const SUB_ORDER_COLUMNS = `
  s.order_id AS orderId, s.sequence, s.first_name AS firstName, s.last_name AS lastName, s.email,
  s.phone_number AS phoneNumber, s.email_message AS emailMessage,
  s.delivery_address AS deliveryAddress, s.delivery_notes AS deliveryNotes,
  s.product_id AS productId, s.variation_id AS variationId,
  s.redemption_status AS redemptionStatus, s.redeemed_at_ms AS redeemedAtMs,
  s.redemption_id AS redemptionId, s.selected_revision AS selectedRevision`;

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
  const [orders, subOrders] = (await d1.batch([
    d1
      .prepare(`SELECT ${ORDER_COLUMNS} FROM orders o WHERE o.client_id = ?1 AND ${where}`)
      .bind(clientId, value),
    d1
      .prepare(
        `SELECT ${SUB_ORDER_COLUMNS} FROM orders o JOIN sub_orders s ON s.order_id = o.id
         WHERE o.client_id = ?1 AND ${where} ORDER BY s.sequence`,
      )
      .bind(clientId, value),
  ])) as [D1Result<OrderRow>, D1Result<SubOrderRow>];
  const [order] = orders.results;
  if (!order) return null;
  return {
    order: { ...order, branding: parseJson(order.branding) as Branding | null },
    subOrders: subOrders.results.map((row) => ({
      ...row,
      deliveryAddress: parseJson(row.deliveryAddress) as Address | null,
    })),
  };
}

function parseJson(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
