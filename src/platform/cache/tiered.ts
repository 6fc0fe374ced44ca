// A tiered cache: the isolate's memory, then KV, then the source (D1). It is used for client records and catalogue
// pages. Orders are never checked against cached stock or credit. If KV fails, the read counts as a miss.
import { within } from "../../core/deadline.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import { isUnavailable } from "../db/faults.ts";
import type { Bindings } from "../env.ts";
import { logFault } from "../log.ts";
import type { MemoryCache } from "./memory.ts";

/** The bindings of every call to KV. */
export type KvBindings = Pick<Bindings, "KV" | "ENVIRONMENT">;

/**
 * The key with the name of the environment, so that environments that are bound to the same namespace by mistake do not
 * share entries, such as the credentials of a client.
 */
export const kvKey = ({ ENVIRONMENT }: KvBindings, key: string): string => `${ENVIRONMENT}:${key}`;

/** A value with the time when it was read from its source. Its age in every tier is counted from that time. */
export interface Cached<T> {
  value: T;
  madeAtMs: number;
}

export interface TierOptions<T> {
  /** The first part of every KV key after the environment. */
  prefix: string;
  /** Up to this age, the value is used if the source cannot be reached. It is never used for longer. */
  maxAgeIfUnreachableMs: number;
  /** How long a read waits for KV before it asks the source as well. */
  kvPatienceMs: number;
  memory: MemoryCache<Cached<T>>;
  toKv: (value: T) => { body: string | ArrayBuffer; metadata: Record<string, string> };
  fromKv: (body: ArrayBuffer, metadata: Record<string, string>) => T;
}

/** The parts of a request that a read of the cache uses. They are not kept after the read and its background work. */
export interface TierAccess<T, Loaded extends T | null = T> {
  env: KvBindings;
  nowMs: number;
  waitUntil: (work: Promise<unknown>) => void;
  /** Runs before KV is read. `get` returns its value, which is not cached, or throws its error. Null for neither. */
  beforeKv?: () => Promise<T | null>;
  /** Whether a cached value is good for the request. If not, the source is read, as for a key without a value. */
  accepts?: (value: T) => Promise<boolean>;
  /** Reads the value from its source. A null is not cached. */
  load: () => Promise<Loaded>;
}

export interface TieredCache<T> {
  get: <Loaded extends T | null>(key: string, access: TierAccess<T, Loaded>) => Promise<T | Loaded>;
  /** Deletes the value from this isolate's memory and from KV. Other isolates may use it until it expires. */
  forget: (key: string, env: KvBindings) => Promise<void>;
}

/** How long a value stays in the isolate's memory. */
const MEMORY_MS = 10 * SECOND_MS;

/** From this age on, a value is refreshed in the background, after the response. */
const REFRESH_AFTER_MS = 45 * SECOND_MS;

/** From this age on, a value is refreshed before the response. */
const MAX_AGE_MS = MINUTE_MS;

/** The shortest expiration that KV accepts. */
const MIN_KV_TTL_SECONDS = 60;

/** Longer than KV takes for a value in the location's cache. For others, the source is asked at the same time. */
export const KV_PATIENCE_MS = 30;

/** The clocks of machines differ by less. A value from further in the future was written with a wrong clock. */
const CLOCK_TOLERANCE_MS = 5 * SECOND_MS;

