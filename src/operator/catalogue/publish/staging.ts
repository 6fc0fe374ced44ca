// Stages the products and source keys of a version, in chunks.
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
  let count = 0;
  for await (const rows of chunksOf(productRows(products))) {
    if (!(await stageProductsChunk(d1, staged, stockMode, `[${rows.join()}]`))) {
      throw new SupersededPublication();
    }
    count += rows.length;
    onProgress?.(count);
  }
}

/** Errors: `SupersededPublication`. */
export async function stageSourceKeys(
  d1: D1Database,
  staged: StagedVersion,
  keys: readonly SourceKey[],
): Promise<void> {
  let sequence = 0;
  for await (const rows of chunksOf(keys.map(sourceKeyRow))) {
    if (!(await stageSourceKeysChunk(d1, staged, ++sequence, `[${rows.join()}]`))) {
      throw new SupersededPublication();
    }
  }
}

/** The JSON of a key for `stageSourceKeysChunk`. */
const sourceKeyRow = ({ key, productId, variationId }: SourceKey) =>
  JSON.stringify([key, productId, variationId]);

/** The JSON of each product for `stageProductsChunk`. */
async function* productRows(products: readonly ProductWithStock[]): AsyncGenerator<string> {
  const positions = { physical: 0, digital: 0 };
  for (const [index, { product, stock }] of products.entries()) {
    yield JSON.stringify({
      position: index + 1,
      deliveryPosition: ++positions[product.delivery],
      revision: await revisionOf(product),
      product,
      stock,
    });
  }
}

/** The digest of the product's content. 64 bits suffice, because a revision must be unique only within its product. */
async function revisionOf(product: ProductWithStock["product"]): Promise<string> {
  return (await sha256Hex(JSON.stringify(product))).slice(0, 16);
}

const encoder = new TextEncoder();

/** Groups the rows into chunks of at most `MAX_CHUNK_BYTES`. A larger row is a chunk of its own. */
async function* chunksOf(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string[]> {
  let chunk: string[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const size = encoder.encode(row).length;
    if (chunk.length > 0 && bytes + size > MAX_CHUNK_BYTES) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
