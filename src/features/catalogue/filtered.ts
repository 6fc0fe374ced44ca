// Reads the products that meet filters, and lists vendors and categories, by the index of the version.
import type { CatalogueVersion } from "../clients/profile.ts";
import { type Collection, readCollections, unknownCollection } from "./collection-queries.ts";
import type { CollectionsQuery, PageQuery } from "./contract.ts";
import { commonPositions, conditionsOf, positionsById, positionsOf } from "./conditions.ts";
import type { Database } from "../../platform/db/sql.ts";
import { findIndex } from "./index-queries.ts";
import { skippedBy } from "./page-range.ts";
import { type CataloguePage, readPositions, readVersion } from "./queries.ts";
import {
  ALL_IDS,
  decodePositions,
  only,
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
  const ranges = [startingWith("vendor"), startingWith("category")];
  const { postings } = await readVersion(d1, catalogue, (db, version) =>
    findIndex(db, version, ranges, false),
  );
  return { vendors: countsOf(postings[0]), categories: countsOf(postings[1]) };
}

const countsOf = (postings: readonly Posting[] = []) =>
  postings
    .map(([term, positions]) => ({
      name: valueOf(term),
      product_count: [...decodePositions(positions)].length,
    }))
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
  const conditions = conditionsOf(query);
  const needsIds = inStock !== undefined || collected !== undefined;
  const ranges = [...conditions.flat(), ...(needsIds ? [only(ALL_IDS)] : [])];
  return readVersion(d1, catalogue, async (db, version) => {
    const index = await findIndex(db, version, ranges, inStock !== undefined);
    if (!index) return null;
    const { postings, soldOut } = index;
    const lists = takeLists(postings, conditions);
    const ids = [...positionsOf(postings.flat())];
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

/** Removes the postings of the conditions. Returns the positions that meet each of them. */
const takeLists = (postings: Posting[][], conditions: TermRange[][]): Iterable<number>[] =>
  conditions.map(({ length }) => positionsOf(postings.splice(0, length).flat()));

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
  const conditions = conditionsOf({ ...query, product_type: null });
  return readVersion(d1, catalogue, async (db, version) => {
    const index = await findIndex(db, version, [...conditions.flat(), only(ALL_IDS)], false);
    if (!index) return null;
    const { postings } = index;
    const lists = takeLists(postings, conditions);
    const ids = [...positionsOf(postings.flat())];
    const found = new Set(
      commonPositions(version.totals.all, lists).map((position) => ids[position - 1]),
    );
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
  const ranges = [...conditions.flat(), only(ALL_IDS), startingWith("category")];
  const index = await findIndex(db, version, ranges, true);
  if (!index) return null;
  const { postings, soldOut } = index;
  const lists = takeLists(postings, conditions);
  const [all = [], categories = []] = postings;
  const ids = [...positionsOf(all)];
  lists.push(positionsById(ids, soldOut.add(offeredProductId), false));
  if (collected) lists.push(positionsById(ids, new Set(collected), true));
  const found = new Set(commonPositions(ids.length, lists));
  const byCategory = new Map(
    categories.map(([term, positions]) => [
      valueOf(term),
      [...decodePositions(positions)].flatMap((at) => (found.has(at) ? (ids[at - 1] ?? []) : [])),
    ]),
  );
  const isShown = new Set(
    category === "" ? [...found].map((at) => ids[at - 1]) : byCategory.get(category),
  );
  return { ids: (collected ?? ids).filter((id) => isShown.has(id)), byCategory };
}
