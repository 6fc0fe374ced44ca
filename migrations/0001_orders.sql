-- Clients with their credential sets, and their orders with gifts, shipments and codes.

CREATE TABLE clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'active',
  billing TEXT NOT NULL,
  fee_basis_points INTEGER NOT NULL,
  default_currency TEXT NOT NULL,
  catalogue_id INTEGER NOT NULL REFERENCES catalogues (id),
  branding TEXT,
  -- The address on the gift page to which recipients write for help. Null for the deployment's.
  support_email TEXT,
  -- The client's privacy notice, which the recipient's page links to. Null for the deployment's.
  privacy_url TEXT,
  -- Whether the client may cancel orders through the API.
  may_cancel INTEGER NOT NULL DEFAULT 1,
  -- The days until the gifts of an order without `redeem_by` expire. Null for never.
  redeem_within_days INTEGER,
  -- 1 if the credit of a declined gift returns to the client.
  refund_declined INTEGER NOT NULL DEFAULT 1,
  -- The days until a gift of a paid order ends that is declined, or whose last day has passed.
  final_after_days INTEGER NOT NULL DEFAULT 7,
  -- The days after its last change when an order without open gifts is erased. Null for never.
  retain_days INTEGER,
  -- The days after an invitation by e-mail when its recipient is reminded. Null for never.
  reminder_days INTEGER DEFAULT 7,
  -- 1 if recipients who were invited by e-mail get one when they have accepted their gift.
  notify_accepted INTEGER NOT NULL DEFAULT 1,
  -- 1 if they get one when their gift is shipped, and when it is delivered.
  notify_shipped INTEGER NOT NULL DEFAULT 1,
  -- 1 if recipients get the codes of digital gifts by e-mail, unless the placement says otherwise.
  send_codes INTEGER NOT NULL DEFAULT 1,
  -- 1 if e-mails show a wrapped gift instead of the product.
  wrap_emails INTEGER NOT NULL DEFAULT 1,
  -- 1 if recipients may choose another variation of their gift at the same price, also without `gift_of_choice`.
  choose_variation INTEGER NOT NULL DEFAULT 1,
  -- 1 if it is stored when a recipient first opens a gift.
  track_opened INTEGER NOT NULL DEFAULT 1,
  -- The address to which recipients' replies to e-mails go. Null for the support address.
  reply_to TEXT,
  -- How texts for recipients address them: formally or informally. Null for each language's usual way.
  register TEXT,
  -- The addressee of statements. Without a legal name, the client's name.
  legal_name TEXT,
  billing_address TEXT,
  tax_number TEXT,
  purchase_order TEXT,
  -- The client that has created this test client in the sandbox. Otherwise null.
  parent_id TEXT REFERENCES clients (id),
  -- By how much the client has advanced its clock in the sandbox. Otherwise 0.
  clock_ms INTEGER NOT NULL DEFAULT 0,
  -- JSON: updated_at_ms, order_id and sequence of the last shipment whose numbers are registered with the carriers' service.
  registered_until TEXT NOT NULL DEFAULT '[0,0,0]',
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX clients_by_catalogue ON clients (catalogue_id);
CREATE INDEX clients_with_retention ON clients (id) WHERE retain_days IS NOT NULL;
CREATE INDEX test_clients ON clients (parent_id, status) WHERE parent_id IS NOT NULL;
-- A client is suspended and resumed with its test clients, except those that it has removed, which have no credentials.
CREATE TRIGGER test_clients_have_the_status_of_their_parent AFTER UPDATE OF status ON clients
WHEN NEW.status <> OLD.status
BEGIN
  UPDATE clients SET status = NEW.status WHERE parent_id = NEW.id AND (NEW.status = 'suspended'
    OR EXISTS (SELECT 1 FROM credentials s WHERE s.client_id = clients.id AND s.revoked_at_ms IS NULL));
END;

