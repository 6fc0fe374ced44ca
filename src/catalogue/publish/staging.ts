// The statements of a publication: its version is staged beside the current one, becomes current in one batch, and
// what it replaced is cleared away.
import type { CatalogueSettings } from "../../db/schema.ts";
import type { PublicationPlan } from "./plan.ts";

/**
 * What happens to the quantity of a product that is sold already (decision 31): `keep` leaves what orders have
 * left of it, `replace` sets what the source says, at the moment when the version becomes current. With both, a
 * product that is new gets the source's quantity, and whether stock is tracked and sellable is as the source says.
 */
export type StockMode = "keep" | "replace";

export interface Staged {
  /** The catalogue's. */
  id: number;
  version: number;
}

/** Another publication takes this one's place; nothing has been published (decision 32). */
export class SupersededPublication extends Error {
  override name = "SupersededPublication";

  constructor(message = "another publication of this catalogue, started later, takes its place.") {
    super(message);
  }
}

/** Rows that one statement deletes: D1 allows a statement 30 seconds, and orders wait for it meanwhile. */
const DELETE_ROWS = 5_000;

/** Adds nothing when a later publication has started: the statements that read the chunk find none then. */
export function stageChunk(
  d1: D1Database,
  { id, version }: Staged,
  kind: "products" | "names",
  sequence: number,
  content: string,
): D1PreparedStatement {
  return d1
    .prepare(
      `INSERT INTO staged_chunks (catalogue_id, version, kind, sequence, content)
       SELECT ?1, ?2, ?3, ?4, ?5 FROM catalogues WHERE id = ?1 AND staged_version = ?2`,
    )
    .bind(id, version, kind, sequence, content);
}

/** One batch: the rows are sent once, and read from their chunk by the statements that follow. */
export function productStatements(
  d1: D1Database,
  staged: Staged,
  stock: StockMode,
  rows: string,
): D1PreparedStatement[] {
  const { id, version } = staged;
  const chunk = `chunk.catalogue_id = ?1 AND chunk.version = ?2 AND chunk.kind = 'products'`;
  const eachRow = `FROM staged_chunks chunk CROSS JOIN json_each(chunk.content) row`;
  const product = (path: string) => `row.value ->> '$.product.${path}'`;
  return [
    stageChunk(d1, staged, "products", 0, rows),
    // Revisions refer to products. A product without a catalogue is nobody's yet.
    d1
      .prepare(
        `INSERT OR IGNORE INTO products (id) SELECT ${product("id")} ${eachRow} WHERE ${chunk}`,
      )
      .bind(id, version),
    d1
      .prepare(
        `INSERT OR IGNORE INTO product_revisions
           (product_id, revision, product_type, delivery, currency, price_minor, shipping_minor,
            locations, variations, content)
         SELECT ${product("id")}, row.value ->> '$.revision', ${product("type")},
           ${product("delivery")}, ${product("currency")}, ${product("priceMinor")},
           ${product("shippingMinor")}, row.value -> '$.product.locations',
           row.value -> '$.product.variations',
           json_remove(row.value -> '$.product', '$.id', '$.type', '$.delivery', '$.currency',
             '$.priceMinor', '$.shippingMinor', '$.locations', '$.variations')
         ${eachRow} WHERE ${chunk}`,
      )
      .bind(id, version),
    // Stock is staged and takes effect when the version becomes current.
    d1
      .prepare(
        `INSERT INTO staged_stock (catalogue_id, version, product_id, variation_id, quantity, sellable)
         SELECT ?1, ?2, ${product("id")}, level.value ->> '$.variationId',
           level.value ->> '$.quantity', level.value ->> '$.sellable'
         ${eachRow} CROSS JOIN json_each(row.value, '$.stock') level LEFT JOIN stock s
           ON s.product_id = ${product("id")} AND s.variation_id = level.value ->> '$.variationId'
         WHERE ${chunk} AND (?3 = 'replace' OR s.product_id IS NULL
           OR s.sellable <> level.value ->> '$.sellable'
           OR (s.quantity IS NULL) <> (level.value ->> '$.quantity' IS NULL))`,
      )
      .bind(id, version, stock),
    d1
      .prepare(
        `INSERT INTO catalogue_entries
           (catalogue_id, version, position, product_id, revision, delivery, delivery_position)
         SELECT ?1, ?2, row.value ->> '$.position', ${product("id")}, row.value ->> '$.revision',
           ${product("delivery")}, row.value ->> '$.deliveryPosition'
         ${eachRow} WHERE ${chunk}`,
      )
      .bind(id, version),
    d1
      .prepare(
        `DELETE FROM staged_chunks WHERE catalogue_id = ?1 AND version = ?2 AND kind = 'products'`,
      )
      .bind(id, version),
  ];
}

