// The statements of a restore. The reads also run in SQLite, on an export of the lost database.
import { columnsOf, orNull } from "../../platform/db/columns.ts";
import type {
  AuditEntries,
  CreditEntries,
  Events,
  Orders,
  SubOrders,
} from "../../platform/db/schema.ts";
import {
  type Bound,
  type Database,
  expression,
  type RowOf,
  statement,
} from "../../platform/db/statement.ts";
import { INSERT_EVENT } from "../../features/events/queries.ts";
import { IS_DELIVERABLE } from "../../features/fulfilment/queries.ts";
import { TRACKING } from "../../features/fulfilment/shipment.ts";
import { readInChunks } from "../../core/values/chunks.ts";

/** The last number of each kind that was given out. 0 if there is none. */
export type LastIds = Record<
  "orders" | "products" | "variations" | "credentials" | "webhooks" | "auditEntries",
  number
>;

/** The event `data.restored` of a client. */
export interface RestoredClient {
  clientId: string;
  /** The sequence of the last event that is still valid. 0 if none is. */
  lastSequence: number;
  /** The sequence of the event `data.restored`. */
  sequence: number;
}

/** A database whose statements are prepared and run one by one. */
export type Reader = Pick<Database, "prepare">;

// ---- the numbers that were given out

// An id that is reserved in `id_sequences` counts as given out.
const SELECT_LAST_IDS = statement<object, LastIds>()`
  SELECT max(coalesce((SELECT max(id) FROM orders), 0),
      coalesce((SELECT last_id FROM id_sequences WHERE name = 'orders'), 0)) AS orders,
    (SELECT last_id FROM id_sequences WHERE name = 'products') AS products,
    (SELECT last_id FROM id_sequences WHERE name = 'variations') AS variations,
    (SELECT coalesce(max(id), 0) FROM credentials) AS credentials,
    (SELECT coalesce(max(id), 0) FROM webhooks) AS webhooks,
    (SELECT coalesce(max(id), 0) FROM audit_entries) AS auditEntries`;

const SELECT_STAGED_VERSIONS = statement<object, { catalogueId: number; version: number }>()`
  SELECT id AS catalogueId, staged_version AS version FROM catalogues`;

export async function readLastIds(db: Reader): Promise<LastIds> {
  const ids = await SELECT_LAST_IDS.first(db, {});
  if (!ids) throw new Error("a query without a table always has one row");
  return ids;
}

/** The last staged version of each catalogue, by its id. */
export async function readStagedVersions(db: Reader): Promise<Record<string, number>> {
  const rows = await SELECT_STAGED_VERSIONS.all(db, {});
  return Object.fromEntries(rows.map(({ catalogueId, version }) => [catalogueId, version]));
}

// ---- the events that are still valid

const e = columnsOf<Events>("e");
const HEAD = orNull(e("type", "orderId", "suborderSequence", "createdAtMs"));

const LAST_EVENT = {
  clientId: expression<string>()`c.id`,
  sequence: expression<number>()`coalesce(e.sequence, 0)`,
  ...HEAD,
};

/** An event without its data. Two events with the same values are the same. */
export type EventHead = RowOf<typeof LAST_EVENT>;

/** The last event of each client. A client without events has the sequence 0. */
export const SELECT_LAST_EVENTS = statement<object>()`
  SELECT ${LAST_EVENT} FROM clients c LEFT JOIN events e ON e.client_id = c.id
    AND e.sequence = (SELECT max(sequence) FROM events WHERE client_id = c.id)
  ORDER BY c.id`;

/** A number, and how many rows with lower numbers are read. */
export interface Before {
  before: number;
  limit: number;
}

/** The client's last events before the sequence, in descending order. */
export const SELECT_EVENTS_BEFORE = statement<Before & { clientId: string }>()`
  SELECT ${{ ...e("clientId", "sequence"), ...HEAD }} FROM events e
  WHERE e.client_id = ${"clientId"} AND e.sequence < ${"before"}
  ORDER BY e.sequence DESC LIMIT ${"limit"}`;

