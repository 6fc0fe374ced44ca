// The statements for what a restore of the database must not undo.
import { chunksOf } from "../../core/values/chunks.ts";
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";

export interface Lasting {
  /** The id or number of the object of the operation. */
  object: string | number;
  client?: string | null;
  linkGeneration?: number;
  hasEnded?: 0 | 1 | null;
}

const GIFT = fragment`printf('GO-%05d-%d', s.order_id, s.sequence) AS object`;

type Since = Record<"sinceMs", number>;

// What has no time is listed as it is. Endpoints that fail, codes that expire and addresses that bounce stop by themselves.
const BY_OPERATION = {
  "client suspend": sql<object, Lasting>()`
    SELECT id AS object FROM clients WHERE status = 'suspended'`,

  "credential revoke": sql<Since, Lasting>()`
    SELECT id AS object, client_id AS client FROM credentials WHERE revoked_at_ms >= ${"sinceMs"}`,

  webhook: sql<object, Lasting>()`
    SELECT id AS object FROM webhooks WHERE status = 'deleted' OR disabled_reason = 'client'`,

  "email stop": sql<object, Lasting>()`
    SELECT ${GIFT} FROM gifts s WHERE s.emails_stopped <> 'bounced'`,

  "gift renew": sql<object, Lasting>()`
    SELECT ${GIFT}, s.link_generation AS linkGeneration FROM gifts s WHERE s.link_generation > 0`,

  "recipient erase": sql<Since, Lasting>()`
    SELECT ${GIFT}, s.redemption_status IN ('cancelled', 'expired') AS hasEnded FROM gifts s WHERE s.erased_at_ms >= ${"sinceMs"}`,

  complaint: sql<Since, Lasting>()`
    SELECT address_digest AS object, created_at_ms AS createdAtMs FROM email_complaints
    WHERE created_at_ms >= ${"sinceMs"}`,

  code: sql<Since, Lasting>()`
    SELECT c.id AS object, c.product_id AS productId, c.variation_id AS variationId, c.key_id AS keyId, c.fingerprint,
      c.created_at_ms AS createdAtMs
    FROM codes c WHERE c.fingerprint IS NOT NULL AND c.void_reason IS NOT 'expired'
      AND coalesce(c.voided_at_ms, c.bound_at_ms) >= ${"sinceMs"}`,
};

export type LastingState = Record<keyof typeof BY_OPERATION, Lasting[]>;

export const LASTING = Object.keys(BY_OPERATION) as (keyof LastingState)[];

/** What was revoked, replaced, stopped, erased or used since the time. Reads all gifts and codes. One round trip. */
export async function readLasting(db: Database, sinceMs: number): Promise<LastingState> {
  const statements = LASTING.map((name) => [name, BY_OPERATION[name].bind(db, { sinceMs })]);
  const found = await batch(
    db,
    Object.fromEntries(statements) as Record<string, ReturnType<typeof BY_OPERATION.code.bind>>,
  );
  return Object.fromEntries(
    LASTING.map((name) => [name, found[name]?.results ?? []]),
  ) as LastingState;
}

const INSERT_COMPLAINTS = sql<{ rows: string }>()`
  INSERT OR IGNORE INTO email_complaints (address_digest, created_at_ms)
  SELECT k.value ->> '$.object', k.value ->> '$.createdAtMs' FROM json_each(${"rows"}) k`;

// An endpoint that was deleted is disabled, so that its client can delete it again.
const DISABLE_WEBHOOKS = sql<{ rows: string }>()`
  UPDATE webhooks SET status = 'disabled', disabled_reason = 'client'
  WHERE status = 'enabled' AND id IN (SELECT k.value ->> '$.object' FROM json_each(${"rows"}) k)`;

// A code that is free again expires now: the cron handler makes it void, unless sold gifts need the number of free codes. A
// code that is lost is known if it is uploaded again.
const KEEP_CODES_USED = sql<{ rows: string; nowMs: number }>()`
  INSERT INTO codes (id, product_id, variation_id, sealed, key_id, fingerprint, voided_at_ms, void_reason, created_at_ms)
  SELECT k.value ->> '$.object', p.id, k.value ->> '$.variationId', '', k.value ->> '$.keyId', k.value ->> '$.fingerprint',
    ${"nowMs"}, 'used before the restore', k.value ->> '$.createdAtMs'
  FROM json_each(${"rows"}) k CROSS JOIN products p ON p.id = k.value ->> '$.productId' WHERE 1
  ON CONFLICT (id) DO UPDATE SET expires_at_ms = min(coalesce(expires_at_ms, ${"nowMs"}), ${"nowMs"})
    WHERE order_id IS NULL AND voided_at_ms IS NULL AND created_at_ms = excluded.created_at_ms
      AND product_id = excluded.product_id
  ON CONFLICT (fingerprint) WHERE fingerprint IS NOT NULL DO NOTHING`;

const CHUNK = 2_000;

/**
 * Keeps codes from being given out again, addresses from being written to, and endpoints from being called. Safe to repeat.
 * One transaction.
 */
export async function keepLasting(
  db: Database,
  { code, complaint, webhook }: LastingState,
  nowMs: number,
) {
  const inChunks = (items: Lasting[]) =>
    [...chunksOf(items, CHUNK)].map((rows) => JSON.stringify(rows));
  const statements = [
    ...inChunks(complaint).map((rows) => INSERT_COMPLAINTS.bind(db, { rows })),
    ...inChunks(webhook).map((rows) => DISABLE_WEBHOOKS.bind(db, { rows })),
    ...inChunks(code).map((rows) => KEEP_CODES_USED.bind(db, { rows, nowMs })),
  ];
  if (statements.length > 0) await db.batch(statements);
}
