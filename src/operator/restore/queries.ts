// The statements of `restore prepare`, which reads what a restore must not undo, and of `restore finish`, which writes it.
import { INSERT_EVENT } from "../../features/events/queries.ts";
import { bindErasure } from "../../features/privacy/queries.ts";
import { columnsOf } from "../../platform/db/columns.ts";
import type { Codes } from "../../platform/db/schema.ts";
import {
  type Bound,
  type Database,
  fragment,
  rawSql,
  type RowOf,
  sql,
} from "../../platform/db/sql.ts";
import { ADDRESS_REFUSED } from "../../core/values/email-kinds.ts";
import { chunksOf, readInChunks } from "../../core/values/chunks.ts";
import { type LastIds, readLastIds, reservationOf } from "../region/queries.ts";

/** A suspended client, a revoked credential set, or an endpoint that is disabled or deleted. */
interface Restriction {
  kind: "client" | "credential" | "webhook";
  id: string | number;
  clientId: string;
  status: "suspended" | "revoked" | "disabled" | "deleted";
  /** Two objects with the same kind, id and origin are the same. */
  origin: string | number;
  /** The time of the revocation, or the reason why the endpoint is disabled. */
  detail: string | number | null;
}

/** A gift whose link was renewed, whose e-mails are stopped, or whose recipient is erased. */
export interface ChangedGift {
  /** The gift's id. Two gifts with the same id, nonce and time are the same. */
  id: number;
  nonce: string | null;
  placedAtMs: number;
  linkGeneration: number;
  emailsStopped: string | null;
  isErased: 0 | 1;
  hasShipment: 0 | 1;
}

/** A code that was given out or made void. It is recognised by its id, time and product, or by its fingerprint. */
const USED_CODE = columnsOf<Codes>("c")(
  ...(["id", "productId", "variationId", "keyId", "fingerprint", "createdAtMs"] as const),
);

/** What a restore must not undo. */
export interface RestoreState {
  ids: Partial<LastIds>;
  catalogues: { id: number; version: number }[];
  /** The last event of each client. */
  events: { clientId: string; sequence: number }[];
  restrictions: Restriction[];
  complaints: { digest: string; createdAtMs: number }[];
  codes: RowOf<typeof USED_CODE>[];
  gifts: ChangedGift[];
}

// ---- the reads

const SELECT_VERSIONS = sql<object, RestoreState["catalogues"][number]>()`
  SELECT id, staged_version AS version FROM catalogues`;

const SELECT_LAST_EVENTS = sql<object, RestoreState["events"][number]>()`
  SELECT id AS clientId,
    coalesce((SELECT max(sequence) FROM events WHERE client_id = c.id), 0) AS sequence
  FROM clients c`;

/** The numbers that the database has given out. */
export async function readNumbers(db: Database) {
  const ids = await readLastIds(db);
  const catalogues = await SELECT_VERSIONS.all(db, {});
  return { ids, catalogues, events: await SELECT_LAST_EVENTS.all(db, {}) };
}

// A set that was revoked before `sinceMs` is revoked in every state to which the database can be restored. The same
// applies to complaints and erasures.
const SELECT_RESTRICTIONS = sql<{ sinceMs: number }, Restriction>()`
  SELECT 'client' AS kind, id, id AS clientId, status, created_at_ms AS origin, NULL AS detail
  FROM clients WHERE status = 'suspended'
  UNION ALL SELECT 'credential', id, client_id, 'revoked', secret_digest, revoked_at_ms
  FROM credentials WHERE revoked_at_ms >= ${"sinceMs"}
  UNION ALL SELECT 'webhook', id, client_id, status, created_at_ms, disabled_reason
  FROM webhooks WHERE status <> 'enabled'`;

const SELECT_COMPLAINTS = sql<{ sinceMs: number }, RestoreState["complaints"][number]>()`
  SELECT address_digest AS digest, created_at_ms AS createdAtMs FROM email_complaints
  WHERE created_at_ms >= ${"sinceMs"}`;

