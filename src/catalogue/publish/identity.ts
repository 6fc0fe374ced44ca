// Which product a shop's row is: the names it had before lead to the id it has, new ones get a new id. So a
// catalogue that is published again keeps its product_ids and variation ids (decision 33). Reads only: publishing
// gives the new ids and writes the names.
import type { SourceProduct } from "../import/source.ts";
import type { FileProduct } from "../import/product.ts";

/** Rows in one answer. */
const PAGE = 5_000;

interface Identity {
  productId: number;
  /** 0 for a product. */
  variationId: number;
}

/** A name in a shop's file, and what it leads to. */
export type SourceName = [key: string, productId: number, variationId: number];

/**
 * Ids below 0 stand for ids that are not given yet: -1 for the first new product or variation, -2 for the second,
 * and so on.
 */
export interface Identified {
  /** In the order of their ids, new ones last. */
  products: FileProduct[];
  /** The names that lead elsewhere than before. */
  names: SourceName[];
}

/** The order of ids, where those that are not given yet come last. */
export const compareIds = (a: number, b: number) =>
  Number(a < 0) - Number(b < 0) || Math.abs(a) - Math.abs(b);

/** Finds the products that the catalogue had before. `catalogueId` 0: it is a new one. */
export async function identify(
  d1: D1Database,
  catalogueId: number,
  sources: readonly SourceProduct[],
): Promise<Identified> {
  const named = sources.filter(({ keys }) => keys.length > 0);
  const own = sources.filter(({ keys }) => keys.length === 0).map(({ product }) => product);
  const { products, names } = identifyNamed(await readNames(d1, catalogueId), named);
  return {
    products: [...own, ...products].sort((a, b) => compareIds(a.product_id, b.product_id)),
    names,
  };
}

function identifyNamed(
  known: ReadonlyMap<string, Identity>,
  sources: readonly SourceProduct[],
): Identified {
  const productIds = match(
    sources.map(({ keys }) => keys),
    (key) => {
      const identity = known.get(key);
      return identity?.variationId === 0 ? identity.productId : undefined;
    },
  );
  const variations = sources.flatMap(({ variationKeys }, index) =>
    variationKeys.map((keys) => ({ keys, productId: productIds[index] ?? 0 })),
  );
  const owned = new Map<string, number>();
  for (const { keys, productId } of variations) for (const key of keys) owned.set(key, productId);
  const variationIds = match(
    variations.map(({ keys }) => keys),
    (key) => {
      const identity = known.get(key);
      // What moved to another product is another variation: orders of the old one keep what they had.
      return identity && identity.variationId > 0 && identity.productId === owned.get(key)
        ? identity.variationId
        : undefined;
    },
  );

  const names = [
    ...sources.flatMap(({ keys }, index) =>
      keys.map((key): SourceName => [key, productIds[index] ?? 0, 0]),
    ),
    ...variations.flatMap(({ keys, productId }, index) =>
      keys.map((key): SourceName => [key, productId, variationIds[index] ?? 0]),
    ),
  ];
  let next = 0;
  return {
    products: sources.map(({ product }, index) => ({
      ...product,
      product_id: productIds[index] ?? 0,
      ...(product.variations && {
        variations: product.variations.map((variation) => ({
          ...variation,
          id: variationIds[next++] ?? 0,
        })),
      }),
    })),
    names: names.filter(([key, productId, variationId]) => {
      const before = known.get(key);
      return before?.productId !== productId || before.variationId !== variationId;
    }),
  };
}

/** Every name the catalogue has ever had, by pages. */
async function readNames(d1: D1Database, catalogueId: number): Promise<Map<string, Identity>> {
  const names = new Map<string, Identity>();
  let after = "";
  for (;;) {
    const { results } = await d1
      .prepare(
        `SELECT source_key AS key, product_id AS productId, variation_id AS variationId
         FROM product_sources WHERE catalogue_id = ?1 AND source_key > ?2
         ORDER BY source_key LIMIT ?3`,
      )
      .bind(catalogueId, after, PAGE)
      .all<Identity & { key: string }>();
    for (const { key, productId, variationId } of results) {
      names.set(key, { productId, variationId });
    }
    const last = results.at(-1);
    if (!last || results.length < PAGE) return names;
    after = last.key;
  }
}

/**
 * The id of each row: that of its firmest known name, else one that is not given yet. A firm name goes before any
 * other row's weaker one, and no id is taken twice: a SKU that has moved to another row leads to nothing.
 */
function match(rows: readonly string[][], idOf: (key: string) => number | undefined): number[] {
  const ids: (number | undefined)[] = rows.map(() => undefined);
  const taken = new Set<number>();
  const ranks = rows.reduce((most, keys) => Math.max(most, keys.length), 0);
  for (let rank = 0; rank < ranks; rank++) {
    for (const [index, keys] of rows.entries()) {
      // A row without the firmest name waits until those that have it are served.
      const key = keys[rank - (ranks - keys.length)];
      if (key === undefined || ids[index] !== undefined) continue;
      const id = idOf(key);
      if (id === undefined || taken.has(id)) continue;
      ids[index] = id;
      taken.add(id);
    }
  }
  let lastNew = 0;
  return ids.map((id) => id ?? --lastNew);
}
