// Finished pages of the product list: made once from D1, gzipped once, then passed through from the isolate's
// memory or from KV without being touched.
import { type TierAccess, type TieredCache, tieredCache } from "../cache/tiered.ts";
import type { Client } from "../clients/profile.ts";
import { sha256Hex } from "../values/digest.ts";
import { memoryCache } from "../cache/memory.ts";
import { MINUTE_MS, SECOND_MS } from "../values/time.ts";
import { isPastEnd, readPage } from "./queries.ts";
import type { PageQuery } from "./contract.ts";
import { productListResponse, productResponse } from "./response.ts";

export interface Page {
  /** The JSON answer, gzipped. */
  gzip: ArrayBuffer;
  /** Weak, since the same page travels in several encodings. */
  etag: string;
}

export type PageCache = TieredCache<Page>;

/** First part of every page's KV key. Increment its number when the format of what the keys hold changes. */
export const PAGE_KEY_PREFIX = "page:1:";

/**
 * A page is read anew before it is a minute old, and an older one is served only where D1 cannot be reached
 * (DECISIONS.md: What may be how old).
 */
export function pageCache(): PageCache {
  return tieredCache<Page>({
    prefix: PAGE_KEY_PREFIX,
    memoryMs: 10 * SECOND_MS,
    refreshAfterMs: 45 * SECOND_MS,
    maxAgeMs: MINUTE_MS,
    maxAgeIfUnreachableMs: 5 * MINUTE_MS,
    memory: memoryCache(24 * 1024 * 1024),
    toKv: ({ gzip, etag }) => ({ body: gzip, metadata: { etag } }),
    fromKv: (gzip, { etag = "" }) => ({ gzip, etag }),
  });
}

/**
 * The page from the nearest tier that has it. A page past the end is made on the spot and kept nowhere: there
 * is no end to them, and they would push out the real ones.
 */
export async function getPage(
  pages: PageCache,
  client: Client,
  query: PageQuery,
  access: Omit<TierAccess<Page>, "load">,
  { DB, PUBLIC_URL }: { DB: D1Database; PUBLIC_URL: string },
): Promise<Page> {
  const load = () => makePage(DB, client, query, PUBLIC_URL);
  if (isPastEnd(client.catalogue.totals, rangeOf(query))) return load();
  return pages.get(pageKey(client, query), { ...access, load });
}

const rangeOf = ({ limit, page, product_type }: PageQuery) => ({
  limit,
  page,
  delivery: product_type,
});

/** Names a page by all that it depends on: what another catalogue or version shows never has this key. */
function pageKey({ catalogue }: Client, { limit, page, product_type }: PageQuery): string {
  return [catalogue.id, catalogue.version, product_type ?? "all", limit, page].join(":");
}

const encoder = new TextEncoder();

/** Reads the page from D1 (one round trip) and finishes it. */
async function makePage(
  d1: D1Database,
  { catalogue }: Client,
  query: PageQuery,
  publicUrl: string,
): Promise<Page> {
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
