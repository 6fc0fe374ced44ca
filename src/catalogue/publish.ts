// Publishing a catalogue: a new version is written beside the current one, in pieces of any number, and then
// becomes current in one step. Killed half-way, it has changed nothing that a reader sees; run again, it
// completes, since revisions are named by their content, and it clears away what the killed one left.
import { sha256Hex } from "../digest.ts";
import type { CatalogueSettings } from "../db/schema.ts";
import { ApiError } from "../errors.ts";
import type { Product, StockLevel } from "./product.ts";

export interface PublishedProduct {
  product: Product;
  /** What the source says is left. */
  stock: StockLevel[];
}

/**
 * What happens to the quantity of a product that is sold already (decision 31): `keep` leaves what orders have
 * left of it, `replace` sets what the source says, at the moment when the version becomes current. With both, a
 * product that is new gets the source's quantity, and whether stock is tracked and sellable is as the source says.
 */
export type StockMode = "keep" | "replace";

export interface PublishOptions {
  stock?: StockMode;
  /** Remembered with the catalogue when the version becomes current; without any they stay. */
  settings?: CatalogueSettings;
  /** Called after each piece with the number of products written so far. */
  onProgress?: (written: number) => void;
}

/** A publication of the same catalogue that started later takes this one's place (decision 32). */
export class SupersededPublication extends Error {
  override name = "SupersededPublication";
  override message = "another publication of this catalogue, started later, takes its place.";
}

/** Bytes of JSON in one statement: far below D1's 2 MB for a value, and few enough statements. */
const CHUNK_BYTES = 500_000;

/** Rows that one statement deletes: D1 allows a statement 30 seconds, and orders wait for it meanwhile. */
const DELETE_ROWS = 5_000;

/**
 * Makes `products` (in ascending order of id, valid by `ProductWire`) the catalogue's current version and
 * returns its number. Errors: `SupersededPublication`; `validation_error` when a variation's id is another
 * product's.
 */
export async function publish(
  d1: D1Database,
  catalogueName: string,
  products: readonly PublishedProduct[],
  nowMs: number,
  { stock = "keep", settings, onProgress }: PublishOptions = {},
): Promise<number> {
  const staged = await d1
    .prepare(
      `INSERT INTO catalogues (name, staged_version) VALUES (?1, 1)
       ON CONFLICT (name) DO UPDATE SET staged_version = staged_version + 1
       RETURNING id, staged_version AS version`,
    )
    .bind(catalogueName)
    .first<Staged>();
  if (!staged) throw new Error(`catalogue ${catalogueName} could not be staged`);

  await deleteDeadVersions(d1, staged);
  let written = 0;
  for await (const chunk of chunks(products)) {
    const results = await d1.batch<{ id: number; productId: number }>(
      chunkStatements(d1, staged, stock, JSON.stringify(chunk)),
    );
    const [taken] = results.at(-1)?.results ?? [];
    if (taken) {
      throw new ApiError(
        "validation_error",
        `variation ${String(taken.id)} belongs to product ${String(taken.productId)} already.`,
      );
    }
    written += chunk.length;
    onProgress?.(written);
  }
  await makeCurrent(d1, staged, products, stock, settings, nowMs);
  await deleteDeadVersions(d1, staged);
  return staged.version;
}

interface Staged {
  id: number;
  version: number;
}

interface StagedRow {
  position: number;
  deliveryPosition: number;
  revision: string;
  product: Product;
  stock: StockLevel[];
}

