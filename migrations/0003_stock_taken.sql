-- Whether an order took stock when it was placed: only then may its end, or a recipient's swap, return any. That the
-- product's stock is tracked now says nothing of then.
ALTER TABLE orders ADD COLUMN took_stock INTEGER NOT NULL DEFAULT 0
  CONSTRAINT took_stock_is_boolean CHECK (took_stock IN (0, 1));

UPDATE orders SET took_stock = 1
WHERE gift_order_method IN ('api-purchase', 'api-giftlink')
  AND EXISTS (SELECT 1 FROM stock s WHERE s.product_id = orders.product_id
    AND s.variation_id = coalesce(orders.variation_id, 0) AND s.quantity IS NOT NULL);
