// GET /api/products and GET /api/product.
import { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { cacheAccess } from "../http/cache-access.ts";
import { acceptsGzip, matchesEtag } from "../http/conditional.ts";
import { allowOnly } from "../http/error-response.ts";
import { readQuery } from "../http/query.ts";
import { getPage } from "./pages.ts";
import { findProduct } from "./queries.ts";
import { PageQuery, ProductQuery, toWire } from "./wire.ts";

export const catalogueRoutes = new Hono<AppEnv>()
  .get("/api/products", async (c) => {
    const query = readQuery(c, PageQuery);
    const { pages } = c.get("isolate");
    const page = await getPage(pages, c.get("client"), query, cacheAccess(c), c.env);

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
  })
  .all("/api/products", allowOnly("GET", "HEAD"))

  .get("/api/product", async (c) => {
    if (c.req.query("product_id") === undefined) {
      throw new ApiError("product_id_required", "A product_id must be set.");
    }
    const { product_id } = readQuery(c, ProductQuery);
    const found = await findProduct(c.env.DB, c.get("client").catalogue.id, product_id);
    if (!found) {
      throw new ApiError(
        "not_found",
        `There is no product ${String(product_id)} in your catalogue.`,
      );
    }
    return c.json(toWire(found.product, found.stock, c.env.PUBLIC_URL));
  })
  .all("/api/product", allowOnly("GET", "HEAD"));