-- Only one digest of an API-KEY and its API-PASSWORD is stored.
CREATE TABLE credentials (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  secret_digest TEXT NOT NULL,
  scope TEXT NOT NULL,
  -- A name for people. Null if there is none.
  name TEXT,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER,
  -- The last day (UTC) with a request, such as 2027-01-31. Null if there was none.
  last_used_on TEXT,
  -- 1 if only the orders exist for the set that it has placed.
  own INTEGER NOT NULL DEFAULT 0,
  -- The last characters of the API-KEY, for people.
  key_end TEXT NOT NULL,
  -- The name of a budget: what the client's sets with this name spend counts together. Null for a budget of its own.
  budget TEXT,
  -- JSON: the limits of its orders: [{ period, currency, limitMinor }]. Null for none. With limits, the set cannot order
  -- in other currencies.
  limits TEXT,
  CONSTRAINT only_sets_for_orders_have_limits CHECK (limits IS NULL OR (scope = 'order' AND json_valid(limits))),
  CONSTRAINT only_sets_for_orders_are_restricted
    CHECK ((own = 0 AND budget IS NULL) OR (own IN (0, 1) AND scope = 'order'))
) STRICT;
-- A client may revoke any number of sets, so the active ones are found without them.
CREATE INDEX credentials_by_client ON credentials (client_id, revoked_at_ms);
-- What the orders of credential sets with limits or of a shared budget have cost in a currency, on `day` (UTC) and in its
-- month. The row is that of the next day or month after its first order. Limits that a set gets later start with what its
-- orders of the month have cost.
CREATE TABLE credential_spending (
  client_id TEXT NOT NULL REFERENCES clients (id),
  -- `=` and the name of the budget, or `#` and the id of a set without one.
  budget TEXT NOT NULL,
  currency TEXT NOT NULL,
  day TEXT NOT NULL,
  day_minor INTEGER NOT NULL,
  month_minor INTEGER NOT NULL,
  -- The limits when the amounts were last changed. Null for none.
  day_limit_minor INTEGER,
  month_limit_minor INTEGER,
  PRIMARY KEY (client_id, budget, currency),
  CONSTRAINT spending_stays_within_its_limits
    CHECK (day_minor <= day_limit_minor AND month_minor <= month_limit_minor)
) STRICT, WITHOUT ROWID;

