// Pages of the product list. They are cached gzipped, in the isolate's memory and in KV.
import { type TierAccess, type TieredCache, tieredCache } from "../../platform/cache/tiered.ts";
import type { Client } from "../clients/profile.ts";
import { sha256Hex } from "../../core/values/digest.ts";
import { type MemoryCache, memoryCache } from "../../platform/cache/memory.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import type { PageQuery } from "./contract.ts";
import { readFilteredPage } from "./filtered.ts";
import { isPastEnd, listSizeOf } from "./page-range.ts";
import { type ListedProduct, readAfter, readPage } from "./queries.ts";
import { productListResponse, productResponse } from "./response.ts";

export interface GzippedPage {
  /** The JSON of the response. */
  gzip: ArrayBuffer;
  /** A weak ETag, because the page is sent with and without gzip. */
  etag: string;
}

export type PageCache = TieredCache<GzippedPage>;

/** What a page takes in memory, with its key. Pages differ in size by a factor of 10,000, so a number of them is no limit. */
const sizeOf = ({ gzip }: GzippedPage) => gzip.byteLength + 1_000;

/** The prefix of the KV keys, after the environment. Increment its number when the format of the cached pages changes. */
export const PAGE_KEY_PREFIX = "page:1:";

/**
 * A page is at most a minute old, or 5 minutes if D1 cannot be reached (DECISIONS.md: Cached data has a maximum age).
 */
export function pageCache(kvPatienceMs: number): PageCache {
  return tieredCache<GzippedPage>({
    prefix: PAGE_KEY_PREFIX,
    maxAgeIfUnreachableMs: 5 * MINUTE_MS,
    kvPatienceMs,
    memory: memoryCache(24_000_000, ({ value }) => sizeOf(value)),
    toKv: ({ gzip, etag }) => ({ body: gzip, metadata: { etag } }),
    fromKv: (gzip, { etag = "" }) => ({ gzip, etag }),
  });
}

/**
 * The cache of filtered pages. It is apart from the other pages, so that many different filters do not evict these, and
 * does not use KV, because the number of filters is unlimited.
 */
export const filteredPageCache = () => memoryCache<GzippedPage>(6_000_000, sizeOf);

/** The page from the isolate's memory, where it is kept for a minute, or from D1. */
export async function readGzippedFilteredPage(
  pages: MemoryCache<GzippedPage>,
  client: Client,
  query: PageQuery,
  nowMs: number,
  { DB, PUBLIC_URL }: { DB: D1Database; PUBLIC_URL: string },
): Promise<GzippedPage> {
  const key = pageKey(client, query) + JSON.stringify(query);
  const cached = pages.get(key, nowMs);
  if (cached) return cached;
  const { totals, total, listed } = await readFilteredPage(DB, client.catalogue, query);
  const counts = { all: totals.all, listed: total };
  const page = await gzipped(query, counts, listed, PUBLIC_URL, { total_matched: total });
  pages.set(key, page, nowMs + MINUTE_MS);
  return page;
}

/** The products after an id, from D1. They are not cached, because a copy must not be older than its position in the feed. */
export async function readGzippedPageAfter(
  { catalogue }: Client,
  query: PageQuery,
  after: number,
  { DB, PUBLIC_URL }: { DB: D1Database; PUBLIC_URL: string },
): Promise<GzippedPage> {
  const { totals, listed } = await readAfter(DB, catalogue.id, { after, limit: query.limit });
  const last = listed.length < query.limit ? undefined : listed.at(-1);
  const counts = { all: totals.all, listed: totals.all };
  return gzipped(query, counts, listed, PUBLIC_URL, { next_after_id: last?.product.id ?? null });
}

/**
 * The page from the cache, or from D1. Pages past the end are not cached, because their number is unlimited and they
 * would evict other pages.
 */
export async function readGzippedPage(
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
function pageKey({ catalogue }: Client, query: PageQuery): string {
  const { limit, page, product_type, include = [] } = query;
  const parts = [catalogue.id, catalogue.version, product_type ?? "all", limit, page, ...include];
  return parts.join(":");
}

const encoder = new TextEncoder();

/** Reads the page from D1, in one round trip, and gzips it. */
async function buildPage(
  d1: D1Database,
  { catalogue }: Client,
  query: PageQuery,
  publicUrl: string,
): Promise<GzippedPage> {
  const range = rangeOf(query);
  const { totals, listed } = await readPage(d1, catalogue, range);
  return gzipped(query, { all: totals.all, listed: listSizeOf(totals, range) }, listed, publicUrl);
}

async function gzipped(
  query: PageQuery,
  totals: { all: number; listed: number },
  listed: readonly ListedProduct[],
  publicUrl: string,
  others?: Parameters<typeof productListResponse>[3],
): Promise<GzippedPage> {
  const products = listed.map(({ product, stock, changedAtMs }) =>
    productResponse(product, stock, publicUrl, query.include && changedAtMs),
  );
  const response = productListResponse(query, totals, products, others);
  const json = encoder.encode(JSON.stringify(response));
  const [digest, gzip] = await Promise.all([
    sha256Hex(json),
    new Response(
      new Blob([json]).stream().pipeThrough(new CompressionStream("gzip")),
    ).arrayBuffer(),
  ]);
  return { gzip, etag: `W/"${digest.slice(0, 32)}"` };
}
