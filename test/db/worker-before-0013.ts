// The statements of the Worker before migration 0013, as D1 receives them. Parameter ?1 is the first of `names`. PLACE and
// REDEEM are those of the Worker before migration 0009.
import type { OldStatement } from "./worker-before-0009.ts";

/** Cancels gifts or an order. */
export const END: OldStatement[] = [
  {
    names:
      "giftStatus endingId giftEvent nowMs orderId clientId orderRefId suborderIds linkGeneration from expiresByMs",
    sql: `
      UPDATE sub_orders SET redemption_status = ?1, ending_id = ?2,
      declined_at_ms = iif(?3 = 'gift.declined', ?4, NULL)
      WHERE order_id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) AND redemption_status IS NULL AND has_shipment = 0
      AND (?8 IS NULL OR sequence IN
      (SELECT value -
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) * 1000 FROM json_each(?8)))
      AND (?9 IS NULL OR link_generation = ?9)
      AND EXISTS (SELECT 1 FROM orders o WHERE o.id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7))
      AND (?6 IS NULL OR o.client_id = ?6)
      AND o.status IN (SELECT value FROM json_each(?10))
      AND (?11 IS NULL OR o.expires_at_ms <= ?11))
      AND (?8 IS NULL OR (
      SELECT count(*) FROM sub_orders n WHERE n.order_id =
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) AND n.sequence IN
      (SELECT value -
      coalesce(?5, (SELECT id FROM orders
      WHERE client_id = ?6 AND order_ref_id = ?7)) * 1000 FROM json_each(?8))
      AND n.redemption_status IS NOT 'redeemed' AND n.has_shipment = 0) = json_array_length(?8))`,
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
      AND (o.gift_order_method <> 'api-purchase' OR o.shipped_gifts = 0)
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
      AND (o.gift_order_method <> 'api-purchase' OR o.shipped_gifts = 0)
      AND o.redeemed_gifts + o.cancelled_gifts + o.expired_gifts < o.qty))`,
  },
  {
    names: "orderId clientId orderRefId endingId giftEvent",
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
      WHERE client_id = ?2 AND order_ref_id = ?3)) AND ended.gifts > 0 AND
      (o.debit_sequence IS NOT NULL AND (?5 <> 'gift.declined'
      OR (SELECT refund_declined FROM clients WHERE id = o.client_id) = 1))) back
      WHERE credit_accounts.client_id = back.client_id AND credit_accounts.currency = back.currency
      AND back.amount > 0`,
  },
  {
    names: "giftEvent nowMs orderId clientId orderRefId endingId",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id) + e.number - 1, ?1, o.id, e.sequence,
      json_object('refundMinor', iif(NOT
      (o.debit_sequence IS NOT NULL AND (?1 <> 'gift.declined'
      OR (SELECT refund_declined FROM clients WHERE id = o.client_id) = 1)), 0,
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
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND (?1 <> 'gift.cancelled' OR o.status IN ('created', 'paid'))
      ORDER BY e.number`,
  },
  {
    names: "giftEvent orderId clientId orderRefId endingId nowMs",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), iif(o.status = 'failed', 'order.failed', 'order.cancelled'),
      o.id, NULL,
      iif(?1 <> 'gift.cancelled', json_object('cancelledGifts', 0, 'refundMinor', 0),
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
      WHERE client_id = ?3 AND order_ref_id = ?4)) AND ended.gifts > 0 AND
      (o.debit_sequence IS NOT NULL AND (?1 <> 'gift.declined'
      OR (SELECT refund_declined FROM clients WHERE id = o.client_id) = 1)))), 0))),
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
    names: "entryKind nowMs orderId clientId orderRefId endingId giftEvent",
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
      WHERE client_id = ?4 AND order_ref_id = ?5)) AND ended.gifts > 0 AND
      (o.debit_sequence IS NOT NULL AND (?7 <> 'gift.declined'
      OR (SELECT refund_declined FROM clients WHERE id = o.client_id) = 1))) back
      JOIN credit_accounts a ON a.client_id = back.client_id AND a.currency = back.currency
      WHERE back.amount > 0`,
  },
];

