-- What clients have and owe: the ledgers of credit and invoices, and the statements of closed months.

CREATE TABLE credit_accounts (
  client_id TEXT NOT NULL REFERENCES clients (id),
  currency TEXT NOT NULL,
  balance_minor INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  -- The event `credit.low` reports a balance below this amount. Null for no event.
  alert_below_minor INTEGER,
  -- Whether the event has been inserted since the balance was last at or above the amount.
  alerted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (client_id, currency),
  CONSTRAINT credit_not_negative CHECK (balance_minor >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_accounts_with_alert
  ON credit_accounts (client_id, currency) WHERE alert_below_minor IS NOT NULL;

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
  -- When the money came or left, which decides the month of the statement. Null for the time of the booking.
  value_at_ms INTEGER,
  PRIMARY KEY (client_id, currency, sequence),
  FOREIGN KEY (client_id, currency) REFERENCES credit_accounts (client_id, currency),
  CONSTRAINT entry_kind_known CHECK (kind IN ('adjustment', 'order', 'cancellation', 'expiry')),
  CONSTRAINT refunds_are_positive CHECK ((kind <> 'cancellation' AND kind <> 'expiry') OR amount_minor > 0),
  CONSTRAINT entry_has_its_source CHECK ((kind = 'adjustment') = (reference IS NOT NULL)
    AND (kind = 'adjustment') = (order_id IS NULL)),
  CONSTRAINT credit_value_is_not_later CHECK (value_at_ms IS NULL OR (value_at_ms <= created_at_ms AND kind = 'adjustment'))
) STRICT, WITHOUT ROWID;
CREATE INDEX credit_entries_by_time ON credit_entries (client_id, currency, created_at_ms);
-- Those of a month before their booking.
CREATE INDEX credit_entries_of_earlier_months ON credit_entries (client_id, currency, created_at_ms)
  WHERE strftime('%Y-%m', value_at_ms / 1000, 'unixepoch') < strftime('%Y-%m', created_at_ms / 1000, 'unixepoch');
CREATE UNIQUE INDEX credit_adjustments_by_reference
  ON credit_entries (client_id, currency, reference) WHERE reference IS NOT NULL;
-- For the check of what an order was refunded. A placement writes no row of the index.
CREATE INDEX credit_refunds_by_order ON credit_entries (order_id) WHERE kind <> 'order';

-- The times of a ledger never decrease, so what was booked in a month is a range of it.
CREATE TRIGGER credit_entries_are_in_order_of_time BEFORE INSERT ON credit_entries
WHEN NEW.created_at_ms < (SELECT p.created_at_ms FROM credit_entries p WHERE p.client_id = NEW.client_id
  AND p.currency = NEW.currency AND p.sequence = NEW.sequence - 1)
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_in_order_of_time'); END;
CREATE TRIGGER credit_entries_are_never_changed BEFORE UPDATE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_changed'); END;
CREATE TRIGGER credit_entries_are_never_deleted BEFORE DELETE ON credit_entries
BEGIN SELECT RAISE(ABORT, 'credit_entries_are_never_deleted'); END;

-- The placement stores the number of its debit in the order. It needs no index of the ledger for this.
CREATE TRIGGER order_is_debited_once BEFORE INSERT ON credit_entries
WHEN NEW.kind = 'order' AND NOT EXISTS (SELECT 1 FROM orders WHERE id = NEW.order_id
  AND client_id = NEW.client_id AND currency = NEW.currency AND debit_sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'order_is_debited_once'); END;
-- A refund belongs to an order that was paid from the same account, and the order counts it already.
CREATE TRIGGER refunds_are_added_up AFTER INSERT ON credit_entries
WHEN NEW.kind IN ('cancellation', 'expiry')
BEGIN
  SELECT RAISE(ABORT, 'refunds_are_added_up') FROM orders WHERE id = NEW.order_id
    AND (client_id <> NEW.client_id OR currency <> NEW.currency OR debit_sequence IS NULL
      OR refunded_minor <> (SELECT sum(e.amount_minor) FROM credit_entries e
        WHERE e.order_id = NEW.order_id AND e.kind <> 'order'));
END;

-- The orders on invoice of each client and currency, and what changed the amounts that the client owes for them. The
-- sequence has no gaps. Its times and value dates decide the month of an entry, as for credit.
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
  value_at_ms INTEGER,
  -- The digest of the row of the bank's file, and its day if it is clear. Null if an operator recorded the payment without a file.
  bank_line TEXT,
  PRIMARY KEY (client_id, currency, sequence),
  -- For IN with more than two values, SQLite would fill and read a temporary table for each inserted row.
  CONSTRAINT invoice_entry_kind_known CHECK (kind = 'order' OR kind = 'cancellation' OR kind = 'expiry'
    OR kind = 'payment' OR kind = 'refund'),
  CONSTRAINT invoices_are_reduced CHECK ((kind <> 'cancellation' AND kind <> 'expiry') OR amount_minor < 0),
  CONSTRAINT invoice_sums_not_negative CHECK (unpaid_minor >= 0 AND to_refund_minor >= 0),
  CONSTRAINT invoice_reference_of_money CHECK (reference IS NULL OR kind = 'payment' OR kind = 'refund'),
  CONSTRAINT invoice_bank_line_is_of_payment CHECK (bank_line IS NULL OR kind = 'payment'),
  CONSTRAINT invoice_value_is_not_later CHECK (value_at_ms IS NULL OR (value_at_ms <= created_at_ms AND kind = 'payment'))
) STRICT, WITHOUT ROWID;
-- For the check of what is owed for an order.
CREATE INDEX invoice_entries_by_order ON invoice_entries (order_id);

