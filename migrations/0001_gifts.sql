-- For the recipient's page: gifts by price, and an id for each redemption.

-- A recipient who may choose sees the products that cost at most what was paid. Each entry therefore has the lowest
-- price of one piece of its product, including shipping, and an index finds the affordable products in a catalogue of
-- any size. A trigger sets the price, because the prices of a variable product are in JSON: neither a generated column
-- nor an index on an expression can compute their minimum.
ALTER TABLE catalogue_entries ADD COLUMN currency TEXT;
ALTER TABLE catalogue_entries ADD COLUMN lowest_unit_minor INTEGER;

CREATE TRIGGER catalogue_entries_learn_their_price AFTER INSERT ON catalogue_entries
BEGIN
  UPDATE catalogue_entries SET currency = r.currency, lowest_unit_minor = r.shipping_minor
    + coalesce(r.price_minor, (SELECT min(v.value ->> '$.priceMinor') FROM json_each(r.variations) v))
  FROM product_revisions r
  WHERE r.product_id = NEW.product_id AND r.revision = NEW.revision
    AND catalogue_entries.catalogue_id = NEW.catalogue_id
    AND catalogue_entries.version = NEW.version AND catalogue_entries.product_id = NEW.product_id;
END;

UPDATE catalogue_entries SET currency = r.currency, lowest_unit_minor = r.shipping_minor
  + coalesce(r.price_minor, (SELECT min(v.value ->> '$.priceMinor') FROM json_each(r.variations) v))
FROM product_revisions r
WHERE r.product_id = catalogue_entries.product_id AND r.revision = catalogue_entries.revision;

-- The index is partial, so that each entry is written to it only once, after the trigger has set its price.
CREATE INDEX catalogue_entries_by_price
  ON catalogue_entries (catalogue_id, version, currency, lowest_unit_minor, product_id, revision)
  WHERE lowest_unit_minor IS NOT NULL;

-- The submission that redeemed the gift. Of two concurrent submissions, only that one changes the stock.
ALTER TABLE sub_orders ADD COLUMN redemption_id TEXT;
-- The revision of the product that the recipient chose. Null if the recipient has not chosen another gift.
ALTER TABLE sub_orders ADD COLUMN selected_revision TEXT;
