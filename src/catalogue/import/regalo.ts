// A catalogue file of our own: what GET /api/products answers, with our ids in it.
import type { ProductWire } from "./product.ts";
import {
  type CatalogueSource,
  checkProduct,
  type ImageDefaults,
  named,
  type Problem,
  type SourceProduct,
  uniqueness,
  UnreadableFile,
} from "./source.ts";
import { repair } from "./text.ts";

/** Ids that are given out follow the largest there is: this leaves them room among the numbers that are exact. */
const MAX_OWN_ID = 999_999_999_999_999;

/** Errors: `UnreadableFile` when it is no JSON, holds no products, or is one page of several. */
export function readRegalo(text: string, images: ImageDefaults = {}): CatalogueSource {
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
    const product = checkProduct(draft, images, problems, (field) => ({ row, field }));
    if (!product) continue;
    const ids = { product_id: [product.product_id], "variations.id": variationIds(product) };
    const tooLarge = Object.entries(ids).filter(([, own]) => own.some((id) => id > MAX_OWN_ID));
    for (const [field] of tooLarge) {
      problems.push({ row, field, reason: `must be at most ${String(MAX_OWN_ID)}` });
    }
    const unique =
      once(String(product.product_id), row) &&
      variationIds(product).every((id) => variationOnce(String(id), row));
    if (unique && tooLarge.length === 0) products.push({ keys: [], variationKeys: [], product });
  }
  const nameOf = (row: number) => {
    const { product_name: name } = (drafts[row - 1] ?? {}) as { product_name?: unknown };
    return typeof name === "string" ? name : undefined;
  };
  return {
    format: "regalo",
    products,
    problems: named(problems, nameOf),
    unpublished: 0,
    quantities: "file",
  };
}

const variationIds = ({ variations = [] }: ProductWire) => variations.map(({ id }) => id);

function parseEnvelope(text: string): { products?: unknown; total_pages?: unknown } {
  try {
    const value = JSON.parse(text, (_key, part: unknown) =>
      typeof part === "string" ? repair(part) : part,
    ) as unknown;
    return Array.isArray(value) ? { products: value } : (value as object);
  } catch {
    throw new UnreadableFile("is not valid JSON");
  }
}
