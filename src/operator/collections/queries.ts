// The statements with which operators curate collections.
import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { JOIN_REVISION } from "../../features/catalogue/queries.ts";
import { collections } from "../../platform/db/schema.ts";
import { type Database, statement } from "../../platform/db/statement.ts";

interface ListedProduct {
  id: number;
  sku: string;
  name: string;
  /** The first one, or an empty text. */
  category: string;
  /** JSON: string[]. */
  locations: string;
}

const SELECT_LISTED = statement<{ catalogueId: number }, ListedProduct>()`
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

export async function writeCollection(d1: D1Database, collection: NewCollection): Promise<void> {
  const { name, description, translations, products } = collection;
  await drizzle(d1)
    .insert(collections)
    .values(collection)
    .onConflictDoUpdate({
      target: [collections.catalogueId, collections.id],
      set: { name, description, translations, products },
    });
}

/** `false` if there is none. */
export async function deleteCollection(d1: D1Database, catalogueId: number, id: string) {
  const { meta } = await drizzle(d1)
    .delete(collections)
    .where(and(eq(collections.catalogueId, catalogueId), eq(collections.id, id)));
  return meta.changes > 0;
}