/** The events `data.restored` after the sequences of clients: `after` is a JSON array of [client id, sequence]. */
export const SELECT_RESTORED = statement<{ after: string }, RestoredClient>()`
  SELECT e.client_id AS clientId, e.sequence, e.data ->> '$.lastSequence' AS lastSequence
  FROM json_each(${"after"}) k CROSS JOIN events e
    ON e.client_id = k.value ->> 0 AND e.sequence > k.value ->> 1
  WHERE e.type = 'data.restored' ORDER BY e.client_id, e.sequence DESC`;

interface ClientAtTime {
  clientId: string;
  /** The last event, and the last one until the time. 0 if there is none. */
  last: number;
  lastUntil: number;
  /** 1 if there is a `data.restored` after the time. */
  isMarked: number;
}

// Reads all events, because they have no index by time. It is only used if there is no export of the lost database.
export const SELECT_CLIENTS_AT = statement<{ timeMs: number }, ClientAtTime>()`
  SELECT c.id AS clientId, coalesce(max(e.sequence), 0) AS last,
    coalesce(max(iif(e.created_at_ms <= ${"timeMs"}, e.sequence, 0)), 0) AS lastUntil,
    coalesce(max(e.created_at_ms > ${"timeMs"} AND e.type = 'data.restored'), 0) AS isMarked
  FROM clients c LEFT JOIN events e ON e.client_id = c.id GROUP BY c.id`;

const SELECT_LAST_CHECK = statement<{ timeMs: number }, { checkedAtMs: number | null }>()`
  SELECT max(created_at_ms) AS checkedAtMs FROM audit_entries
  WHERE created_at_ms > ${"timeMs"} AND subject_type = 'database'`;

/** When a restore was checked last. Null if none was checked after the time. */
export async function readLastCheck(db: Reader, timeMs: number): Promise<number | null> {
  return (await SELECT_LAST_CHECK.first(db, { timeMs }))?.checkedAtMs ?? null;
}

// ---- what restricts access

export interface AccessRow {
  kind: "client" | "credential" | "webhook";
  /** The id of the client, or the number of the credential set or of the endpoint. */
  id: string;
  clientId: string;
  /** `active`, or what restricts the access: `suspended`, `revoked`, `disabled`, `deleted`. */
  status: string;
  /** Two rows with the same id and origin are the same object. */
  origin: string;
  /** The time of the revocation, or the reason why the endpoint is disabled. */
  detail: string | number | null;
  /** JSON: the URL, the event types and the nonce of the secret of an endpoint. Used to detect changes. */
  settings: string | null;
}

export const SELECT_ACCESS = statement<object, AccessRow>()`
  SELECT 'client' AS kind, id, id AS clientId, status, '' AS origin, NULL AS detail, NULL AS settings
  FROM clients
  UNION ALL SELECT 'credential', cast(id AS TEXT), client_id,
    iif(revoked_at_ms IS NULL, 'active', 'revoked'), secret_digest, revoked_at_ms, NULL
  FROM credentials WHERE secret_digest <> ''
  UNION ALL SELECT 'webhook', cast(id AS TEXT), client_id,
    iif(status = 'enabled', 'active', status), cast(created_at_ms AS TEXT), disabled_reason,
    json_array(url, event_types, secret_nonce)
  FROM webhooks WHERE url <> ''`;

const o = columnsOf<Orders>("o");
const s = columnsOf<SubOrders>("s");

const LINK = {
  orderId: o("id").id,
  ...s("sequence"),
  nonce: expression<string>()`o.link_nonce`,
  generation: s("linkGeneration").linkGeneration,
};

/** A gift whose link was renewed, and its present generation. */
export type RenewedLink = RowOf<typeof LINK>;

/** `gifts` is a JSON array of [order id, sequence]. */
const SELECT_LINKS = statement<{ gifts: string }>()`
  SELECT ${LINK} FROM json_each(${"gifts"}) k CROSS JOIN orders o ON o.id = k.value ->> 0
  CROSS JOIN sub_orders s ON s.order_id = o.id AND s.sequence = k.value ->> 1
  WHERE o.link_nonce IS NOT NULL`;

export type GiftKey = [orderId: number, sequence: number];

export const readLinks = (db: Reader, gifts: GiftKey[]) =>
  readInChunks(gifts, (chunk) => SELECT_LINKS.all(db, { gifts: JSON.stringify(chunk) }));

