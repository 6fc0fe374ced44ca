-- The event log, webhooks, and the columns and index of the list of orders.

-- What happened to a client's orders, gifts and credit, for GET /api/events and for webhooks. Each event is inserted in
-- the transaction of the change that it reports. The sequence of each client has no gaps. An event contains no personal data.
CREATE TABLE events (
  client_id TEXT NOT NULL REFERENCES clients (id),
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  order_id INTEGER REFERENCES orders (id),
  -- The sequence of the sub-order in its order, for events of one gift.
  suborder_sequence INTEGER,
  -- JSON: values that the order does not have, such as the amount of a refund.
  data TEXT,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (client_id, sequence),
  CONSTRAINT event_data_is_json CHECK (json_valid(data)),
  CONSTRAINT gift_events_have_an_order CHECK (suborder_sequence IS NULL OR order_id IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER events_follow_each_other BEFORE INSERT ON events
WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = NEW.client_id)
BEGIN SELECT RAISE(ABORT, 'events_follow_each_other'); END;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events_are_never_changed'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events_are_never_deleted'); END;

-- Partners' webhook endpoints. A deleted endpoint keeps its row, so that its id is not used again.
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  url TEXT NOT NULL,
  description TEXT,
  -- JSON array. Null means all types.
  event_types TEXT,
  status TEXT NOT NULL DEFAULT 'enabled',
  -- Why the endpoint is disabled. Null if it is not.
  disabled_reason TEXT,
  -- The secret is derived from the nonce and WEBHOOK_SECRET. After a rotation, the previous secret is used too until
  -- the given time.
  secret_nonce TEXT NOT NULL,
  previous_secret_nonce TEXT,
  previous_secret_until_ms INTEGER,
  -- The last event that has been attempted or is excluded by `event_types`.
  position INTEGER NOT NULL,
  -- The time of the first of the consecutive failed attempts, and their number.
  failing_since_ms INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  -- No attempts before this time, because the endpoint sent Retry-After.
  paused_until_ms INTEGER,
  -- The id of the run that sends events to the endpoint. Other runs skip the endpoint until the lease ends.
  lease_id TEXT,
  lease_until_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  CONSTRAINT webhook_status_known CHECK (status IN ('enabled', 'disabled', 'deleted')),
  CONSTRAINT disabled_webhooks_have_a_reason CHECK (status <> 'disabled' OR disabled_reason IS NOT NULL),
  CONSTRAINT event_types_are_json CHECK (json_valid(event_types))
) STRICT;
CREATE UNIQUE INDEX webhooks_by_url ON webhooks (client_id, url) WHERE status <> 'deleted';

-- The last attempt to send an event to an endpoint.
CREATE TABLE webhook_deliveries (
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id),
  sequence INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  attempted_at_ms INTEGER,
  next_attempt_at_ms INTEGER,
  -- Null if there was no response.
  response_status INTEGER,
  duration_ms INTEGER,
  -- The beginning of the response's body, or the reason why there was no response.
  response_text TEXT,
  PRIMARY KEY (webhook_id, sequence),
  CONSTRAINT delivery_status_known CHECK (status IN ('pending', 'delivered', 'failed')),
  CONSTRAINT pending_deliveries_have_a_next_attempt
    CHECK ((status = 'pending') = (next_attempt_at_ms IS NOT NULL))
) STRICT, WITHOUT ROWID;
-- The index is partial, so that an event that is delivered at the first attempt is not written to it.
CREATE INDEX webhook_deliveries_by_next_attempt
  ON webhook_deliveries (webhook_id, next_attempt_at_ms) WHERE next_attempt_at_ms IS NOT NULL;

-- For the list of orders. Null if the order has not changed since it was placed.
ALTER TABLE orders ADD COLUMN updated_at_ms INTEGER;
ALTER TABLE orders ADD COLUMN redeemed_gifts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE orders ADD COLUMN cancelled_gifts INTEGER NOT NULL DEFAULT 0
  CONSTRAINT closed_gifts_in_range CHECK (redeemed_gifts >= 0 AND cancelled_gifts >= 0
    AND redeemed_gifts + cancelled_gifts <= qty);

UPDATE orders SET redeemed_gifts = closed.redeemed, cancelled_gifts = closed.cancelled,
  updated_at_ms = max(orders.created_at_ms, coalesce(closed.redeemed_at_ms, 0), coalesce(
    (SELECT max(e.created_at_ms) FROM credit_entries e WHERE e.order_id = orders.id), 0))
FROM (
  SELECT order_id, sum(redemption_status = 'redeemed') AS redeemed,
    sum(redemption_status = 'cancelled') AS cancelled, max(redeemed_at_ms) AS redeemed_at_ms
  FROM sub_orders WHERE redemption_status IS NOT NULL GROUP BY order_id
) closed
WHERE orders.id = closed.order_id;

-- A trigger counts redemptions, because during a deployment the previous Worker still redeems gifts.
CREATE TRIGGER redeemed_gifts_are_counted AFTER UPDATE OF redemption_status ON sub_orders
WHEN NEW.redemption_status = 'redeemed' AND OLD.redemption_status IS NULL
BEGIN
  UPDATE orders SET redeemed_gifts = redeemed_gifts + 1,
    updated_at_ms = max(coalesce(updated_at_ms, 0), NEW.redeemed_at_ms)
  WHERE id = NEW.order_id;
END;

-- Status and method come before the time, so that a list of any status and method is a range of the index.
CREATE INDEX orders_by_client ON orders (client_id, status, gift_order_method, created_at_ms);

-- The ledger entry that debited the order. Null if the order was not paid from credit when it was placed. It replaces
-- the unique index on debits, so that placing an order writes no index of the ledger.
ALTER TABLE orders ADD COLUMN debit_sequence INTEGER;

UPDATE orders SET debit_sequence = e.sequence
FROM credit_entries e WHERE e.order_id = orders.id AND e.kind = 'order';

DROP INDEX credit_entries_by_order;
CREATE UNIQUE INDEX credit_cancellations_by_order
  ON credit_entries (order_id) WHERE kind = 'cancellation';

-- During a deployment, the previous Worker still places orders, without `debit_sequence`. The trigger sets it.
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

-- The event `credit.low` reports a balance below this amount. Null for no event.
ALTER TABLE credit_accounts ADD COLUMN alert_below_minor INTEGER;
-- Whether the event has been inserted since the balance was last at or above the amount.
ALTER TABLE credit_accounts ADD COLUMN alerted INTEGER NOT NULL DEFAULT 0
  CONSTRAINT alerted_is_boolean CHECK (alerted IN (0, 1));
CREATE INDEX credit_accounts_with_alert
  ON credit_accounts (client_id, currency) WHERE alert_below_minor IS NOT NULL;
