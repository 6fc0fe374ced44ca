// The digests of products.
import { sha256Hex } from "../../../core/values/digest.ts";
import type { Product, ProductWithStock } from "../../../features/catalogue/product.ts";

/** A product with the digest of its content. */
export interface RevisedProduct extends ProductWithStock {
  revision: string;
}

/** One after the other, because the JSON of all products is as large as their file. */
export async function withRevisions(
  products: readonly ProductWithStock[],
): Promise<RevisedProduct[]> {
  const revised: RevisedProduct[] = [];
  for (const each of products) {
    revised.push({ ...each, revision: await revisionOf(each.product) });
  }
  return revised;
}

/**
 * The digest of the product's content and, after a hyphen, of its translations, if it has any. 64 bits suffice, because
 * a revision must be unique only within its product.
 */
export async function revisionOf({ translations, ...product }: Product): Promise<string> {
  const parts = [product, ...(translations ? [translations] : [])];
  const digests = await Promise.all(parts.map((part) => sha256Hex(JSON.stringify(part))));
  return digests.map((digest) => digest.slice(0, 16)).join("-");
}