CREATE INDEX invoice_entries_by_time ON invoice_entries (client_id, currency, created_at_ms);
CREATE INDEX invoice_entries_of_earlier_months ON invoice_entries (client_id, currency, created_at_ms)
  WHERE strftime('%Y-%m', value_at_ms / 1000, 'unixepoch') < strftime('%Y-%m', created_at_ms / 1000, 'unixepoch');
-- The ledgers of the clients.
CREATE INDEX first_invoice_entries ON invoice_entries (client_id, currency) WHERE sequence = 1;

CREATE TRIGGER invoice_entries_are_in_order_of_time BEFORE INSERT ON invoice_entries
WHEN NEW.created_at_ms < (SELECT p.created_at_ms FROM invoice_entries p WHERE p.client_id = NEW.client_id
  AND p.currency = NEW.currency AND p.sequence = NEW.sequence - 1)
BEGIN SELECT RAISE(ABORT, 'invoice_entries_are_in_order_of_time'); END;
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

-- Numbered statements: a client's months in a currency that are closed. They show what is stored here and in the ledgers.
CREATE TABLE statements (
  -- The year of the months.
  series TEXT NOT NULL,
  number INTEGER NOT NULL,
  client_id TEXT NOT NULL REFERENCES clients (id),
  currency TEXT NOT NULL,
  month TEXT NOT NULL,
  -- The end of the month. What is booked later has a later value date.
  to_ms INTEGER NOT NULL,
  -- Who issued it, and to whom, as lines. They stay when the client's settings change.
  sender TEXT NOT NULL,
  addressee TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (client_id, currency, to_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX statements_by_number ON statements (series, number);
CREATE INDEX statements_by_month ON statements (to_ms);
CREATE TRIGGER statement_numbers_have_no_gaps BEFORE INSERT ON statements
WHEN NEW.number <> 1 + coalesce((SELECT max(p.number) FROM statements p WHERE p.series = NEW.series), 0)
BEGIN SELECT RAISE(ABORT, 'statement_numbers_have_no_gaps'); END;
CREATE TRIGGER statements_are_never_changed BEFORE UPDATE ON statements
BEGIN SELECT RAISE(ABORT, 'statements_are_never_changed'); END;
CREATE TRIGGER statements_are_never_deleted BEFORE DELETE ON statements
BEGIN SELECT RAISE(ABORT, 'statements_are_never_deleted'); END;
CREATE TRIGGER credit_of_closed_months_stays BEFORE INSERT ON credit_entries
WHEN NEW.value_at_ms IS NOT NULL AND NEW.value_at_ms < (SELECT max(t.to_ms) FROM statements t
  WHERE t.client_id = NEW.client_id AND t.currency = NEW.currency)
BEGIN SELECT RAISE(ABORT, 'credit_of_closed_months_stays'); END;
CREATE TRIGGER invoices_of_closed_months_stay BEFORE INSERT ON invoice_entries
WHEN NEW.value_at_ms IS NOT NULL AND NEW.value_at_ms < (SELECT max(t.to_ms) FROM statements t
  WHERE t.client_id = NEW.client_id AND t.currency = NEW.currency)
BEGIN SELECT RAISE(ABORT, 'invoices_of_closed_months_stay'); END;
