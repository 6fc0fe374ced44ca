// The statements that stage a version and make it current.
import { ApiError } from "../../../core/api-error.ts";
import type { CatalogueSettings } from "../../../platform/db/schema.ts";
import { batch, type Database, fragment, sql } from "../../../platform/db/sql.ts";

/**
 * How publishing changes the quantities of existing products. `keep` does not change them, because a file does not
 * contain the orders that were placed after it. `replace` sets those of the file when the version becomes current. In
 * both modes, new products get the quantities of the file, and existing products become tracked and sellable as in the
 * file.
 */
export type StockMode = "keep" | "replace";

/**
 * The publication has not taken effect, usually because another publication of the catalogue started later
 * (DECISIONS.md: A catalogue is a sequence of versions).
 */
export class SupersededPublication extends ApiError {
  constructor(message: string) {
    super("not_allowed_in_state", message);
  }
}

export interface StagedVersion {
  catalogueId: number;
  version: number;
}

const INSERT_STAGED_VERSION = sql<
  { catalogueName: string; currentVersion: number },
  StagedVersion
>()`
  INSERT INTO catalogues (name, staged_version) VALUES (${"catalogueName"}, 1)
  ON CONFLICT (name) DO UPDATE SET staged_version = staged_version + 1
    WHERE version = ${"currentVersion"}
  RETURNING id AS catalogueId, staged_version AS version`;

/** Starts a version, and adds the catalogue if it is new. Null if `currentVersion` is no longer current. */
export function startVersion(
  db: Database,
  catalogueName: string,
  currentVersion: number,
): Promise<StagedVersion | null> {
  return INSERT_STAGED_VERSION.first(db, { catalogueName, currentVersion });
}

// Inserts no row if a later publication has started. The statements that read the chunk then match no row.
const INSERT_CHUNK = sql<
  StagedVersion & { kind: "products" | "names" | "changes"; sequence: number; content: string }
>()`
  INSERT INTO staged_chunks (catalogue_id, version, kind, sequence, content)
  SELECT ${"catalogueId"}, ${"version"}, ${"kind"}, ${"sequence"}, ${"content"}
  FROM catalogues WHERE id = ${"catalogueId"} AND staged_version = ${"version"}`;

const EACH_PRODUCT = fragment`FROM staged_chunks chunk CROSS JOIN json_each(chunk.content) row`;

const IN_CHUNK = fragment`
  chunk.catalogue_id = ${"catalogueId"} AND chunk.version = ${"version"} AND chunk.kind = 'products'`;

// Revisions refer to products. A product has no catalogue until the version becomes current.
const INSERT_PRODUCTS = sql<StagedVersion>()`
  INSERT OR IGNORE INTO products (id)
  SELECT row.value ->> '$.product.id' ${EACH_PRODUCT} WHERE ${IN_CHUNK}`;

const INSERT_REVISIONS = sql<StagedVersion>()`
  INSERT OR IGNORE INTO product_revisions
    (product_id, revision, product_type, delivery, currency, price_minor, shipping_minor,
     locations, variations, vendor_key, content, translations)
  SELECT row.value ->> '$.product.id', row.value ->> '$.revision', row.value ->> '$.product.type',
    row.value ->> '$.product.delivery', row.value ->> '$.product.currency',
    row.value ->> '$.product.priceMinor', row.value ->> '$.product.shippingMinor',
    row.value -> '$.product.locations', row.value -> '$.product.variations', row.value ->> '$.vendorKey',
    json_remove(row.value -> '$.product', '$.id', '$.type', '$.delivery', '$.currency',
      '$.priceMinor', '$.shippingMinor', '$.locations', '$.variations', '$.translations'),
    row.value -> '$.product.translations'
  ${EACH_PRODUCT} WHERE ${IN_CHUNK}`;

const INSERT_VENDORS = sql<StagedVersion>()`
  INSERT OR IGNORE INTO vendors (name, name_key)
  SELECT max(row.value ->> '$.product.vendor.name'), row.value ->> '$.vendorKey' AS name_key ${EACH_PRODUCT}
  WHERE ${IN_CHUNK} AND name_key IS NOT NULL GROUP BY name_key`;

