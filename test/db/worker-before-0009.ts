// The statements of the Worker before migration 0009, as D1 receives them, in the order of their batches. Parameter ?1 is
// the first of `names`.

export interface OldStatement {
  names: string;
  sql: string;
}

/** Places an order that is paid from credit. */
export const PLACE: OldStatement[] = [
  {
    names:
      "clientId orderRefId placementId requestDigest method status giftOfChoice brandingSelected branding productId variationId revision baseLocation currency productPriceMinor qty subtotalMinor shippingCostMinor orderFeeMinor orderTotalMinor createdAtMs linkNonce linkKeyId expiresAtMs nextExpiryCheckMs metadata catalogueId",
    sql: `
      INSERT INTO orders (
      client_id, order_ref_id, placement_id, request_digest, gift_order_method, status,
      gift_of_choice, branding_selected, branding, email_template,
      product_id, variation_id, product_revision, base_location, currency,
      product_price_minor, qty, subtotal_minor,
      shipping_cost_minor, order_fee_minor, order_total_minor,
      created_at_ms, link_nonce, link_key_id, expires_at_ms, next_expiry_check_ms, metadata, took_stock,
      debit_sequence)
      SELECT
      ?1, ?2, ?3, ?4, ?5, ?6,
      ?7, ?8, ?9, 'generic',
      ?10, ?11, ?12, ?13, ?14,
      ?15, ?16, ?17,
      ?18, ?19, ?20,
      ?21, ?22, ?23, ?24, ?25,
      ?26,
      (SELECT quantity IS NOT NULL FROM stock
      WHERE product_id = ?10 AND variation_id = coalesce(?11, 0)),
      CASE WHEN ?6 = 'paid' THEN (SELECT entries + 1 FROM credit_accounts
      WHERE client_id = ?1 AND currency = ?14) END
      WHERE NOT EXISTS (SELECT 1 FROM orders
      WHERE client_id = ?1 AND order_ref_id = ?2)
      AND EXISTS (SELECT 1 FROM catalogues c JOIN catalogue_entries e
      ON e.catalogue_id = c.id AND e.version = c.version
      WHERE c.id = ?27 AND e.product_id = ?10 AND e.revision = ?12)
      AND EXISTS (SELECT 1 FROM stock
      WHERE product_id = ?10 AND variation_id = coalesce(?11, 0)
      AND sellable = 1 AND (quantity IS NULL OR quantity >= ?16))
      AND (?6 = 'created' OR ?20 = 0 OR EXISTS (SELECT 1 FROM credit_accounts
      WHERE client_id = ?1 AND currency = ?14
      AND balance_minor >= ?20))`,
  },
  {
    names: "clientId orderRefId placementId",
    sql: `
      UPDATE stock SET quantity = quantity - o.qty FROM orders o
      WHERE
      o.client_id = ?1 AND o.order_ref_id = ?2 AND o.placement_id = ?3 AND stock.product_id = o.product_id
      AND stock.variation_id = coalesce(o.variation_id, 0) AND stock.quantity IS NOT NULL`,
  },
  {
    names: "recipients clientId orderRefId placementId",
    sql: `
      INSERT INTO sub_orders (order_id, sequence, first_name, last_name, email, phone_number,
      email_message, delivery_address, product_id, variation_id, external_id, metadata)
      SELECT o.id, r.key + 1, r.value ->> '$.firstName', r.value ->> '$.lastName', r.value ->> '$.email',
      r.value ->> '$.phoneNumber', r.value ->> '$.emailMessage', r.value -> '$.deliveryAddress',
      o.product_id, o.variation_id, r.value ->> '$.externalId', r.value -> '$.metadata'
      FROM orders o, json_each(?1) r WHERE
      o.client_id = ?2 AND o.order_ref_id = ?3 AND o.placement_id = ?4`,
  },
  {
    names: "clientId orderRefId placementId",
    sql: `
      UPDATE credit_accounts SET balance_minor = balance_minor - o.order_total_minor, entries = entries + 1
      FROM orders o WHERE
      o.client_id = ?1 AND o.order_ref_id = ?2 AND o.placement_id = ?3
      AND credit_accounts.client_id = o.client_id AND credit_accounts.currency = o.currency`,
  },
  {
    names: "clientId orderRefId placementId",
    sql: `
      INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
      order_id, created_at_ms)
      SELECT a.client_id, a.currency, a.entries, 'order', -o.order_total_minor, a.balance_minor, o.id,
      o.created_at_ms
      FROM orders o JOIN credit_accounts a ON a.client_id = o.client_id AND a.currency = o.currency
      WHERE
      o.client_id = ?1 AND o.order_ref_id = ?2 AND o.placement_id = ?3`,
  },
  {
    names: "clientId orderRefId placementId",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), 'order.' || o.status, o.id, NULL,
      CASE WHEN o.expires_at_ms IS NOT NULL THEN json_object('expiresAtMs', o.expires_at_ms) END,
      o.created_at_ms
      FROM orders o WHERE
      o.client_id = ?1 AND o.order_ref_id = ?2 AND o.placement_id = ?3`,
  },
];

/** Pays an order by invoice. */
export const PAY: OldStatement[] = [
  {
    names: "nowMs orderId clientId orderRefId",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), 'order.paid', o.id, NULL, NULL, ?1
      FROM orders o WHERE
      o.id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND (?3 IS NULL OR o.client_id = ?3)
      AND o.status = 'created'`,
  },
  {
    names: "nowMs orderId clientId orderRefId",
    sql: `
      UPDATE orders AS o SET status = 'paid', updated_at_ms =
      max(coalesce(o.updated_at_ms, o.created_at_ms), ?1) WHERE
      o.id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND (?3 IS NULL OR o.client_id = ?3)
      AND o.status = 'created'`,
  },
];

