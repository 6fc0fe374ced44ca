// A catalogue file of our own: what GET /api/products answers, with our ids in it.
import {
  type CatalogueSource,
  checkProduct,
  type Problem,
  type SourceProduct,
  uniqueness,
  UnreadableFile,
} from "./source.ts";

/** Errors: `UnreadableFile` when it is no JSON, holds no products, or is one page of several. */
export function readRegalo(text: string): CatalogueSource {
  const { products: drafts, total_pages: pages } = parseEnvelope(text);
  if (!Array.isArray(drafts)) throw new UnreadableFile('has no array "products"');
  if (typeof pages === "number" && pages > 1) {
    throw new UnreadableFile(
      `is one of ${String(pages)} pages: publishing it would unpublish the products of the others`,
    );
  }
  const problems: Problem[] = [];
  const products: SourceProduct[] = [];
  const once = uniqueness(problems, "product_id");
  const variationOnce = uniqueness(problems, "variations.id");
  for (const [index, draft] of drafts.entries()) {
    const row = index + 1;
    const product = checkProduct(draft, problems, (field) => ({ row, field }));
    if (!product) continue;
    const unique =
      once(String(product.product_id), row) &&
      (product.variations ?? []).every(({ id }) => variationOnce(String(id), row));
    if (unique) products.push({ keys: [], variationKeys: [], product });
  }
  return { format: "regalo", products, problems, unpublished: 0 };
}

function parseEnvelope(text: string): { products?: unknown; total_pages?: unknown } {
  try {
    const value = JSON.parse(text) as unknown;
    return Array.isArray(value) ? { products: value } : (value as object);
  } catch {
    throw new UnreadableFile("is not valid JSON");
  }
}
