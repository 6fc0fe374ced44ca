-- Events and webhooks, e-mails, the audit log and the state of the cron handler.

-- What happened to a client's orders, gifts and credit, for GET /api/events and for webhooks. Each event is inserted in
-- the transaction of the change that it reports. The sequence of each client has no gaps. An event contains no personal
-- data.
CREATE TABLE events (
  client_id TEXT NOT NULL REFERENCES clients (id),
  sequence INTEGER NOT NULL,
  type TEXT NOT NULL,
  order_id INTEGER REFERENCES orders (id),
  -- The sequence of the gift in its order, for events of one gift.
  gift_sequence INTEGER,
  -- JSON: values that the order does not have, such as the amount of a refund.
  data TEXT,
  -- 1 for the event of a placement, which its order names, and for those of e-mails, which have their own table.
  -- Otherwise null.
  named_elsewhere INTEGER,
  created_at_ms INTEGER NOT NULL,
  PRIMARY KEY (client_id, sequence),
  CONSTRAINT gift_events_have_an_order CHECK (gift_sequence IS NULL OR order_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- All events of an order but those that are named elsewhere. So placements and e-mails write no row of the index.
CREATE INDEX events_by_order ON events (order_id, sequence)
  WHERE order_id IS NOT NULL AND named_elsewhere IS NULL;
CREATE INDEX failed_emails_by_time ON events (created_at_ms) WHERE type = 'gift.email_failed';

-- A `data.restored` follows the sequences that events of a lost database may have.
CREATE TRIGGER events_follow_each_other BEFORE INSERT ON events
WHEN NEW.type <> 'data.restored'
  AND NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = NEW.client_id)
BEGIN SELECT RAISE(ABORT, 'events_follow_each_other'); END;
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events_are_never_changed'); END;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events_are_never_deleted'); END;

