// The statements that read the collections of a catalogue.
import { validationError } from "../../core/api-error.ts";
import type { Currency } from "../../core/values/iso.ts";
import { columnsOf, parseJson } from "../../platform/db/columns.ts";
import type { Collections } from "../../platform/db/schema.ts";
import { type Database, fragment, sql } from "../../platform/db/sql.ts";
import { JOIN_REVISION } from "./queries.ts";

const l = columnsOf<Collections>("l");

/** The maximum number of collections of a catalogue, and of products in one. */
export const MAX_COLLECTIONS = 100;
export const MAX_COLLECTION_PRODUCTS = 200;

const SELECT_COLLECTIONS = sql<{ catalogueId: number; id: string | null }>()`
  SELECT ${l("id", "name", "description", "translations", "products")} FROM collections l
  WHERE l.catalogue_id = ${"catalogueId"} AND l.id = coalesce(${"id"}, l.id) ORDER BY l.id`;

/** The collections of a catalogue, by id. With `id`, only this one. One round trip. */
export async function readCollections(db: Database, catalogueId: number, id: string | null = null) {
  const rows = await SELECT_COLLECTIONS.all(db, { catalogueId, id });
  return rows.map(({ translations, products, ...row }) => ({
    ...row,
    translations: parseJson(translations),
    products: parseJson(products),
  }));
}

export type Collection = Awaited<ReturnType<typeof readCollections>>[number];

/** Joins the products `p` of collection `l` with their entries in the current version of catalogue `k`. */
const JOIN_COLLECTED = fragment`
  CROSS JOIN json_each(l.products) p
  CROSS JOIN catalogue_entries e
    ON e.catalogue_id = k.id AND e.version = k.version AND e.product_id = p.value`;

/** The error of a request with an unknown collection. */
export const unknownCollection = () =>
  validationError([{ field: "collection", message: "is not a collection of your catalogue" }]);

interface ChoicesKey {
  catalogueId: number;
  collection: string;
  /** The offered product, which does not count as a choice. */
  offeredId: number;
  currency: Currency;
  /** The highest price of one piece with its shipping. */
  budgetMinor: number;
}

const SELECT_CHOICES = sql<ChoicesKey, { locations: string }>()`
  SELECT (SELECT json_group_array(json(r.locations)) FROM catalogues k ${JOIN_COLLECTED} ${JOIN_REVISION}
    WHERE k.id = l.catalogue_id AND e.product_id <> ${"offeredId"} AND e.currency = ${"currency"}
      AND e.lowest_unit_minor <= ${"budgetMinor"}
      AND EXISTS (SELECT 1 FROM stock s WHERE s.product_id = e.product_id AND s.sellable = 1
        AND coalesce(s.quantity, 1) > 0 AND r.shipping_minor
          + coalesce(r.price_minor, (SELECT v.value ->> '$.priceMinor'
            FROM json_each(r.variations) v WHERE v.value ->> '$.id' = s.variation_id))
          <= ${"budgetMinor"})) AS locations
  FROM collections l WHERE l.catalogue_id = ${"catalogueId"} AND l.id = ${"collection"}`;

/**
 * The locations of each other product of the collection that is in stock and within the budget. Null if there is no such
 * collection. One round trip.
 */
export async function findChoices(db: Database, key: ChoicesKey): Promise<string[][] | null> {
  const row = await SELECT_CHOICES.first(db, key);
  return row && (JSON.parse(row.locations) as string[][]);
}
