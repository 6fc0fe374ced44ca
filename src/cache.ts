// One small tiered cache: the isolate's memory, then KV, then whoever knows (D1). It serves clients' records
// and catalogue pages, never what money or stock is decided on.
import type { MemoryCache } from "./memory.ts";

/** A value with the moment it was read from its source: its age counts from there, in every tier. */
export interface Cached<T> {
  value: T;
  madeAtMs: number;
}

export interface TierOptions<T> {
  /** First part of every KV key. */
  prefix: string;
  /** How long the isolate answers from its own memory without asking KV, in milliseconds. */
  memoryMs: number;
  /** Up to this age a value is served as it is. */
  freshMs: number;
  /** Up to this age it is still served, while one refresh runs behind the answer. Never older. */
  staleMs: number;
  memory: MemoryCache<Cached<T>>;
  sizeBytes: (value: T) => number;
  toKv: (value: T) => { body: string | ArrayBuffer; metadata: Record<string, string> };
  fromKv: (body: ArrayBuffer, metadata: Record<string, string>) => T;
}

/** What one request brings: the cache itself holds nothing that belongs to a request. */
export interface TierAccess<Loaded> {
  kv: KVNamespace;
  nowMs: number;
  waitUntil: (work: Promise<unknown>) => void;
  /** Reads the value from its source; null when there is none, which is not remembered. */
  load: () => Promise<Loaded>;
}

export interface TieredCache<T> {
  get: <Loaded extends T | null>(key: string, access: TierAccess<Loaded>) => Promise<T | Loaded>;
}

/** KV keeps nothing for less than this. */
const MIN_KV_TTL_SECONDS = 60;

export function tieredCache<T>(options: TierOptions<T>): TieredCache<T> {
  const { memory, freshMs, staleMs } = options;
  const refreshing = new Set<string>();

  function remember(key: string, cached: Cached<T>, nowMs: number): void {
    const untilMs = Math.min(nowMs + options.memoryMs, cached.madeAtMs + staleMs);
    memory.set(key, cached, untilMs, options.sizeBytes(cached.value));
  }

  async function readKv(key: string, kv: KVNamespace): Promise<Cached<T> | undefined> {
    const found = await kv.getWithMetadata<Record<string, string>>(
      options.prefix + key,
      "arrayBuffer",
    );
    if (!found.value || !found.metadata) return undefined;
    return {
      value: options.fromKv(found.value, found.metadata),
      madeAtMs: Number(found.metadata["madeAtMs"]),
    };
  }

  async function load<Loaded extends T | null>(
    key: string,
    access: TierAccess<Loaded>,
  ): Promise<Loaded> {
    const value = await access.load();
    if (value === null) return value;
    const cached = { value, madeAtMs: access.nowMs };
    remember(key, cached, access.nowMs);
    const { body, metadata } = options.toKv(value);
    access.waitUntil(
      access.kv.put(options.prefix + key, body, {
        expirationTtl: Math.max(MIN_KV_TTL_SECONDS, Math.ceil(staleMs / 1000)),
        metadata: { ...metadata, madeAtMs: String(cached.madeAtMs) },
      }),
    );
    return value;
  }

  function refresh(key: string, access: TierAccess<T | null>): void {
    if (refreshing.has(key)) return;
    refreshing.add(key);
    access.waitUntil(load(key, access).finally(() => refreshing.delete(key)));
  }

  return {
    async get(key, access) {
      const { nowMs } = access;
      let cached = memory.get(key, nowMs);
      if (!cached) {
        cached = await readKv(key, access.kv);
        if (!cached || nowMs - cached.madeAtMs >= staleMs) return load(key, access);
        remember(key, cached, nowMs);
      }
      if (nowMs - cached.madeAtMs >= freshMs) refresh(key, access);
      return cached.value;
    },
  };
}