/** Stores a thank-you note. */
export const THANK: OldStatement[] = [
  {
    names: "nowMs orderId sequence generation nonce",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), 'gift.thanked', o.id, s.sequence, NULL, ?1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id WHERE
      s.order_id = ?2 AND s.sequence = ?3 AND s.redemption_status = 'redeemed'
      AND s.link_generation = ?4 AND s.thank_you IS NULL
      AND EXISTS (SELECT 1 FROM orders WHERE id = s.order_id AND link_nonce = ?5)`,
  },
  {
    names: "note nowMs orderId sequence generation nonce",
    sql: `
      UPDATE sub_orders AS s SET thank_you = ?1, thanked_at_ms = ?2 WHERE
      s.order_id = ?3 AND s.sequence = ?4 AND s.redemption_status = 'redeemed'
      AND s.link_generation = ?5 AND s.thank_you IS NULL
      AND EXISTS (SELECT 1 FROM orders WHERE id = s.order_id AND link_nonce = ?6)`,
  },
];

/** Renews the link of a gift, with the corrected values of its recipient. */
export const RENEW: OldStatement[] = [
  {
    names: "nowMs orderId sequence clientId generation nonce",
    sql: `
      INSERT INTO events (client_id, sequence, type, order_id, suborder_sequence, data, created_at_ms)
      SELECT o.client_id,
      (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = o.client_id), 'gift.renewed', o.id, s.sequence, NULL, ?1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?2 AND s.sequence = ?3 AND o.client_id = ?4
      AND o.gift_order_method = 'api-giftlink' AND o.link_nonce IS NOT NULL
      AND (s.redemption_status = 'redeemed' OR (s.redemption_status IS NULL
      AND o.status IN ('created', 'paid')
      AND (o.expires_at_ms IS NULL OR o.expires_at_ms > ?1)))
      AND s.link_generation < 999
      AND (?5 IS NULL
      OR (s.link_generation = ?5 AND o.link_nonce = ?6))`,
  },
  {
    names: "nowMs orderId sequence clientId generation nonce",
    sql: `
      UPDATE orders AS o SET updated_at_ms =
      max(coalesce(o.updated_at_ms, o.created_at_ms), ?1)
      WHERE o.id = ?2 AND EXISTS (SELECT 1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?2 AND s.sequence = ?3 AND o.client_id = ?4
      AND o.gift_order_method = 'api-giftlink' AND o.link_nonce IS NOT NULL
      AND (s.redemption_status = 'redeemed' OR (s.redemption_status IS NULL
      AND o.status IN ('created', 'paid')
      AND (o.expires_at_ms IS NULL OR o.expires_at_ms > ?1)))
      AND s.link_generation < 999
      AND (?5 IS NULL
      OR (s.link_generation = ?5 AND o.link_nonce = ?6)))`,
  },
  {
    names: "firstName lastName email orderId sequence clientId nowMs generation nonce",
    sql: `
      UPDATE sub_orders SET link_generation = link_generation + 1,
      first_name = coalesce(?1, first_name),
      last_name = coalesce(?2, last_name), email = coalesce(?3, email)
      WHERE order_id = ?4 AND sequence = ?5 AND EXISTS (SELECT 1
      FROM sub_orders s JOIN orders o ON o.id = s.order_id
      WHERE s.order_id = ?4 AND s.sequence = ?5 AND o.client_id = ?6
      AND o.gift_order_method = 'api-giftlink' AND o.link_nonce IS NOT NULL
      AND (s.redemption_status = 'redeemed' OR (s.redemption_status IS NULL
      AND o.status IN ('created', 'paid')
      AND (o.expires_at_ms IS NULL OR o.expires_at_ms > ?7)))
      AND s.link_generation < 999
      AND (?8 IS NULL
      OR (s.link_generation = ?8 AND o.link_nonce = ?9)))`,
  },
];
