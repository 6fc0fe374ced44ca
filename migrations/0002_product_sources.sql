-- For the operator's commands: the product of each row in a shop's file, and staged stock. Also the constraint that an
-- order is debited once and refunded once.

-- The shop's keys of a product (variation 0) or a variation. When the catalogue is published again, the same key refers
-- to the same product. A row may have several keys, such as its id and its SKU.
CREATE TABLE product_sources (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  source_key TEXT NOT NULL,
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (catalogue_id, source_key)
) STRICT, WITHOUT ROWID;

-- Stock of existing products in a version that is being published. It takes effect when the version becomes current.
CREATE TABLE staged_stock (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL,
  quantity INTEGER,
  sellable INTEGER NOT NULL,
  PRIMARY KEY (catalogue_id, version, product_id, variation_id),
  CONSTRAINT staged_stock_not_negative CHECK (quantity >= 0),
  CONSTRAINT staged_sellable_is_boolean CHECK (sellable IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX credit_entries_by_order
  ON credit_entries (order_id, kind) WHERE order_id IS NOT NULL;
