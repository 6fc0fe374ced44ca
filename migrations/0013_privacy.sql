-- Erasure of personal data: at a person's request, and after the retention period of a client.

-- When the personal data of the recipient was erased. Null if it was not. The constraint refuses a statement that would
-- store data of an erased recipient again, also one of an older Worker.
ALTER TABLE sub_orders ADD COLUMN erased_at_ms INTEGER
  CONSTRAINT erased_recipients_have_no_data CHECK (erased_at_ms IS NULL OR (
    first_name = 'Erased' AND last_name = 'recipient' AND email = '' AND phone_number IS NULL
    AND email_message IS NULL AND delivery_address IS NULL AND delivery_notes IS NULL
    AND external_id IS NULL AND metadata IS NULL AND language IS NULL AND delivery_email IS NULL
    AND thank_you IS NULL));

-- When the data of the last recipient and the free texts of the order were erased. Null if they were not.
ALTER TABLE orders ADD COLUMN erased_at_ms INTEGER
  CONSTRAINT erased_orders_have_no_data CHECK (erased_at_ms IS NULL
    OR (sender_name IS NULL AND link_message IS NULL AND metadata IS NULL));

-- The days after its last change when an order without open gifts is erased. Null for never.
ALTER TABLE clients ADD COLUMN retain_days INTEGER
  CONSTRAINT retain_days_in_range CHECK (retain_days BETWEEN 30 AND 3650);
CREATE INDEX clients_with_retention ON clients (id) WHERE retain_days IS NOT NULL;

-- The orders of which no gift is open or to be shipped, by their last change. The index is partial: the statement that
-- ends or ships the last gift of an order writes a row of it, and placements and redemptions write none. `qty` is on the
-- left of its comparison, because SQLite would exchange the two sides in queries and then not recognise the condition.
CREATE INDEX orders_to_erase ON orders (client_id, coalesce(updated_at_ms, created_at_ms))
  WHERE erased_at_ms IS NULL AND (qty = cancelled_gifts + expired_gifts + shipped_gifts
    OR ((status = 'failed' OR status = 'cancieled') AND shipped_gifts >= redeemed_gifts));
