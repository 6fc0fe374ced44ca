// The operator's statements for codes. They count them, and read the content of a single one.
import { type Database, expression, fragment, sql } from "../../platform/db/sql.ts";
import { code } from "../../platform/db/tables.ts";
import { readInChunks } from "../../core/values/chunks.ts";
import { CODE_EXPIRY, IS_FREE_CODE } from "../../features/codes/bind-queries.ts";
import type { GiftKey } from "../../features/lifecycle/order-key.ts";
import type { StockKey } from "../catalogue/stock-queries.ts";

const SELECT_KNOWN = sql<{ fingerprints: string }, { fingerprint: string }>()`
  SELECT c.fingerprint FROM json_each(${"fingerprints"}) f CROSS JOIN codes c ON c.fingerprint = f.value`;

/** Those of the fingerprints that codes have. */
export const readKnown = (db: Database, fingerprints: readonly string[]) =>
  readInChunks(fingerprints, (chunk) =>
    SELECT_KNOWN.all(db, { fingerprints: JSON.stringify(chunk) }),
  );

const IS_GIVEN = fragment`(c.order_id IS NOT NULL AND c.voided_at_ms IS NULL)`;

const COUNTS = {
  ...code("productId", "variationId"),
  batch: expression<string>()`c.batch`,
  expires: expression<number>()`${CODE_EXPIRY}`,
  free: expression<number>()`sum(${IS_FREE_CODE})`,
  given: expression<number>()`sum(${IS_GIVEN})`,
  opened: expression<number>()`sum(${IS_GIVEN} AND c.opened_at_ms IS NOT NULL)`,
  void: expression<number>()`sum(c.voided_at_ms IS NOT NULL)`,
};

/** A batch of a product. */
export type Batch = StockKey & { batch: string };

/** Begins after a group of codes. */
interface CountParams extends Batch {
  expires: number;
  lastProductId: number;
  limit: number;
}

// Reads the codes of the groups that are shown. Codes without a batch were given with shipments.
const SELECT_COUNTS = sql<CountParams>()`
  SELECT ${COUNTS} FROM codes c INDEXED BY codes_by_batch
  WHERE c.product_id <= ${"lastProductId"} AND (c.product_id, c.variation_id, c.batch, ${CODE_EXPIRY})
      > (${"productId"}, ${"variationId"}, ${"batch"}, ${"expires"})
    AND c.batch IS NOT NULL
  GROUP BY c.product_id, c.variation_id, c.batch, ${CODE_EXPIRY}
  ORDER BY c.product_id, c.variation_id, c.batch, ${CODE_EXPIRY} LIMIT ${"limit"}`;

/** The numbers of codes by product, variation, batch and expiry. One round trip. */
export const readCodeCounts = (db: Database, params: CountParams) => SELECT_COUNTS.all(db, params);

const COUNT_OTHER_KEYS = sql<{ keyId: string }, { codes: number }>()`
  SELECT count(*) AS codes FROM codes c
  WHERE c.sealed <> '' AND (c.key_id < ${"keyId"} OR c.key_id > ${"keyId"})`;

/** The number of codes that are encrypted with another key. One round trip. */
export const readOtherKeyCount = async (db: Database, keyId: string): Promise<number> =>
  (await COUNT_OTHER_KEYS.first(db, { keyId }))?.codes ?? 0;

type Gift = Pick<GiftKey, "orderId" | "sequence">;

const SELECT_CODE = sql<Gift>()`
  SELECT ${code("sealed", "keyId", "orderId", "sequence", "productId", "batch", "expiresAtMs")},
    ${code("boundAtMs", "openedAtMs")}
  FROM codes c
  WHERE c.order_id = ${"orderId"} AND c.sequence = ${"sequence"} AND c.voided_at_ms IS NULL`;

/** The code of the gift. Null if it has none. One round trip. */
export const findCode = (db: Database, gift: Gift) => SELECT_CODE.first(db, gift);

const OF_BATCH = fragment`
  c.product_id = ${"productId"} AND c.variation_id = ${"variationId"} AND c.batch = ${"batch"} AND ${IS_FREE_CODE}`;

const SELECT_FREE = sql<Batch, { free: number; stock: number | null }>()`
  SELECT count(*) AS free, (SELECT k.quantity FROM stock k
    WHERE k.product_id = ${"productId"} AND k.variation_id = ${"variationId"}) AS stock
  FROM codes c WHERE ${OF_BATCH}`;

/** The free codes of the batch, and the stock of all batches, which is null if it is not tracked. One round trip. */
export const readFree = async (db: Database, batch: Batch) =>
  (await SELECT_FREE.first(db, batch)) ?? { free: 0, stock: null };

// A trigger lowers the stock. Sold gifts need the codes that it does not have. A negative limit is none.
const VOID_BATCH = sql<Batch & { nowMs: number }, { id: number }>()`
  UPDATE codes SET voided_at_ms = ${"nowMs"}, void_reason = 'withdrawn' WHERE id IN (
    SELECT c.id FROM codes c WHERE ${OF_BATCH} LIMIT coalesce((SELECT k.quantity FROM stock k
      WHERE k.product_id = ${"productId"} AND k.variation_id = ${"variationId"}), -1)) RETURNING id`;

/** Makes the free codes of the batch void, at most as many as the stock has. Returns their number. One transaction. */
export const voidBatch = async (db: Database, batch: Batch & { nowMs: number }) =>
  (await VOID_BATCH.all(db, batch)).length;