-- Changes of products of which not all clients of the catalogue have the events yet. The cron handler inserts the events,
-- for a few clients at a time, and deletes the row when the last client has them.
CREATE TABLE product_changes (
  id INTEGER PRIMARY KEY,
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  -- JSON: an array of [change, product id, variation id or null], at most about 500. `added` is the change of
  -- `product.added`. Publications leave the variation out. For a collection: [type of the event, null, null, its id].
  changes TEXT NOT NULL,
  -- The clients up to this id have the events.
  last_client_id TEXT NOT NULL DEFAULT '',
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX product_changes_by_catalogue ON product_changes (catalogue_id);

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
  -- A redelivery of all events since a sequence. It is pending while the position is less than `redelivery_until`, the
  -- position before it. `redelivery_from` is the position to which it was moved back.
  redelivery_from INTEGER,
  redelivery_until INTEGER,
  created_at_ms INTEGER NOT NULL,
  CONSTRAINT disabled_webhooks_have_a_reason CHECK (status <> 'disabled' OR disabled_reason IS NOT NULL)
) STRICT;
CREATE UNIQUE INDEX webhooks_by_url ON webhooks (client_id, url) WHERE status <> 'deleted';
CREATE INDEX webhooks_by_client ON webhooks (client_id, id) WHERE status <> 'deleted';
CREATE INDEX failing_webhooks ON webhooks (client_id, id)
  WHERE status <> 'deleted' AND (failing_since_ms IS NOT NULL OR disabled_reason = 'failing' OR disabled_reason = 'gone');

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
  CONSTRAINT pending_deliveries_have_a_next_attempt
    CHECK ((status = 'pending') = (next_attempt_at_ms IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_deliveries_by_status ON webhook_deliveries (webhook_id, status, sequence);
CREATE INDEX undelivered_webhook_deliveries ON webhook_deliveries (webhook_id, sequence)
  WHERE status <> 'delivered' AND attempts > 0;
-- The index is partial, so that an event that is delivered at the first attempt is not written to it.
CREATE INDEX webhook_deliveries_by_next_attempt
  ON webhook_deliveries (webhook_id, next_attempt_at_ms) WHERE next_attempt_at_ms IS NOT NULL;

-- The e-mails to recipients, each with its last attempt.
CREATE TABLE emails (
  order_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  -- Numbers the e-mails of a gift.
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- `sending`: it is given to the e-mail service. `retry`: an attempt follows. `failed`: it was not sent. All others: it was
  -- sent, and what the receiving server has reported.
  status TEXT NOT NULL,
  -- From when the e-mail was to be sent. Distinguishes an invitation from a repeated one.
  due_ms INTEGER NOT NULL,
  link_generation INTEGER NOT NULL,
  -- The number of attempts whose outcome is stored.
  attempts INTEGER NOT NULL,
  attempted_at_ms INTEGER NOT NULL,
  next_attempt_at_ms INTEGER,
  -- The digest of the client and the address, by which the e-mails of a day are counted. Null if it does not count.
  address_digest TEXT,
  -- The id that the e-mail service has assigned. Null if the e-mail was not sent.
  message_id TEXT,
  -- The class of the failure. Null if there is none.
  reason TEXT,
  -- JSON: the message, in the sandbox only, where nothing is sent.
  message TEXT,
  -- How often the e-mail was given to the service again, because a killed run had perhaps sent it.
  repeats INTEGER NOT NULL DEFAULT 0,
  -- Whether the gift has got another address since.
  address_changed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (order_id, sequence, number),
  FOREIGN KEY (order_id, sequence) REFERENCES gifts (order_id, sequence),
  CONSTRAINT email_retries_have_a_time CHECK ((status = 'retry') = (next_attempt_at_ms IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX emails_by_message ON emails (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX emails_by_address ON emails (address_digest, attempted_at_ms) WHERE address_digest IS NOT NULL;
-- Those whose outcome is not stored yet.
CREATE INDEX emails_being_sent ON emails (order_id, sequence) WHERE status = 'sending';
-- When the gift is accepted, declined or ends, the e-mail that was planned before is not sent any more: a time that the same
-- statement sets stays. The same when its e-mails are stopped, but the outbox decides again about a gift that is sent, whose
-- code may still follow. An e-mail with no attempt yet, which the e-mail service has held back, is deleted, also when the gift
-- gets another address.
CREATE TRIGGER ended_gifts_get_no_emails AFTER UPDATE OF redemption_status, declined_at_ms, emails_stopped, erased_at_ms,
  email, delivery_email ON gifts
WHEN NEW.redemption_status IS NOT OLD.redemption_status OR NEW.emails_stopped IS NOT OLD.emails_stopped
  OR NEW.erased_at_ms IS NOT OLD.erased_at_ms OR (NEW.declined_at_ms IS NOT NULL AND OLD.declined_at_ms IS NULL)
  OR coalesce(NEW.delivery_email, NEW.email) <> coalesce(OLD.delivery_email, OLD.email)
BEGIN
  DELETE FROM emails WHERE order_id = NEW.order_id AND sequence = NEW.sequence AND status = 'retry' AND attempts = 0;
  UPDATE emails SET address_changed = 1
  WHERE coalesce(NEW.delivery_email, NEW.email) <> coalesce(OLD.delivery_email, OLD.email)
    AND order_id = NEW.order_id AND sequence = NEW.sequence AND address_changed = 0;
  UPDATE gifts SET next_email_ms = iif(NEW.emails_stopped IS NOT OLD.emails_stopped AND fulfilment IS NOT NULL,
    next_email_ms - 1, NULL)
  WHERE order_id = NEW.order_id AND sequence = NEW.sequence AND next_email_ms = OLD.next_email_ms
    AND (NEW.redemption_status IS NOT OLD.redemption_status OR NEW.emails_stopped <> ifnull(OLD.emails_stopped, '')
      OR NEW.erased_at_ms IS NOT NULL OR NEW.declined_at_ms IS NOT NULL);
END;

-- The state of sending. One run at a time sends e-mails: the one that has the lease.
CREATE TABLE email_outbox (
  id INTEGER PRIMARY KEY,
  lease_id TEXT,
  lease_until_ms INTEGER,
  -- Nothing is sent before this time, because the e-mail service has refused all e-mails.
  paused_until_ms INTEGER,
  -- The code of that refusal, and how many followed each other. Null if the last e-mail was accepted.
  fault TEXT,
  faults INTEGER NOT NULL DEFAULT 0,
  CONSTRAINT outbox_is_one_row CHECK (id = 1)
) STRICT;

INSERT INTO email_outbox (id) VALUES (1);

-- The addresses whose owners have complained about an e-mail: their digests. Nothing is sent to them.
CREATE TABLE email_complaints (
  address_digest TEXT PRIMARY KEY,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The audit log: who changed what with the operator's commands.
-- An entry is inserted in the transaction of the change that it records. It contains the changed object's state before
-- and after the change, without personal data of recipients and without secrets.
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  created_at_ms INTEGER NOT NULL,
  -- The name that the operator gave with --as, or the e-mail address of the console's user.
  actor TEXT NOT NULL,
  -- The command, such as 'order cancel'. The console uses the same names.
  action TEXT NOT NULL,
  -- The id of the confirmed request, which is carried out at most once. Null for a command.
  request_id TEXT,
  -- A keyed digest of the request's operator, action and input. An id belongs to one request.
  request_fingerprint TEXT,
  -- The changed object, such as 'gift' and 'GO-00042-3'.
  subject_type TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- The client and the order that the object belongs to. Null if it belongs to none.
  client_id TEXT REFERENCES clients (id),
  order_id INTEGER REFERENCES orders (id),
  reason TEXT,
  -- JSON objects. Null if the object did not exist.
  before TEXT,
  after TEXT,
  -- The events of the client that the change has inserted. It has inserted none if the first one comes after the last one.
  first_event INTEGER,
  last_event INTEGER,
  CONSTRAINT audited_states_differ CHECK (before IS NOT after)
) STRICT;
CREATE INDEX audit_entries_by_time ON audit_entries (created_at_ms);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, created_at_ms);
CREATE INDEX audit_entries_by_client ON audit_entries (client_id, created_at_ms) WHERE client_id IS NOT NULL;
CREATE INDEX audit_entries_by_client_and_actor ON audit_entries (client_id, actor, created_at_ms)
  WHERE client_id IS NOT NULL;
CREATE INDEX audit_entries_by_order ON audit_entries (order_id, created_at_ms) WHERE order_id IS NOT NULL;
-- A gradual change, of which several transactions belong to one request, changes each object once, but an account with each
-- overpayment of a file.
CREATE UNIQUE INDEX audit_entries_by_request_id
  ON audit_entries (request_id, subject_type, subject, iif(subject_type = 'account', id, 0))
  WHERE request_id IS NOT NULL;

CREATE TRIGGER audit_entries_are_never_changed BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries_are_never_changed'); END;
CREATE TRIGGER audit_entries_are_never_deleted BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries_are_never_deleted'); END;

-- The requests that have changed anything, each inserted by the transaction of the change. If a request is sent twice, the
-- transaction of the second attempt fails, also if each would create another object.
CREATE TABLE audit_requests (
  request_id TEXT PRIMARY KEY,
  -- A random id of the attempt that has carried it out. Later attempts of a gradual change carry out the rest.
  attempt_id TEXT NOT NULL
) STRICT;

-- The states before the change, from the first statement of a batch to the last. It is empty between transactions.
CREATE TABLE audit_snapshots (
  subject_type TEXT NOT NULL,
  -- A client may have so many revoked credential sets that their states exceed the size of a row.
  part INTEGER NOT NULL,
  -- JSON: an array of [subject, client_id, order_id, state].
  subjects TEXT NOT NULL,
  PRIMARY KEY (subject_type, part)
) STRICT;

-- The state of the cron handler, and the result of the last checks of the invariants, for `ops health` and GET /health.
CREATE TABLE health (
  id INTEGER PRIMARY KEY,
  -- When a run of the cron handler last succeeded. Null if none has.
  cron_succeeded_at_ms INTEGER,
  -- JSON. Null if the checks have never run to their end.
  last_check TEXT,
  CONSTRAINT health_is_one_row CHECK (id = 1)
) STRICT;

INSERT INTO health (id) VALUES (1);
