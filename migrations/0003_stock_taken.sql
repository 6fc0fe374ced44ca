-- Whether the order took stock when it was placed. Only then do its cancellation and a recipient's choice of another
-- gift return stock. The product's stock may have been untracked at that time, even if it is tracked now.
ALTER TABLE orders ADD COLUMN took_stock INTEGER NOT NULL DEFAULT 0
  CONSTRAINT took_stock_is_boolean CHECK (took_stock IN (0, 1));

UPDATE orders SET took_stock = 1
WHERE gift_order_method IN ('api-purchase', 'api-giftlink')
  AND EXISTS (SELECT 1 FROM stock s WHERE s.product_id = orders.product_id
    AND s.variation_id = coalesce(orders.variation_id, 0) AND s.quantity IS NOT NULL);
