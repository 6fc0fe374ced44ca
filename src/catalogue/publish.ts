// Publishing a catalogue: a new version is written beside the current one, in pieces of any number, and then
// becomes current in one step. Killed half-way, it has changed nothing that a reader sees; run again, it
// completes, since revisions are named by their content.
import { sha256Hex } from "../digest.ts";
import type { Product, StockLevel } from "./product.ts";

export interface PublishedProduct {
  product: Product;
  /** What a product that is new here starts with; the stock of known ones stays as it is. */
  stock: StockLevel[];
}

/** Bytes of JSON in one statement: far below D1's 2 MB for a value, and few enough statements. */
const CHUNK_BYTES = 500_000;

/**
 * Makes `products` (in ascending order of id, valid by `ProductWire`) the catalogue's current version and
 * returns its number. Of two at once the later start wins; the other throws.
 */
export async function publish(
  d1: D1Database,
  catalogueName: string,
  products: readonly PublishedProduct[],
  nowMs: number,
): Promise<number> {
  const staged = await d1
    .prepare(
      `INSERT INTO catalogues (name, staged_version) VALUES (?1, 1)
       ON CONFLICT (name) DO UPDATE SET staged_version = staged_version + 1
       RETURNING id, staged_version AS version`,
    )
    .bind(catalogueName)
    .first<{ id: number; version: number }>();
  if (!staged) throw new Error(`catalogue ${catalogueName} could not be staged`);

  for await (const chunk of chunks(products)) {
    await d1.batch(chunkStatements(d1, staged, JSON.stringify(chunk)));
  }
  await makeCurrent(d1, staged, products, nowMs);
  return staged.version;
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
  { id, version }: { id: number; version: number },
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
    d1
      .prepare(
        `INSERT OR IGNORE INTO stock (product_id, variation_id, quantity, sellable)
         SELECT ${product("id")}, level.value ->> '$.variationId', level.value ->> '$.quantity',
           level.value ->> '$.sellable'
         ${eachLevel}`,
      )
      .bind(rows),
    d1
      .prepare(
        `INSERT INTO catalogue_entries
           (catalogue_id, version, position, product_id, revision, delivery, delivery_position)
         SELECT ?2, ?3, row.value ->> '$.position', ${product("id")}, row.value ->> '$.revision',
           ${product("delivery")}, row.value ->> '$.deliveryPosition'
         ${each}`,
      )
      .bind(rows, id, version),
  ];
}

async function makeCurrent(
  d1: D1Database,
  { id, version }: { id: number; version: number },
  products: readonly PublishedProduct[],
  nowMs: number,
): Promise<void> {
  const physical = products.filter(({ product }) => product.delivery === "physical").length;
  const total = products.length;
  const [, raised] = await d1.batch([
    d1
      .prepare(`INSERT INTO catalogue_versions VALUES (?1, ?2, ?3, ?4, ?5, ?6)`)
      .bind(id, version, total, physical, total - physical, nowMs),
    d1
      .prepare(`UPDATE catalogues SET version = ?2 WHERE id = ?1 AND version < ?2`)
      .bind(id, version),
    // The version before stays for the readers whose cached record still names it.
    d1
      .prepare(
        `DELETE FROM catalogue_versions WHERE catalogue_id = ?1 AND version <
           (SELECT max(version) FROM catalogue_versions WHERE catalogue_id = ?1 AND version < ?2)`,
      )
      .bind(id, version),
    d1
      .prepare(
        `DELETE FROM catalogue_entries WHERE catalogue_id = ?1 AND version < ?2
           AND version NOT IN (SELECT version FROM catalogue_versions WHERE catalogue_id = ?1)`,
      )
      .bind(id, version),
  ]);
  if (raised?.meta.changes === 0) {
    throw new Error("another publication of this catalogue, started later, was faster");
  }
}
