// The statements with which operators curate collections.
import { JOIN_REVISION } from "../../features/catalogue/queries.ts";
import { toJson } from "../../platform/db/columns.ts";
import type { collections } from "../../platform/db/schema.ts";
import { batch, type Database, sql } from "../../platform/db/sql.ts";

interface ListedProduct {
  id: number;
  sku: string;
  name: string;
  /** The first one, or an empty text. */
  category: string;
  /** JSON: string[]. */
  locations: string;
}

const SELECT_LISTED = sql<{ catalogueId: number }, ListedProduct>()`
  SELECT e.product_id AS id, r.content ->> '$.sku' AS sku, r.content ->> '$.name' AS name,
    coalesce(r.content ->> '$.categories[0]', '') AS category, r.locations
  FROM catalogues k
  CROSS JOIN catalogue_entries e ON e.catalogue_id = k.id AND e.version = k.version ${JOIN_REVISION}
  WHERE k.id = ${"catalogueId"}`;

/** The products of the current version. The cost is linear in the catalogue. */
export const readListed = async (db: Database, catalogueId: number) =>
  (await SELECT_LISTED.all(db, { catalogueId })).map(({ locations, ...product }) => ({
    ...product,
    locations: JSON.parse(locations) as string[],
  }));

type NewCollection = typeof collections.$inferInsert;
interface CollectionKey {
  catalogueId: number;
  id: string;
}

const INSERT_CHANGE = sql<CollectionKey & { type: string; nowMs: number }>()`
  INSERT INTO product_changes (catalogue_id, changes, created_at_ms)
  SELECT catalogue_id, json_array(json_array(${"type"}, NULL, NULL, id)), ${"nowMs"}
  FROM collections WHERE catalogue_id = ${"catalogueId"} AND id = ${"id"}`;

const UPSERT = sql<
  CollectionKey & Record<"name" | "description" | "translations" | "products", string>
>()`
  INSERT INTO collections (catalogue_id, id, name, description, translations, products)
  VALUES (${"catalogueId"}, ${"id"}, ${"name"}, ${"description"}, ${"translations"}, ${"products"})
  ON CONFLICT (catalogue_id, id) DO UPDATE SET name = excluded.name,
    description = excluded.description, translations = excluded.translations,
    products = excluded.products`;

const DELETE = sql<CollectionKey>()`
  DELETE FROM collections WHERE catalogue_id = ${"catalogueId"} AND id = ${"id"}`;

export async function writeCollection(
  db: Database,
  { translations, products, ...collection }: NewCollection,
  nowMs: number,
): Promise<void> {
  const json = { translations: toJson(translations), products: toJson(products) };
  await batch(db, {
    written: UPSERT.bind(db, { ...collection, ...json }),
    change: INSERT_CHANGE.bind(db, { ...collection, type: "collection.changed", nowMs }),
  });
}

/** `false` if there is none. */
export async function deleteCollection(db: Database, key: CollectionKey, nowMs: number) {
  const { deleted } = await batch(db, {
    change: INSERT_CHANGE.bind(db, { ...key, type: "collection.removed", nowMs }),
    deleted: DELETE.bind(db, key),
  });
  return deleted.meta.changes > 0;
}