// ---- what was lost

const LOST_EVENT = {
  ...e("clientId", "sequence", "type", "orderId", "suborderSequence", "createdAtMs"),
  ...orNull(o("orderRefId")),
  /** When the order was placed. */
  placedAtMs: orNull(o("createdAtMs")).createdAtMs,
};

export type LostEvent = RowOf<typeof LOST_EVENT>;

/** The events after the sequences of clients: `after` is a JSON array of [client id, sequence]. */
export const SELECT_EVENTS_AFTER = statement<{ after: string }>()`
  SELECT ${LOST_EVENT} FROM json_each(${"after"}) k CROSS JOIN events e
    ON e.client_id = k.value ->> 0 AND e.sequence > k.value ->> 1
  LEFT JOIN orders o ON o.id = e.order_id
  ORDER BY e.client_id, e.sequence`;

const a = columnsOf<AuditEntries>("a");

const CHANGE = a("createdAtMs", "actor", "action", "subjectType", "subject", "clientId", "reason");

export type LostChange = RowOf<typeof CHANGE>;

/** The operators' changes after the entry with this id. */
export const SELECT_CHANGES_AFTER = statement<{ after: number }>()`
  SELECT ${CHANGE} FROM audit_entries a
  WHERE a.id > ${"after"} AND a.subject_type <> 'database' ORDER BY a.id`;

/**
 * The last audit entries before the id, in descending order, without their states. Two entries with the same values are
 * the same.
 */
export const SELECT_ENTRIES_BEFORE = statement<Before>()`
  SELECT ${{ sequence: a("id").id, ...a("createdAtMs", "actor", "action", "subject") }}
  FROM audit_entries a WHERE a.id < ${"before"} ORDER BY a.id DESC LIMIT ${"limit"}`;

const COMPARED_ROWS = 500;

/**
 * The number of the last row below `before` that both databases have. 0 if there is none. Rows are compared whole, because
 * rows after the restore may have the numbers of lost ones.
 */
export async function findLastSame(
  db: Reader,
  lost: Reader,
  before: number,
  read: (from: Reader, page: Before) => Promise<{ sequence: number }[]>,
): Promise<number> {
  for (;;) {
    const page = { before, limit: COMPARED_ROWS };
    const [ours, theirs] = [await read(db, page), await read(lost, page)];
    const known = new Set(theirs.map((each) => JSON.stringify(each)));
    const same = ours.find((each) => known.has(JSON.stringify(each)));
    if (same) return same.sequence;
    const [first, other] = [ours.at(-1), theirs.at(-1)];
    if (!first || !other) return 0;
    // Both pages are complete down to the higher of their lowest numbers.
    before = Math.max(first.sequence, other.sequence);
  }
}

const b = columnsOf<CreditEntries>("b");

const BOOKING = {
  ...b("clientId", "currency", "amountMinor", "note"),
  reference: expression<string>()`b.reference`,
};

export type Booking = RowOf<typeof BOOKING>;

/** The bookings of credit by operators since the time. */
export const SELECT_BOOKINGS_SINCE = statement<{ sinceMs: number }>()`
  SELECT ${BOOKING} FROM credit_accounts a CROSS JOIN credit_entries b
    ON b.client_id = a.client_id AND b.currency = a.currency
  WHERE b.reference IS NOT NULL AND b.created_at_ms >= ${"sinceMs"}
  ORDER BY b.client_id, b.currency, b.sequence`;

/** `bookings` is a JSON array of [client id, currency, reference]. */
const SELECT_BOOKED = statement<{ bookings: string }>()`
  SELECT ${BOOKING} FROM json_each(${"bookings"}) k CROSS JOIN credit_entries b
    ON b.client_id = k.value ->> 0 AND b.currency = k.value ->> 1
    AND b.reference = k.value ->> 2`;

/** Those of the bookings that the database has. */
export const readBooked = (db: Reader, bookings: Booking[]) =>
  readInChunks(bookings, (chunk) => {
    const keys = chunk.map(({ clientId, currency, reference }) => [clientId, currency, reference]);
    return SELECT_BOOKED.all(db, { bookings: JSON.stringify(keys) });
  });