/** Ends gifts: cancels them or lets them expire, or fails their order. */
export const END: OldStatement[] = [
  {
    names: "giftStatus endingId orderId clientId orderRefId suborderIds from expiresByMs",
    sql: `
      UPDATE sub_orders SET redemption_status = ?1, ending_id = ?2
      WHERE order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND redemption_status IS NULL
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
      AND n.redemption_status IS NOT 'redeemed') = json_array_length(?6))`,
  },
  {
    names: "orderId clientId orderRefId endingId",
    sql: `
      UPDATE stock SET quantity = quantity + back.pieces
      FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
      FROM sub_orders s WHERE s.order_id =
      coalesce(?1, (SELECT id FROM orders
      WHERE client_id = ?2 AND order_ref_id = ?3)) AND s.ending_id = ?4 AND (SELECT took_stock FROM orders WHERE id =
      coalesce(?1, (SELECT id FROM orders
      WHERE client_id = ?2 AND order_ref_id = ?3))) = 1
      GROUP BY s.product_id, coalesce(s.variation_id, 0)) back
      WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
      AND stock.quantity IS NOT NULL`,
  },
  {
    names: "orderStatus nowMs orderId clientId orderRefId endsOrder endingId from",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), iif(?1 = 'failed', 'order.failed', 'order.cancelled'),
      o.id, NULL, json_object('cancelledGifts', 0, 'refundMinor', 0), ?2
      FROM orders o WHERE o.id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND
      (?6 = 1 AND NOT EXISTS (SELECT 1
      FROM sub_orders s WHERE s.order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND s.ending_id = ?7)
      AND (?4 IS NULL OR o.client_id = ?4)
      AND o.status IN (SELECT value FROM json_each(?8))
      AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty)`,
  },
  {
    names: "nowMs giftStatus endsOrder orderStatus orderId clientId orderRefId endingId from",
    sql: `
      UPDATE orders AS o SET updated_at_ms =
      max(coalesce(o.updated_at_ms, o.created_at_ms), ?1),
      cancelled_gifts = o.cancelled_gifts + iif(?2 = 'cancelled', ended.gifts, 0),
      expired_gifts = o.expired_gifts + iif(?2 = 'expired', ended.gifts, 0),
      status = iif(?3 = 1 OR o.cancelled_gifts + o.expired_gifts + ended.gifts = o.qty,
      ?4, o.status),
      next_expiry_check_ms = iif(
      o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts + ended.gifts < o.qty,
      o.next_expiry_check_ms, NULL)
      FROM (SELECT count(*) AS gifts
      FROM sub_orders s WHERE s.order_id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) AND s.ending_id = ?8) ended
      WHERE o.id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) AND (ended.gifts > 0 OR
      (?3 = 1 AND NOT EXISTS (SELECT 1
      FROM sub_orders s WHERE s.order_id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) AND s.ending_id = ?8)
      AND (?6 IS NULL OR o.client_id = ?6)
      AND o.status IN (SELECT value FROM json_each(?9))
      AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty))`,
  },
  {
    names: "orderId clientId orderRefId endingId",
    sql: `
      UPDATE credit_accounts SET balance_minor = balance_minor + back.amount, entries = entries + 1
      FROM (
      SELECT o.id AS order_id, o.client_id, o.currency,
      o.order_total_minor * (o.cancelled_gifts + o.expired_gifts) / o.qty
      - o.order_total_minor * (o.cancelled_gifts + o.expired_gifts - ended.gifts) / o.qty AS amount
      FROM orders o, (SELECT count(*) AS gifts
      FROM sub_orders s WHERE s.order_id =
      coalesce(?1, (SELECT id FROM orders
      WHERE client_id = ?2 AND order_ref_id = ?3)) AND s.ending_id = ?4) ended
      WHERE o.id =
      coalesce(?1, (SELECT id FROM orders
      WHERE client_id = ?2 AND order_ref_id = ?3)) AND ended.gifts > 0 AND o.debit_sequence IS NOT NULL) back
      WHERE credit_accounts.client_id = back.client_id AND credit_accounts.currency = back.currency
      AND back.amount > 0`,
  },
  {
    names: "giftStatus nowMs orderId clientId orderRefId endingId",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id) + e.number - 1, 'gift.' || ?1, o.id, e.sequence,
      json_object('refundMinor', iif(o.debit_sequence IS NULL, 0,
      o.order_total_minor * (o.cancelled_gifts + o.expired_gifts - e.gifts + e.number) / o.qty
      - o.order_total_minor * (o.cancelled_gifts + o.expired_gifts - e.gifts + e.number - 1) / o.qty)),
      ?2
      FROM orders o, (SELECT s.sequence, row_number() OVER (ORDER BY s.sequence) AS number,
      count(*) OVER () AS gifts
      FROM sub_orders s WHERE s.order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND s.ending_id = ?6) e
      WHERE o.id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND (?1 = 'expired' OR o.status IN ('created', 'paid'))
      ORDER BY e.number`,
  },
  {
    names: "giftStatus orderId clientId orderRefId endingId nowMs",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), iif(o.status = 'failed', 'order.failed', 'order.cancelled'),
      o.id, NULL,
      iif(?1 = 'expired', json_object('cancelledGifts', 0, 'refundMinor', 0),
      json_object('cancelledGifts', (SELECT count(*)
      FROM sub_orders s WHERE s.order_id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND s.ending_id = ?5),
      'refundMinor', coalesce((SELECT amount FROM (
      SELECT o.id AS order_id, o.client_id, o.currency,
      o.order_total_minor * (o.cancelled_gifts + o.expired_gifts) / o.qty
      - o.order_total_minor * (o.cancelled_gifts + o.expired_gifts - ended.gifts) / o.qty AS amount
      FROM orders o, (SELECT count(*) AS gifts
      FROM sub_orders s WHERE s.order_id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND s.ending_id = ?5) ended
      WHERE o.id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND ended.gifts > 0 AND o.debit_sequence IS NOT NULL)), 0))),
      ?6
      FROM orders o
      WHERE o.id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND o.status IN ('failed', 'cancieled') AND EXISTS (SELECT 1
      FROM sub_orders s WHERE s.order_id =
      coalesce(?2, (SELECT id FROM orders
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND s.ending_id = ?5)`,
  },
  {
    names: "entryKind nowMs orderId clientId orderRefId endingId",
    sql: `
      INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
      order_id, created_at_ms)
      SELECT a.client_id, a.currency, a.entries, ?1, back.amount, a.balance_minor,
      back.order_id, ?2
      FROM (
      SELECT o.id AS order_id, o.client_id, o.currency,
      o.order_total_minor * (o.cancelled_gifts + o.expired_gifts) / o.qty
      - o.order_total_minor * (o.cancelled_gifts + o.expired_gifts - ended.gifts) / o.qty AS amount
      FROM orders o, (SELECT count(*) AS gifts
      FROM sub_orders s WHERE s.order_id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND s.ending_id = ?6) ended
      WHERE o.id =
      coalesce(?3, (SELECT id FROM orders
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND ended.gifts > 0 AND o.debit_sequence IS NOT NULL) back
      JOIN credit_accounts a ON a.client_id = back.client_id AND a.currency = back.currency
      WHERE back.amount > 0`,
  },
];

/** Redeems a gift. */
export const REDEEM: OldStatement[] = [
  {
    names:
      "redemptionId nowMs productId variationId revision address notes orderId sequence generation nonce",
    sql: `
      UPDATE sub_orders SET redemption_status = 'redeemed', redemption_id = ?1,
      redeemed_at_ms = ?2, product_id = ?3, variation_id = ?4,
      selected_revision = ?5, delivery_address = coalesce(?6, delivery_address),
      delivery_notes = ?7
      WHERE order_id = ?8 AND sequence = ?9 AND redemption_status IS NULL
      AND link_generation = ?10
      AND EXISTS (SELECT 1 FROM orders o
      WHERE o.id = ?8 AND o.link_nonce = ?11 AND o.status = 'paid'
      AND (o.expires_at_ms IS NULL OR o.expires_at_ms > ?2) AND (
      (o.product_id = ?3 AND o.variation_id IS ?4)
      OR (o.gift_of_choice = 'Y'
      AND EXISTS (SELECT 1 FROM clients c JOIN catalogues k ON k.id = c.catalogue_id
      JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version
      WHERE c.id = o.client_id AND e.product_id = ?3 AND e.revision = ?5)
      AND EXISTS (SELECT 1 FROM stock
      WHERE product_id = ?3 AND variation_id = coalesce(?4, 0)
      AND sellable = 1 AND (quantity IS NULL OR quantity >= 1)))))`,
  },
  {
    names: "orderId sequence redemptionId",
    sql: `
      UPDATE stock SET quantity = quantity - 1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?1 AND s.sequence = ?2 AND s.redemption_id = ?3
      AND (s.product_id, coalesce(s.variation_id, 0)) <> (o.product_id, coalesce(o.variation_id, 0))
      AND stock.quantity IS NOT NULL
      AND stock.product_id = s.product_id AND stock.variation_id = coalesce(s.variation_id, 0)`,
  },
  {
    names: "orderId sequence redemptionId",
    sql: `
      UPDATE stock SET quantity = quantity + 1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?1 AND s.sequence = ?2 AND s.redemption_id = ?3
      AND (s.product_id, coalesce(s.variation_id, 0)) <> (o.product_id, coalesce(o.variation_id, 0))
      AND stock.quantity IS NOT NULL
      AND stock.product_id = o.product_id AND stock.variation_id = coalesce(o.variation_id, 0)
      AND o.took_stock = 1`,
  },
  {
    names: "orderId sequence redemptionId",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), 'gift.redeemed', o.id, s.sequence,
      json_object('productId', s.product_id, 'variationId', s.variation_id), s.redeemed_at_ms
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?1 AND s.sequence = ?2
      AND s.redemption_id = ?3`,
  },
];

/** A page of the list of orders. */
export const LIST: OldStatement[] = [
  {
    names:
      "clientId status0 method0 fromMs beforeMs beforeId method1 method2 method3 method4 status1 status2 status3 limit",
    sql: `
      SELECT * FROM (
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?2 AND o.gift_order_method = ?3
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?2 AND o.gift_order_method = ?7
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?2 AND o.gift_order_method = ?8
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?2 AND o.gift_order_method = ?9
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?2 AND o.gift_order_method = ?10
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)) UNION ALL
      SELECT * FROM (
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?11 AND o.gift_order_method = ?3
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?11 AND o.gift_order_method = ?7
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?11 AND o.gift_order_method = ?8
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?11 AND o.gift_order_method = ?9
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?11 AND o.gift_order_method = ?10
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6))
      UNION ALL
      SELECT * FROM (
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?12 AND o.gift_order_method = ?3
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?12 AND o.gift_order_method = ?7
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?12 AND o.gift_order_method = ?8
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?12 AND o.gift_order_method = ?9
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?12 AND o.gift_order_method = ?10
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)) UNION ALL
      SELECT * FROM (
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?13 AND o.gift_order_method = ?3
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?13 AND o.gift_order_method = ?7
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?13 AND o.gift_order_method = ?8
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6) UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?13 AND o.gift_order_method = ?9
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6)
      UNION ALL
      SELECT
      o.id, o.order_ref_id AS orderRefId, o.status, o.gift_order_method AS giftOrderMethod, o.currency,
      o.order_total_minor AS orderTotalMinor, o.qty, o.redeemed_gifts AS redeemedGifts,
      o.cancelled_gifts AS cancelledGifts, o.expired_gifts AS expiredGifts,
      o.refunded_minor AS refundedMinor, o.expires_at_ms AS expiresAtMs, o.created_at_ms AS createdAtMs,
      o.updated_at_ms AS updatedAtMs, o.metadata FROM orders o
      WHERE o.client_id = ?1 AND o.status = ?13 AND o.gift_order_method = ?10
      AND o.created_at_ms >= ?4 AND (o.created_at_ms, o.id) < (?5, ?6))
      ORDER BY createdAtMs DESC, id DESC LIMIT ?14`,
  },
];
