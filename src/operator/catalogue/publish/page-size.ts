// Limits the size of a page of the product list, because a page is built in memory and stored in KV. Publishing checks
// the limit for every page that a client can request.
import { ApiError } from "../../../core/api-error.ts";
import type { Product } from "../../../features/catalogue/product.ts";
import { MAX_PAGE_PRODUCTS } from "../../../features/catalogue/contract.ts";
import { productResponse } from "../../../features/catalogue/response.ts";

/** The approximate size of the JSON in UTF-8, before compression. */
const MAX_PAGE_BYTES = 8_000_000;

const encoder = new TextEncoder();

/**
 * The size of a product in a page. The origin of the deployment, quantities and new ids, which are unknown before
 * publishing, add little to it.
 */
const sizeOf = (product: Product) =>
  encoder.encode(JSON.stringify(productResponse(product, [], "", 0))).length;

/**
 * Errors: `validation_error` if a page would be too large. With filters, any `MAX_PAGE_PRODUCTS` products can share a
 * page, so the largest ones are added up.
 */
export function checkPageSizes(products: readonly Product[], maxBytes = MAX_PAGE_BYTES): void {
  const largest = products
    .map((product) => ({ name: product.name, bytes: sizeOf(product) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MAX_PAGE_PRODUCTS);
  const total = largest.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= maxBytes) return;
  const named = largest
    .slice(0, 3)
    .map(({ name, bytes }) => `${name} (${String(Math.ceil(bytes / 1_000))} kB)`);
  throw new ApiError(
    "validation_error",
    `The ${String(largest.length)} largest products would make a page of ${megabytes(total)}. A page of ` +
      `${String(MAX_PAGE_PRODUCTS)} products can have at most ${megabytes(maxBytes)}. The largest are ` +
      `${named.join(", ")}.`,
  );
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
