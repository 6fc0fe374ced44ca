// Splits lists into chunks, for calls that take a limited number of items.

/** The items in chunks of at most `size`, in their order. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
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
