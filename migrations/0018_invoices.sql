-- The ledger of orders on invoice, for statements.

-- What the client still owes for an order on invoice. A negative amount is to be refunded. Null for other orders.
ALTER TABLE orders ADD COLUMN owed_minor INTEGER;

-- The orders on invoice of each client and currency, and what changed the amounts that the client owes for them. The
-- sequence has no gaps. Its times decide the month of an entry, as for credit.
CREATE TABLE invoice_entries (
  client_id TEXT NOT NULL REFERENCES clients (id),
  currency TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  kind TEXT NOT NULL,
  order_id INTEGER NOT NULL REFERENCES orders (id),
  -- The change of what the client owes for the order.
  amount_minor INTEGER NOT NULL,
  -- After the entry: the sum of what the client owes for orders, and the sum of what is to be refunded for others.
  unpaid_minor INTEGER NOT NULL,
  to_refund_minor INTEGER NOT NULL,
  -- The bank's reference of a payment or a refund. Null if the operator gave none.
  reference TEXT,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (client_id, currency, sequence),
  -- For IN with more than two values, SQLite would fill and read a temporary table for each inserted row.
  CONSTRAINT invoice_entry_kind_known CHECK (kind = 'order' OR kind = 'cancellation' OR kind = 'expiry'
    OR kind = 'payment' OR kind = 'refund'),
  CONSTRAINT invoice_sums_not_negative CHECK (unpaid_minor >= 0 AND to_refund_minor >= 0),
  CONSTRAINT invoice_reference_of_money CHECK (reference IS NULL OR kind = 'payment' OR kind = 'refund')
) STRICT, WITHOUT ROWID;

CREATE TRIGGER invoice_entries_add_up BEFORE INSERT ON invoice_entries
WHEN NOT EXISTS (SELECT 1 FROM (SELECT 1)
  LEFT JOIN invoice_entries p ON p.client_id = NEW.client_id AND p.currency = NEW.currency
    AND p.sequence = (SELECT max(l.sequence) FROM invoice_entries l
      WHERE l.client_id = NEW.client_id AND l.currency = NEW.currency)
  WHERE NEW.sequence = coalesce(p.sequence, 0) + 1
    AND NEW.unpaid_minor - NEW.to_refund_minor
      = coalesce(p.unpaid_minor - p.to_refund_minor, 0) + NEW.amount_minor)
BEGIN SELECT RAISE(ABORT, 'invoice_entries_add_up'); END;
CREATE TRIGGER invoice_entries_are_never_changed BEFORE UPDATE ON invoice_entries
BEGIN SELECT RAISE(ABORT, 'invoice_entries_are_never_changed'); END;
CREATE TRIGGER invoice_entries_are_never_deleted BEFORE DELETE ON invoice_entries
BEGIN SELECT RAISE(ABORT, 'invoice_entries_are_never_deleted'); END;
