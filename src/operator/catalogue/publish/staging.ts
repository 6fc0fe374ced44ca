// Stages the products, the index and the source keys of a version, in chunks.
import { chunksBySize } from "../../../core/values/chunks.ts";
import { lowestPrice } from "../../../features/catalogue/product.ts";
import type { Posting } from "../../../features/catalogue/terms.ts";
import type { DatedProduct, ProductChange } from "./changes.ts";
import type { SourceKey } from "./identity.ts";
import {
  type StagedVersion,
  stageChunk,
  stageIndexRows,
  stageProductsChunk,
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

/** The cron handler inserts the events of one chunk for a client at once: about 500. */
const MAX_CHANGES_BYTES = 10_000;

/** Calls `onProgress` after each chunk, as in `PublishOptions`. Errors: `SupersededPublication`. */
export async function stageProducts(
  d1: D1Database,
  staged: StagedVersion,
  products: readonly DatedProduct[],
  stockMode: StockMode,
  onProgress?: (staged: number) => void | Promise<void>,
): Promise<void> {
  let count = 0;
  for (const chunk of chunksBySize(rowsOf(products), bytesOf, MAX_CHUNK_BYTES)) {
    if (!(await stageProductsChunk(d1, staged, stockMode, `[${chunk.join()}]`))) {
      throw new SupersededPublication();
    }
    count += chunk.length;
    await onProgress?.(count);
  }
}

/** The rows as JSON, one after the other, because all together are as large as the file. */
function* rowsOf(products: readonly DatedProduct[]): Generator<string> {
  const positions = { physical: 0, digital: 0 };
  for (const [index, { product, stock, revision, changedAtMs }] of products.entries()) {
    yield JSON.stringify({
      position: index + 1,
      deliveryPosition: ++positions[product.delivery],
      revision,
      changedAtMs,
      lowestUnitMinor: lowestPrice(product) + product.shippingMinor,
      product,
      stock,
    });
  }
}

/** The size of a row of the index. A term of very many products may be larger. */
const MAX_INDEX_ROW_LENGTH = 64_000;

/** Errors: `SupersededPublication`. */
export async function stageIndex(
  d1: D1Database,
  staged: StagedVersion,
  postings: readonly Posting[],
): Promise<void> {
  const sizeOf = ([term, positions]: Posting) => term.length + positions.length;
  const rows = [...chunksBySize(postings, sizeOf, MAX_INDEX_ROW_LENGTH)].map((chunk) =>
    JSON.stringify([chunk[0]?.[0], JSON.stringify(chunk)]),
  );
  for (const chunk of chunksBySize(rows, bytesOf, MAX_CHUNK_BYTES)) {
    if (!(await stageIndexRows(d1, staged, `[${chunk.join()}]`))) throw new SupersededPublication();
  }
}

/** Errors: `SupersededPublication`. */
export const stageSourceKeys = (
  d1: D1Database,
  staged: StagedVersion,
  keys: readonly SourceKey[],
): Promise<void> =>
  stageChunks(
    d1,
    staged,
    "names",
    keys.map(({ key, productId, variationId }) => JSON.stringify([key, productId, variationId])),
    MAX_CHUNK_BYTES,
  );

/** Errors: `SupersededPublication`. */
export const stageChanges = (
  d1: D1Database,
  staged: StagedVersion,
  changes: readonly ProductChange[],
): Promise<void> =>
  stageChunks(
    d1,
    staged,
    "changes",
    changes.map((change) => JSON.stringify(change)),
    MAX_CHANGES_BYTES,
  );

/** Errors: `SupersededPublication`. */
async function stageChunks(
  d1: D1Database,
  staged: StagedVersion,
  kind: "names" | "changes",
  rows: readonly string[],
  maxBytes: number,
): Promise<void> {
  let sequence = 0;
  for (const chunk of chunksBySize(rows, bytesOf, maxBytes)) {
    const content = `[${chunk.join()}]`;
    if (!(await stageChunk(d1, staged, { kind, sequence: ++sequence, content }))) {
      throw new SupersededPublication();
    }
  }
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