export function tieredCache<T>(options: TierOptions<T>): TieredCache<T> {
  const { kvPatienceMs, memory, maxAgeIfUnreachableMs } = options;
  const refreshing = new Set<string>();

  const keyOf = (key: string, env: KvBindings) => kvKey(env, options.prefix + key);

  function remember(key: string, cached: Cached<T>, nowMs: number): void {
    memory.set(key, cached, Math.min(nowMs + MEMORY_MS, cached.madeAtMs + MAX_AGE_MS));
  }

  function isUsable({ madeAtMs }: Cached<T>, nowMs: number): boolean {
    const ageMs = nowMs - madeAtMs;
    return ageMs < maxAgeIfUnreachableMs && ageMs >= -CLOCK_TOLERANCE_MS;
  }

  /** The value from KV, if it is accepted. It may be older than `MAX_AGE_MS`. */
  async function readKv(
    key: string,
    { env, nowMs, accepts }: TierAccess<T, T | null>,
  ): Promise<Cached<T> | undefined> {
    try {
      const found = await env.KV.getWithMetadata<Record<string, string>>(
        keyOf(key, env),
        "arrayBuffer",
      );
      if (!found.value || !found.metadata) return undefined;
      const cached = {
        value: options.fromKv(found.value, found.metadata),
        madeAtMs: Number(found.metadata["madeAtMs"]),
      };
      if (!isUsable(cached, nowMs)) return undefined;
      return (await accepts?.(cached.value)) === false ? undefined : cached;
    } catch (error) {
      logFault("cache.read_failed", error);
      return undefined;
    }
  }

  const isFresh = (cached: Cached<T> | undefined, nowMs: number): cached is Cached<T> =>
    cached !== undefined && nowMs - cached.madeAtMs < MAX_AGE_MS;

  async function writeKv(key: string, env: KvBindings, { value, madeAtMs }: Cached<T>) {
    try {
      const { body, metadata } = options.toKv(value);
      await env.KV.put(keyOf(key, env), body, {
        expirationTtl: Math.max(MIN_KV_TTL_SECONDS, Math.ceil(maxAgeIfUnreachableMs / SECOND_MS)),
        metadata: { ...metadata, madeAtMs: String(madeAtMs) },
      });
    } catch (error) {
      logFault("cache.write_failed", error);
    }
  }

  async function load<Loaded extends T | null>(
    key: string,
    access: TierAccess<T, Loaded>,
    accepts?: TierAccess<T>["accepts"],
  ): Promise<Loaded> {
    const value = await access.load();
    if (value === null || (await accepts?.(value)) === false) return value;
    const cached = { value, madeAtMs: access.nowMs };
    remember(key, cached, access.nowMs);
    access.waitUntil(writeKv(key, access.env, cached));
    return value;
  }

  function refresh(key: string, access: TierAccess<T, T | null>): void {
    if (refreshing.has(key)) return;
    refreshing.add(key);
    access.waitUntil(
      load(key, access)
        .catch((error: unknown) => {
          logFault("cache.refresh_failed", error);
        })
        .finally(() => refreshing.delete(key)),
    );
  }

  function use(key: string, { value, madeAtMs }: Cached<T>, access: TierAccess<T, T | null>): T {
    if (access.nowMs - madeAtMs >= REFRESH_AFTER_MS) refresh(key, access);
    return value;
  }

  return {
    async forget(key, env) {
      memory.delete(key);
      try {
        await env.KV.delete(keyOf(key, env));
      } catch (error) {
        logFault("cache.delete_failed", error);
      }
    },
    async get(key, access) {
      const { nowMs, accepts } = access;
      const remembered = memory.get(key, nowMs);
      const isGood = remembered && isUsable(remembered, nowMs);
      if (isGood && (await accepts?.(remembered.value)) !== false)
        return use(key, remembered, access);
      const uncached = await access.beforeKv?.();
      if (uncached) return uncached;

      const reading = readKv(key, access);
      const soon = await within(kvPatienceMs, "KV", reading).catch(() => undefined);
      if (isFresh(soon, nowMs)) {
        remember(key, soon, nowMs);
        return use(key, soon, access);
      }
      const loading = load(key, access, accepts);
      const late = reading.then((cached) =>
        isFresh(cached, nowMs) ? cached.value : Promise.reject(new Error("no fresh value")),
      );
      try {
        return await Promise.any([loading, late]);
      } catch (errors) {
        const error: unknown = (errors as AggregateError).errors[0];
        const cached = await reading;
        if (!cached || !isUnavailable(error)) throw error;
        logFault("cache.refresh_failed", error);
        return cached.value;
      }
    },
  };
}
