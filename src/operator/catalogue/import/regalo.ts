// Reads a catalogue file in Regalo's format: a response of GET /api/products with all products, or an array of
// products.
import { checkProduct, duplicateCheck, hasTooMany, MIXED, withProductNames } from "./check.ts";
import type { FileProduct } from "../../../features/catalogue/file-product.ts";
import type { CatalogueSource, FileProblem, ReadOptions, SourceProduct } from "./source.ts";
import { plainMarkup, plainName } from "../../files/decode-text.ts";
import { UnreadableFile } from "../../files/unreadable-file.ts";
import { repairCounting } from "../../files/repair-text.ts";

/** The largest id in a file. Generated ids follow the largest id in use and must not exceed MAX_ID. */
const MAX_FILE_ID = 999_999_999_999_999;

/** Far more than a product and its translations can have. The problems of a larger one are not searched for. */
const MAX_DRAFT_LENGTH = 1_000_000;

/**
 * Reads the JSON value of a file. Errors: `UnreadableFile` if it has no array of products, or is a part of a product
 * list.
 */
export function readRegalo(content: unknown, defaults: ReadOptions = {}): CatalogueSource {
  const value = Array.isArray(content) ? { products: content as unknown[] } : (content ?? {});
  const envelope = value as Readonly<Record<string, unknown>>;
  const { products: drafts } = envelope;
  if (!Array.isArray(drafts)) throw new UnreadableFile('has no array "products"');
  const part = describePart(envelope, drafts.length);
  if (part !== undefined) {
    throw new UnreadableFile(
      `is a part of a catalogue (${part}): publishing it would unpublish the other products`,
    );
  }
  // Responses of the API do not contain how digital products are delivered.
  const codes = "total_products" in envelope ? (defaults.codes ?? []) : undefined;
  const problems: FileProblem[] = [];
  const checkIds = idCheck(problems);
  const { repair, dropped } = repairCounting();
  const repaired = inAllTexts(repair);
  const products: SourceProduct[] = [];
  for (const [index, draft] of drafts.entries()) {
    if (hasTooMany(problems, products, defaults)) break;
    const row = index + 1;
    const place = (field: string) => ({ row, field });
    if (JSON.stringify(draft).length > MAX_DRAFT_LENGTH) {
      const reason = `has more than ${String(MAX_DRAFT_LENGTH)} characters as JSON`;
      problems.push({ ...place("product"), reason });
      continue;
    }
    const product = checkProduct(repaired(draft), { ...defaults, codes }, problems, place);
    if (!product) continue;
    if (isMixed(draft, product)) problems.push({ ...place("variations"), reason: MIXED });
    else if (checkIds(product, row)) products.push({ keys: [], variationKeys: [], product });
  }
  return {
    format: "regalo",
    products,
    problems: withProductNames(problems, defaults, (row) => nameOf(drafts[row - 1])),
    dropped: dropped(),
    unpublished: [],
    notes: [],
    quantities: "file",
  };
}

/** The fields with HTML. */
const MARKUP = [
  ...["product_description", "product_short_description", "bio", "shipping_info", "returns_info"],
  ...["description", "short_description", "redeem_instructions", "recipient_info"],
];

/** A function that repairs and decodes all texts of a value. */
function inAllTexts(repair: (text: string) => string) {
  const repaired = (value: unknown, field = ""): unknown => {
    if (typeof value === "string") {
      return MARKUP.includes(field) ? plainMarkup(repair(value)) : plainName(repair(value));
    }
    if (Array.isArray(value)) return value.map((each) => repaired(each, field));
    if (typeof value !== "object" || value === null) return value;
    // The keys of translated options are texts too.
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [repaired(name), repaired(each, name)]),
    );
  };
  return (value: unknown) => repaired(value);
}

/**
 * Returns a function that reports ids that are too large or used before, and returns whether the product's ids are
 * valid.
 */
function idCheck(problems: FileProblem[]) {
  const isNewProduct = duplicateCheck(problems, "product_id");
  const isNewVariation = duplicateCheck(problems, "variations.id");
  return (product: FileProduct, row: number): boolean => {
    const { product_id: productId, variations = [] } = product;
    const variationIds = variations.map(({ id }) => id);
    const tooLarge = Object.entries({ product_id: [productId], "variations.id": variationIds })
      .filter(([, ids]) => ids.some((id) => id > MAX_FILE_ID))
      .map(([field]) => field);
    for (const field of tooLarge) {
      problems.push({ row, field, reason: `must be at most ${String(MAX_FILE_ID)}` });
    }
    const unique =
      isNewProduct(String(productId), row) &&
      variationIds.every((id) => isNewVariation(String(id), row));
    return unique && tooLarge.length === 0;
  };
}

/** Whether a variation is said to be sent in another way than the product. `draft` is valid otherwise. */
const isMixed = (draft: unknown, { digital_physical: sent }: FileProduct) =>
  (draft as { variations?: { digital_physical?: string }[] }).variations?.some(
    ({ digital_physical: own = sent }) => own !== sent,
  );

function nameOf(draft: unknown): string {
  const { product_name: name } = (draft ?? {}) as { product_name?: unknown };
  return typeof name === "string" ? repairCounting().repair(name) : "";
}

/** Describes the part of a product list that the file contains. Undefined if it contains the whole list. */
function describePart(
  {
    total_products: total,
    current_page: page,
    total_pages: pages,
  }: Readonly<Record<string, unknown>>,
  count: number,
): string | undefined {
  if (typeof pages === "number" && pages > 1) return `one of ${String(pages)} pages`;
  if (typeof page === "number" && page > 1) return `page ${String(page)}`;
  if (typeof total === "number" && total > count) {
    return `${String(count)} of ${String(total)} products`;
  }
  return undefined;
}
