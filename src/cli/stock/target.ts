// The product or variation that the command line of `stock …` names.
import type { ProductReference } from "../../operator/catalogue/stock-target.ts";
import { parseId } from "../../core/values/ids.ts";
import { UsageError } from "../errors.ts";
import { parsed } from "../options.ts";

/** The product that a command line names. Errors: `UsageError`. */
export function productReference(
  product: string,
  { catalogue, variation }: { catalogue?: string; variation?: string },
): ProductReference {
  const productId = parseId(product);
  const variationId = parsed(variation, parseId, "--variation must be the id of a variation");
  if (catalogue === undefined) {
    const rule = "<product> must be the id of a product, or a SKU with --catalogue";
    return { productId: parsed(product, parseId, rule), variationId, source: null };
  }
  if (productId !== undefined) {
    throw new UsageError(
      `${product} is the id of a product, which needs no --catalogue. Write sku:${product} for a SKU.`,
    );
  }
  if (product === "") throw new UsageError("<product> must not be empty.");
  return { productId, variationId, source: { catalogue, key: product } };
}
