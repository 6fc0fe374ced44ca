// A cache in the isolate's memory with a limit, and an expiration time for each value. Do not cache promises: the
// runtime ties a promise to the request that created it.

export interface MemoryCache<T> {
  get: (key: string, nowMs: number) => T | undefined;
  set: (key: string, value: T, untilMs: number) => void;
  delete: (key: string) => void;
}

/**
 * Keeps values whose sizes have at most this sum, by default a number of values. Evicts the least recently used value
 * first. A value larger than the cache is not stored.
 */
export function memoryCache<T>(
  max: number,
  sizeOf: (value: T) => number = () => 1,
): MemoryCache<T> {
  const entries = new Map<string, { value: T; untilMs: number }>();
  let size = 0;

  function drop(key: string): void {
    const entry = entries.get(key);
    if (entry && entries.delete(key)) size -= sizeOf(entry.value);
  }

  function add(key: string, entry: { value: T; untilMs: number }): void {
    entries.set(key, entry);
    size += sizeOf(entry.value);
  }

  return {
    get(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // A Map keeps the order of insertion, so deleting and adding the entry makes it the newest.
      drop(key);
      if (nowMs >= entry.untilMs) return undefined;
      add(key, entry);
      return entry.value;
    },
    set(key, value, untilMs) {
      drop(key);
      if (sizeOf(value) > max) return;
      add(key, { value, untilMs });
      for (const oldest of entries.keys()) {
        if (size <= max) break;
        drop(oldest);
      }
    },
    delete: drop,
  };
}
