// Finds the ids that a shop's products had in earlier publications, by their source keys. It only reads.
// Publishing assigns new ids and writes the source keys.
import type { SourceProduct } from "../import/source.ts";
import { fromFileProduct } from "../../../features/catalogue/file-product.ts";
import type { ProductWithStock } from "../../../features/catalogue/product.ts";
import { readSourceKeys, type SourceIds } from "./plan-queries.ts";

/** A key of a product or variation in a shop's file, and the ids that it identifies. */
export interface SourceKey extends SourceIds {
  key: string;
}

export interface IdentifiedProducts {
  /** In the order of `compareIds`. */
  products: ProductWithStock[];
  /** The source keys that are new or identify other ids than before. */
  sourceKeys: SourceKey[];
}

/** A product to publish. Its ids are placeholders if it has keys. */
export type KeyedProduct = ProductWithStock & Partial<Omit<SourceProduct, "product">>;

export const fromSource = ({ product, ...keys }: SourceProduct): KeyedProduct => ({
  ...fromFileProduct(product),
  ...keys,
});

/** Sorts ids in ascending order, and new ids after them. */
const compareIds = (a: number, b: number) =>
  Number(a < 0) - Number(b < 0) || Math.abs(a) - Math.abs(b);

/**
 * Gives each product with keys the ids that it had in the catalogue. New products and variations get negative ids: -1 for
 * the first, -2 for the second, and so on. `catalogueId` is 0 for a new catalogue.
 */
export async function identify(
  d1: D1Database,
  catalogueId: number,
  given: readonly KeyedProduct[],
): Promise<IdentifiedProducts> {
  const { keyed = [], own = [] } = Object.groupBy(given, ({ keys = [] }) =>
    keys.length > 0 ? "keyed" : "own",
  );
  // A file with its own ids has no keys to look up.
  const known = keyed.length > 0 ? await readSourceKeys(d1, catalogueId) : new Map<string, never>();
  const { products, sourceKeys } = identifyByKeys(known, keyed);
  return {
    products: [...own, ...products].sort((a, b) => compareIds(a.product.id, b.product.id)),
    sourceKeys,
  };
}

function identifyByKeys(
  known: ReadonlyMap<string, SourceIds>,
  given: readonly KeyedProduct[],
): IdentifiedProducts {
  const productIds = matchIds(
    given.map(({ keys = [] }) => keys),
    (key) => {
      const ids = known.get(key);
      return ids?.variationId === 0 ? ids.productId : undefined;
    },
  );
  const products = given.map(({ keys = [], variationKeys = [] }, index) => ({
    keys,
    variationKeys,
    productId: productIds[index] ?? 0,
    variationId: 0,
  }));
  const variations = products.flatMap(({ variationKeys, productId }) =>
    variationKeys.map((keys) => ({ keys, productId })),
  );
  // A variation that has moved to another product gets a new id, because orders refer to the old id with its product.
  const variationIds = matchIds(
    variations.map(({ keys }) => keys),
    (key, index) => {
      const ids = known.get(key);
      return ids && ids.variationId > 0 && ids.productId === variations[index]?.productId
        ? ids.variationId
        : undefined;
    },
  );
  const identified = [
    ...products,
    ...variations.map((each, index) => ({ ...each, variationId: variationIds[index] ?? 0 })),
  ];
  let next = 0;
  return {
    products: given.map((each, index) => {
      const first = next;
      next += each.product.variations.length;
      return withIds(each, productIds[index] ?? 0, variationIds.slice(first, next));
    }),
    sourceKeys: identified
      .flatMap(({ keys, productId, variationId }) =>
        keys.map((key) => ({ key, productId, variationId })),
      )
      .filter(({ key, productId, variationId }) => {
        const before = known.get(key);
        return before?.productId !== productId || before.variationId !== variationId;
      }),
  };
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

/** The product with these ids. `variationIds` is empty for a simple product. */
export const withIds = (
  { product, stock }: ProductWithStock,
  id: number,
  variationIds: readonly number[],
): ProductWithStock => ({
  product: {
    ...product,
    id,
    variations: product.variations.map((each, n) => ({ ...each, id: variationIds[n] ?? 0 })),
  },
  stock: stock.map((level, n) => ({ ...level, variationId: variationIds[n] ?? 0 })),
});
