-- Regalo's tables. src/platform/db/schema.ts has the same columns for TypeScript, and a test compares the two. All tables are
-- STRICT. Invariants are named constraints, so that an error message contains the name of the broken one. Amounts are
-- integers in minor units. Times are epoch milliseconds.

-- A catalogue is a sequence of versions. Readers use the current one. Publishing writes the next version separately and
-- then raises `version`, so readers never see a partial version.
CREATE TABLE catalogues (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,
  staged_version INTEGER NOT NULL DEFAULT 0,
  -- JSON: the settings of the last completed publication, values that shop exports do not contain, such as the currency
  -- and the shipping cost. Null until a publication has settings.
  settings TEXT,
  -- JSON: the ids in `sold_out_products`, for filters. A filter reads one row for all of them.
  sold_out TEXT NOT NULL DEFAULT '[]',
  CONSTRAINT catalogue_version_was_staged CHECK (version BETWEEN 0 AND staged_version)
) STRICT;

CREATE TABLE catalogue_versions (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  total_products INTEGER NOT NULL,
  total_physical INTEGER NOT NULL,
  total_digital INTEGER NOT NULL,
  published_at_ms INTEGER NOT NULL,
  -- The operator who published it, and the file. Null if no operator did.
  published_by TEXT,
  file_name TEXT,
  -- The prices that are higher and lower than in the version before it.
  raised_prices INTEGER NOT NULL DEFAULT 0,
  lowered_prices INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (catalogue_id, version),
  CONSTRAINT totals_add_up CHECK (total_products = total_physical + total_digital)
) STRICT, WITHOUT ROWID;

-- The ids of products and variations. They are never deleted, because orders refer to unpublished products too.
CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  -- The catalogue that published the product first. It owns the product's stock, and other catalogues share it. Null
  -- until a catalogue has published the product.
  catalogue_id INTEGER REFERENCES catalogues (id)
) STRICT;

CREATE TABLE variations (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id)
) STRICT;

-- The last id that was assigned to a product or variation of a shop's file. Lower ids are for files with their own ids.
CREATE TABLE id_sequences (
  name TEXT PRIMARY KEY,
  last_id INTEGER NOT NULL,
  -- The largest integer that JSON and JavaScript hold exactly.
  CONSTRAINT last_id_in_range CHECK (last_id BETWEEN 0 AND 9007199254740991)
) STRICT, WITHOUT ROWID;

INSERT INTO id_sequences (name, last_id) VALUES ('products', 10000000), ('variations', 10000000);

-- The shop's keys of a product (variation 0) or a variation. When the catalogue is published again, the same key refers
-- to the same product. A row may have several keys, such as its id and its SKU.
CREATE TABLE product_sources (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  source_key TEXT NOT NULL,
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (catalogue_id, source_key)
) STRICT, WITHOUT ROWID;

-- The content of products. A revision is immutable and identified by the digest of its content, so publishing the same
-- product again writes nothing.
CREATE TABLE product_revisions (
  product_id INTEGER NOT NULL REFERENCES products (id),
  revision TEXT NOT NULL,
  product_type TEXT NOT NULL,
  delivery TEXT NOT NULL,
  currency TEXT NOT NULL,
  price_minor INTEGER,
  shipping_minor INTEGER NOT NULL,
  locations TEXT NOT NULL,
  variations TEXT NOT NULL,
  -- The vendor's `name_key`. Null if the product has no vendor.
  vendor_key TEXT,
  content TEXT NOT NULL,
  -- JSON: the texts in other languages. Null if there are none. Only the recipient's page and e-mails read them.
  translations TEXT,
  PRIMARY KEY (product_id, revision),
  CONSTRAINT only_simple_products_have_a_price CHECK ((product_type = 'simple') = (price_minor IS NOT NULL)),
  CONSTRAINT price_not_negative CHECK (price_minor >= 0 AND shipping_minor >= 0)
) STRICT, WITHOUT ROWID;

-- The ordered products of a catalogue's version. Positions have no gaps, overall and for each delivery type, so every
-- page is a range of an index.
CREATE TABLE catalogue_entries (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  position INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  revision TEXT NOT NULL,
  delivery TEXT NOT NULL,
  delivery_position INTEGER NOT NULL,
  -- When the product was added to the catalogue, or its content was last changed.
  changed_at_ms INTEGER NOT NULL,
  -- The currency and the lowest price of one piece, including shipping. Recipients who may choose another gift see the
  -- products that cost at most what was paid.
  currency TEXT NOT NULL,
  lowest_unit_minor INTEGER NOT NULL,
  PRIMARY KEY (catalogue_id, version, product_id),
  FOREIGN KEY (product_id, revision) REFERENCES product_revisions (product_id, revision)
) STRICT, WITHOUT ROWID;
-- Both indexes contain all columns of an entry that a page needs, so the table itself is not read.
CREATE UNIQUE INDEX catalogue_entries_by_position
  ON catalogue_entries (catalogue_id, version, position, revision, changed_at_ms);
