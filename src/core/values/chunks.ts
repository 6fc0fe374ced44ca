// Splits lists into chunks, for calls that take a limited number of items.

/** The items in chunks of at most `size`, in their order. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The items in chunks whose sizes add up to at most `max`, in their order. A larger item is a chunk of its own. */
export function* chunksBySize<T>(
  items: Iterable<T>,
  sizeOf: (item: T) => number,
  max: number,
): Generator<T[]> {
  let chunk: T[] = [];
  let total = 0;
  for (const item of items) {
    total += sizeOf(item);
    if (total > max && chunk.length > 0) {
      yield chunk;
      chunk = [];
      total = sizeOf(item);
    }
    chunk.push(item);
  }
  if (chunk.length > 0) yield chunk;
}

/** All rows that `read` returns for the items, in chunks of at most `size`. A JSON array of 5,000 keys is below 2 MB. */
export async function readInChunks<Item, Row>(
  items: readonly Item[],
  read: (chunk: Item[]) => Promise<Row[]>,
  size = 5_000,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const chunk of chunksOf(items, size)) rows.push(...(await read(chunk)));
  return rows;
}
