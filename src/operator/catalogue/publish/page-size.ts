// Limits the size of a page of the product list, because a page is built in memory and stored in KV. Publishing checks
// the limit for every page that a client can request.
import { ApiError } from "../../../core/api-error.ts";
import { MAX_ID } from "../../../core/values/ids.ts";
import type { Product } from "../../../features/catalogue/product.ts";
import { MAX_PAGE_PRODUCTS } from "../../../features/catalogue/contract.ts";
import { productResponse } from "../../../features/catalogue/response.ts";

/** Of the JSON in UTF-8, before compression. */
const MAX_PAGE_BYTES = 8_000_000;

/** An origin of the maximum length. */
const LONGEST_ORIGIN = `https://${"x".repeat(92)}`;

/** A quantity of the maximum length. */
const LONGEST_QUANTITY = 999_999_999;

const encoder = new TextEncoder();

/**
 * The size of a product in a page, with the comma after it. Values that are unknown before publishing count at their
 * maximum length: quantities, the origin of the deployment, and new ids, which are negative. The details are included.
 */
function largestSize(product: Product): number {
  const levels = product.type === "simple" ? [{ id: 0 }] : product.variations;
  const stock = levels.map(({ id }) => ({
    variationId: id,
    quantity: LONGEST_QUANTITY,
    sellable: false,
  }));
  const response = productResponse(product, stock, LONGEST_ORIGIN, 0);
  const json = JSON.stringify(response, (_key, value: unknown) =>
    typeof value === "number" && value < 0 ? MAX_ID : value,
  );
  return encoder.encode(json).length + 1;
}

/**
 * Errors: `validation_error` if a page would be too large. With filters, any `MAX_PAGE_PRODUCTS` products can share a
 * page, so the largest ones are added up.
 */
export function checkPageSizes(products: readonly Product[]): void {
  const largest = products
    .map((product) => ({ name: product.name, bytes: largestSize(product) }))
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MAX_PAGE_PRODUCTS);
  const total = largest.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= MAX_PAGE_BYTES) return;
  const named = largest
    .slice(0, 3)
    .map(({ name, bytes }) => `${name} (${String(Math.ceil(bytes / 1_000))} kB)`);
  throw new ApiError(
    "validation_error",
    `The ${String(largest.length)} largest products would make a page of ${megabytes(total)}. A page of ` +
      `${String(MAX_PAGE_PRODUCTS)} products can have at most ${megabytes(MAX_PAGE_BYTES)}. The largest are ` +
      `${named.join(", ")}.`,
  );
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
