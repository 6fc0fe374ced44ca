-- What the operator's commands need besides the API: which product a shop's row is, stock that waits for its
-- catalogue's flip, and the rule that an order moves credit once each way.

-- A shop's own name for a product (variation 0) or a variation: the same name is the same product whenever the
-- catalogue is published again. A row may be known by several names, such as its id and its SKU.
CREATE TABLE product_sources (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  source_key TEXT NOT NULL,
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (catalogue_id, source_key)
) STRICT, WITHOUT ROWID;

-- Stock that a version brings for what is sold already: it takes effect with the version, in one step.
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
