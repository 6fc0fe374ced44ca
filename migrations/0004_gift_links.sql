-- What an order's gift links are derived from besides its id. A restored database gives order ids out again: the
-- nonce tells the orders with one id apart. The key id says which GIFT_LINK_SECRET made the links; null: the current.
ALTER TABLE orders ADD COLUMN link_nonce TEXT;

UPDATE orders SET link_nonce = lower(hex(randomblob(4))) WHERE gift_order_method = 'api-giftlink';

ALTER TABLE orders ADD COLUMN link_key_id TEXT
  CONSTRAINT gift_link_orders_have_a_nonce
    CHECK (gift_order_method <> 'api-giftlink' OR link_nonce IS NOT NULL);
