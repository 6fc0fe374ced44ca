-- Gifts that are cancelled one by one, expire, or get a new link, and the metadata of orders and recipients.

-- When the gifts of the order expire. Null for never.
ALTER TABLE orders ADD COLUMN expires_at_ms INTEGER;
-- When the cron handler next inserts reminders or expires the gifts. Null if it has nothing to do. The index is
-- partial, so that an order without an expiry is not written to it.
ALTER TABLE orders ADD COLUMN next_expiry_check_ms INTEGER;
CREATE INDEX orders_by_expiry_check
  ON orders (next_expiry_check_ms) WHERE next_expiry_check_ms IS NOT NULL;
ALTER TABLE orders ADD COLUMN expired_gifts INTEGER NOT NULL DEFAULT 0
  CONSTRAINT ended_gifts_in_range CHECK (expired_gifts >= 0
    AND redeemed_gifts + cancelled_gifts + expired_gifts <= qty);
-- JSON: the partner's own keys and values.
ALTER TABLE orders ADD COLUMN metadata TEXT CONSTRAINT order_metadata_is_json CHECK (json_valid(metadata));
-- The sum of the ledger's refunds of the order. A trigger updates it.
ALTER TABLE orders ADD COLUMN refunded_minor INTEGER NOT NULL DEFAULT 0
  CONSTRAINT refunds_do_not_exceed_the_total CHECK (refunded_minor BETWEEN 0 AND order_total_minor);

UPDATE orders SET refunded_minor = e.amount_minor
FROM credit_entries e WHERE e.order_id = orders.id AND e.kind = 'cancellation';

-- Whether the client may cancel orders through the API.
ALTER TABLE clients ADD COLUMN may_cancel INTEGER NOT NULL DEFAULT 1
  CONSTRAINT may_cancel_is_boolean CHECK (may_cancel IN (0, 1));
-- The days until the gifts of an order without `redeem_by` expire. Null for never.
ALTER TABLE clients ADD COLUMN redeem_within_days INTEGER
  CONSTRAINT redeem_within_five_years CHECK (redeem_within_days BETWEEN 1 AND 1826);

-- SQLite cannot change a CHECK constraint, and D1 does not permit dropping one. The two tables with changed constraints
-- are therefore copied.

CREATE TABLE new_sub_orders (
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
  -- The submission that redeemed the gift. Of two concurrent submissions, only that one changes the stock.
  redemption_id TEXT,
  -- The revision of the product that the recipient chose. Null if the recipient has not chosen another gift.
  selected_revision TEXT,
  -- The request that cancelled or expired the gift. The other statements of its batch select the gift by it.
  ending_id TEXT,
  -- How often the gift link has been renewed. Only the link with this generation is valid.
  link_generation INTEGER NOT NULL DEFAULT 0,
  -- The partner's id of the recipient, and JSON with the partner's own keys and values.
  external_id TEXT,
  metadata TEXT,
  PRIMARY KEY (order_id, sequence),
  CONSTRAINT sequence_in_range CHECK (sequence BETWEEN 1 AND 999),
  -- For IN with three values, SQLite would fill and read a temporary table for each inserted row, which is billed.
  CONSTRAINT redemption_status_known CHECK (redemption_status = 'redeemed' OR redemption_status = 'cancelled'
    OR redemption_status = 'expired'),
  CONSTRAINT link_generation_in_range CHECK (link_generation BETWEEN 0 AND 999),
  CONSTRAINT recipient_metadata_is_json CHECK (json_valid(metadata))
) STRICT, WITHOUT ROWID;

INSERT INTO new_sub_orders (order_id, sequence, first_name, last_name, email, phone_number, email_message,
  delivery_address, delivery_notes, product_id, variation_id, redemption_status, redeemed_at_ms, redemption_id,
  selected_revision)
SELECT order_id, sequence, first_name, last_name, email, phone_number, email_message,
  delivery_address, delivery_notes, product_id, variation_id, redemption_status, redeemed_at_ms, redemption_id,
  selected_revision
FROM sub_orders;

DROP TABLE sub_orders;
ALTER TABLE new_sub_orders RENAME TO sub_orders;

-- The same trigger as before, which was dropped with its table.
CREATE TRIGGER redeemed_gifts_are_counted AFTER UPDATE OF redemption_status ON sub_orders
WHEN NEW.redemption_status = 'redeemed' AND OLD.redemption_status IS NULL
BEGIN
  UPDATE orders SET redeemed_gifts = redeemed_gifts + 1,
    updated_at_ms = max(coalesce(updated_at_ms, 0), NEW.redeemed_at_ms)
  WHERE id = NEW.order_id;
END;

CREATE TABLE new_credit_entries (
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
  CONSTRAINT entry_kind_known CHECK (kind IN ('adjustment', 'order', 'cancellation', 'expiry')),
  CONSTRAINT entry_has_its_source CHECK ((kind = 'adjustment') = (reference IS NOT NULL)
    AND (kind = 'adjustment') = (order_id IS NULL))
) STRICT, WITHOUT ROWID;

INSERT INTO new_credit_entries SELECT client_id, currency, sequence, kind, amount_minor, balance_minor, order_id,
  reference, note, created_at_ms FROM credit_entries;

-- An order may have several refunds now, so the unique index on cancellations is not created again.
DROP TABLE credit_entries;
ALTER TABLE new_credit_entries RENAME TO credit_entries;

CREATE UNIQUE INDEX credit_adjustments_by_reference
  ON credit_entries (client_id, currency, reference) WHERE reference IS NOT NULL;

-- The same triggers as before, which were dropped with their table.
CREATE TRIGGER credit_entries_are_never_changed BEFORE UPDATE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_changed'); END;
CREATE TRIGGER credit_entries_are_never_deleted BEFORE DELETE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_deleted'); END;

CREATE TRIGGER order_is_debited_once BEFORE INSERT ON credit_entries
WHEN NEW.kind = 'order' AND NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id
  AND client_id = NEW.client_id AND currency = NEW.currency AND debit_sequence = NEW.sequence)
BEGIN
  UPDATE orders SET debit_sequence = NEW.sequence WHERE id = NEW.order_id
    AND client_id = NEW.client_id AND currency = NEW.currency AND debit_sequence IS NULL;
  SELECT RAISE(ABORT, 'order_is_debited_once') WHERE NOT EXISTS (SELECT 1 FROM orders
    WHERE id = NEW.order_id AND client_id = NEW.client_id AND currency = NEW.currency
      AND debit_sequence = NEW.sequence);
END;

-- A refund belongs to an order that was paid from the same account. The refunds of an order never exceed the share of
-- its gifts that are not redeemed. The previous Worker, which refunds all these gifts at once, can therefore not refund
-- a gift that was cancelled alone.
CREATE TRIGGER refunds_are_added_up AFTER INSERT ON credit_entries
WHEN NEW.kind IN ('cancellation', 'expiry')
BEGIN
  SELECT RAISE(ABORT, 'refunds_are_added_up') FROM orders WHERE id = NEW.order_id
    AND (client_id <> NEW.client_id OR currency <> NEW.currency OR debit_sequence IS NULL
      OR refunded_minor + NEW.amount_minor > order_total_minor * (qty - redeemed_gifts) / qty);
  UPDATE orders SET refunded_minor = refunded_minor + NEW.amount_minor WHERE id = NEW.order_id;
END;
