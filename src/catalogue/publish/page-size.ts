// A page of the product list is made in memory, kept in KV and sent whole, so that its size needs a bound. It is held
// when a catalogue is published: no page that readers can ask for is larger.
import { ApiError } from "../../api-error.ts";
import { MAX_ID } from "../../values/ids.ts";
import type { Product } from "../product.ts";
import { MAX_PAGE_PRODUCTS } from "../contract.ts";
import { productResponse } from "../response.ts";

/** Of JSON in UTF-8, before compression. */
const MAX_PAGE_BYTES = 8_000_000;

/** As long as an origin may be. */
const ANY_ORIGIN = `https://${"x".repeat(92)}`;

/** As many digits as a quantity may have. */
const ANY_QUANTITY = 999_999_999;

const encoder = new TextEncoder();

/**
 * The size of a product in a page, with the comma after it. What is not known before publishing counts as the longest
 * it can be: quantities, the deployment's address, and ids that are not given yet (below 0).
 */
function largestSize(product: Product): number {
  const levels = product.type === "simple" ? [{ id: 0 }] : product.variations;
  const stock = levels.map(({ id }) => ({
    variationId: id,
    quantity: ANY_QUANTITY,
    sellable: false,
  }));
  const wire = productResponse(product, stock, ANY_ORIGIN);
  const json = JSON.stringify(wire, (_key, value: unknown) =>
    typeof value === "number" && value < 0 ? MAX_ID : value,
  );
  return encoder.encode(json).length + 1;
}

/**
 * Whatever the limit, a page is a run of at most `MAX_PAGE_PRODUCTS` products, of all or of those with one way of
 * delivery. Errors: `validation_error` when such a run would be too large.
 */
export function checkPageSizes(products: readonly Product[]): void {
  const sized = products.map((product) => ({ product, bytes: largestSize(product) }));
  checkRuns(sized);
  for (const delivery of ["physical", "digital"] as const) {
    checkRuns(sized.filter(({ product }) => product.delivery === delivery));
  }
}

interface Sized {
  product: Product;
  bytes: number;
}

function checkRuns(products: readonly Sized[]): void {
  let total = 0;
  for (const [index, { bytes }] of products.entries()) {
    total += bytes - (products[index - MAX_PAGE_PRODUCTS]?.bytes ?? 0);
    if (total > MAX_PAGE_BYTES) {
      const run = products.slice(Math.max(0, index + 1 - MAX_PAGE_PRODUCTS), index + 1);
      throw tooLarge(run, total);
    }
  }
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

function tooLarge(run: readonly Sized[], total: number): ApiError {
  const largest = run
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, 3)
    .map(({ product, bytes }) => `${product.name} (${String(Math.ceil(bytes / 1_000))} kB)`);
  return new ApiError(
    "validation_error",
    `${String(run.length)} products in a row would make a page of ${megabytes(total)}; a page of ` +
      `${String(MAX_PAGE_PRODUCTS)} products may have ${megabytes(MAX_PAGE_BYTES)}. The largest are ` +
      `${largest.join(", ")}.`,
  );
}