// The guard: no other publication of the catalogue has started since, so that nothing of this one has been cleared
// away; and no other catalogue has published the ids meanwhile, which the plan found free.
const INSERT_VERSION = `
  INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
    total_digital, published_at_ms)
  SELECT c.id, ?2, ?3, ?4, ?5, ?6 FROM catalogues c WHERE c.id = ?1 AND c.staged_version = ?2
    AND NOT EXISTS (SELECT 1 FROM staged_stock s CROSS JOIN variations v ON v.id = s.variation_id
      WHERE s.catalogue_id = ?1 AND s.version = ?2 AND v.product_id <> s.product_id)
    AND (?7 OR NOT EXISTS (SELECT 1 FROM catalogue_entries e CROSS JOIN products p ON p.id = e.product_id
      WHERE e.catalogue_id = ?1 AND e.version = ?2 AND p.catalogue_id <> ?1
        AND NOT EXISTS (SELECT 1 FROM catalogue_entries o WHERE o.catalogue_id = ?1
          AND o.version = c.version AND o.product_id = e.product_id)))`;

const RAISE_VERSION = `
  UPDATE catalogues SET version = ?2, settings = coalesce(?3, settings) WHERE id = ?1
    AND EXISTS (SELECT 1 FROM catalogue_versions WHERE catalogue_id = ?1 AND version = ?2)`;

/** Holds when the guard did. */
const IS_CURRENT = `EXISTS (SELECT 1 FROM catalogues WHERE id = ?1 AND version = ?2)`;

const OWN_PRODUCTS = `
  UPDATE products SET catalogue_id = ?1 WHERE catalogue_id IS NULL AND ${IS_CURRENT}
    AND id IN (SELECT product_id FROM catalogue_entries WHERE catalogue_id = ?1 AND version = ?2)`;

const OWN_VARIATIONS = `
  INSERT OR IGNORE INTO variations (id, product_id) SELECT variation_id, product_id FROM staged_stock
  WHERE catalogue_id = ?1 AND version = ?2 AND variation_id > 0 AND ${IS_CURRENT}`;

const SET_STOCK = `
  INSERT INTO stock (product_id, variation_id, quantity, sellable)
  SELECT product_id, variation_id, quantity, sellable FROM staged_stock
  WHERE catalogue_id = ?1 AND version = ?2 AND ${IS_CURRENT}
  ON CONFLICT (product_id, variation_id) DO UPDATE SET sellable = excluded.sellable,
    quantity = CASE
      WHEN ?3 = 'replace' OR excluded.quantity IS NULL OR stock.quantity IS NULL
      THEN excluded.quantity ELSE stock.quantity END
    WHERE stock.quantity IS NOT excluded.quantity OR stock.sellable <> excluded.sellable`;

const SET_NAMES = `
  INSERT INTO product_sources (catalogue_id, source_key, product_id, variation_id)
  SELECT ?1, name.value ->> 0, name.value ->> 1, name.value ->> 2
  FROM staged_chunks chunk CROSS JOIN json_each(chunk.content) name
  WHERE chunk.catalogue_id = ?1 AND chunk.version = ?2 AND chunk.kind = 'names' AND ${IS_CURRENT}
  ON CONFLICT (catalogue_id, source_key) DO UPDATE
    SET product_id = excluded.product_id, variation_id = excluded.variation_id`;

