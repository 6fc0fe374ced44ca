// The statements that plan a publication and assign ids.
import type { CatalogueVersion } from "../../../features/clients/profile.ts";
import { readInChunks } from "../../../core/values/chunks.ts";
import { nameKey } from "../../../core/values/name.ts";
import {
  hasCodes,
  type ProductWithStock,
  type Translations,
} from "../../../features/catalogue/product.ts";
import {
  JOIN_REVISION,
  PRODUCT_COLUMNS,
  toProductWithStock,
} from "../../../features/catalogue/queries.ts";
import { type Database, sql } from "../../../platform/db/sql.ts";
import { revision } from "../../../platform/db/tables.ts";

/** The maximum number of rows in a result. */
const MAX_ROWS = 5_000;

// CROSS JOIN, because SQLite does not reorder its tables: each id is looked up by its key, and no other rows are read.

/** `ids` is a JSON array of product ids. */
interface ProductIds {
  ids: string;
  catalogueId: number;
  version: number;
}

export interface Entry {
  id: number;
  revision: string;
  changedAtMs: number;
}

const SELECT_ENTRIES = sql<{ catalogueId: number; version: number }, Entry>()`
  SELECT product_id AS id, revision, changed_at_ms AS changedAtMs FROM catalogue_entries
  WHERE catalogue_id = ${"catalogueId"} AND version = ${"version"} ORDER BY product_id`;

/** All entries of the version by their products' ids, in ascending order. */
export async function readCatalogueEntries(
  db: Database,
  catalogueId: number,
  version: number,
): Promise<Map<number, Entry>> {
  const rows = await SELECT_ENTRIES.all(db, { catalogueId, version });
  return new Map(rows.map((entry) => [entry.id, entry]));
}

const CONTENT = { ...PRODUCT_COLUMNS, ...revision("translations") };

const SELECT_PRODUCTS = sql<{ catalogueId: number; version: number; skip: number }>()`
  SELECT ${CONTENT} FROM catalogue_entries e ${JOIN_REVISION}
  WHERE e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"}
    AND e.position > ${"skip"} AND e.position <= ${"skip"} + 500 ORDER BY e.position`;

/** The products of a version that is kept, with their present stock. */
export async function readProductsOf(
  db: Database,
  catalogueId: number,
  { version, all: total }: { version: number; all: number },
): Promise<ProductWithStock[]> {
  const products: ProductWithStock[] = [];
  for (let skip = 0; skip < total; skip += 500) {
    const rows = await SELECT_PRODUCTS.all(db, { catalogueId, version, skip });
    for (const { translations: texts, ...row } of rows) {
      const { product, stock } = toProductWithStock(row);
      const codeDays = hasCodes(product) ? (product.digital?.codeDays ?? null) : null;
      const translations =
        texts === null ? {} : { translations: JSON.parse(texts) as Translations };
      products.push({
        product: { ...product, ...translations },
        stock: stock.map((level) => ({ ...level, codeDays })),
      });
    }
  }
  return products;
}

export interface ForeignProduct {
  id: number;
  /** The name of the catalogue that published the product first. */
  owner: string;
}

const SELECT_FOREIGN_PRODUCTS = sql<ProductIds, ForeignProduct>()`
  SELECT p.id, c.name AS owner FROM json_each(${"ids"}) given
  CROSS JOIN products p ON p.id = given.value
  CROSS JOIN catalogues c ON c.id = p.catalogue_id
  WHERE c.id <> ${"catalogueId"} AND NOT EXISTS (SELECT 1 FROM catalogue_entries e
    WHERE e.catalogue_id = ${"catalogueId"} AND e.version = ${"version"} AND e.product_id = p.id)`;

/** Those of the products that belong to another catalogue and are not in the current version. */
export const listForeignProducts = (
  db: Database,
  { id: catalogueId, version }: CatalogueVersion,
  productIds: readonly number[],
): Promise<ForeignProduct[]> =>
  readInChunks(productIds, (ids) =>
    SELECT_FOREIGN_PRODUCTS.all(db, { ids: JSON.stringify(ids), catalogueId, version }),
  );

export interface ForeignVariation {
  id: number;
  productId: number;
  /** The catalogue that the product belongs to. Null if it belongs to none. */
  owner: string | null;
}

/** `pairs` is a JSON array of [variation id, product id]. */
const SELECT_FOREIGN_VARIATION = sql<{ pairs: string }, ForeignVariation>()`
  SELECT v.id, v.product_id AS productId, c.name AS owner FROM json_each(${"pairs"}) given
  CROSS JOIN variations v ON v.id = given.value ->> 0
  CROSS JOIN products p ON p.id = v.product_id LEFT JOIN catalogues c ON c.id = p.catalogue_id
  WHERE v.product_id <> given.value ->> 1 LIMIT 1`;

