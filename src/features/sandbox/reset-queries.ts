// The statements of a reset. Events, ledger entries and the audit log refer to orders and are never deleted. So an order is
// erased and goes to another client, whose id is the client's with a `~` (DECISIONS.md: A reset removes orders from their
// client).
import { type Json, parseJson } from "../../platform/db/columns.ts";
import { batch, type Database, fragment, statement } from "../../platform/db/statement.ts";
import { INSERT_EVENT } from "../events/queries.ts";
import { ERASURE } from "../privacy/queries.ts";

interface ResetParams {
  clientId: string;
  nowMs: number;
  /** JSON array of order ids. */
  ids: string;
}

type ChunkParams = Pick<ResetParams, "clientId" | "ids">;

/** An order to remove, with the addresses of its recipients who have complained about an e-mail. */
export interface RemovedOrder {
  id: number;
  complained: string[];
}

const SELECT_CHUNK = statement<
  { clientId: string; limit: number },
  { id: number; complained: Json<string[]> }
>()`
  SELECT id, (SELECT json_group_array(email) FROM sub_orders
    WHERE order_id = id AND emails_stopped = 'complained') AS complained
  FROM (SELECT id, qty, sum(qty) OVER (ORDER BY created_at_ms, id) AS gifts
    FROM (SELECT id, qty, created_at_ms FROM orders WHERE client_id = ${"clientId"}
      ORDER BY created_at_ms, id LIMIT ${"limit"}))
  WHERE gifts <= ${"limit"} OR gifts = qty`;

/** The client's first orders with at most `limit` gifts, or one if it has more. One round trip. */
export async function findOrders(
  db: Database,
  params: { clientId: string; limit: number },
): Promise<RemovedOrder[]> {
  const rows = await SELECT_CHUNK.all(db, params);
  return rows.map(({ id, complained }) => ({ id, complained: parseJson(complained) }));
}

/** The orders of the chunk that another request has not removed. */
const ORDERS = fragment`
  json_each(${"ids"}) v CROSS JOIN orders o ON o.id = v.value AND o.client_id = ${"clientId"}`;
const ORDER_IDS = fragment`(SELECT o.id FROM ${ORDERS})`;

const INSERT_OWNER = statement<Pick<ResetParams, "clientId">>()`
  INSERT OR IGNORE INTO clients (id, name, status, billing, fee_basis_points, default_currency,
    catalogue_id, branding, created_at_ms)
  SELECT id || '~', name, 'suspended', billing, fee_basis_points, default_currency, catalogue_id,
    branding, created_at_ms
  FROM clients WHERE id = ${"clientId"}`;

// As the end of a gift does.
const RETURN_STOCK = statement<ChunkParams>()`
  UPDATE stock SET quantity = quantity + back.pieces
  FROM (SELECT s.product_id, coalesce(s.variation_id, 0) AS variation_id, count(*) AS pieces
    FROM ${ORDERS} CROSS JOIN sub_orders s ON s.order_id = o.id
    WHERE s.has_shipment = 0 AND coalesce(s.took_stock, o.took_stock) = 1
      AND (s.redemption_status = 'redeemed'
        OR (s.redemption_status IS NULL AND o.status IN ('created', 'paid')))
    GROUP BY s.product_id, coalesce(s.variation_id, 0)) back
  WHERE stock.product_id = back.product_id AND stock.variation_id = back.variation_id
    AND stock.quantity IS NOT NULL`;

const DELETE_WAKES = statement<ChunkParams>()`DELETE FROM email_wakes WHERE order_id IN ${ORDER_IDS}`;

const DELETE_EMAILS = statement<ChunkParams>()`DELETE FROM emails WHERE order_id IN ${ORDER_IDS}`;

const MOVE_SHIPMENTS = statement<ChunkParams>()`
  UPDATE shipments SET client_id = client_id || '~', ${ERASURE.shipment}
  WHERE order_id IN ${ORDER_IDS}`;

const ERASE_RECIPIENTS = statement<ResetParams>()`
  UPDATE sub_orders SET erased_at_ms = ${"nowMs"}, ${ERASURE.recipient}
  WHERE order_id IN ${ORDER_IDS} AND erased_at_ms IS NULL`;

const DELETE_COMPLAINTS = statement<{ digests: string }>()`
  DELETE FROM email_complaints WHERE address_digest IN (SELECT value FROM json_each(${"digests"}))`;

