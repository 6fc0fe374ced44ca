// Stages the products and source keys of a version, in chunks.
import { chunksBySize } from "../../../core/values/chunks.ts";
import { sha256Hex } from "../../../core/values/digest.ts";
import type { ProductWithStock } from "../../../features/catalogue/product.ts";
import type { SourceKey } from "./identity.ts";
import {
  type StagedVersion,
  stageProductsChunk,
  stageSourceKeysChunk,
  type StockMode,
} from "./staging-queries.ts";

/**
 * The publication has not taken effect, usually because another publication of the catalogue started later
 * (DECISIONS.md: The later publication wins).
 */
export class SupersededPublication extends Error {
  override name = "SupersededPublication";

  constructor(
    message = "another publication of this catalogue started later and replaces this one.",
  ) {
    super(message);
  }
}

/** The maximum size of a chunk of JSON. D1's limit for a value is 2 MB. */
const MAX_CHUNK_BYTES = 500_000;

/** Calls `onProgress` after each chunk, as in `PublishOptions`. Errors: `SupersededPublication`. */
export async function stageProducts(
  d1: D1Database,
  staged: StagedVersion,
  products: readonly ProductWithStock[],
  stockMode: StockMode,
  onProgress?: (staged: number) => void,
): Promise<void> {
  const positions = { physical: 0, digital: 0 };
  const rows = products.map(async ({ product, stock }, index) =>
    JSON.stringify({
      position: index + 1,
      deliveryPosition: ++positions[product.delivery],
      revision: await revisionOf(product),
      product,
      stock,
    }),
  );
  let count = 0;
  for (const chunk of chunksBySize(await Promise.all(rows), bytesOf, MAX_CHUNK_BYTES)) {
    if (!(await stageProductsChunk(d1, staged, stockMode, `[${chunk.join()}]`))) {
      throw new SupersededPublication();
    }
    count += chunk.length;
    onProgress?.(count);
  }
}

/** Errors: `SupersededPublication`. */
export async function stageSourceKeys(
  d1: D1Database,
  staged: StagedVersion,
  keys: readonly SourceKey[],
): Promise<void> {
  const rows = keys.map(({ key, productId, variationId }) =>
    JSON.stringify([key, productId, variationId]),
  );
  let sequence = 0;
  for (const chunk of chunksBySize(rows, bytesOf, MAX_CHUNK_BYTES)) {
    if (!(await stageSourceKeysChunk(d1, staged, ++sequence, `[${chunk.join()}]`))) {
      throw new SupersededPublication();
    }
  }
}

/** The digest of the product's content. 64 bits suffice, because a revision must be unique only within its product. */
async function revisionOf(product: ProductWithStock["product"]): Promise<string> {
  return (await sha256Hex(JSON.stringify(product))).slice(0, 16);
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
