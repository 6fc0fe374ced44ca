// What an isolate remembers between requests: values (never promises, which belong to one request), each for
// a short time, all of them bounded in bytes.

export interface MemoryCache<T> {
  get: (key: string, nowMs: number) => T | undefined;
  /** `sizeBytes` need not be exact, but must grow with the value. */
  set: (key: string, value: T, untilMs: number, sizeBytes: number) => void;
  /** What the held values count for, at most `maxBytes`: for the tests of that bound. */
  bytes: () => number;
}

/** Each entry's own cost (key, Map slot, record), so that a million tiny values are bounded as well. */
const ENTRY_OVERHEAD_BYTES = 200;

/** Drops the least recently used entry first. A value larger than the whole cache is not held. */
export function memoryCache<T>(maxBytes: number): MemoryCache<T> {
  const entries = new Map<string, { value: T; untilMs: number; sizeBytes: number }>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= entries.get(key)?.sizeBytes ?? 0;
    entries.delete(key);
  }

  return {
    get(key, nowMs) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // A Map keeps the order of insertion: taking the entry out and in again makes it the newest.
      entries.delete(key);
      if (nowMs >= entry.untilMs) {
        bytes -= entry.sizeBytes;
        return undefined;
      }
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, untilMs, valueBytes) {
      drop(key);
      const sizeBytes = valueBytes + 2 * key.length + ENTRY_OVERHEAD_BYTES;
      if (sizeBytes > maxBytes) return;
      entries.set(key, { value, untilMs, sizeBytes });
      bytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    bytes: () => bytes,
  };
}