const GIFT = {
  orderId: o("id").id,
  ...s("sequence"),
  ...o("clientId"),
  /** Two orders with the same id and time are the same. */
  placedAtMs: o("createdAtMs").createdAtMs,
  isDeliverable: expression<0 | 1>()`${IS_DELIVERABLE} IS TRUE`,
  shipment: expression<"shipped" | "delivered" | "sent" | null>()`nullif(h.status, 'open')`,
  ...TRACKING,
};

export type GiftState = RowOf<typeof GIFT>;

/** `gifts` is a JSON array of [order id, sequence]. */
const SELECT_GIFTS = statement<{ gifts: string }>()`
  SELECT ${GIFT} FROM json_each(${"gifts"}) k CROSS JOIN orders o ON o.id = k.value ->> 0
  CROSS JOIN sub_orders s ON s.order_id = o.id AND s.sequence = k.value ->> 1
  LEFT JOIN shipments h ON h.order_id = s.order_id AND h.sequence = s.sequence`;

export const readGifts = (db: Reader, gifts: GiftKey[]) =>
  readInChunks(gifts, (chunk) => SELECT_GIFTS.all(db, { gifts: JSON.stringify(chunk) }));

// ---- the writes

export interface RestoreChanges {
  ids: Partial<LastIds>;
  /** By the id of the catalogue. */
  versions: Record<string, number>;
  clients: RestoredClient[];
  /** With the `detail` and the `status` of the lost database. */
  restrictions: AccessRow[];
  links: RenewedLink[];
}

const RESERVE_IDS = statement<{ ids: string }>()`
  INSERT INTO id_sequences (name, last_id)
  SELECT key, value FROM json_each(${"ids"}) WHERE true
  ON CONFLICT (name) DO UPDATE SET last_id = excluded.last_id WHERE excluded.last_id > last_id`;

// SQLite gives a new order the highest id in the table plus 1. After a reservation, the trigger changes the id of the
// first order. No row refers to it at that time. Later orders have higher ids, and only read the reservation.
const RESERVE_ORDER_IDS = statement<object>()`
  CREATE TRIGGER IF NOT EXISTS order_ids_follow_the_reserved_one AFTER INSERT ON orders
  WHEN NEW.id <= (SELECT last_id FROM id_sequences WHERE name = 'orders')
  BEGIN
    UPDATE orders SET id = (SELECT last_id + 1 FROM id_sequences WHERE name = 'orders')
    WHERE id = NEW.id;
  END`;

// Reserves the id with a revoked set that has no secret.
const RESERVE_CREDENTIAL = statement<{ id: number; nowMs: number }>()`
  INSERT INTO credentials (id, client_id, secret_digest, scope, created_at_ms, revoked_at_ms)
  SELECT ${"id"}, c.id, '', 'read', ${"nowMs"}, ${"nowMs"} FROM (SELECT min(id) AS id FROM clients) c
  WHERE c.id IS NOT NULL AND ${"id"} > (SELECT coalesce(max(id), 0) FROM credentials)`;

// Reserves the id with a deleted endpoint that has no URL.
const RESERVE_WEBHOOK = statement<{ id: number; nowMs: number }>()`
  INSERT INTO webhooks (id, client_id, url, status, secret_nonce, position, created_at_ms)
  SELECT ${"id"}, c.id, '', 'deleted', '', 0, ${"nowMs"} FROM (SELECT min(id) AS id FROM clients) c
  WHERE c.id IS NOT NULL AND ${"id"} > (SELECT coalesce(max(id), 0) FROM webhooks)`;

const RESERVE_AUDIT_ENTRY = statement<{ id: number; nowMs: number; actor: string }>()`
  INSERT INTO audit_entries
    (id, created_at_ms, actor, action, subject_type, subject, before, after)
  SELECT ${"id"} + 1, ${"nowMs"}, ${"actor"}, 'restore-check', 'database', 'audit log',
    json_object('lastId', last), json_object('lastId', cast(${"id"} AS INTEGER))
  FROM (SELECT coalesce(max(id), 0) AS last FROM audit_entries) WHERE ${"id"} > last`;

const RAISE_VERSIONS = statement<{ versions: string }>()`
  UPDATE catalogues SET staged_version = k.value FROM json_each(${"versions"}) k
  WHERE catalogues.id = cast(k.key AS INTEGER) AND catalogues.staged_version < k.value`;

