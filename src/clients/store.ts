// Clients' records: in D1, and up to a minute old in KV and in the isolate.
import { type TieredCache, tieredCache } from "../cache/tiered.ts";
import type { Branding } from "../db/schema.ts";
import { memoryCache } from "../cache/memory.ts";
import { MINUTE_MS, SECOND_MS } from "../values/time.ts";
import type { CatalogueVersion, Client } from "./profile.ts";

export type ClientCache = TieredCache<Client>;

/** First part of a client's KV key. Increment its number when the record's format changes. */
export const CLIENT_KEY_PREFIX = "client:1:";

/** Deletes the client's record from KV, so that a change reaches most locations sooner than the record's age would. */
export function forgetClient(kv: KVNamespace, id: string): Promise<void> {
  return kv.delete(CLIENT_KEY_PREFIX + id);
}

/**
 * A revoked credential or a suspension takes effect everywhere within a minute: no record is used for longer, also
 * when D1 cannot be reached. That of a busy client is read anew before, so that none of its requests waits for it.
 */
export function clientCache(): ClientCache {
  return tieredCache<Client>({
    prefix: CLIENT_KEY_PREFIX,
    memoryMs: 10 * SECOND_MS,
    refreshAfterMs: 45 * SECOND_MS,
    maxAgeMs: MINUTE_MS,
    maxAgeIfUnreachableMs: MINUTE_MS,
    memory: memoryCache(4 * 1024 * 1024),
    toKv: (client) => ({ body: JSON.stringify(client), metadata: {} }),
    fromKv: (body) => JSON.parse(new TextDecoder().decode(body)) as Client,
  });
}

// A catalogue that was never published has no version yet.
const SELECT_CLIENT = `
  SELECT c.status, c.billing, c.fee_basis_points AS feeBasisPoints,
    c.default_currency AS defaultCurrency, c.branding, c.catalogue_id AS catalogueId,
    catalogues.version, coalesce(v.total_products, 0) AS "all",
    coalesce(v.total_physical, 0) AS physical, coalesce(v.total_digital, 0) AS digital,
    (SELECT json_group_array(secret_digest) FROM credentials
     WHERE client_id = c.id AND revoked_at_ms IS NULL) AS secretDigests
  FROM clients c JOIN catalogues ON catalogues.id = c.catalogue_id
  LEFT JOIN catalogue_versions v ON v.catalogue_id = catalogues.id AND v.version = catalogues.version
  WHERE c.id = ?1`;

type Totals = CatalogueVersion["totals"];

interface ClientRow
  extends Totals, Pick<Client, "status" | "billing" | "feeBasisPoints" | "defaultCurrency"> {
  catalogueId: number;
  version: number;
  branding: string | null;
  secretDigests: string;
}

/** One round trip; null when there is no such client. */
export async function findClient(d1: D1Database, id: string): Promise<Client | null> {
  const row = await d1.prepare(SELECT_CLIENT).bind(id).first<ClientRow>();
  if (!row) return null;
  const { catalogueId, version, all, physical, digital, branding, secretDigests, ...rest } = row;
  return {
    id,
    ...rest,
    catalogue: { id: catalogueId, version, totals: { all, physical, digital } },
    branding: JSON.parse(branding ?? "null") as Branding | null,
    secretDigests: JSON.parse(secretDigests) as string[],
  };
}
