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
 * maximum length: quantities, the origin of the deployment, and new ids, which are negative.
 */
function largestSize(product: Product): number {
  const levels = product.type === "simple" ? [{ id: 0 }] : product.variations;
  const stock = levels.map(({ id }) => ({
    variationId: id,
    quantity: LONGEST_QUANTITY,
    sellable: false,
  }));
  const response = productResponse(product, stock, LONGEST_ORIGIN);
  const json = JSON.stringify(response, (_key, value: unknown) =>
    typeof value === "number" && value < 0 ? MAX_ID : value,
  );
  return encoder.encode(json).length + 1;
}

/**
 * Errors: `validation_error` if a page would be too large. A page has at most `MAX_PAGE_PRODUCTS` consecutive products
 * of the whole list, the physical products or the digital products, so all such runs are checked.
 */
export function checkPageSizes(products: readonly Product[]): void {
  const sized = products.map((product) => ({ product, bytes: largestSize(product) }));
  checkRuns(sized);
  for (const delivery of ["physical", "digital"] as const) {
    checkRuns(sized.filter(({ product }) => product.delivery === delivery));
  }
}

interface SizedProduct {
  product: Product;
  bytes: number;
}

function checkRuns(products: readonly SizedProduct[]): void {
  let total = 0;
  for (const [index, { bytes }] of products.entries()) {
    total += bytes - (products[index - MAX_PAGE_PRODUCTS]?.bytes ?? 0);
    if (total > MAX_PAGE_BYTES) {
      const run = products.slice(Math.max(0, index + 1 - MAX_PAGE_PRODUCTS), index + 1);
      throw pageTooLarge(run, total);
    }
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

function pageTooLarge(run: readonly SizedProduct[], total: number): ApiError {
  const largest = run
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ product, bytes }) => `${product.name} (${String(Math.ceil(bytes / 1_000))} kB)`);
  return new ApiError(
    "validation_error",
    `${String(run.length)} products in a row would make a page of ${megabytes(total)}. A page of ` +
      `${String(MAX_PAGE_PRODUCTS)} products can have at most ${megabytes(MAX_PAGE_BYTES)}. The largest are ` +
      `${largest.join(", ")}.`,
  );
}