const SELECT_LAST_OF_PAGE = sql<{ after: number; limit: number }, { last: number | null }>()`
  SELECT max(id) AS last
  FROM (SELECT id FROM orders WHERE id > ${"after"} ORDER BY id LIMIT ${"limit"})`;

const SELECT_CHANGED = sql<{ after: number; last: number; sinceMs: number }, ChangedGift>()`
  SELECT o.id * 1000 + s.sequence AS id, o.link_nonce AS nonce, o.created_at_ms AS placedAtMs,
    s.link_generation AS linkGeneration, s.emails_stopped AS emailsStopped,
    coalesce(s.erased_at_ms >= ${"sinceMs"}, 0) AS isErased, s.has_shipment AS hasShipment
  FROM orders o CROSS JOIN gifts s ON s.order_id = o.id
  WHERE o.id > ${"after"} AND o.id <= ${"last"}
    AND (s.link_generation > 0 OR s.emails_stopped IS NOT NULL OR s.erased_at_ms >= ${"sinceMs"})`;

/** The orders of a statement that reads, and the rows of one that writes. */
const PAGE = 5_000;

async function readChangedGifts(db: Database, sinceMs: number): Promise<ChangedGift[]> {
  const gifts: ChangedGift[] = [];
  for (let after = 0; ;) {
    const page = await SELECT_LAST_OF_PAGE.first(db, { after, limit: PAGE });
    if (!page || page.last === null) return gifts;
    gifts.push(...(await SELECT_CHANGED.all(db, { after, last: page.last, sinceMs })));
    after = page.last;
  }
}

// A link that was given with a shipment has no fingerprint, and belongs to no stock.
const SELECT_USED = sql<{ after: number; sinceMs: number; limit: number }>()`
  SELECT ${USED_CODE} FROM codes c WHERE c.id > ${"after"} AND c.fingerprint IS NOT NULL
    AND (c.bound_at_ms >= ${"sinceMs"} OR c.voided_at_ms >= ${"sinceMs"})
  ORDER BY c.id LIMIT ${"limit"}`;

async function readUsedCodes(db: Database, sinceMs: number) {
  const codes: RestoreState["codes"] = [];
  for (let after = 0; ;) {
    const page = await SELECT_USED.all(db, { after, sinceMs, limit: PAGE });
    codes.push(...page);
    if (page.length < PAGE) return codes;
    after = page.at(-1)?.id ?? 0;
  }
}

/** `sinceMs`: the earliest time to which the database may be restored. */
export const readRestoreState = async (db: Database, sinceMs: number): Promise<RestoreState> => ({
  ...(await readNumbers(db)),
  restrictions: await SELECT_RESTRICTIONS.all(db, { sinceMs }),
  complaints: await SELECT_COMPLAINTS.all(db, { sinceMs }),
  codes: await readUsedCodes(db, sinceMs),
  gifts: await readChangedGifts(db, sinceMs),
});

const SELECT_LAST_FINISH = sql<{ timeMs: number }, { finishedAtMs: number | null }>()`
  SELECT max(created_at_ms) AS finishedAtMs FROM audit_entries
  WHERE created_at_ms > ${"timeMs"} AND subject_type = 'database' AND action = 'restore finish'`;

/** When a restore was finished last. Null if none was finished after the time. */
export const readLastFinish = async (db: Database, timeMs: number): Promise<number | null> =>
  (await SELECT_LAST_FINISH.first(db, { timeMs }))?.finishedAtMs ?? null;

interface Rows {
  /** JSON array. */
  rows: string;
}

/** The rows of gifts that the restored database has. */
const SAME_GIFT = fragment`
  json_each(${"rows"}) k CROSS JOIN gifts s
    ON s.order_id = (k.value ->> '$.id') / 1000 AND s.sequence = (k.value ->> '$.id') % 1000
  CROSS JOIN orders o ON o.id = s.order_id AND o.link_nonce IS k.value ->> '$.nonce'
    AND o.created_at_ms = k.value ->> '$.placedAtMs'`;

