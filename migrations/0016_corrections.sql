-- Corrections until a gift is shipped, and the tracking that support has told a recipient.

-- JSON: the earlier carriers, tracking and times of the shipment, oldest first. Null if it was never corrected or
-- reopened.
ALTER TABLE shipments ADD COLUMN earlier_tracking TEXT
  CONSTRAINT earlier_tracking_is_json CHECK (json_valid(earlier_tracking));

-- How often the recipient's data was corrected.
ALTER TABLE sub_orders ADD COLUMN corrections INTEGER NOT NULL DEFAULT 0;

-- Whether the redemption took stock of another product, which the recipient chose. Null if it is the offered product.
ALTER TABLE sub_orders ADD COLUMN took_stock INTEGER
  CONSTRAINT choice_took_stock_is_boolean CHECK (took_stock = 0 OR took_stock = 1);

-- The operator may cancel a redeemed gift that is not shipped.
CREATE TRIGGER cancelled_redemptions_are_uncounted AFTER UPDATE OF redemption_status ON sub_orders
WHEN OLD.redemption_status = 'redeemed' AND NEW.redemption_status = 'cancelled'
BEGIN
  UPDATE orders SET redeemed_gifts = redeemed_gifts - 1 WHERE id = NEW.order_id;
END;
