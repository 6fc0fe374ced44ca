-- The last day of a single gift.

-- When the gift expires. Null if it expires with its order.
ALTER TABLE sub_orders ADD COLUMN expires_at_ms INTEGER;

-- The reminders until this time are inserted. Null if the order was not checked since it was placed.
ALTER TABLE orders ADD COLUMN expiry_checked_ms INTEGER;

-- A new last day of an order applies to all its gifts.
CREATE TRIGGER gifts_expire_with_their_order AFTER UPDATE OF expires_at_ms ON orders
BEGIN
  UPDATE sub_orders SET expires_at_ms = NULL WHERE order_id = NEW.id AND expires_at_ms IS NOT NULL;
END;
