// The statements of the Worker before migration 0011, as D1 receives them. Parameter ?1 is the first of `names`. PLACE,
// REDEEM and all statements of END except the first one are those of the Worker before migration 0009.
import { END as OLDER_END, type OldStatement } from "./worker-before-0009.ts";

/** Cancels gifts or an order. */
export const END: OldStatement[] = [
  {
    names: "giftStatus endingId orderId clientId orderRefId suborderIds from expiresByMs",
    sql: `
      UPDATE sub_orders SET redemption_status = ?1, ending_id = ?2
      WHERE order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND redemption_status IS NULL AND has_shipment = 0
      AND (?6 IS NULL OR sequence IN
      (SELECT value -
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) * 1000 FROM json_each(?6)))
      AND EXISTS (SELECT 1 FROM orders o WHERE o.id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5))
      AND (?4 IS NULL OR o.client_id = ?4)
      AND o.status IN (SELECT value FROM json_each(?7))
      AND (?8 IS NULL OR o.expires_at_ms <= ?8))
      AND (?6 IS NULL OR (
      SELECT count(*) FROM sub_orders n WHERE n.order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND n.sequence IN
      (SELECT value -
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) * 1000 FROM json_each(?6))
      AND n.redemption_status IS NOT 'redeemed' AND n.has_shipment = 0) = json_array_length(?6))`,
  },
  ...OLDER_END.slice(1),
];

/** Reads an order with its metadata. */
export const SELECT_ORDER: OldStatement = {
  names: "clientId id",
  sql: `
      SELECT o.id, o.client_id AS clientId, o.order_ref_id AS orderRefId, o.placement_id AS placementId,
      o.request_digest AS requestDigest, o.gift_order_method AS giftOrderMethod, o.status,
      o.gift_of_choice AS giftOfChoice, o.branding_selected AS brandingSelected, o.branding,
      o.email_template AS emailTemplate, o.product_id AS productId, o.variation_id AS variationId,
      o.product_revision AS productRevision, o.base_location AS baseLocation, o.currency,
      o.product_price_minor AS productPriceMinor, o.qty, o.subtotal_minor AS subtotalMinor,
      o.shipping_cost_minor AS shippingCostMinor, o.order_fee_minor AS orderFeeMinor,
      o.order_total_minor AS orderTotalMinor, o.link_how_many_times AS linkHowManyTimes,
      o.link_url AS linkUrl, o.link_message AS linkMessage, o.created_at_ms AS createdAtMs,
      o.link_nonce AS linkNonce, o.link_key_id AS linkKeyId, o.metadata,
      json_group_array(json_object('orderId', s.order_id, 'sequence', s.sequence,
      'firstName', s.first_name, 'lastName', s.last_name, 'email', s.email,
      'phoneNumber', s.phone_number, 'emailMessage', s.email_message,
      'deliveryAddress', json(s.delivery_address), 'deliveryNotes', s.delivery_notes,
      'productId', s.product_id, 'variationId', s.variation_id,
      'redemptionStatus', s.redemption_status, 'redeemedAtMs', s.redeemed_at_ms,
      'redemptionId', s.redemption_id, 'selectedRevision', s.selected_revision,
      'linkGeneration', s.link_generation, 'externalId', s.external_id, 'metadata', json(s.metadata)) ORDER BY s.sequence)
      FILTER (WHERE s.order_id IS NOT NULL) AS subOrders
      FROM orders o LEFT JOIN sub_orders s ON s.order_id = o.id
      WHERE o.client_id = ?1 AND o.id = ?2 GROUP BY s.sequence / 100 ORDER BY s.sequence / 100`,
};