const SELECT_UNERASED = sql<Rows, Pick<ChangedGift, "id" | "hasShipment">>()`
  SELECT k.value ->> '$.id' AS id, k.value ->> '$.hasShipment' AS hasShipment
  FROM ${SAME_GIFT} WHERE k.value ->> '$.isErased' AND s.erased_at_ms IS NULL`;

/** The erased gifts whose recipients the database has again. */
export const readUnerased = (db: Database, gifts: ChangedGift[]) =>
  readInChunks(gifts, (chunk) => SELECT_UNERASED.all(db, { rows: JSON.stringify(chunk) }));

// ---- the writes

const RESERVE_AUDIT_ENTRY = sql<{ id: number; nowMs: number; actor: string }>()`
  INSERT INTO audit_entries
    (id, created_at_ms, actor, action, subject_type, subject, before, after)
  SELECT ${"id"} + 1, ${"nowMs"}, ${"actor"}, 'restore finish', 'database', 'audit log',
    json_object('lastId', last), json_object('lastId', cast(${"id"} AS INTEGER))
  FROM (SELECT coalesce(max(id), 0) AS last FROM audit_entries) WHERE ${"id"} > last`;

const RAISE_VERSIONS = sql<Rows>()`
  UPDATE catalogues SET staged_version = k.value ->> '$.version' FROM json_each(${"rows"}) k
  WHERE catalogues.id = k.value ->> '$.id' AND catalogues.staged_version < k.value ->> '$.version'`;

const PERMIT_GAP = sql<object>()`DROP TRIGGER IF EXISTS events_follow_each_other`;

const INSERT_RESTORED = sql<Rows & { nowMs: number }>()`
  ${INSERT_EVENT}
  SELECT c.id, (k.value ->> '$.sequence') + 1, 'data.restored', NULL, NULL,
    json_object('lastSequence',
      (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = c.id)), ${"nowMs"}
  FROM json_each(${"rows"}) k CROSS JOIN clients c ON c.id = k.value ->> '$.clientId'
  WHERE k.value ->> '$.sequence' >
    (SELECT coalesce(max(sequence), 0) FROM events WHERE client_id = c.id)`;

// The trigger `events_follow_each_other` of the initial migration.
const FORBID_GAP = sql<object>()`
CREATE TRIGGER IF NOT EXISTS events_follow_each_other BEFORE INSERT ON events
WHEN NEW.sequence <> (SELECT coalesce(max(sequence), 0) + 1 FROM events WHERE client_id = NEW.client_id)
BEGIN SELECT RAISE(ABORT, 'events_follow_each_other'); END`;

const SUSPEND = sql<Rows>()`
  UPDATE clients SET status = 'suspended' FROM json_each(${"rows"}) k
  WHERE k.value ->> '$.kind' = 'client' AND clients.id = k.value ->> '$.id'
    AND clients.created_at_ms = k.value ->> '$.origin'`;

const REVOKE = sql<Rows>()`
  UPDATE credentials SET revoked_at_ms = k.value ->> '$.detail' FROM json_each(${"rows"}) k
  WHERE k.value ->> '$.kind' = 'credential' AND credentials.id = k.value ->> '$.id'
    AND credentials.secret_digest = k.value ->> '$.origin' AND credentials.revoked_at_ms IS NULL`;

const STOP = sql<Rows>()`
  UPDATE webhooks SET status = k.value ->> '$.status', disabled_reason = k.value ->> '$.detail'
  FROM json_each(${"rows"}) k
  WHERE k.value ->> '$.kind' = 'webhook' AND webhooks.id = k.value ->> '$.id'
    AND webhooks.created_at_ms = k.value ->> '$.origin' AND webhooks.status <> 'deleted'`;

const INSERT_COMPLAINTS = sql<Rows>()`
  INSERT OR IGNORE INTO email_complaints (address_digest, created_at_ms)
  SELECT k.value ->> '$.digest', k.value ->> '$.createdAtMs' FROM json_each(${"rows"}) k`;

