-- The audit log: who changed what with the operator's commands.

-- An entry is inserted in the transaction of the change that it records. It contains the changed object's state before
-- and after the change, without personal data of recipients and without secrets.
CREATE TABLE audit_entries (
  id INTEGER PRIMARY KEY,
  created_at_ms INTEGER NOT NULL,
  -- The name that the operator gave with --as.
  actor TEXT NOT NULL,
  -- The command, such as 'order cancel'.
  action TEXT NOT NULL,
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
  CONSTRAINT audited_states_are_json CHECK (json_valid(before) AND json_valid(after)),
  CONSTRAINT audited_states_differ CHECK (before IS NOT after)
) STRICT;
CREATE INDEX audit_entries_by_time ON audit_entries (created_at_ms);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor, created_at_ms);
CREATE INDEX audit_entries_by_client ON audit_entries (client_id, created_at_ms) WHERE client_id IS NOT NULL;
CREATE INDEX audit_entries_by_order ON audit_entries (order_id, created_at_ms) WHERE order_id IS NOT NULL;

CREATE TRIGGER audit_entries_are_never_changed BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries_are_never_changed'); END;
CREATE TRIGGER audit_entries_are_never_deleted BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries_are_never_deleted'); END;

-- The states before the change, from the first statement of a batch to the last. It is empty between transactions.
CREATE TABLE audit_snapshots (
  subject_type TEXT PRIMARY KEY,
  -- JSON: an array of [subject, client_id, order_id, state].
  subjects TEXT NOT NULL,
  CONSTRAINT audit_snapshots_are_json CHECK (json_valid(subjects))
) STRICT;