// The numbers of ended gifts stay, as the events and the ledger report them. The reference is free again.
const MOVE_ORDERS = statement<ResetParams>()`
  UPDATE orders SET client_id = client_id || '~', order_ref_id = order_ref_id || '~' || id,
    status = iif(status = 'failed', status, 'cancieled'), finished = 0, next_expiry_check_ms = NULL,
    erased_at_ms = ${"nowMs"}, ${ERASURE.order}
  WHERE id IN ${ORDER_IDS}`;

/**
 * Removes these orders of the client, and the complaints of these digests. Safe to repeat. One transaction, one round
 * trip.
 */
export async function removeOrders(
  db: Database,
  chunk: ResetParams & { digests: string },
): Promise<void> {
  await batch(db, {
    owner: INSERT_OWNER.bind(db, chunk),
    stock: RETURN_STOCK.bind(db, chunk),
    wakes: DELETE_WAKES.bind(db, chunk),
    emails: DELETE_EMAILS.bind(db, chunk),
    shipments: MOVE_SHIPMENTS.bind(db, chunk),
    recipients: ERASE_RECIPIENTS.bind(db, chunk),
    complaints: DELETE_COMPLAINTS.bind(db, chunk),
    orders: MOVE_ORDERS.bind(db, chunk),
  });
}

type FinishParams = Omit<ResetParams, "ids">;

const IS_EMPTY = fragment`
  NOT EXISTS (SELECT 1 FROM orders WHERE client_id = ${"clientId"})`;

/** The accounts of the client whose balance is not the amount of their first entry. */
const CHANGED_ACCOUNTS = fragment`
  credit_accounts a JOIN credit_entries f
    ON f.client_id = a.client_id AND f.currency = a.currency AND f.sequence = 1
  WHERE a.client_id = ${"clientId"} AND a.balance_minor <> f.amount_minor AND ${IS_EMPTY}`;

const INSERT_ADJUSTMENTS = statement<FinishParams>()`
  INSERT INTO credit_entries (client_id, currency, sequence, kind, amount_minor, balance_minor,
    reference, note, created_at_ms)
  SELECT a.client_id, a.currency, a.entries + 1, 'adjustment', f.amount_minor - a.balance_minor,
    f.amount_minor, 'sandbox reset ' || lower(hex(randomblob(8))), NULL, ${"nowMs"}
  FROM ${CHANGED_ACCOUNTS}`;

const RESET_ACCOUNTS = statement<Omit<FinishParams, "nowMs">>()`
  UPDATE credit_accounts SET balance_minor = first.amount_minor, entries = credit_accounts.entries + 1
  FROM (SELECT f.currency, f.amount_minor FROM ${CHANGED_ACCOUNTS}) first
  WHERE credit_accounts.client_id = ${"clientId"} AND credit_accounts.currency = first.currency`;

// A repeated reset of an empty sandbox inserts no second event.
const INSERT_EVENT_OF_RESET = statement<FinishParams>()`
  ${INSERT_EVENT}
  SELECT e.client_id, e.sequence + 1, 'data.restored', NULL, NULL, json_object('lastSequence', 0), ${"nowMs"}
  FROM events e WHERE e.client_id = ${"clientId"} AND e.type <> 'data.restored' AND ${IS_EMPTY}
    AND e.sequence = (SELECT max(sequence) FROM events WHERE client_id = ${"clientId"})`;

const RESET_CLOCK = statement<Pick<ResetParams, "clientId">>()`
  UPDATE clients SET clock_ms = 0 WHERE id = ${"clientId"} AND clock_ms <> 0 AND ${IS_EMPTY}`;

const SELECT_EMPTY = statement<Pick<ResetParams, "clientId">, { isEmpty: 0 | 1 }>()`
  SELECT ${IS_EMPTY} AS isEmpty`;

/**
 * Ends the reset if the client has no order: the balances return to the first bookings, and the event reports that no
 * earlier event is valid. Safe to repeat. Returns whether it has no order. One transaction, one round trip.
 */
export async function finishReset(db: Database, params: FinishParams): Promise<boolean> {
  const { empty } = await batch(db, {
    entries: INSERT_ADJUSTMENTS.bind(db, params),
    accounts: RESET_ACCOUNTS.bind(db, params),
    event: INSERT_EVENT_OF_RESET.bind(db, params),
    clock: RESET_CLOCK.bind(db, params),
    empty: SELECT_EMPTY.bind(db, params),
  });
  return empty.results[0]?.isEmpty === 1;
}