// A code that is free again expires now: the cron handler makes it void, unless sold gifts need the number of free codes. A
// code that is lost is known if it is uploaded again.
const KEEP_CODES_USED = sql<Rows & { nowMs: number }>()`
  INSERT INTO codes (id, product_id, variation_id, sealed, key_id, fingerprint, voided_at_ms, void_reason, created_at_ms)
  SELECT k.value ->> '$.id', p.id, k.value ->> '$.variationId', '', k.value ->> '$.keyId', k.value ->> '$.fingerprint',
    ${"nowMs"}, 'used before the restore', k.value ->> '$.createdAtMs'
  FROM json_each(${"rows"}) k CROSS JOIN products p ON p.id = k.value ->> '$.productId' WHERE 1
  ON CONFLICT (id) DO UPDATE SET expires_at_ms = min(coalesce(expires_at_ms, ${"nowMs"}), ${"nowMs"})
    WHERE order_id IS NULL AND voided_at_ms IS NULL AND created_at_ms = excluded.created_at_ms
      AND product_id = excluded.product_id
  ON CONFLICT (fingerprint) WHERE fingerprint IS NOT NULL DO NOTHING`;

const ADDRESS = rawSql(ADDRESS_REFUSED);

// E-mails that were stopped for good stay so when the gift gets another address.
const PROTECT_GIFTS = sql<Rows>()`
  UPDATE gifts
  SET link_generation = max(link_generation, t.generation), emails_stopped = iif(
    t.stopped IS NOT NULL AND (emails_stopped IS NULL
      OR (emails_stopped IN (${ADDRESS}) AND t.stopped NOT IN (${ADDRESS}))),
    t.stopped, emails_stopped)
  FROM (SELECT o.id AS order_id, s.sequence, k.value ->> '$.linkGeneration' AS generation,
      k.value ->> '$.emailsStopped' AS stopped FROM ${SAME_GIFT}) t
  WHERE gifts.order_id = t.order_id AND gifts.sequence = t.sequence`;

/** Writes the state apart from that of gifts in one transaction. Writing it again changes nothing. */
export async function writeRestore(
  db: Database,
  { ids, catalogues, events, restrictions, complaints, codes }: Omit<RestoreState, "gifts">,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  // An id of 0 reserves nothing.
  const { auditEntries = 0, ...sequences } = ids;
  const inChunks = (items: object[], bind: (rows: string) => Bound<never>) =>
    [...chunksOf(items, PAGE)].map((chunk) => bind(JSON.stringify(chunk)));
  await db.batch([
    ...reservationOf(db, sequences),
    RESERVE_AUDIT_ENTRY.bind(db, { id: auditEntries, actor, nowMs }),
    ...inChunks(catalogues, (rows) => RAISE_VERSIONS.bind(db, { rows })),
    PERMIT_GAP.bind(db, {}),
    ...inChunks(events, (rows) => INSERT_RESTORED.bind(db, { rows, nowMs })),
    FORBID_GAP.bind(db, {}),
    ...[SUSPEND, REVOKE, STOP].flatMap((restrict) =>
      inChunks(restrictions, (rows) => restrict.bind(db, { rows })),
    ),
    ...inChunks(complaints, (rows) => INSERT_COMPLAINTS.bind(db, { rows })),
    ...inChunks(codes, (rows) => KEEP_CODES_USED.bind(db, { rows, nowMs })),
  ]);
}

/**
 * Replaces links, stops e-mails and erases finished gifts again. `unerased`: the ids of gifts to erase. One transaction.
 * Safe to repeat.
 */
export const writeProtection = (
  db: Database,
  gifts: readonly ChangedGift[],
  unerased: readonly number[],
  nowMs: number,
) =>
  db.batch([
    PROTECT_GIFTS.bind(db, { rows: JSON.stringify(gifts) }),
    ...bindErasure(db, unerased, nowMs),
  ]);
