// A catalogue file of our own: what GET /api/products answers, with our ids in it.
import type { FileProduct } from "./product.ts";
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

/** Errors: `UnreadableFile` when it is no JSON, holds no products, or is a part of a list. */
export function readRegalo(text: string, images: ImageDefaults = {}): CatalogueSource {
  const envelope = parseEnvelope(text);
  const { products: drafts } = envelope;
  if (!Array.isArray(drafts)) throw new UnreadableFile('has no array "products"');
  const part = partOf(envelope, drafts.length);
  if (part !== undefined) {
    throw new UnreadableFile(
      `is a part of a catalogue, ${part}: publishing it would unpublish the other products`,
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

const variationIds = ({ variations = [] }: FileProduct) => variations.map(({ id }) => id);

/** What an answer of GET /api/products says of itself; a file may have the products alone. */
interface Envelope {
  products?: unknown;
  total_products?: unknown;
  current_page?: unknown;
  total_pages?: unknown;
}

/** Which part of a list the file is; `undefined` when it is the whole. */
function partOf(
  { total_products: total, current_page: page, total_pages: pages }: Envelope,
  count: number,
): string | undefined {
  if (typeof pages === "number" && pages > 1) return `one of ${String(pages)} pages`;
  if (typeof page === "number" && page > 1) return `page ${String(page)}`;
  if (typeof total === "number" && total > count) {
    return `${String(count)} of ${String(total)} products`;
  }
  return undefined;
}

function parseEnvelope(text: string): Envelope {
  try {
    const value = JSON.parse(text, (_key, part: unknown) =>
      typeof part === "string" ? repair(part) : part,
    ) as unknown;
    return Array.isArray(value) ? { products: value } : (value as object);
  } catch {
    throw new UnreadableFile("is not valid JSON");
  }
}