// Only the stock that will change is staged.
const INSERT_STAGED_STOCK = sql<StagedVersion & { stockMode: StockMode }>()`
  INSERT INTO staged_stock (catalogue_id, version, product_id, variation_id, quantity, sellable, code_days)
  SELECT ${"catalogueId"}, ${"version"}, row.value ->> '$.product.id',
    level.value ->> '$.variationId', level.value ->> '$.quantity', level.value ->> '$.sellable',
    level.value ->> '$.codeDays'
  ${EACH_PRODUCT} CROSS JOIN json_each(row.value, '$.stock') level
  LEFT JOIN stock s ON s.product_id = row.value ->> '$.product.id'
    AND s.variation_id = level.value ->> '$.variationId'
  WHERE ${IN_CHUNK} AND (${"stockMode"} = 'replace' OR s.product_id IS NULL
    OR s.sellable <> level.value ->> '$.sellable' OR s.code_days IS NOT level.value ->> '$.codeDays'
    OR (s.code_days IS NULL AND (s.quantity IS NULL) <> (level.value ->> '$.quantity' IS NULL)))`;

const INSERT_ENTRIES = sql<StagedVersion>()`
  INSERT INTO catalogue_entries
    (catalogue_id, version, position, product_id, revision, delivery, delivery_position,
     changed_at_ms, currency, lowest_unit_minor)
  SELECT ${"catalogueId"}, ${"version"}, row.value ->> '$.position', row.value ->> '$.product.id',
    row.value ->> '$.revision', row.value ->> '$.product.delivery',
    row.value ->> '$.deliveryPosition', row.value ->> '$.changedAtMs',
    row.value ->> '$.product.currency', row.value ->> '$.lowestUnitMinor'
  ${EACH_PRODUCT} WHERE ${IN_CHUNK}`;

const DELETE_PRODUCTS_CHUNK = sql<StagedVersion>()`
  DELETE FROM staged_chunks
  WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} AND kind = 'products'`;

const SUPERSEDED = "another publication of this catalogue started later and replaces this one.";

/** Errors: `SupersededPublication` if no row was staged, because a later publication has started. */
function requireStaged({ meta }: D1Result): void {
  if (meta.changes === 0) throw new SupersededPublication(SUPERSEDED);
}

/**
 * Stages products, given as a JSON array, which is sent once: the other statements of the batch read it from the chunk.
 * Errors: `SupersededPublication`.
 */
export async function stageProductsChunk(
  db: Database,
  staged: StagedVersion,
  stockMode: StockMode,
  content: string,
): Promise<void> {
  const { inserted } = await batch(db, {
    inserted: INSERT_CHUNK.bind(db, { ...staged, kind: "products", sequence: 0, content }),
    products: INSERT_PRODUCTS.bind(db, staged),
    revisions: INSERT_REVISIONS.bind(db, staged),
    vendors: INSERT_VENDORS.bind(db, staged),
    stock: INSERT_STAGED_STOCK.bind(db, { ...staged, stockMode }),
    entries: INSERT_ENTRIES.bind(db, staged),
    deleted: DELETE_PRODUCTS_CHUNK.bind(db, staged),
  });
  requireStaged(inserted);
}

const INSERT_INDEX_ROWS = sql<StagedVersion & { rows: string }>()`
  INSERT INTO catalogue_index (catalogue_id, version, first_term, content)
  SELECT c.id, c.staged_version, row.value ->> 0, row.value ->> 1
  FROM catalogues c CROSS JOIN json_each(${"rows"}) row
  WHERE c.id = ${"catalogueId"} AND c.staged_version = ${"version"}`;

/** Stages rows of the index, given as a JSON array of [first term, content]. Errors: `SupersededPublication`. */
export async function stageIndexRows(db: Database, staged: StagedVersion, rows: string) {
  requireStaged(await INSERT_INDEX_ROWS.bind(db, { ...staged, rows }).run());
}

/** Stages source keys or changes, given as a JSON array. Errors: `SupersededPublication`. */
export async function stageChunk(
  db: Database,
  staged: StagedVersion,
  chunk: { kind: "names" | "changes"; sequence: number; content: string },
): Promise<void> {
  requireStaged(await INSERT_CHUNK.bind(db, { ...staged, ...chunk }).run());
}

interface NewVersion extends StagedVersion {
  total: number;
  physical: number;
  digital: number;
  /** 1 if the version may list products that belong to other catalogues, otherwise 0. */
  shareStock: number;
  /** 1 if the version may end the tracking of stock, otherwise 0. */
  untracked: number;
  nowMs: number;
  publishedBy: string | null;
  fileName: string | null;
  raised: number;
  lowered: number;
}

