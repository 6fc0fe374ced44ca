// A cache in the isolate's memory, bounded in bytes, with an expiration time for each value. Do not cache promises: the
// runtime ties a promise to the request that created it.

export interface MemoryCache<T> {
  get: (key: string, nowMs: number) => T | undefined;
  set: (key: string, value: T, untilMs: number) => void;
  delete: (key: string) => void;
  /** The size of all entries, at most `maxBytes`. For tests. */
  bytes: () => number;
}

/** The memory of an entry besides its key and value. It bounds the number of very small values. */
const ENTRY_OVERHEAD_BYTES = 200;

/** Evicts the least recently used entry first. A value larger than the cache is not stored. */
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
      // A Map keeps the order of insertion, so deleting and adding the entry makes it the newest.
      drop(key);
      if (nowMs >= entry.untilMs) return undefined;
      bytes += entry.sizeBytes;
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, untilMs) {
      drop(key);
      const sizeBytes = ENTRY_OVERHEAD_BYTES + sizeOf(key) + sizeOf(value);
      if (sizeBytes > maxBytes) return;
      entries.set(key, { value, untilMs, sizeBytes });
      bytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    delete: drop,
    bytes: () => bytes,
  };
}

/** V8 stores a reference or a small integer in 8 bytes at most, and an object's header in 24. */
const SLOT_BYTES = 8;
const HEADER_BYTES = 24;

/** Bytes that a value takes in memory, by V8's layout. Plain data only: no cycles, Maps or class instances. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return HEADER_BYTES + 2 * value.length;
  if (typeof value !== "object" || value === null) return SLOT_BYTES;
  if (value instanceof ArrayBuffer) return HEADER_BYTES + value.byteLength;
  let bytes = HEADER_BYTES;
  for (const part of Object.values(value)) bytes += SLOT_BYTES + sizeOf(part);
  return bytes;
}