async function* chunks(products: readonly PublishedProduct[]): AsyncGenerator<StagedRow[]> {
  const counted = { physical: 0, digital: 0 };
  let chunk: StagedRow[] = [];
  let bytes = 0;
  for (const [index, { product, stock }] of products.entries()) {
    const json = JSON.stringify(product);
    if (bytes + json.length > CHUNK_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    bytes += json.length;
    chunk.push({
      position: index + 1,
      deliveryPosition: ++counted[product.delivery],
      revision: await revisionOf(json),
      product,
      stock,
    });
  }
  if (chunk.length > 0) yield chunk;
}

/** Digest of a product's content; 64 bits tell the revisions of one product apart. */
async function revisionOf(json: string): Promise<string> {
  return (await sha256Hex(json)).slice(0, 16);
}

function chunkStatements(
  d1: D1Database,
  { id, version }: Staged,
  stock: StockMode,
  rows: string,
): D1PreparedStatement[] {
  const each = `FROM json_each(?1) row`;
  const eachVariation = `${each}, json_each(row.value, '$.product.variations') variation`;
  const eachLevel = `${each}, json_each(row.value, '$.stock') level`;
  const product = (path: string) => `row.value ->> '$.product.${path}'`;
  return [
    d1.prepare(`INSERT OR IGNORE INTO products (id) SELECT ${product("id")} ${each}`).bind(rows),
    d1
      .prepare(
        `INSERT OR IGNORE INTO variations (id, product_id)
         SELECT variation.value ->> '$.id', ${product("id")} ${eachVariation}`,
      )
      .bind(rows),
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
         ${each}`,
      )
      .bind(rows),
    // Stock waits for the flip: what a publication that is killed said of it never counts.
    d1
      .prepare(
        `INSERT INTO staged_stock (catalogue_id, version, product_id, variation_id, quantity, sellable)
         SELECT ?2, ?3, ${product("id")}, level.value ->> '$.variationId',
           level.value ->> '$.quantity', level.value ->> '$.sellable'
         ${eachLevel} LEFT JOIN stock s
           ON s.product_id = ${product("id")} AND s.variation_id = level.value ->> '$.variationId'
         WHERE ?4 = 'replace' OR s.product_id IS NULL OR s.sellable <> level.value ->> '$.sellable'
           OR (s.quantity IS NULL) <> (level.value ->> '$.quantity' IS NULL)`,
      )
      .bind(rows, id, version, stock),
    d1
      .prepare(
        `INSERT INTO catalogue_entries
           (catalogue_id, version, position, product_id, revision, delivery, delivery_position)
         SELECT ?2, ?3, row.value ->> '$.position', ${product("id")}, row.value ->> '$.revision',
           ${product("delivery")}, row.value ->> '$.deliveryPosition'
         ${each}`,
      )
      .bind(rows, id, version),
    d1
      .prepare(
        `SELECT v.id, v.product_id AS productId
         ${eachVariation} JOIN variations v ON v.id = variation.value ->> '$.id'
         WHERE v.product_id <> ${product("id")} LIMIT 1`,
      )
      .bind(rows),
  ];
}

async function makeCurrent(
  d1: D1Database,
  { id, version }: Staged,
  products: readonly PublishedProduct[],
  stock: StockMode,
  settings: CatalogueSettings | undefined,
  nowMs: number,
): Promise<void> {
  const physical = products.filter(({ product }) => product.delivery === "physical").length;
  const total = products.length;
  const [, raised] = await d1.batch([
    // The guard: no other publication has started since, so nothing of this one has been cleared away.
    d1
      .prepare(
        `INSERT INTO catalogue_versions (catalogue_id, version, total_products, total_physical,
           total_digital, published_at_ms)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 FROM catalogues WHERE id = ?1 AND staged_version = ?2`,
      )
      .bind(id, version, total, physical, total - physical, nowMs),
    d1
      .prepare(
        `UPDATE catalogues SET version = ?2, settings = coalesce(?3, settings)
         WHERE id = ?1 AND staged_version = ?2`,
      )
      .bind(id, version, settings ? JSON.stringify(settings) : null),
    d1
      .prepare(
        `INSERT INTO stock (product_id, variation_id, quantity, sellable)
         SELECT s.product_id, s.variation_id, s.quantity, s.sellable
         FROM staged_stock s JOIN catalogues c ON c.id = s.catalogue_id AND c.version = s.version
         WHERE s.catalogue_id = ?1 AND s.version = ?2
         ON CONFLICT (product_id, variation_id) DO UPDATE SET sellable = excluded.sellable,
           quantity = CASE
             WHEN ?3 = 'replace' OR excluded.quantity IS NULL OR stock.quantity IS NULL
             THEN excluded.quantity ELSE stock.quantity END
           WHERE stock.quantity IS NOT excluded.quantity OR stock.sellable <> excluded.sellable`,
      )
      .bind(id, version, stock),
    // The version before stays for the readers whose cached record still names it.
    d1
      .prepare(
        `DELETE FROM catalogue_versions WHERE catalogue_id = ?1 AND version <
           (SELECT max(version) FROM catalogue_versions WHERE catalogue_id = ?1 AND version < ?2)`,
      )
      .bind(id, version),
  ]);
  if (raised?.meta.changes === 0) {
    throw new SupersededPublication();
  }
}

/**
 * Clears away what no reader can see: versions older than the one before the current, and those of
 * publications that were killed. `staged` is the newest, which may not be current yet.
 */
async function deleteDeadVersions(d1: D1Database, { id, version }: Staged): Promise<void> {
  const dead = `catalogue_id = ?1 AND version < ?2
    AND version NOT IN (SELECT version FROM catalogue_versions WHERE catalogue_id = ?1)`;
  for (;;) {
    const [entries, staged] = await d1.batch([
      // The keys of a WITHOUT ROWID table: DELETE has no LIMIT of its own in D1.
      d1
        .prepare(
          `DELETE FROM catalogue_entries WHERE (catalogue_id, version, position) IN (
             SELECT catalogue_id, version, position FROM catalogue_entries WHERE ${dead} LIMIT ?3)`,
        )
        .bind(id, version, DELETE_ROWS),
      d1
        .prepare(
          `DELETE FROM staged_stock WHERE (catalogue_id, version, product_id, variation_id) IN (
             SELECT catalogue_id, version, product_id, variation_id FROM staged_stock
             WHERE catalogue_id = ?1 AND (version < ?2 OR version =
               (SELECT version FROM catalogues WHERE id = ?1)) LIMIT ?3)`,
        )
        .bind(id, version, DELETE_ROWS),
    ]);
    if (entries?.meta.changes === 0 && staged?.meta.changes === 0) return;
  }
}
