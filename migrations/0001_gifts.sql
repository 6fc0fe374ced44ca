-- What the recipient's page needs: gifts found by what they cost, and a redemption that knows itself.

-- A recipient who may choose sees what costs no more than was paid. An entry therefore knows the least that
-- one piece of its product costs, shipping included, and the index leads to the affordable ones whatever the
-- size of the catalogue. Entries learn it by themselves: the price of a variable product lies in JSON, where
-- no generated column and no index on an expression can find the smallest.
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

-- Partial, so that an entry is written to it once, when it has learnt its price.
CREATE INDEX catalogue_entries_by_price
  ON catalogue_entries (catalogue_id, version, currency, lowest_unit_minor, product_id, revision)
  WHERE lowest_unit_minor IS NOT NULL;

-- Which submission redeemed the gift: of two at once, only that one's statements move stock.
ALTER TABLE sub_orders ADD COLUMN redemption_id TEXT;
-- What the recipient chose, as it was then. Null while it is the order's own gift.
ALTER TABLE sub_orders ADD COLUMN selected_revision TEXT;
