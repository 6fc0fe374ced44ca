// Pages of the product list. They are cached gzipped, in the isolate's memory and in KV.
import { type TierAccess, type TieredCache, tieredCache } from "../../platform/cache/tiered.ts";
import type { Client } from "../clients/profile.ts";
import { sha256Hex } from "../../core/values/digest.ts";
import { memoryCache } from "../../platform/cache/memory.ts";
import { MINUTE_MS, SECOND_MS } from "../../core/values/time.ts";
import { isPastEnd, readPage } from "./queries.ts";
import type { PageQuery } from "./contract.ts";
import { productListResponse, productResponse } from "./response.ts";

export interface GzippedPage {
  /** The JSON of the response. */
  gzip: ArrayBuffer;
  /** A weak ETag, because the page is sent with and without gzip. */
  etag: string;
}

export type PageCache = TieredCache<GzippedPage>;

/** The prefix of the KV keys, after the environment. Increment its number when the format of the cached pages changes. */
export const PAGE_KEY_PREFIX = "page:1:";

/**
 * A page is at most a minute old, or 5 minutes if D1 cannot be reached (DECISIONS.md: Cached data has a maximum age).
 */
export function pageCache(kvPatienceMs: number): PageCache {
  return tieredCache<GzippedPage>({
    prefix: PAGE_KEY_PREFIX,
    memoryMs: 10 * SECOND_MS,
    refreshAfterMs: 45 * SECOND_MS,
    maxAgeMs: MINUTE_MS,
    maxAgeIfUnreachableMs: 5 * MINUTE_MS,
    kvPatienceMs,
    memory: memoryCache(24 * 1024 * 1024),
    toKv: ({ gzip, etag }) => ({ body: gzip, metadata: { etag } }),
    fromKv: (gzip, { etag = "" }) => ({ gzip, etag }),
  });
}

/**
 * The page from the cache, or from D1. Pages past the end are not cached, because their number is unlimited and they
 * would evict other pages.
 */
export async function getPage(
  pages: PageCache,
  client: Client,
  query: PageQuery,
  access: Omit<TierAccess<GzippedPage>, "load">,
  { DB, PUBLIC_URL }: { DB: D1Database; PUBLIC_URL: string },
): Promise<GzippedPage> {
  const load = () => buildPage(DB, client, query, PUBLIC_URL);
  if (isPastEnd(client.catalogue.totals, rangeOf(query))) return load();
  return pages.get(pageKey(client, query), { ...access, load });
}

const rangeOf = ({ limit, page, product_type }: PageQuery) => ({
  limit,
  page,
  delivery: product_type,
});

/** The key contains the catalogue's version, so a page is never served for another version. */
function pageKey({ catalogue }: Client, { limit, page, product_type }: PageQuery): string {
  return [catalogue.id, catalogue.version, product_type ?? "all", limit, page].join(":");
}

const encoder = new TextEncoder();

/** Reads the page from D1, in one round trip, and gzips it. */
async function buildPage(
  d1: D1Database,
  { catalogue }: Client,
  query: PageQuery,
  publicUrl: string,
): Promise<GzippedPage> {
  const { totals, listed } = await readPage(d1, catalogue, rangeOf(query));
  const products = listed.map(({ product, stock }) => productResponse(product, stock, publicUrl));
  const json = encoder.encode(JSON.stringify(productListResponse(query, totals, products)));
  const [digest, gzip] = await Promise.all([
    sha256Hex(json),
    new Response(
      new Blob([json]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer(),
  ]);
  return { gzip, etag: `W/"${digest.slice(0, 32)}"` };
}