/** A variation whose product is not the given one, or null. */
export async function findForeignVariation(
  db: Database,
  productIdByVariationId: ReadonlyMap<number, number>,
): Promise<ForeignVariation | null> {
  const [found = null] = await readInChunks([...productIdByVariationId], (pairs) =>
    SELECT_FOREIGN_VARIATION.all(db, { pairs: JSON.stringify(pairs) }),
  );
  return found;
}

/** The product or variation that a source key identifies. */
export interface SourceIds {
  productId: number;
  /** 0 if the key identifies a product. */
  variationId: number;
}

const SELECT_SOURCE_KEYS = sql<
  { catalogueId: number; after: string; limit: number },
  SourceIds & { key: string }
>()`
  SELECT source_key AS key, product_id AS productId, variation_id AS variationId
  FROM product_sources WHERE catalogue_id = ${"catalogueId"} AND source_key > ${"after"}
  ORDER BY source_key LIMIT ${"limit"}`;

/** All source keys of the catalogue, including those of products that are no longer published. */
export async function readSourceKeys(
  db: Database,
  catalogueId: number,
): Promise<Map<string, SourceIds>> {
  const ids = new Map<string, SourceIds>();
  let after = "";
  for (;;) {
    const rows = await SELECT_SOURCE_KEYS.all(db, { catalogueId, after, limit: MAX_ROWS });
    for (const { key, productId, variationId } of rows) ids.set(key, { productId, variationId });
    const last = rows.at(-1);
    if (!last || rows.length < MAX_ROWS) return ids;
    after = last.key;
  }
}

// Files with their own ids do not advance the sequence, so new ids must also follow the largest id in use.

const ADVANCE_IDS = sql<
  { products: number; variations: number },
  { name: string; lastId: number }
>()`
  UPDATE id_sequences SET last_id = CASE name
    WHEN 'products' THEN max(last_id, (SELECT coalesce(max(id), 0) FROM products)) + ${"products"}
    ELSE max(last_id, (SELECT coalesce(max(id), 0) FROM variations)) + ${"variations"} END
  WHERE name IN ('products', 'variations') RETURNING name, last_id AS lastId`;

/** Reserves the next `products` product ids and `variations` variation ids, and returns the last of each. */
export async function reserveIds(db: Database, counts: { products: number; variations: number }) {
  const rows = await ADVANCE_IDS.all(db, counts);
  const lastOf = (table: string) => rows.find(({ name }) => name === table)?.lastId ?? 0;
  return { lastProductId: lastOf("products"), lastVariationId: lastOf("variations") };
}

/**
 * The vendors of a file. Some are to be confirmed: their people would see the recipients of a catalogue that had none of
 * their products. `names` is JSON: the names by their keys. `users` and `confirmed` are JSON arrays of keys.
 */
const SELECT_VENDORS = sql<
  Record<"catalogue" | "names" | "users" | "confirmed", string>,
  { status: "known" | "new" | "to be confirmed" | "with people"; names: string }
>()`
  SELECT CASE
      WHEN v.webhook_url IS NULL AND v.email IS NULL AND g.key NOT IN (SELECT value FROM json_each(${"users"}))
      THEN iif(v.id IS NULL, 'new', 'known')
      WHEN g.key IN (SELECT value FROM json_each(${"confirmed"})) OR EXISTS (SELECT 1
        FROM catalogues c CROSS JOIN catalogue_entries e ON e.catalogue_id = c.id AND e.version = c.version
        CROSS JOIN product_revisions r ON r.product_id = e.product_id AND r.revision = e.revision
          AND r.vendor_key = g.key WHERE c.name = ${"catalogue"})
      THEN 'with people' ELSE 'to be confirmed' END AS status, group_concat(coalesce(v.name, g.value), ', ') AS names
  FROM json_each(${"names"}) g LEFT JOIN vendors v ON v.name_key = g.key GROUP BY status`;

/** The names of the products' vendors by status. `users` has the vendors with users as its keys. */
export function readVendors(
  db: Database,
  input: { catalogue: string; confirm_vendors?: readonly string[] | undefined },
  products: readonly ProductWithStock[],
  users: object = {},
) {
  const vendors = products.map(({ product }) => product.vendor.name);
  const names = new Map(vendors.map((name) => [nameKey(name), name]));
  names.delete("");
  // Inputs are separated by commas, which names may have. Each part confirms one name, the longest one.
  let parts = `,${(input.confirm_vendors ?? []).map(nameKey).join()},`;
  const confirmed = [...names.keys()]
    .toSorted((a, b) => b.length - a.length)
    .filter((key) => {
      const before = parts;
      parts = parts.replace(`,${key.replaceAll(", ", ",")},`, ",");
      return parts !== before;
    });
  return SELECT_VENDORS.all(db, {
    catalogue: input.catalogue,
    names: JSON.stringify(Object.fromEntries(names)),
    users: JSON.stringify(Object.keys(users).map(nameKey)),
    confirmed: JSON.stringify(confirmed),
  });
}