const PERMIT_GAP = statement<object>()`DROP TRIGGER events_follow_each_other`;

const INSERT_RESTORED = statement<{ clients: string; nowMs: number }>()`
  ${INSERT_EVENT}
  SELECT c.id, k.value ->> '$.sequence', 'data.restored', NULL, NULL,
    json_object('lastSequence', k.value ->> '$.lastSequence'), ${"nowMs"}
  FROM json_each(${"clients"}) k CROSS JOIN clients c ON c.id = k.value ->> '$.clientId'
  WHERE k.value ->> '$.sequence' >
    (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = c.id)`;

// The trigger `events_follow_each_other` of the initial migration.
const FORBID_GAP = statement<object>()`
CREATE TRIGGER IF NOT EXISTS events_follow_each_other BEFORE INSERT ON events
WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = NEW.client_id)
BEGIN SELECT RAISE(ABORT, 'events_follow_each_other'); END`;

const SUSPEND_AGAIN = statement<{ restrictions: string }>()`
  UPDATE clients SET status = 'suspended' FROM json_each(${"restrictions"}) k
  WHERE k.value ->> '$.kind' = 'client' AND clients.id = k.value ->> '$.id'`;

const REVOKE_AGAIN = statement<{ restrictions: string }>()`
  UPDATE credentials SET revoked_at_ms = k.value ->> '$.detail' FROM json_each(${"restrictions"}) k
  WHERE k.value ->> '$.kind' = 'credential' AND credentials.id = cast(k.value ->> '$.id' AS INTEGER)
    AND credentials.secret_digest = k.value ->> '$.origin' AND credentials.revoked_at_ms IS NULL`;

const STOP_AGAIN = statement<{ restrictions: string }>()`
  UPDATE webhooks SET status = k.value ->> '$.status', disabled_reason = k.value ->> '$.detail'
  FROM json_each(${"restrictions"}) k
  WHERE k.value ->> '$.kind' = 'webhook' AND webhooks.id = cast(k.value ->> '$.id' AS INTEGER)
    AND webhooks.status <> 'deleted'`;

const RENEW_AGAIN = statement<{ links: string }>()`
  UPDATE sub_orders SET link_generation = k.value ->> '$.generation' FROM json_each(${"links"}) k
  WHERE sub_orders.order_id = k.value ->> '$.orderId' AND sub_orders.sequence = k.value ->> '$.sequence'
    AND sub_orders.link_generation < k.value ->> '$.generation'
    AND EXISTS (SELECT 1 FROM orders
      WHERE id = k.value ->> '$.orderId' AND link_nonce = k.value ->> '$.nonce')`;

/** Writes all changes in one transaction. Writing them again changes nothing. */
export async function writeRestore(
  db: Database,
  { ids, versions, clients, restrictions, links }: RestoreChanges,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  // An id of 0 reserves nothing.
  const { credentials = 0, webhooks = 0, auditEntries = 0, ...sequences } = ids;
  const access = { restrictions: JSON.stringify(restrictions) };
  const writes: Bound<never>[] = [
    RESERVE_IDS.bind(db, { ids: JSON.stringify(sequences) }),
    ...(sequences.orders === undefined ? [] : [RESERVE_ORDER_IDS.bind(db, {})]),
    RESERVE_CREDENTIAL.bind(db, { id: credentials, nowMs }),
    RESERVE_WEBHOOK.bind(db, { id: webhooks, nowMs }),
    RESERVE_AUDIT_ENTRY.bind(db, { id: auditEntries, actor, nowMs }),
    RAISE_VERSIONS.bind(db, { versions: JSON.stringify(versions) }),
    PERMIT_GAP.bind(db, {}),
    INSERT_RESTORED.bind(db, { clients: JSON.stringify(clients), nowMs }),
    FORBID_GAP.bind(db, {}),
    SUSPEND_AGAIN.bind(db, access),
    REVOKE_AGAIN.bind(db, access),
    STOP_AGAIN.bind(db, access),
    RENEW_AGAIN.bind(db, { links: JSON.stringify(links) }),
  ];
  await db.batch(writes);
}
