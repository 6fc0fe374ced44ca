// The statements that read the index of a version.
import { batch, type Database, fragment, sql } from "../../platform/db/sql.ts";
import type { CatalogueVersion } from "../clients/profile.ts";
import { AVAILABILITY_IN_CATALOGUE, CHANGED_PRODUCTS } from "./availability-queries.ts";
import type { Posting, TermRange } from "./terms.ts";

interface VersionKey {
  catalogueId: number;
  version: number;
}

const OF_VERSION = fragment`catalogue_id = ${"catalogueId"} AND version = ${"version"}`;

/**
 * The chunks with the terms of each range: those that begin in it, and the one before. `ranges` is JSON: TermRange[].
 */
const SELECT_CHUNKS = sql<VersionKey & { ranges: string }, { range: number; content: string }>()`
  SELECT given.key AS "range", i.content
  FROM json_each(${"ranges"}) given CROSS JOIN catalogue_index i
  WHERE i.catalogue_id = ${"catalogueId"} AND i.version = ${"version"}
    AND i.first_term <= given.value ->> 1
    AND i.first_term >= coalesce((SELECT max(first_term) FROM catalogue_index
      WHERE ${OF_VERSION} AND first_term <= given.value ->> 0), '')`;

/** A version has its row as long as its index is complete. */
const SELECT_VERSION = sql<VersionKey, { exists: 1 }>()`
  SELECT 1 AS "exists" FROM catalogue_versions WHERE ${OF_VERSION}`;

const SELECT_SOLD_OUT = sql<{ catalogueId: number }, { ids: string }>()`
  SELECT sold_out AS ids FROM catalogues WHERE id = ${"catalogueId"}`;

const SELECT_CHANGED_STOCK = sql<
  { catalogueId: number; limit: number },
  { productId: number; available: number }
>()`
  WITH ${AVAILABILITY_IN_CATALOGUE}
  SELECT product_id AS productId, available FROM availability WHERE variation_id = 0`;

export interface IndexRead {
  /** The postings of each group of ranges. */
  postings: Posting[][];
  /** The ids of the products that cannot be ordered. Empty unless it was asked for. */
  soldOut: Set<number>;
}

/**
 * Reads the index of a version, in one round trip. Null if the database does not have the version, because it is a
 * replica that lags behind, or because the version was deleted.
 */
export async function findIndex(
  db: Database,
  { id: catalogueId, version }: Pick<CatalogueVersion, "id" | "version">,
  groups: readonly TermRange[][],
  withStock: boolean,
): Promise<IndexRead | null> {
  const key = { catalogueId, version };
  const ranges = groups.flat();
  const { versions, chunks, sold, changed } = await batch(db, {
    versions: SELECT_VERSION.bind(db, key),
    chunks: SELECT_CHUNKS.bind(db, { ...key, ranges: JSON.stringify(ranges) }),
    sold: SELECT_SOLD_OUT.bind(db, { catalogueId: withStock ? catalogueId : 0 }),
    changed: SELECT_CHANGED_STOCK.bind(db, {
      catalogueId,
      limit: withStock ? CHANGED_PRODUCTS : 0,
    }),
  });
  if (versions.results.length === 0) return null;
  const postingsOf = (range: TermRange) =>
    chunks.results
      .filter((chunk) => ranges[chunk.range] === range)
      .flatMap(({ content }) => JSON.parse(content) as Posting[])
      .filter(([term]) => range[0] <= term && term <= range[1]);
  const postings = groups.map((group) => group.flatMap(postingsOf));
  const soldOut = new Set(JSON.parse(sold.results[0]?.ids ?? "[]") as number[]);
  for (const { productId, available } of changed.results) {
    if (available) soldOut.delete(productId);
    else soldOut.add(productId);
  }
  return { postings, soldOut };
}
