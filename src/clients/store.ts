// Clients' records: in D1, and up to a minute old in KV and in the isolate.
import { and, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import { type TieredCache, tieredCache } from "../cache.ts";
import { catalogues, catalogueVersions, clients, credentials } from "../db/schema.ts";
import { memoryCache } from "../memory.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import type { Client } from "./profile.ts";

export type ClientCache = TieredCache<Client>;

/** First part of a client's KV key; its number is raised with the form of the record. */
export const CLIENT_KEY_PREFIX = "client:1:";

/** Clears the client's record in KV, so that a change of it is late by an isolate's memory only. */
export function forgetClient(kv: KVNamespace, id: string): Promise<void> {
  return kv.delete(CLIENT_KEY_PREFIX + id);
}

/**
 * A revoked credential or a suspension reaches every location within a minute, so no record gets older; that
 * of a busy client is read anew before, so that none of its requests waits for it.
 */
export function clientCache(): ClientCache {
  return tieredCache<Client>({
    prefix: CLIENT_KEY_PREFIX,
    memoryMs: 10 * SECOND_MS,
    freshMs: 45 * SECOND_MS,
    staleMs: MINUTE_MS,
    memory: memoryCache(4 * 1024 * 1024),
    sizeBytes: (client) => 1_000 + 2 * JSON.stringify(client).length,
    toKv: (client) => ({ body: JSON.stringify(client), metadata: {} }),
    fromKv: (body) => JSON.parse(new TextDecoder().decode(body)) as Client,
  });
}

/** One round trip; null when there is no such client. */
export async function findClient(d1: D1Database, id: string): Promise<Client | null> {
  const db = drizzle(d1);
  const [[profile], active] = await db.batch([
    db
      .select({
        id: clients.id,
        name: clients.name,
        status: clients.status,
        billing: clients.billing,
        feeBasisPoints: clients.feeBasisPoints,
        defaultCurrency: clients.defaultCurrency,
        branding: clients.branding,
        // Not catalogues.id: D1 gives a batch's rows by column name, and "id" is the client's.
        catalogue: { id: clients.catalogueId, version: catalogues.version },
        totals: {
          all: catalogueVersions.totalProducts,
          physical: catalogueVersions.totalPhysical,
          digital: catalogueVersions.totalDigital,
        },
      })
      .from(clients)
      .innerJoin(catalogues, eq(catalogues.id, clients.catalogueId))
      .leftJoin(
        catalogueVersions,
        and(
          eq(catalogueVersions.catalogueId, catalogues.id),
          eq(catalogueVersions.version, catalogues.version),
        ),
      )
      .where(eq(clients.id, id)),
    db
      .select({ digest: credentials.secretDigest })
      .from(credentials)
      .where(and(eq(credentials.clientId, id), isNull(credentials.revokedAtMs))),
  ]);
  if (!profile) return null;
  const { catalogue, totals, ...rest } = profile;
  return {
    ...rest,
    // A catalogue that was never published has no version yet.
    catalogue: { ...catalogue, totals: totals ?? { all: 0, physical: 0, digital: 0 } },
    secretDigests: active.map(({ digest }) => digest),
  };
}