-- Transactions that need active credentials set `last_used_on`, so they are aborted although the cached record of the
-- client still has the credentials.
CREATE TRIGGER revoked_credentials_are_not_used BEFORE UPDATE OF last_used_on ON credentials
WHEN OLD.revoked_at_ms IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'revoked_credentials_are_not_used'); END;
CREATE TRIGGER suspended_clients_use_no_credentials BEFORE UPDATE OF last_used_on ON credentials
WHEN (SELECT status FROM clients WHERE id = OLD.client_id) = 'suspended'
BEGIN SELECT RAISE(ABORT, 'suspended_clients_use_no_credentials'); END;

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES clients (id),
  order_ref_id TEXT,
  placement_id TEXT,
  request_digest TEXT,
  -- The partner's name for what the order belongs to.
  campaign TEXT,
  -- The credential set that placed the order. Null if none did.
  credential_id INTEGER,
  gift_order_method TEXT NOT NULL,
  status TEXT NOT NULL,
  gift_of_choice TEXT NOT NULL,
  -- The collection from which recipients choose. Null for the whole catalogue. It may have been removed since.
  collection_id TEXT,
  branding_selected TEXT NOT NULL,
  branding TEXT,
  -- The person who sends the gifts, shown beside the company. Null for the company alone.
  sender_name TEXT,
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
  -- Gift links are derived from the order's id and from these two columns. A restored database assigns the same order
  -- ids again, and the nonce distinguishes orders with the same id. The key id identifies the GIFT_LINK_SECRET of the
  -- links. Null means the current secret.
  link_nonce TEXT,
  link_key_id TEXT,
  -- From when the recipients are invited by e-mail. Null if the partner sends the links.
  send_at_ms INTEGER,
  -- JSON: the partner's own keys and values.
  metadata TEXT,
  -- 1 if recipients get the codes of digital gifts by e-mail. 0 if the partner delivers them.
  send_codes INTEGER NOT NULL DEFAULT 1,
  -- What the order took when it was placed: 0 nothing, because the stock was not tracked, 1 pieces, 2 codes. Only what was
  -- taken returns to the stock when a gift ends or its recipient chooses another one. The stock may have changed since.
  took_stock INTEGER NOT NULL DEFAULT 0,
  -- Triggers count the redeemed gifts.
  redeemed_gifts INTEGER NOT NULL DEFAULT 0,
  cancelled_gifts INTEGER NOT NULL DEFAULT 0,
  expired_gifts INTEGER NOT NULL DEFAULT 0,
  shipped_gifts INTEGER NOT NULL DEFAULT 0,
  -- 1 if each gift of a paid order is shipped (bought outright), is redeemed (other orders), or has ended. Lists of
  -- gifts to ship or to redeem read the orders with 0.
  finished INTEGER NOT NULL AS (status = 'paid' AND qty = cancelled_gifts + expired_gifts
    + iif(gift_order_method = 'api-purchase', shipped_gifts, redeemed_gifts)),
  -- The attempt that has paid or ended the order last. The other statements of its batch select the order by it.
  attempt_id TEXT,
  -- The ledger entry that debited the order. Null if the order was not paid from credit when it was placed.
  debit_sequence INTEGER,
  -- What its ended gifts have returned to the client's credit, or taken off what the client owes.
  refunded_minor INTEGER NOT NULL DEFAULT 0,
  -- What the client still owes for an order on invoice. A negative amount is to be refunded. Null for other orders.
  owed_minor INTEGER,
  -- The sequence of the event of its placement. Null if the order was not placed by the API.
  placed_sequence INTEGER,
  -- When the gifts of the order expire. Null for never.
  expires_at_ms INTEGER,
  -- When the cron handler next inserts reminders or ends gifts. Null if it has nothing to do.
  next_expiry_check_ms INTEGER,
  -- The reminders until this time are inserted. Null if the order was not checked since it was placed.
  expiry_checked_ms INTEGER,
  -- When the data of the last recipient and the free texts of the order were erased. Null if they were not.
  erased_at_ms INTEGER,
  -- JSON: the notes of the staff, oldest first.
  staff_notes TEXT,
  created_at_ms INTEGER NOT NULL,
  -- Null if the order has not changed since it was placed.
  updated_at_ms INTEGER,
  FOREIGN KEY (product_id, product_revision) REFERENCES product_revisions (product_id, revision),
  -- Refuses a change whose rows have changed since they were read.
  CONSTRAINT changes_are_current CHECK (updated_at_ms >= 0),
  CONSTRAINT order_status_known CHECK (status IN ('failed', 'created', 'paid', 'cancieled')),
  CONSTRAINT gift_order_method_known
    CHECK (gift_order_method IN ('email', 'direct', 'link', 'api-purchase', 'api-giftlink')),
  CONSTRAINT qty_positive CHECK (qty >= 1),
  CONSTRAINT subtotal_adds_up CHECK (subtotal_minor = product_price_minor * qty),
  CONSTRAINT order_total_adds_up
    CHECK (order_total_minor = subtotal_minor + shipping_cost_minor + order_fee_minor),
  CONSTRAINT api_orders_carry_their_reference CHECK (
    gift_order_method NOT IN ('api-purchase', 'api-giftlink')
    OR (order_ref_id IS NOT NULL AND placement_id IS NOT NULL AND request_digest IS NOT NULL)
  ),
  CONSTRAINT gift_link_orders_have_a_nonce
    CHECK (gift_order_method <> 'api-giftlink' OR link_nonce IS NOT NULL),
  CONSTRAINT took_stock_known CHECK (took_stock BETWEEN 0 AND 2),
  CONSTRAINT closed_gifts_in_range CHECK (redeemed_gifts >= 0 AND cancelled_gifts >= 0 AND expired_gifts >= 0
    AND redeemed_gifts + cancelled_gifts + expired_gifts <= qty),
  CONSTRAINT shipped_gifts_in_range CHECK (shipped_gifts BETWEEN 0 AND qty),
  CONSTRAINT refunds_do_not_exceed_the_total CHECK (refunded_minor BETWEEN 0 AND order_total_minor),
  CONSTRAINT erased_orders_have_no_data CHECK (erased_at_ms IS NULL
    OR (sender_name IS NULL AND link_message IS NULL AND metadata IS NULL AND staff_notes IS NULL))
) STRICT;
CREATE UNIQUE INDEX orders_by_reference ON orders (client_id, order_ref_id);
-- The lists of orders, newest first. A list reads one range of an index for each status and method.
CREATE INDEX orders_by_status ON orders (client_id, status, gift_order_method, created_at_ms);
-- The index is partial, so that only an order of a campaign is written to it.
CREATE INDEX orders_by_campaign ON orders (client_id, campaign, status, gift_order_method, created_at_ms)
  WHERE campaign IS NOT NULL;
