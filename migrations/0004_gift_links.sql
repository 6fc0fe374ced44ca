-- Gift links are derived from the order's id and from these columns. A restored database assigns the same order ids
-- again, and the nonce distinguishes orders with the same id. The key id identifies the GIFT_LINK_SECRET of the
-- links. Null means the current secret.
ALTER TABLE orders ADD COLUMN link_nonce TEXT;

UPDATE orders SET link_nonce = lower(hex(randomblob(4))) WHERE gift_order_method = 'api-giftlink';

ALTER TABLE orders ADD COLUMN link_key_id TEXT
  CONSTRAINT gift_link_orders_have_a_nonce
    CHECK (gift_order_method <> 'api-giftlink' OR link_nonce IS NOT NULL);
