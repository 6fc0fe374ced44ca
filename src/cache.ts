// One small tiered cache: the isolate's memory, then KV, then whoever knows (D1). It serves clients' records
// and catalogue pages, never prices, stock or credit. KV that fails or hangs is only a cache that knows
// nothing.
import { logFault } from "./log.ts";
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

/** Longer than KV takes when it is well, and shorter than a caller waits. */
const KV_PATIENCE_MS = 1_000;

/** No refresh takes longer: the platform ends what runs behind an answer after 30 s. */
const REFRESH_MS = 30_000;

/**
 * Machines' clocks differ a little; a value from further in the future is of a clock that was wrong
 * (decision 27).
 */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * What KV does, or an error when it takes too long to be of use. The timer ends with the request: to clear it
 * would cost more than to set it, a twentieth of a page from KV.
 */
function patiently<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      reject(new Error(`KV did not answer within ${KV_PATIENCE_MS} ms`));
    }, KV_PATIENCE_MS);
    work.then(resolve, reject);
  });
}

export function tieredCache<T>(options: TierOptions<T>): TieredCache<T> {
  const { memory, freshMs, staleMs } = options;
  const refreshing = new Map<string, number>();

  function remember(key: string, cached: Cached<T>, nowMs: number): void {
    const untilMs = Math.min(nowMs + options.memoryMs, cached.madeAtMs + staleMs);
    memory.set(key, cached, untilMs, options.sizeBytes(cached.value));
  }

  function isUsable({ madeAtMs }: Cached<T>, nowMs: number): boolean {
    const ageMs = nowMs - madeAtMs;
    return ageMs < staleMs && ageMs >= -CLOCK_TOLERANCE_MS;
  }

  async function readKv(key: string, kv: KVNamespace): Promise<Cached<T> | undefined> {
    try {
      const found = await patiently(
        kv.getWithMetadata<Record<string, string>>(options.prefix + key, "arrayBuffer"),
      );
      if (!found.value || !found.metadata) return undefined;
      return {
        value: options.fromKv(found.value, found.metadata),
        madeAtMs: Number(found.metadata["madeAtMs"]),
      };
    } catch (error) {
      logFault("KV read", error);
      return undefined;
    }
  }

  async function writeKv(key: string, kv: KVNamespace, { value, madeAtMs }: Cached<T>) {
    try {
      const { body, metadata } = options.toKv(value);
      await patiently(
        kv.put(options.prefix + key, body, {
          expirationTtl: Math.max(MIN_KV_TTL_SECONDS, Math.ceil(staleMs / 1000)),
          metadata: { ...metadata, madeAtMs: String(madeAtMs) },
        }),
      );
    } catch (error) {
      logFault("KV write", error);
    }
  }

  async function load<Loaded extends T | null>(
    key: string,
    access: TierAccess<Loaded>,
  ): Promise<Loaded> {
    const value = await access.load();
    if (value === null) return value;
    const cached = { value, madeAtMs: access.nowMs };
    remember(key, cached, access.nowMs);
    access.waitUntil(writeKv(key, access.kv, cached));
    return value;
  }

  function refresh(key: string, access: TierAccess<T | null>): void {
    // A refresh that was cut off with its request never says that it has ended.
    if (access.nowMs - (refreshing.get(key) ?? -Infinity) < REFRESH_MS) return;
    refreshing.set(key, access.nowMs);
    access.waitUntil(
      load(key, access)
        .catch((error: unknown) => {
          logFault("refresh", error);
        })
        .finally(() => refreshing.delete(key)),
    );
  }

  return {
    async get(key, access) {
      const { nowMs } = access;
      let cached = memory.get(key, nowMs);
      if (!cached || !isUsable(cached, nowMs)) {
        cached = await readKv(key, access.kv);
        if (!cached || !isUsable(cached, nowMs)) return load(key, access);
        remember(key, cached, nowMs);
      }
      if (nowMs - cached.madeAtMs >= freshMs) refresh(key, access);
      return cached.value;
    },
  };
}
