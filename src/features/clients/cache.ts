// The cache of client records, in KV and in the isolate's memory.
import {
  type KvBindings,
  kvKey,
  type TieredCache,
  tieredCache,
} from "../../platform/cache/tiered.ts";
import { memoryCache } from "../../platform/cache/memory.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import type { Client } from "./profile.ts";
import { CLIENT_COLUMNS } from "./queries.ts";

export type ClientCache = TieredCache<Client>;

/** First part of a client's KV key after the environment. Increment the number when the format of a column changes. */
export const CLIENT_KEY_PREFIX = `client:7:${Object.keys(CLIENT_COLUMNS).join(",")}:`;

/** Deletes the client's record from KV, so that a change takes effect in most locations before the record expires. */
export function forgetClient(env: KvBindings, id: string): Promise<void> {
  return env.KV.delete(kvKey(env, CLIENT_KEY_PREFIX + id));
}

/**
 * No record is used for longer than a minute, even if D1 cannot be reached. A revoked credential or a suspension
 * therefore takes effect everywhere within a minute. The record of a busy client is refreshed in the background before
 * it expires, so that requests do not wait for D1 (DECISIONS.md: Credentials are cached for 60 s).
 */
export function clientCache(kvPatienceMs: number): ClientCache {
  return tieredCache<Client>({
    prefix: CLIENT_KEY_PREFIX,
    maxAgeIfUnreachableMs: MINUTE_MS,
    kvPatienceMs,
    memory: memoryCache(2_000),
    toKv: (client) => ({ body: JSON.stringify(client), metadata: {} }),
    fromKv: (body) => JSON.parse(new TextDecoder().decode(body)) as Client,
  });
}
