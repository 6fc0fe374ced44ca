// The statements by which the cron handler removes codes that expire, and encrypts codes with a new key.
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { code } from "../../platform/db/tables.ts";
import { CODE_EXPIRY, IS_FREE_CODE, VALID_DAYS_MS } from "./bind-queries.ts";

/** The free codes `c` of stock `k` that are not valid for long enough, at this time. */
export const EXPIRING = fragment`
  FROM stock k INDEXED BY stock_of_codes CROSS JOIN codes c INDEXED BY free_codes
    ON c.product_id = k.product_id AND c.variation_id = k.variation_id AND k.code_days IS NOT NULL
    AND ${IS_FREE_CODE} AND ${CODE_EXPIRY} < ${"nowMs"} + ${VALID_DAYS_MS}`;

// Those that expire first. As many as are sold and not yet owed stay. A trigger lowers the stock.
const VOID_EXPIRING = sql<{ nowMs: number }>()`
  UPDATE codes SET voided_at_ms = ${"nowMs"}, void_reason = 'expired' WHERE id IN (
    SELECT id FROM (SELECT c.id, k.quantity, row_number() OVER (
        PARTITION BY c.product_id, c.variation_id ORDER BY ${CODE_EXPIRY}, c.id) AS number
      ${EXPIRING} AND k.quantity IS NOT 0)
    WHERE quantity IS NULL OR number <= quantity LIMIT 5000)`;

/** Makes free codes void that are not valid for long enough. Rows are linear in them and in the products. */
export async function voidExpiringCodes(db: Database, nowMs: number): Promise<void> {
  await VOID_EXPIRING.bind(db, { nowMs }).run();
}

const SELECT_SEALED = sql<{ keyId: string; limit: number }>()`
  SELECT ${code("id", "sealed", "keyId", "orderId", "sequence")} FROM codes c
  WHERE c.key_id = ${"keyId"} AND c.sealed <> '' LIMIT ${"limit"}`;

/** Codes of the key that are not erased. One round trip. */
export const readSealed = (db: Database, keyId: string, limit: number) =>
  SELECT_SEALED.all(db, { keyId, limit });

// A code that was erased or encrypted again meanwhile stays as it is.
const RESEAL = sql<{ codes: string }>()`
  UPDATE codes SET sealed = n.value ->> '$.sealed', key_id = n.value ->> '$.keyId',
    fingerprint = iif(fingerprint IS NULL, NULL, n.value ->> '$.fingerprint')
  FROM json_each(${"codes"}) n
  WHERE codes.id = n.value ->> '$.id' AND codes.sealed = n.value ->> '$.before'`;

/** One round trip. */
export async function writeResealed(db: Database, codes: readonly object[]): Promise<void> {
  await RESEAL.bind(db, { codes: JSON.stringify(codes) }).run();
}