-- The orders on invoice that are to be refunded, which are few.
CREATE INDEX orders_to_refund ON orders (client_id, gift_order_method, created_at_ms) WHERE owed_minor < 0;
CREATE INDEX orders_with_open_gifts ON orders (client_id, status, gift_order_method, created_at_ms)
  WHERE qty > redeemed_gifts + cancelled_gifts + expired_gifts;
CREATE INDEX orders_with_redeemed_gifts ON orders (client_id, status, gift_order_method, created_at_ms)
  WHERE redeemed_gifts > 0;
CREATE INDEX orders_with_cancelled_gifts ON orders (client_id, status, gift_order_method, created_at_ms)
  WHERE cancelled_gifts > 0;
CREATE INDEX orders_with_expired_gifts ON orders (client_id, status, gift_order_method, created_at_ms)
  WHERE expired_gifts > 0;
-- The orders of all clients, for operators.
CREATE INDEX orders_by_status_and_time ON orders (status, gift_order_method, created_at_ms);
CREATE INDEX orders_to_ship ON orders (client_id, created_at_ms) WHERE redeemed_gifts > shipped_gifts
  OR (gift_order_method = 'api-purchase' AND status = 'paid' AND finished = 0);
-- The index is partial, so that an order without an expiry is not written to it.
CREATE INDEX orders_by_expiry_check
  ON orders (next_expiry_check_ms) WHERE next_expiry_check_ms IS NOT NULL;
-- The orders of which no gift is open or to be shipped, by their last change. The index is partial: the statement that
-- ends or ships the last gift of an order writes a row of it, and placements and redemptions write none. `qty` is on
-- the left of its comparison, because SQLite would exchange the two sides in queries and then not recognise the
-- condition.
CREATE INDEX orders_to_erase ON orders (client_id, coalesce(updated_at_ms, created_at_ms))
  WHERE erased_at_ms IS NULL AND (qty = cancelled_gifts + expired_gifts + shipped_gifts
    OR ((status = 'failed' OR status = 'cancieled') AND shipped_gifts >= redeemed_gifts));

-- The id of a gift is the order's id * 1000 + its sequence, and must be an exact integer too. The trigger runs
-- after the insert, because an id that SQLite assigns is not available before.
CREATE TRIGGER order_id_in_range AFTER INSERT ON orders WHEN NEW.id > 9007199254739
BEGIN SELECT RAISE(ABORT, 'order_id_in_range'); END;