// The version before stays for the readers whose cached record still names it.
const DELETE_OLD_VERSIONS = `
  DELETE FROM catalogue_versions WHERE catalogue_id = ?1 AND ${IS_CURRENT} AND version <
    (SELECT max(version) FROM catalogue_versions WHERE catalogue_id = ?1 AND version < ?2)`;

export async function makeCurrent(
  d1: D1Database,
  { id, version }: Staged,
  { products, shareStock }: PublicationPlan,
  {
    stock,
    settings,
    nowMs,
  }: { stock: StockMode; settings: CatalogueSettings | undefined; nowMs: number },
): Promise<void> {
  const total = products.length;
  const physical = products.filter(({ product }) => product.delivery === "physical").length;
  const onVersion = (sql: string) => d1.prepare(sql).bind(id, version);
  const results = await d1.batch<{ isNewest: number }>([
    d1
      .prepare(INSERT_VERSION)
      .bind(id, version, total, physical, total - physical, nowMs, Number(shareStock)),
    d1.prepare(RAISE_VERSION).bind(id, version, settings ? JSON.stringify(settings) : null),
    onVersion(OWN_PRODUCTS),
    onVersion(OWN_VARIATIONS),
    d1.prepare(SET_STOCK).bind(id, version, stock),
    onVersion(SET_NAMES),
    onVersion(DELETE_OLD_VERSIONS),
    onVersion(`SELECT staged_version = ?2 AS isNewest FROM catalogues WHERE id = ?1`),
  ]);
  const [inserted] = results;
  if (inserted?.meta.changes !== 0) return;
  throw new SupersededPublication(
    results.at(-1)?.results[0]?.isNewest
      ? "another catalogue published some of these ids at the same time: run this publication again."
      : undefined,
  );
}

// From each version to the next, so that the entries of live versions are not read.
const DEAD_VERSIONS = `
  WITH RECURSIVE seen (version) AS (
    SELECT min(version) FROM catalogue_entries WHERE catalogue_id = ?1
    UNION ALL
    SELECT (SELECT min(e.version) FROM catalogue_entries e
      WHERE e.catalogue_id = ?1 AND e.version > seen.version)
    FROM seen WHERE seen.version IS NOT NULL)
  SELECT version FROM seen WHERE version <= ?2
    AND version NOT IN (SELECT version FROM catalogue_versions WHERE catalogue_id = ?1)`;

// By their keys: DELETE has no LIMIT of its own in D1.
const DELETE_ENTRIES = `
  DELETE FROM catalogue_entries WHERE catalogue_id = ?1 AND version = ?2 AND product_id IN (
    SELECT product_id FROM catalogue_entries WHERE catalogue_id = ?1 AND version = ?2 LIMIT ?3)`;

const DELETE_STAGED_STOCK = `
  DELETE FROM staged_stock WHERE (catalogue_id, version, product_id, variation_id) IN (
    SELECT catalogue_id, version, product_id, variation_id FROM staged_stock
    WHERE catalogue_id = ?1 AND version <= ?2 LIMIT ?3)`;

/**
 * Clears away what no reader can see: versions older than the one before the current, and what publications up to
 * `lastVersion` staged, which are completed or can complete no more.
 */
export async function deleteDeadVersions(
  d1: D1Database,
  catalogueId: number,
  lastVersion: number,
): Promise<void> {
  const { results: dead } = await d1
    .prepare(DEAD_VERSIONS)
    .bind(catalogueId, lastVersion)
    .all<{ version: number }>();
  for (const { version } of dead) await deleteAll(d1, DELETE_ENTRIES, catalogueId, version);
  await deleteAll(d1, DELETE_STAGED_STOCK, catalogueId, lastVersion);
  await d1
    .prepare(`DELETE FROM staged_chunks WHERE catalogue_id = ?1 AND version <= ?2`)
    .bind(catalogueId, lastVersion)
    .run();
}

async function deleteAll(
  d1: D1Database,
  statement: string,
  catalogueId: number,
  version: number,
): Promise<void> {
  for (;;) {
    const { meta } = await d1.prepare(statement).bind(catalogueId, version, DELETE_ROWS).run();
    if (meta.changes < DELETE_ROWS) return;
  }
}