// The guard: no later publication of the catalogue has started, so the staged rows are complete. No other catalogue has
// claimed an id that was free at planning, and no tracking and no stock of codes has begun that the version would end. If
// the guard does not hold, no version is inserted, and the other statements of the batch match no row.
const INSERT_VERSION = sql<NewVersion>()`
  INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
    total_digital, published_at_ms, published_by, file_name, raised_prices, lowered_prices)
  SELECT c.id, ${"version"}, ${"total"}, ${"physical"}, ${"digital"}, ${"nowMs"}, ${"publishedBy"},
    ${"fileName"}, ${"raised"}, ${"lowered"}
  FROM catalogues c
  WHERE c.id = ${"catalogueId"} AND c.staged_version = ${"version"}
    AND NOT EXISTS (SELECT 1 FROM staged_stock s CROSS JOIN variations v ON v.id = s.variation_id
      WHERE s.catalogue_id = ${"catalogueId"} AND s.version = ${"version"}
        AND v.product_id <> s.product_id)
    AND NOT EXISTS (
      SELECT 1 FROM staged_stock s CROSS JOIN stock now
        ON now.product_id = s.product_id AND now.variation_id = s.variation_id
      WHERE s.catalogue_id = ${"catalogueId"} AND s.version = ${"version"} AND s.code_days IS NULL
        AND (now.code_days IS NOT NULL
          OR (NOT ${"untracked"} AND s.quantity IS NULL AND now.quantity IS NOT NULL)))
    AND (${"shareStock"} OR NOT EXISTS (
      SELECT 1 FROM catalogue_entries e CROSS JOIN products p ON p.id = e.product_id
      WHERE e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"}
        AND p.catalogue_id <> ${"catalogueId"}
        AND NOT EXISTS (SELECT 1 FROM catalogue_entries o WHERE o.catalogue_id = ${"catalogueId"}
          AND o.version = c.version AND o.product_id = e.product_id)))`;

/** `settings` is JSON: CatalogueSettings. Null leaves them unchanged. */
const UPDATE_CATALOGUE = sql<StagedVersion & { settings: string | null }>()`
  UPDATE catalogues SET version = ${"version"}, settings = coalesce(${"settings"}, settings)
  WHERE id = ${"catalogueId"} AND EXISTS (SELECT 1 FROM catalogue_versions
    WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"})`;

const IS_CURRENT = fragment`
  EXISTS (SELECT 1 FROM catalogues WHERE id = ${"catalogueId"} AND version = ${"version"})`;

const CLAIM_PRODUCTS = sql<StagedVersion>()`
  UPDATE products SET catalogue_id = ${"catalogueId"} WHERE catalogue_id IS NULL AND ${IS_CURRENT}
    AND id IN (SELECT product_id FROM catalogue_entries
      WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"})`;

const CLAIM_VARIATIONS = sql<StagedVersion>()`
  INSERT OR IGNORE INTO variations (id, product_id)
  SELECT variation_id, product_id FROM staged_stock
  WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} AND variation_id > 0
    AND ${IS_CURRENT}`;

/** `testCodes` is 1 if test codes are made when none is left, so that the stock of codes is not tracked, otherwise 0. */
type NewStock = Record<"testCodes", number> & { stockMode: StockMode };

// The stock of a product that is delivered as codes is the number of its codes, whatever the file says.
const UPSERT_STOCK = sql<StagedVersion & NewStock>()`
  INSERT INTO stock (product_id, variation_id, quantity, sellable, code_days)
  SELECT product_id, variation_id, iif(code_days IS NOT NULL AND ${"testCodes"}, NULL, quantity), sellable, code_days
  FROM staged_stock
  WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} AND ${IS_CURRENT}
  ON CONFLICT (product_id, variation_id) DO UPDATE SET sellable = excluded.sellable,
    code_days = excluded.code_days,
    quantity = CASE
      WHEN stock.code_days IS NOT NULL AND excluded.code_days IS NOT NULL THEN stock.quantity
      WHEN stock.code_days IS NOT excluded.code_days THEN excluded.quantity
      WHEN ${"stockMode"} = 'replace' OR excluded.quantity IS NULL OR stock.quantity IS NULL
      THEN excluded.quantity ELSE stock.quantity END
    WHERE stock.quantity IS NOT excluded.quantity OR stock.sellable <> excluded.sellable
      OR stock.code_days IS NOT excluded.code_days`;

