// Finds the ids that a shop's products had in earlier publications, by their source keys (DECISIONS.md: Shop products
// keep their ids). It only reads. Publishing assigns new ids and writes the source keys.
import type { SourceProduct } from "../import/source.ts";
import type { FileProduct } from "../../../features/catalogue/file-product.ts";
import { readSourceKeys, type SourceIds } from "./plan-queries.ts";

/** A key of a product or variation in a shop's file, and the ids that it identifies. */
export interface SourceKey extends SourceIds {
  key: string;
}

/** New products and variations have negative ids: -1 for the first, -2 for the second, and so on. */
export interface IdentifiedProducts {
  /** In the order of `compareIds`. */
  products: FileProduct[];
  /** The source keys that are new or identify other ids than before. */
  sourceKeys: SourceKey[];
}

/** Sorts ids in ascending order, and new ids after them. */
const compareIds = (a: number, b: number) =>
  Number(a < 0) - Number(b < 0) || Math.abs(a) - Math.abs(b);

/** Gives each product the id that it had in the catalogue, or a negative id. `catalogueId` is 0 for a new catalogue. */
export async function identify(
  d1: D1Database,
  catalogueId: number,
  sources: readonly SourceProduct[],
): Promise<IdentifiedProducts> {
  const keyed = sources.filter(({ keys }) => keys.length > 0);
  const ownIds = sources.filter(({ keys }) => keys.length === 0).map(({ product }) => product);
  // A file with its own ids has no keys to look up.
  const known = keyed.length > 0 ? await readSourceKeys(d1, catalogueId) : new Map<string, never>();
  const { products, sourceKeys } = identifyByKeys(known, keyed);
  return {
    products: [...ownIds, ...products].sort((a, b) => compareIds(a.product_id, b.product_id)),
    sourceKeys,
  };
}

type IdsByKey = ReadonlyMap<string, SourceIds>;

function identifyByKeys(known: IdsByKey, sources: readonly SourceProduct[]): IdentifiedProducts {
  const productIds = matchProducts(known, sources);
  const variations = sources.flatMap(({ variationKeys }, index) =>
    variationKeys.map((keys) => ({ keys, productId: productIds[index] ?? 0 })),
  );
  const variationIds = matchVariations(known, variations);
  const identified = [
    ...sources.map(({ keys }, index) => ({
      keys,
      productId: productIds[index] ?? 0,
      variationId: 0,
    })),
    ...variations.map((variation, index) => ({
      ...variation,
      variationId: variationIds[index] ?? 0,
    })),
  ];
  return {
    products: withIds(sources, productIds, variationIds),
    sourceKeys: identified
      .flatMap(({ keys, ...ids }) => keys.map((key) => ({ key, ...ids })))
      .filter(({ key, productId, variationId }) => {
        const before = known.get(key);
        return before?.productId !== productId || before.variationId !== variationId;
      }),
  };
}

function matchProducts(known: IdsByKey, sources: readonly SourceProduct[]): number[] {
  return matchIds(
    sources.map(({ keys }) => keys),
    (key) => {
      const ids = known.get(key);
      return ids?.variationId === 0 ? ids.productId : undefined;
    },
  );
}

interface KeyedVariation {
  keys: string[];
  productId: number;
}

/** A variation that has moved to another product gets a new id, because orders refer to the old id with its product. */
function matchVariations(known: IdsByKey, variations: readonly KeyedVariation[]): number[] {
  return matchIds(
    variations.map(({ keys }) => keys),
    (key, index) => {
      const ids = known.get(key);
      return ids && ids.variationId > 0 && ids.productId === variations[index]?.productId
        ? ids.variationId
        : undefined;
    },
  );
}

/**
 * An id for each row: the id of its first known key, otherwise a new id. The first keys of all rows are matched before
 * their second keys, and each id is used once. So if a SKU moves to another row, the id does not move with it.
 */
function matchIds(
  rows: readonly string[][],
  idOf: (key: string, index: number) => number | undefined,
): number[] {
  const ids: (number | undefined)[] = rows.map(() => undefined);
  const taken = new Set<number>();
  const ranks = rows.reduce((most, keys) => Math.max(most, keys.length), 0);
  for (let rank = 0; rank < ranks; rank++) {
    for (const [index, keys] of rows.entries()) {
      // A row with fewer keys lacks the first ones, so keys are counted from the last.
      const key = keys[rank - (ranks - keys.length)];
      if (key === undefined || ids[index] !== undefined) continue;
      const id = idOf(key, index);
      if (id === undefined || taken.has(id)) continue;
      ids[index] = id;
      taken.add(id);
    }
  }
  let lastNew = 0;
  return ids.map((id) => id ?? --lastNew);
}

/** The products with these ids. `variationIds` contains the ids of all products' variations, in their order. */
function withIds(
  sources: readonly SourceProduct[],
  productIds: readonly number[],
  variationIds: readonly number[],
): FileProduct[] {
  let next = 0;
  return sources.map(({ product }, index) => ({
    ...product,
    product_id: productIds[index] ?? 0,
    ...(product.variations && {
      variations: product.variations.map((variation) => ({
        ...variation,
        id: variationIds[next++] ?? 0,
      })),
    }),
  }));
}
