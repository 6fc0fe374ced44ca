// Splits lists into chunks, for calls that take a limited number of items.

/** The items in chunks of at most `size`, in their order. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