CREATE UNIQUE INDEX catalogue_entries_by_delivery
  ON catalogue_entries (catalogue_id, version, delivery, delivery_position, revision, changed_at_ms);
CREATE INDEX catalogue_entries_by_price
  ON catalogue_entries (catalogue_id, version, currency, lowest_unit_minor, product_id, revision);

-- The index of a version, for filters: the positions of the products that have a term, such as a word, a vendor or a
-- price. The terms are sorted and stored in chunks, so that an index of many terms has few rows.
CREATE TABLE catalogue_index (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  first_term TEXT NOT NULL,
  -- JSON: an array of [term, positions] (src/features/catalogue/terms.ts).
  content TEXT NOT NULL,
  PRIMARY KEY (catalogue_id, version, first_term)
) STRICT, WITHOUT ROWID;

-- Products from which a recipient may choose, apart from versions: a change is visible at once, and products that the
-- current version does not have are not shown.
CREATE TABLE collections (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  -- JSON: name and description by language.
  translations TEXT NOT NULL,
  -- JSON: the ids of the products, in the order in which recipients see them.
  products TEXT NOT NULL,
  PRIMARY KEY (catalogue_id, id)
) STRICT, WITHOUT ROWID;

-- Who sends the products of a catalogue. A publication adds the names that are new.
CREATE TABLE vendors (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  -- The form of the name by which vendors are compared (src/core/values/name.ts). It may be longer than the name.
  name_key TEXT NOT NULL UNIQUE,
  email TEXT,
  webhook_url TEXT,
  time_zone TEXT NOT NULL DEFAULT 'UTC',
  -- Whether the vendor's users see the client, its reference and the recipient's e-mail address.
  shows_client INTEGER NOT NULL DEFAULT 0,
  -- The secret of the endpoint is derived from it. A new endpoint gets a new one.
  webhook_nonce TEXT,
  -- When the vendor was told last that gifts are to be shipped, and how the endpoint or the e-mail service has answered.
  told_at_ms INTEGER,
  told_answer TEXT,
  -- When a user of the vendor listed the gifts first after it was told.
  fetched_at_ms INTEGER
) STRICT;

-- The remaining stock of a simple product (variation 0) or of a variation. A null quantity means not tracked. If the product
-- is delivered as codes, the quantity is the number of free codes that are not sold. In the sandbox it is null: when no free
-- code is left there, test codes are made.
CREATE TABLE stock (
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER NOT NULL DEFAULT 0,
  quantity INTEGER,
  sellable INTEGER NOT NULL DEFAULT 1,
  -- For how many more days a code must be valid when it is given out. Null if the product is not delivered as codes.
  code_days INTEGER,
  PRIMARY KEY (product_id, variation_id),
  CONSTRAINT stock_not_negative CHECK (quantity >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX stock_of_codes ON stock (product_id, variation_id) WHERE code_days IS NOT NULL;

-- The products of which a stock record has become available or unavailable. The cron handler finds out what that means for
-- the product in each catalogue. A placement writes a row only if it takes the last piece.
CREATE TABLE availability_changes (
  product_id INTEGER PRIMARY KEY REFERENCES products (id)
) STRICT;

CREATE TRIGGER stock_is_available_or_not AFTER UPDATE OF quantity, sellable ON stock
WHEN (OLD.sellable = 1 AND coalesce(OLD.quantity, 1) > 0)
  <> (NEW.sellable = 1 AND coalesce(NEW.quantity, 1) > 0)
BEGIN
  INSERT INTO availability_changes (product_id) VALUES (NEW.product_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER new_stock_is_not_available AFTER INSERT ON stock
WHEN NEW.sellable = 0 OR NEW.quantity = 0
BEGIN
  INSERT INTO availability_changes (product_id) VALUES (NEW.product_id) ON CONFLICT DO NOTHING;
END;

-- The products of a catalogue that cannot be ordered (variation 0), and their variations that cannot, apart from those in
-- `availability_changes`.
CREATE TABLE sold_out_products (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL,
  PRIMARY KEY (catalogue_id, product_id, variation_id)
) STRICT, WITHOUT ROWID;

-- Stock of existing products in a version that is being published. It takes effect when the version becomes current.
CREATE TABLE staged_stock (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  product_id INTEGER NOT NULL,
  variation_id INTEGER NOT NULL,
  quantity INTEGER,
  sellable INTEGER NOT NULL,
  code_days INTEGER,
  PRIMARY KEY (catalogue_id, version, product_id, variation_id),
  CONSTRAINT staged_stock_not_negative CHECK (quantity >= 0)
) STRICT, WITHOUT ROWID;

-- JSON chunks of a publication. `products` chunks are used and deleted by the statements of one batch. `names` chunks
-- are the rows that are added to `product_sources` when the version becomes current. `changes` chunks are the products
-- that the version adds, changes or removes.
CREATE TABLE staged_chunks (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (catalogue_id, version, kind, sequence)
) STRICT, WITHOUT ROWID;
