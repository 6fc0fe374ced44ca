// The statements that add codes to the stock.
import { chunksOf } from "../../core/values/chunks.ts";
import { insertColumns, type NewRow } from "../../platform/db/columns.ts";
import type { Codes } from "../../platform/db/schema.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";

const NEW_CODE = [
  "productId",
  "variationId",
  "batch",
  "sealed",
  "keyId",
  "fingerprint",
  "expiresAtMs",
  "createdAtMs",
] as const;

export type NewCode = NewRow<Codes, (typeof NEW_CODE)[number]> & {
  /** The fingerprint with the previous key, if there is one. */
  earlierFingerprint?: string | undefined;
};

const COLUMNS = insertColumns("codes", NEW_CODE);

/** The new codes `v`, without those that are known. */
const UNKNOWN = fragment`
  FROM json_each(${"codes"}) v WHERE NOT EXISTS (SELECT 1 FROM codes k
    WHERE k.fingerprint IN (v.value ->> '$.fingerprint', v.value ->> '$.earlierFingerprint'))`;

// Before INSERT_CODES, after which the codes are known. Stock that is not tracked, as in the sandbox, stays so.
const RAISE_STOCK = sql<{ codes: string }>()`
  UPDATE stock SET quantity = quantity + n.codes
  FROM (SELECT v.value ->> '$.productId' AS product_id, v.value ->> '$.variationId' AS variation_id, count(*) AS codes
    ${UNKNOWN} GROUP BY 1, 2) n
  WHERE stock.product_id = n.product_id AND stock.variation_id = n.variation_id AND stock.quantity IS NOT NULL`;

const INSERT_CODES = sql<{ codes: string }>()`
  INSERT INTO codes (${COLUMNS.names}) SELECT ${COLUMNS.valuesOf("v.value")} ${UNKNOWN}`;

/** The codes of a statement: a code has at most 6,000 characters, and D1 accepts 2 MB. */
const CHUNK = 300;

/**
 * Adds distinct codes of products that are delivered as codes, and raises their stock by as many. Codes that are known, of
 * whatever product, are left out. Safe to repeat. Returns the number of those that were added. One transaction, one round trip.
 */
export async function addCodes(db: Database, newCodes: readonly NewCode[]): Promise<number> {
  const statements = [...chunksOf(newCodes, CHUNK)].flatMap((chunk) => {
    const codes = JSON.stringify(chunk);
    return [RAISE_STOCK.bind(db, { codes }), INSERT_CODES.bind(db, { codes })];
  });
  const results = await db.batch(statements);
  return results.reduce((sum, { meta }, n) => sum + (n % 2 === 1 ? meta.changes : 0), 0);
}
