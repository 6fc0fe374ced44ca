// Reads the products that meet filters, and lists vendors and categories, by the index of the version.
import type { CatalogueVersion } from "../clients/profile.ts";
import { type Collection, readCollections, unknownCollection } from "./collection-queries.ts";
import type { CollectionsQuery, PageQuery } from "./contract.ts";
import { commonPositions, conditionsOf, positionsById } from "./conditions.ts";
import type { Database } from "../../platform/db/sql.ts";
import { findIndex } from "./index-queries.ts";
import { skippedBy } from "./page-range.ts";
import { type CataloguePage, readPositions, readVersion } from "./queries.ts";
import {
  ALL_IDS,
  only,
  positionsOf,
  type Posting,
  priceTerm,
  startingWith,
  type TermRange,
  valueOf,
} from "./terms.ts";

/** The names of all vendors and categories, and the number of products of each. */
export async function readFacets(d1: D1Database, catalogue: CatalogueVersion) {
  // A catalogue that was never published has no version.
  if (catalogue.totals.all === 0) return { vendors: [], categories: [] };
  const groups = [[startingWith("vendor")], [startingWith("category")]];
  const { postings } = await readVersion(d1, catalogue, (db, version) =>
    findIndex(db, version, groups, false),
  );
  return { vendors: countsOf(postings[0]), categories: countsOf(postings[1]) };
}

const countsOf = (postings: readonly Posting[] = []) =>
  postings
    .map(([term, gaps]) => ({ name: valueOf(term), product_count: gaps.length }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * A page of the products that meet all filters, and their number. Two round trips, or three with a collection. A page past
 * the end is empty. Errors: `validation_error`.
 */
export async function readFilteredPage(
  d1: D1Database,
  catalogue: CatalogueVersion,
  query: PageQuery,
): Promise<CataloguePage & { total: number }> {
  const { totals } = catalogue;
  const { limit, in_stock: inStock } = query;
  const collected = query.collection && (await readCollected(d1, catalogue.id, query.collection));
  if (totals.all === 0) return { totals, total: 0, listed: [] };
  const needsIds = inStock !== undefined || collected !== undefined;
  const groups = [needsIds ? [only(ALL_IDS)] : [], ...conditionsOf(query)];
  return readVersion(d1, catalogue, async (db, version) => {
    const index = await findIndex(db, version, groups, inStock !== undefined);
    if (!index) return null;
    const { soldOut } = index;
    const [all = [], ...met] = index.postings;
    const lists = met.map(positionsOf);
    const ids = [...positionsOf(all)];
    if (inStock !== undefined) lists.push(positionsById(ids, soldOut, !inStock));
    if (collected) lists.push(positionsById(ids, collected, true));
    const positions = commonPositions(version.totals.all, lists);
    const skip = skippedBy(query);
    const shown = positions.slice(skip, skip + limit);
    const listed = await readPositions(db, version, shown);
    if (listed.length < shown.length) return null;
    return { totals: version.totals, total: positions.length, listed };
  });
}

/** The products of a collection. Errors: `validation_error`. */
async function readCollected(d1: D1Database, catalogueId: number, id: string) {
  const [collection] = await readCollections(d1, catalogueId, id);
  if (!collection) throw unknownCollection();
  return new Set(collection.products);
}

/** The collections, and the number of their products that meet the filters. Two round trips. */
export async function readCollectionCounts(
  d1: D1Database,
  catalogue: CatalogueVersion,
  query: CollectionsQuery,
): Promise<(Collection & { count: number })[]> {
  const collections = await readCollections(d1, catalogue.id);
  if (catalogue.totals.all === 0) return collections.map((each) => ({ ...each, count: 0 }));
  const groups = [[only(ALL_IDS)], ...conditionsOf({ ...query, product_type: null })];
  return readVersion(d1, catalogue, async (db, version) => {
    const index = await findIndex(db, version, groups, false);
    if (!index) return null;
    const [all = [], ...met] = index.postings;
    const ids = [...positionsOf(all)];
    const positions = commonPositions(version.totals.all, met.map(positionsOf));
    const found = new Set(positions.map((position) => ids[position - 1]));
    return collections.map((collection) => ({
      ...collection,
      count: collection.products.filter((id) => found.has(id)).length,
    }));
  });
}

interface GiftsQuery {
  /** Empty for all gifts. */
  q: string;
  /** Empty for all categories. */
  category: string;
  country: string;
  currency: string;
  /** The highest price of one piece with its shipping. */
  budgetMinor: number;
  offeredProductId: number;
  /** The products of the collection from which the recipient chooses. Null for the whole catalogue. */
  collected: readonly number[] | null;
}

/**
 * The gifts that a recipient may choose instead of the offered one, in the order of the collection or of their ids, which
 * tells no prices. `categories` has the gifts of each category, without the filter `category`. One round trip. Null as of
 * findIndex.
 */
export async function findGiftIds(
  db: Database,
  version: Pick<CatalogueVersion, "id" | "version">,
  { q, category, country, currency, budgetMinor, offeredProductId, collected }: GiftsQuery,
) {
  const affordable: TermRange = [
    priceTerm("unit", currency, 0),
    priceTerm("unit", currency, budgetMinor),
  ];
  const conditions = [...conditionsOf({ q, country, product_type: null }), [affordable]];
  const groups = [[only(ALL_IDS)], [startingWith("category")], ...conditions];
  const index = await findIndex(db, version, groups, true);
  if (!index) return null;
  const { soldOut } = index;
  const [all = [], categories = [], ...met] = index.postings;
  const lists = met.map(positionsOf);
  const ids = [...positionsOf(all)];
  lists.push(positionsById(ids, soldOut.add(offeredProductId), false));
  if (collected) lists.push(positionsById(ids, new Set(collected), true));
  const found = new Set(commonPositions(ids.length, lists));
  const byCategory = new Map(
    categories.map((posting) => [
      valueOf(posting[0]),
      [...positionsOf([posting])].flatMap((at) => (found.has(at) ? (ids[at - 1] ?? []) : [])),
    ]),
  );
  const isShown = new Set(
    category === "" ? [...found].map((at) => ids[at - 1]) : byCategory.get(category),
  );
  return { ids: (collected ?? ids).filter((id) => isShown.has(id)), byCategory };
}
