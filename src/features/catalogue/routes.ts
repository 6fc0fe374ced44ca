// Handlers of the catalogue endpoints.
import { ApiError } from "../../core/api-error.ts";
import { cacheAccess } from "../../platform/http/context.ts";
import { acceptsGzip, matchesEtag } from "../../platform/http/request-headers.ts";
import { handle, routes } from "../../platform/http/endpoint.ts";
import { isFiltered } from "./conditions.ts";
import { getProduct, listCollections, listFacets, listProducts } from "./contract.ts";
import { readCollectionCounts, readFacets } from "./filtered.ts";
import {
  filteredPageCache,
  readGzippedFilteredPage,
  readGzippedPage,
  readGzippedPageAfter,
  type PageCache,
} from "./pages.ts";
import { findProduct } from "./queries.ts";
import { productResponse } from "./response.ts";

export function catalogueRoutes(pages: PageCache) {
  const filteredPages = filteredPageCache();

  return routes(
    handle(listProducts, async (c, { query }) => {
      const page = await (query.after_id !== undefined
        ? readGzippedPageAfter(c.get("client"), query, query.after_id, c.env)
        : isFiltered(query)
          ? readGzippedFilteredPage(filteredPages, c.get("client"), query, c.get("nowMs"), c.env)
          : readGzippedPage(pages, c.get("client"), query, cacheAccess(c), c.env));
      const headers = {
        "Cache-Control": "private, no-cache",
        ETag: page.etag,
        Vary: "Accept-Encoding",
      };
      if (matchesEtag(c.req.header("If-None-Match"), page.etag)) return c.body(null, 304, headers);
      const json = { ...headers, "Content-Type": "application/json" };
      if (acceptsGzip(c.req.raw)) {
        return new Response(page.gzip, {
          encodeBody: "manual",
          headers: { ...json, "Content-Encoding": "gzip" },
        });
      }
      const plain = new Blob([page.gzip]).stream().pipeThrough(new DecompressionStream("gzip"));
      return new Response(plain, { headers: json });
    }),

    handle(getProduct, async (c, { query: { product_id, include } }) => {
      const found = await findProduct(c.env.DB, c.get("client").catalogue.id, product_id);
      if (!found) {
        throw new ApiError(
          "not_found",
          `There is no product ${String(product_id)} in your catalogue.`,
        );
      }
      const { product, stock, changedAtMs } = found;
      return productResponse(product, stock, c.env.PUBLIC_URL, include && changedAtMs);
    }),

    handle(listCollections, async (c, { query }) => {
      const collections = await readCollectionCounts(c.env.DB, c.get("client").catalogue, query);
      return {
        status: "success" as const,
        collections: collections.map(({ id, name, description, count }) => ({
          collection: id,
          name,
          description,
          product_count: count,
        })),
      };
    }),

    handle(listFacets, async (c) => ({
      status: "success" as const,
      ...(await readFacets(c.env.DB, c.get("client").catalogue)),
    })),
  );
}
