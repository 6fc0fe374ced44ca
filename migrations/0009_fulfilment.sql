-- Shipments: the delivery of gifts that were bought outright or redeemed.

-- The shipment of a gift, from the moment that it is shipped or sent. An open shipment has no row, unless it was shipped
-- and opened again.
CREATE TABLE shipments (
  order_id INTEGER NOT NULL REFERENCES orders (id),
  sequence INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  status TEXT NOT NULL,
  carrier TEXT,
  tracking_number TEXT,
  tracking_url TEXT,
  -- When the parcel was shipped or the digital gift was sent.
  shipped_at_ms INTEGER,
  delivered_at_ms INTEGER,
  -- Greater than that of all earlier changes of the client's shipments.
  updated_at_ms INTEGER NOT NULL,
  -- The request that changed the shipment last. The other statements of its batch select the shipment by it.
  change_id TEXT NOT NULL,
  PRIMARY KEY (order_id, sequence),
  -- For IN with three values, SQLite would fill and read a temporary table for each inserted row, which is billed.
  CONSTRAINT shipment_status_known CHECK (status = 'shipped' OR status = 'delivered' OR status = 'sent'
    OR status = 'open'),
  CONSTRAINT shipment_has_its_time CHECK ((status = 'open') = (shipped_at_ms IS NULL)),
  CONSTRAINT delivery_has_its_time CHECK ((status = 'delivered') = (delivered_at_ms IS NOT NULL)),
  CONSTRAINT only_parcels_have_tracking CHECK (status = 'shipped' OR status = 'delivered'
    OR (carrier IS NULL AND tracking_number IS NULL AND tracking_url IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX shipments_by_update ON shipments (client_id, updated_at_ms);

-- 1 if the gift is shipped, delivered or sent.
ALTER TABLE sub_orders ADD COLUMN has_shipment INTEGER NOT NULL DEFAULT 0
  CONSTRAINT shipped_gifts_do_not_end CHECK (has_shipment = 0
    OR (has_shipment = 1 AND (redemption_status IS NULL OR redemption_status = 'redeemed')));

-- The redeemed gifts to deliver. The index is partial, so that a placed gift is not written to it.
CREATE INDEX redeemed_gifts_to_ship ON sub_orders (order_id, sequence)
  WHERE redemption_status = 'redeemed' AND has_shipment = 0;

ALTER TABLE orders ADD COLUMN shipped_gifts INTEGER NOT NULL DEFAULT 0
  CONSTRAINT shipped_gifts_in_range CHECK (shipped_gifts BETWEEN 0 AND qty);

-- 1 if each gift of a paid order is shipped (bought outright), is redeemed (other orders), or has ended. Lists of gifts
-- to ship or to redeem read the orders with 0.
ALTER TABLE orders ADD COLUMN finished INTEGER NOT NULL DEFAULT 0
  CONSTRAINT only_paid_orders_are_finished CHECK (finished = 0 OR (finished = 1 AND status = 'paid'));

UPDATE orders SET finished = 1
WHERE status = 'paid' AND gift_order_method <> 'api-purchase'
  AND redeemed_gifts + cancelled_gifts + expired_gifts = qty;

CREATE TRIGGER finished_orders_are_marked
AFTER UPDATE OF status, shipped_gifts, redeemed_gifts, cancelled_gifts, expired_gifts ON orders
WHEN NEW.status = 'paid' AND NEW.finished = 0 AND NEW.cancelled_gifts + NEW.expired_gifts
  + iif(NEW.gift_order_method = 'api-purchase', NEW.shipped_gifts, NEW.redeemed_gifts) = NEW.qty
BEGIN
  UPDATE orders SET finished = 1 WHERE id = NEW.id;
END;

-- A placement writes one row of this index, as before.
DROP INDEX orders_by_client;
CREATE INDEX orders_by_client
  ON orders (client_id, status, gift_order_method, finished, created_at_ms);
