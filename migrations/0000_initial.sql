-- Regalo's tables. src/db/schema.ts has the same columns for TypeScript, and a test compares the two. All tables are
-- STRICT. Invariants are named constraints, so that an error message contains the name of the broken one. Amounts are
-- integers in minor units. Times are epoch milliseconds.

-- A catalogue is a sequence of versions. Readers use the current one. Publishing writes the next version separately and
-- then raises `version`, so readers never see a partial version.
CREATE TABLE catalogues (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL DEFAULT 0,
  staged_version INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT catalogue_version_was_staged CHECK (version BETWEEN 0 AND staged_version)
) STRICT;

CREATE TABLE catalogue_versions (
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  version INTEGER NOT NULL,
  total_products INTEGER NOT NULL,
  total_physical INTEGER NOT NULL,
  total_digital INTEGER NOT NULL,
  published_at_ms INTEGER NOT NULL,
  PRIMARY KEY (catalogue_id, version),
  CONSTRAINT totals_add_up CHECK (total_products = total_physical + total_digital)
) STRICT, WITHOUT ROWID;

-- The ids of products and variations. They are never deleted, because orders refer to unpublished products too.
CREATE TABLE products (
  id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE variations (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id)
) STRICT;

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
  content TEXT NOT NULL,
  PRIMARY KEY (product_id, revision),
  CONSTRAINT product_type_known CHECK (product_type IN ('simple', 'variable')),
  CONSTRAINT delivery_known CHECK (delivery IN ('physical', 'digital')),
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
  PRIMARY KEY (catalogue_id, version, product_id),
  FOREIGN KEY (product_id, revision) REFERENCES product_revisions (product_id, revision)
) STRICT, WITHOUT ROWID;
-- Both indexes contain all columns of an entry that a page needs, so the table itself is not read.
CREATE UNIQUE INDEX catalogue_entries_by_position
  ON catalogue_entries (catalogue_id, version, position, revision);
CREATE UNIQUE INDEX catalogue_entries_by_delivery
  ON catalogue_entries (catalogue_id, version, delivery, delivery_position, revision);

-- The remaining stock of a simple product (variation 0) or of a variation. A null quantity means not tracked.
CREATE TABLE stock (
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER NOT NULL DEFAULT 0,
  quantity INTEGER,
  sellable INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (product_id, variation_id),
  CONSTRAINT stock_not_negative CHECK (quantity >= 0),
  CONSTRAINT sellable_is_boolean CHECK (sellable IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  billing TEXT NOT NULL,
  fee_basis_points INTEGER NOT NULL,
  default_currency TEXT NOT NULL,
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  branding TEXT,
  created_at_ms INTEGER NOT NULL,
  CONSTRAINT client_status_known CHECK (status IN ('active', 'suspended')),
  CONSTRAINT billing_known CHECK (billing IN ('credit', 'invoice')),
  CONSTRAINT fee_is_a_share CHECK (fee_basis_points BETWEEN 0 AND 10000)
) STRICT, WITHOUT ROWID;

-- Only one digest of an API-KEY and its API-PASSWORD is stored.
CREATE TABLE credentials (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  secret_digest TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER
) STRICT;
CREATE INDEX credentials_by_client ON credentials (client_id);

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  order_ref_id TEXT,
  placement_id TEXT,
  request_digest TEXT,
  gift_order_method TEXT NOT NULL,
  status TEXT NOT NULL,
  gift_of_choice TEXT NOT NULL,
  branding_selected TEXT NOT NULL,
  branding TEXT,
  email_template TEXT NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER REFERENCES variations (id),
  product_revision TEXT NOT NULL,
  base_location TEXT NOT NULL,
  currency TEXT NOT NULL,
  product_price_minor INTEGER NOT NULL,
  qty INTEGER NOT NULL,
  subtotal_minor INTEGER NOT NULL,
  shipping_cost_minor INTEGER NOT NULL,
  order_fee_minor INTEGER NOT NULL,
  order_total_minor INTEGER NOT NULL,
  link_how_many_times INTEGER,
  link_url TEXT,
  link_message TEXT,
  created_at_ms INTEGER NOT NULL,
  FOREIGN KEY (product_id, product_revision) REFERENCES product_revisions (product_id, revision),
  CONSTRAINT order_status_known CHECK (status IN ('failed', 'created', 'paid', 'cancieled')),
  CONSTRAINT gift_order_method_known
    CHECK (gift_order_method IN ('email', 'direct', 'link', 'api-purchase', 'api-giftlink')),
  CONSTRAINT gift_of_choice_known CHECK (gift_of_choice IN ('Y', 'N')),
  CONSTRAINT branding_selected_known CHECK (branding_selected IN ('platform', 'company', 'custom')),
  CONSTRAINT email_template_known
    CHECK (email_template IN ('celebration', 'generic', 'sympathy', 'christmas')),
  CONSTRAINT qty_positive CHECK (qty >= 1),
  CONSTRAINT subtotal_adds_up CHECK (subtotal_minor = product_price_minor * qty),
  CONSTRAINT order_total_adds_up
    CHECK (order_total_minor = subtotal_minor + shipping_cost_minor + order_fee_minor),
  CONSTRAINT api_orders_carry_their_reference CHECK (
    gift_order_method NOT IN ('api-purchase', 'api-giftlink')
    OR (order_ref_id IS NOT NULL AND placement_id IS NOT NULL AND request_digest IS NOT NULL)
  )
) STRICT;
CREATE UNIQUE INDEX orders_by_reference ON orders (client_id, order_ref_id);

-- One row for each recipient. The rows of an order are stored next to each other. The public id is
-- order_id * 1000 + sequence, so it needs no column.
CREATE TABLE sub_orders (
  order_id INTEGER NOT NULL REFERENCES orders (id),
  sequence INTEGER NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone_number TEXT,
  email_message TEXT,
  delivery_address TEXT,
  delivery_notes TEXT,
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER REFERENCES variations (id),
  redemption_status TEXT,
  redeemed_at_ms INTEGER,
  PRIMARY KEY (order_id, sequence),
  CONSTRAINT sequence_in_range CHECK (sequence BETWEEN 1 AND 999),
  CONSTRAINT redemption_status_known CHECK (redemption_status IN ('redeemed', 'cancelled'))
) STRICT, WITHOUT ROWID;

CREATE TABLE credit_accounts (
  client_id TEXT NOT NULL REFERENCES clients (id),
  currency TEXT NOT NULL,
  balance_minor INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (client_id, currency),
  CONSTRAINT credit_not_negative CHECK (balance_minor >= 0)
) STRICT, WITHOUT ROWID;

-- The ledger: the entries of each account, numbered without gaps, each with the balance after it.
CREATE TABLE credit_entries (
  client_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  balance_minor INTEGER NOT NULL,
  order_id INTEGER REFERENCES orders (id),
  reference TEXT,
  note TEXT,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (client_id, currency, sequence),
  FOREIGN KEY (client_id, currency) REFERENCES credit_accounts (client_id, currency),
  CONSTRAINT entry_kind_known CHECK (kind IN ('adjustment', 'order', 'cancellation')),
  CONSTRAINT entry_has_its_source CHECK ((kind = 'adjustment') = (reference IS NOT NULL)
    AND (kind = 'adjustment') = (order_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX credit_adjustments_by_reference
  ON credit_entries (client_id, currency, reference) WHERE reference IS NOT NULL;

CREATE TRIGGER credit_entries_are_never_changed BEFORE UPDATE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_changed'); END;
CREATE TRIGGER credit_entries_are_never_deleted BEFORE DELETE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_deleted'); END;