-- One row for each gift. The rows of an order are stored next to each other. The public id is
-- order_id * 1000 + sequence, so it needs no column.
CREATE TABLE gifts (
  order_id INTEGER NOT NULL REFERENCES orders (id),
  sequence INTEGER NOT NULL,
  first_name TEXT NOT NULL,
  last_name TEXT NOT NULL,
  email TEXT NOT NULL,
  phone_number TEXT,
  -- The language of the recipient: a BCP 47 tag. Null if the partner has not set one.
  language TEXT,
  email_message TEXT,
  delivery_address TEXT,
  delivery_notes TEXT,
  -- The recipient's correction of `email`, for a digital gift. Null if the gift is sent to `email`.
  delivery_email TEXT,
  -- The partner's id of the recipient, and JSON with the partner's own keys and values.
  external_id TEXT,
  metadata TEXT,
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER REFERENCES variations (id),
  -- The revision of the product that the recipient chose. Null if the recipient has not chosen another gift.
  selected_revision TEXT,
  -- What the gift took instead, as in its order: for another product, which the recipient chose, or after its code was
  -- voided. Null as the order says.
  took_stock INTEGER,
  -- What the gift costs, constant from its placement. The sums of an order's gifts are the amounts of the order.
  product_minor INTEGER NOT NULL,
  shipping_minor INTEGER NOT NULL,
  fee_minor INTEGER NOT NULL,
  -- What the end of the gift has returned to the client's credit, or taken off what the client owes.
  refunded_minor INTEGER NOT NULL DEFAULT 0,
  -- When the recipient first opened the gift. Null if that was not seen, or must not be stored.
  opened_at_ms INTEGER,
  redemption_status TEXT,
  redeemed_at_ms INTEGER,
  -- The submission that redeemed the gift. Of two concurrent submissions, only that one changes the stock.
  redemption_id TEXT,
  -- The request that ended the gift. The other statements of its batch select the gift by it. Null if none did.
  ending_id TEXT,
  -- When the recipient declined the gift, which closes it until it is cancelled. Null for all other gifts.
  declined_at_ms INTEGER,
  -- The gifts by which an operator has replaced this one, and that this one replaces. Null if there are none.
  swapped_to INTEGER,
  swapped_from INTEGER,
  -- The recipient's note to the sender, and its time. A note is written once.
  thank_you TEXT,
  thanked_at_ms INTEGER,
  -- How often the gift link has been renewed. Only the link with this generation is valid.
  link_generation INTEGER NOT NULL DEFAULT 0,
  -- From when the recipient is invited by e-mail, or invited again. Null as the order says.
  send_at_ms INTEGER,
  -- Why the recipient gets no further e-mails about the gift. Null if there is no such reason.
  emails_stopped TEXT,
  -- When the gift expires. Null if it expires with its order.
  expires_at_ms INTEGER,
  -- shipped: the gift is shipped, delivered or sent. undelivered: its parcel is returned or failed. Null if it has not left.
  fulfilment TEXT,
  -- 1 if its vendor was notified that it is to be shipped.
  vendor_told INTEGER NOT NULL DEFAULT 0,
  -- The credential set that has cancelled, corrected, renewed or sent the gift last. Null if none has.
  credential_id INTEGER,
  -- How often the recipient's data was corrected.
  corrections INTEGER NOT NULL DEFAULT 0,
  -- When the personal data of the recipient was erased. Null if it was not.
  erased_at_ms INTEGER,
  -- JSON: by the names of columns, the terms by which the gift is found. Triggers keep its rows of search_terms equal.
  search_terms TEXT,
  -- When the outbox looks at the gift, and sends the e-mail that is due. Null if none is planned.
  next_email_ms INTEGER,
  -- The order's client, by which planned e-mails are found.
  client_id TEXT,
  -- JSON: the notes of the staff, oldest first.
  staff_notes TEXT,
  PRIMARY KEY (order_id, sequence),
  CONSTRAINT sequence_in_range CHECK (sequence BETWEEN 1 AND 999),
  -- For IN with three values, SQLite would fill and read a temporary table for each inserted row, which is billed.
  CONSTRAINT redemption_status_known CHECK (redemption_status = 'redeemed' OR redemption_status = 'cancelled'
    OR redemption_status = 'expired'),
  CONSTRAINT link_generation_in_range CHECK (link_generation BETWEEN 0 AND 999),
  CONSTRAINT gift_took_stock_known CHECK (took_stock BETWEEN 0 AND 2),
  CONSTRAINT gift_costs_not_negative CHECK (product_minor >= 0 AND shipping_minor >= 0 AND fee_minor >= 0),
  CONSTRAINT ended_gifts_return_at_most_their_cost CHECK (refunded_minor = 0
    OR (refunded_minor BETWEEN 1 AND product_minor + shipping_minor + fee_minor
      AND (redemption_status IS 'cancelled' OR redemption_status IS 'expired'))),
  CONSTRAINT shipped_gifts_do_not_end CHECK (fulfilment IS NULL
    OR ((fulfilment = 'shipped' OR fulfilment = 'undelivered')
      AND (redemption_status IS NULL OR redemption_status = 'redeemed'))),
  CONSTRAINT redeemed_gifts_are_thanked_for CHECK ((thank_you IS NULL) = (thanked_at_ms IS NULL)
    AND (thank_you IS NULL OR redemption_status = 'redeemed')),
  CONSTRAINT declined_gifts_are_cancelled CHECK (declined_at_ms IS NULL OR redemption_status = 'cancelled'),
  -- Refuses a statement that would store data of an erased recipient again.
  CONSTRAINT erased_recipients_have_no_data CHECK (erased_at_ms IS NULL OR (
    first_name = 'Erased' AND last_name = 'recipient' AND email = '' AND phone_number IS NULL
    AND email_message IS NULL AND delivery_address IS NULL AND delivery_notes IS NULL
    AND external_id IS NULL AND metadata IS NULL AND language IS NULL AND delivery_email IS NULL
    AND thank_you IS NULL AND search_terms IS NULL AND staff_notes IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX planned_emails ON gifts (client_id, next_email_ms) WHERE next_email_ms IS NOT NULL;
-- The redeemed gifts to deliver. The index is partial, so that a placed gift is not written to it.
CREATE INDEX redeemed_gifts_to_ship ON gifts (order_id, sequence)
  WHERE redemption_status = 'redeemed' AND fulfilment IS NULL;
CREATE INDEX undelivered_gifts ON gifts (order_id, sequence) WHERE fulfilment = 'undelivered';

CREATE TRIGGER redeemed_gifts_are_counted AFTER UPDATE OF redemption_status ON gifts
WHEN NEW.redemption_status = 'redeemed' AND OLD.redemption_status IS NULL
BEGIN
  UPDATE orders SET redeemed_gifts = redeemed_gifts + 1,
    updated_at_ms = max(coalesce(updated_at_ms, 0), NEW.redeemed_at_ms)
  WHERE id = NEW.order_id;
END;
-- The operator may cancel a redeemed gift that is not shipped.
CREATE TRIGGER cancelled_redemptions_are_uncounted AFTER UPDATE OF redemption_status ON gifts
WHEN OLD.redemption_status = 'redeemed' AND NEW.redemption_status = 'cancelled'
BEGIN
  UPDATE orders SET redeemed_gifts = redeemed_gifts - 1 WHERE id = NEW.order_id;
END;
-- The shipment was reopened, or the gift with an undelivered parcel is cancelled or shipped again.
CREATE TRIGGER undone_shipments_are_uncounted AFTER UPDATE OF fulfilment ON gifts
WHEN OLD.fulfilment IS NOT NULL AND NEW.fulfilment IS NULL
BEGIN
  UPDATE orders SET shipped_gifts = shipped_gifts - 1 WHERE id = NEW.order_id;
  UPDATE gifts SET vendor_told = 0 WHERE order_id = NEW.order_id AND sequence = NEW.sequence AND vendor_told = 1;
END;
-- A new last day of an order applies to all its gifts. The clock of the sandbox moves `expiry_checked_ms` too, and keeps
-- the last days of single gifts.
CREATE TRIGGER gifts_expire_with_their_order AFTER UPDATE OF expires_at_ms ON orders
WHEN NEW.expiry_checked_ms IS OLD.expiry_checked_ms
BEGIN
  UPDATE gifts SET expires_at_ms = NULL WHERE order_id = NEW.id AND expires_at_ms IS NOT NULL;
END;

-- What operators find gifts by, and partners the gifts of a person. A row with the sequence 0 is of the whole order, all
-- others are those of a gift's `search_terms`. The key is also the order of a partner's list: newest orders first. D1 cannot
-- export a database with a virtual table, so this is not FTS5.
CREATE TABLE search_terms (
  -- Folded: in lower case and without accents.
  term TEXT NOT NULL,
  client_id TEXT NOT NULL,
  order_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  -- The column that contains the term.
  kind TEXT NOT NULL,
  PRIMARY KEY (term, client_id, order_id DESC, sequence, kind)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER changed_gifts_are_found AFTER UPDATE OF search_terms ON gifts
WHEN NEW.search_terms IS NOT OLD.search_terms
BEGIN
  DELETE FROM search_terms
  WHERE term IN (SELECT t.value FROM json_each(OLD.search_terms) c, json_each(c.value) t)
    AND client_id = (SELECT client_id FROM orders WHERE id = OLD.order_id)
    AND order_id = OLD.order_id AND sequence = OLD.sequence
    AND NOT EXISTS (SELECT 1 FROM json_each(NEW.search_terms, '$.' || kind) WHERE value = term);
  INSERT OR IGNORE INTO search_terms
  SELECT t.value, o.client_id, o.id, NEW.sequence, c.key
  FROM orders o CROSS JOIN json_each(NEW.search_terms) c CROSS JOIN json_each(c.value) t WHERE o.id = NEW.order_id;
END;

-- The shipment of a gift, from the moment that it is shipped or sent. An open shipment has no row, unless it was
-- shipped and opened again.
CREATE TABLE shipments (
  order_id INTEGER NOT NULL REFERENCES orders (id),
  sequence INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  status TEXT NOT NULL,
  carrier TEXT,
  tracking_number TEXT,
  -- It may have {tracking_number} instead of the number.
  tracking_url TEXT,
  -- When the parcel was shipped or the digital gift was sent.
  shipped_at_ms INTEGER,
  delivered_at_ms INTEGER,
  -- Why the parcel is returned or failed.
  problem TEXT,
  -- Greater than that of all earlier changes of the client's shipments.
  updated_at_ms INTEGER NOT NULL,
  -- The request that changed the shipment last. The other statements of its batch select the shipment by it.
  change_id TEXT NOT NULL,
  -- JSON: the earlier carriers, tracking and times of the shipment, oldest first. Null if it was never corrected or
  -- reopened.
  earlier_tracking TEXT,
  -- JSON: the last report of the carrier about each parcel, by its number. Null before the first one.
  carrier_answers TEXT,
  PRIMARY KEY (order_id, sequence),
  -- For IN with three values, SQLite would fill and read a temporary table for each inserted row, which is billed.
  CONSTRAINT shipment_status_known CHECK (status = 'shipped' OR status = 'delivered' OR status = 'sent'
    OR status = 'open' OR status = 'returned' OR status = 'failed'),
  CONSTRAINT shipment_has_its_time CHECK ((status = 'open') = (shipped_at_ms IS NULL)),
  -- A delivered parcel may be returned later.
  CONSTRAINT delivery_has_its_time CHECK (status = 'returned' OR status = 'failed'
    OR (status = 'delivered') = (delivered_at_ms IS NOT NULL)),
  CONSTRAINT undelivered_parcels_have_a_problem
    CHECK ((status = 'returned' OR status = 'failed') = (problem IS NOT NULL)),
  CONSTRAINT only_parcels_have_tracking CHECK ((status <> 'open' AND status <> 'sent')
    OR (carrier IS NULL AND tracking_number IS NULL AND tracking_url IS NULL))
) STRICT, WITHOUT ROWID;
-- A parcel that is believed to be lost may still arrive.
CREATE TRIGGER undelivered_gifts_are_marked AFTER UPDATE OF problem ON shipments
WHEN NEW.status <> 'open' AND (NEW.problem IS NULL) <> (OLD.problem IS NULL)
BEGIN
  UPDATE gifts SET fulfilment = iif(NEW.problem IS NULL, 'shipped', 'undelivered')
  WHERE order_id = NEW.order_id AND sequence = NEW.sequence;
END;
CREATE INDEX shipments_by_update ON shipments (client_id, updated_at_ms);
CREATE INDEX shipments_by_status ON shipments (client_id, status, updated_at_ms);

-- What a digital gift consists of: a code, a PIN or a link, uploaded in advance or given by an operator with the shipment. A
-- gift gets its code in the transaction in which it is owed: its order is paid (bought outright) or its recipient accepts it.
-- Free codes of a product = its stock + its gifts that are sold and not yet owed.
CREATE TABLE codes (
  id INTEGER PRIMARY KEY,
  product_id INTEGER NOT NULL REFERENCES products (id),
  variation_id INTEGER NOT NULL DEFAULT 0,
  -- The upload that it belongs to. Null if an operator gave it with the shipment.
  batch TEXT,
  -- Code, PIN and link, encrypted (src/features/codes/seal.ts), and the id of the key. Empty after an erasure. Test codes of
  -- the sandbox have the key `test` and no content.
  sealed TEXT NOT NULL,
  key_id TEXT NOT NULL,
  -- A keyed digest of the code. Null if only a link was given with a shipment, which may be the same for many gifts.
  fingerprint TEXT,
  -- The first moment at which it is no longer valid. Null for never.
  expires_at_ms INTEGER,
  -- The gift. Null while the code is free.
  order_id INTEGER,
  sequence INTEGER,
  bound_at_ms INTEGER,
  -- When the recipient first saw it on the gift page.
  opened_at_ms INTEGER,
  -- A void code is not given out any more, and not shown. Its reason has no personal data.
  voided_at_ms INTEGER,
  void_reason TEXT,
  created_at_ms INTEGER NOT NULL,
  FOREIGN KEY (order_id, sequence) REFERENCES gifts (order_id, sequence),
  CONSTRAINT code_is_bound_with_its_time CHECK ((order_id IS NULL) = (bound_at_ms IS NULL)
    AND (order_id IS NULL) = (sequence IS NULL) AND (bound_at_ms IS NOT NULL OR opened_at_ms IS NULL)),
  CONSTRAINT void_codes_have_a_reason CHECK ((voided_at_ms IS NULL) = (void_reason IS NULL))
) STRICT;
CREATE UNIQUE INDEX codes_by_fingerprint ON codes (fingerprint) WHERE fingerprint IS NOT NULL;
-- A gift has at most one code that is not void.
CREATE UNIQUE INDEX codes_by_gift ON codes (order_id, sequence, iif(voided_at_ms IS NULL, 0, id)) WHERE order_id IS NOT NULL;
-- Those that expire first come first. Codes without a last day come last.
CREATE INDEX free_codes ON codes (product_id, variation_id, coalesce(expires_at_ms, 9007199254740991), id)
  WHERE order_id IS NULL AND voided_at_ms IS NULL;
CREATE INDEX codes_by_batch ON codes (product_id, variation_id, batch, coalesce(expires_at_ms, 9007199254740991));
CREATE INDEX codes_by_key ON codes (key_id) WHERE sealed <> '';
CREATE INDEX codes_by_binding ON codes (product_id, variation_id, bound_at_ms) WHERE bound_at_ms IS NOT NULL;

CREATE TRIGGER bound_codes_stay_bound BEFORE UPDATE OF order_id, sequence ON codes
WHEN OLD.order_id IS NOT NULL AND (NEW.order_id IS NOT OLD.order_id OR NEW.sequence IS NOT OLD.sequence)
BEGIN SELECT RAISE(ABORT, 'bound_codes_stay_bound'); END;
CREATE TRIGGER void_codes_stay_void BEFORE UPDATE OF order_id, voided_at_ms ON codes
WHEN OLD.voided_at_ms IS NOT NULL AND (NEW.voided_at_ms IS NULL OR NEW.order_id IS NOT OLD.order_id)
BEGIN SELECT RAISE(ABORT, 'void_codes_stay_void'); END;
-- As many free codes as gifts that are sold and not yet owed stay: `stock_not_negative` refuses to void them.
CREATE TRIGGER void_codes_leave_the_stock AFTER UPDATE OF voided_at_ms ON codes
WHEN OLD.order_id IS NULL AND OLD.voided_at_ms IS NULL AND NEW.voided_at_ms IS NOT NULL
BEGIN
  UPDATE stock SET quantity = quantity - 1 WHERE product_id = NEW.product_id
    AND variation_id = NEW.variation_id AND code_days IS NOT NULL AND quantity IS NOT NULL;
END;
