// Stages the products, the index, the source keys and the changes of a version, in chunks. Errors of all functions:
// `SupersededPublication`.
import { chunksBySize } from "../../../core/values/chunks.ts";
import { nameKey } from "../../../core/values/name.ts";
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

/** The maximum size of a chunk of JSON. D1's limit for a value is 2 MB. */
const MAX_CHUNK_BYTES = 500_000;

/** The cron handler inserts the events of one chunk for a client at once: about 500. */
const MAX_CHANGES_BYTES = 10_000;

/** Calls `onProgress` after each chunk with the number of products staged so far. */
export async function stageProducts(
  d1: D1Database,
  staged: StagedVersion,
  products: readonly DatedProduct[],
  stockMode: StockMode,
  onProgress?: (staged: number) => void | Promise<void>,
): Promise<void> {
  let count = 0;
  for (const chunk of chunksBySize(rowsOf(products), bytesOf, MAX_CHUNK_BYTES)) {
    await stageProductsChunk(d1, staged, stockMode, `[${chunk.join()}]`);
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
      vendorKey: nameKey(product.vendor.name) || null,
      product,
      stock,
    });
  }
}

/**
 * The size of a row of the index. A term of very many products may be larger. A publication of 10,000 products with texts of
 * 100 words writes 50 rows. A row for each term and product would be a million, and a filter would read all that it finds.
 */
const MAX_INDEX_ROW_LENGTH = 64_000;

export async function stageIndex(
  d1: D1Database,
  staged: StagedVersion,
  postings: readonly Posting[],
): Promise<void> {
  const sizeOf = (posting: Posting) => JSON.stringify(posting).length;
  const rows = [...chunksBySize(postings, sizeOf, MAX_INDEX_ROW_LENGTH)].map((chunk) =>
    JSON.stringify([chunk[0]?.[0], JSON.stringify(chunk)]),
  );
  for (const chunk of chunksBySize(rows, bytesOf, MAX_CHUNK_BYTES)) {
    await stageIndexRows(d1, staged, `[${chunk.join()}]`);
  }
}

export const stageSourceKeys = (
  d1: D1Database,
  staged: StagedVersion,
  keys: readonly SourceKey[],
): Promise<void> => {
  const rows = keys.map(({ key, productId, variationId }) => [key, productId, variationId]);
  return stageChunks(d1, staged, "names", rows, MAX_CHUNK_BYTES);
};

export const stageChanges = (
  d1: D1Database,
  staged: StagedVersion,
  changes: readonly ProductChange[],
): Promise<void> => stageChunks(d1, staged, "changes", changes, MAX_CHANGES_BYTES);

async function stageChunks(
  d1: D1Database,
  staged: StagedVersion,
  kind: "names" | "changes",
  rows: readonly unknown[],
  maxBytes: number,
): Promise<void> {
  let sequence = 0;
  const texts = rows.map((row) => JSON.stringify(row));
  for (const chunk of chunksBySize(texts, bytesOf, maxBytes)) {
    await stageChunk(d1, staged, { kind, sequence: ++sequence, content: `[${chunk.join()}]` });
  }
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