const UPSERT_SOURCE_KEYS = sql<StagedVersion>()`
  INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id)
  SELECT ${"catalogueId"}, source.value ->> 0, source.value ->> 1, source.value ->> 2
  FROM staged_chunks chunk CROSS JOIN json_each(chunk.content) source
  WHERE chunk.catalogue_id = ${"catalogueId"} AND chunk.version = ${"version"}
    AND chunk.kind = 'names' AND ${IS_CURRENT}
  ON CONFLICT (catalogue_id, source_key) DO UPDATE
    SET product_id = excluded.product_id, variation_id = excluded.variation_id`;

// Only if some of the product's stock is not available can the change have made the product available or unavailable.
const MARK_CHANGED_STOCK = sql<StagedVersion>()`
  INSERT OR IGNORE INTO availability_changes (product_id)
  SELECT change.value ->> 1 FROM staged_chunks chunk CROSS JOIN json_each(chunk.content) change
  WHERE chunk.catalogue_id = ${"catalogueId"} AND chunk.version = ${"version"}
    AND chunk.kind = 'changes' AND ${IS_CURRENT}
    AND EXISTS (SELECT 1 FROM stock s WHERE s.product_id = change.value ->> 1
      AND (s.sellable = 0 OR s.quantity = 0))`;

// The time of the changes is later than that of all existing clients, including those that were added during the
// publication. A client that is added afterwards reads the new version.
const INSERT_PRODUCT_CHANGES = sql<StagedVersion & { nowMs: number }>()`
  INSERT INTO product_changes (catalogue_id, changes, created_at_ms)
  SELECT chunk.catalogue_id, chunk.content, max(${"nowMs"}, newest.added_at_ms + 1)
  FROM (SELECT max(created_at_ms) AS added_at_ms FROM clients
      WHERE catalogue_id = ${"catalogueId"}) newest
    CROSS JOIN staged_chunks chunk
  WHERE chunk.catalogue_id = ${"catalogueId"} AND chunk.version = ${"version"}
    AND chunk.kind = 'changes' AND ${IS_CURRENT} AND newest.added_at_ms IS NOT NULL
  ORDER BY chunk.sequence`;

// The previous version is kept, because cached client records may still refer to it.
const DELETE_OLD_VERSIONS = sql<StagedVersion>()`
  DELETE FROM catalogue_versions WHERE catalogue_id = ${"catalogueId"} AND ${IS_CURRENT}
    AND version < (SELECT max(version) FROM catalogue_versions
      WHERE catalogue_id = ${"catalogueId"} AND version < ${"version"})`;

const SELECT_IS_NEWEST = sql<StagedVersion, { isNewest: number }>()`
  SELECT staged_version = ${"version"} AS isNewest FROM catalogues WHERE id = ${"catalogueId"}`;

const CHANGED_MEANWHILE =
  "another catalogue has published some of these ids, or the tracking of stock or its codes have begun, at the same time. " +
  "Run this publication again.";

/** Makes the staged version current. One transaction. Errors: `SupersededPublication`, without a change. */
export async function makeCurrent(
  db: Database,
  newVersion: NewVersion,
  newStock: NewStock,
  settings: CatalogueSettings | undefined,
): Promise<void> {
  const { inserted, newest } = await batch(db, {
    inserted: INSERT_VERSION.bind(db, newVersion),
    catalogue: UPDATE_CATALOGUE.bind(db, {
      ...newVersion,
      settings: settings ? JSON.stringify(settings) : null,
    }),
    products: CLAIM_PRODUCTS.bind(db, newVersion),
    variations: CLAIM_VARIATIONS.bind(db, newVersion),
    stock: UPSERT_STOCK.bind(db, { ...newVersion, ...newStock }),
    sourceKeys: UPSERT_SOURCE_KEYS.bind(db, newVersion),
    availability: MARK_CHANGED_STOCK.bind(db, newVersion),
    changes: INSERT_PRODUCT_CHANGES.bind(db, newVersion),
    deleted: DELETE_OLD_VERSIONS.bind(db, newVersion),
    newest: SELECT_IS_NEWEST.bind(db, newVersion),
  });
  if (inserted.meta.changes > 0) return;
  const isNewest = newest.results[0]?.isNewest === 1;
  throw new SupersededPublication(isNewest ? CHANGED_MEANWHILE : SUPERSEDED);
}
