// Validates the products of catalogue files, and collects their problems.
import { ApiError, type FieldError } from "../../../core/api-error.ts";
import { isShownImage } from "../../../core/validation/fields.ts";
import { validate } from "../../../core/validation/validate.ts";
import { FileProduct } from "../../../features/catalogue/file-product.ts";
import { damageIn } from "../../files/damage.ts";
import type { CsvRow } from "../../files/csv.ts";
import { excerpt } from "../../files/unreadable-file.ts";
import type { FileProblem, ReadOptions } from "./source.ts";

/**
 * The product if it is valid. Otherwise adds its problems to `problems`, and returns null. `locate` returns the row and
 * the column of a field. A problem of a place that the reader has reported is left out.
 */
export function checkProduct(
  draft: unknown,
  options: ReadOptions,
  problems: FileProblem[],
  locate: (field: string) => Pick<FileProblem, "row" | "field">,
): FileProduct | null {
  const reported = problems.slice();
  const seen = new Set<string>();
  const report = ({ field, message }: FieldError) => {
    const problem = { ...locate(field), reason: message };
    const key = JSON.stringify(problem);
    const isReported = reported.some((p) => p.row === problem.row && p.field === problem.field);
    if (!seen.has(key) && !isReported) problems.push(problem);
    seen.add(key);
  };
  try {
    const product = withShownImageFirst(validate(FileProduct(), withDefaults(draft, options)));
    const faults = [...damagesIn(product), ...unconfirmedIn(product, options)];
    for (const fault of faults) report(fault);
    return faults.length > 0 ? null : product;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.fields) throw error;
    for (const problem of error.fields) report(problem);
    return null;
  }
}

/** The names, SKUs and options that a spreadsheet has changed. */
function damagesIn(product: FileProduct): FieldError[] {
  const texts = [
    ["product_name", product.product_name],
    ["product_sku", product.product_sku],
    ...(product.variations ?? []).flatMap(({ sku, options }, index) => [
      [`variations[${String(index)}].sku`, sku],
      ...options.map(({ option }) => [`variations[${String(index)}].options`, option]),
    ]),
  ];
  return texts.flatMap(([field = "", text]) => {
    const message = damageIn(text ?? "");
    return message === undefined ? [] : [{ field, message }];
  });
}

/** The prices of zero that are not confirmed: they may come from a cell that was not filled in. */
function unconfirmedIn(product: FileProduct, { free = [] }: ReadOptions): FieldError[] {
  const { product_name: name, product_sku: sku, price, variations = [] } = product;
  return [{ price, sku }, ...variations].flatMap((each, index) => {
    const isFree = [name, sku, each.sku].some((key) => free.includes(key));
    if (isFree || each.price === undefined || Number(each.price) > 0) return [];
    const field = index === 0 ? "price" : `variations[${String(index - 1)}].price`;
    return [{ field, message: "is zero: confirm the SKU or the name as free" }];
  });
}

/** The images that browsers do not show follow the others. */
function withShownImageFirst(product: FileProduct): FileProduct {
  const { featured_image: first, additional_images: others } = product;
  const [featured_image = first, ...additional_images] = [first, ...others].toSorted(
    (a, b) => Number(isShownImage(b)) - Number(isShownImage(a)),
  );
  return { ...product, featured_image, additional_images };
}

const DEFAULT_VENDOR_LOGO = "/images/vendors/vendor.svg";
/** A wrapped gift, in a format that e-mails show. */
export const DEFAULT_PLACEHOLDER = "/images/brand/wrapped.png";

/**
 * The draft, with what its source lacks: images and, if `codes` are given, how a digital product is delivered. `draft`
 * may have any other fault, which `checkProduct` reports.
 */
function withDefaults(draft: unknown, options: ReadOptions): unknown {
  if (typeof draft !== "object" || draft === null) return draft;
  const { placeholder = DEFAULT_PLACEHOLDER, vendorLogo, codes } = options;
  const product = draft as Partial<FileProduct>;
  const { featured_image: image, product_vendor: vendor } = product;
  const isCode = codes?.some((key) => [product.product_name, product.product_sku].includes(key));
  const isDigital = codes && product.digital_physical === "digital";
  return {
    ...(isDigital && { digital_delivery: isCode ? "code" : "manual" }),
    ...draft,
    ...(image === "" && { featured_image: placeholder }),
    ...(vendor?.logo === "" && {
      product_vendor: { ...vendor, logo: vendorLogo ?? DEFAULT_VENDOR_LOGO },
    }),
  };
}

/** All recipients of a product are asked for an address, or none. */
export const MIXED =
  "is not the same for all variations: make two products of it, one that is posted and one that is digital";

/** Adds a problem of a row. */
export type ReportProblem = (row: CsvRow, field: string, reason: string) => void;

export const reporter =
  (problems: FileProblem[]): ReportProblem =>
  ({ number }, field, reason) => {
    problems.push({ row: number, field, reason });
  };

/**
 * The place of a field such as `variations[3].price` in a shop's file: the row of the product or of its variation, and
 * the column with the values of `price`.
 */
export const placeIn =
  (row: CsvRow, variations: readonly CsvRow[], columns: Readonly<Record<string, string>>) =>
  (field: string) => {
    const [, index = "", rest] = /^variations\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
    const [name = ""] = field.startsWith("translations.")
      ? [field]
      : (rest ?? field).split(/[[.]/, 1);
    const place = (index === "" ? undefined : variations[Number(index)]) ?? row;
    return { row: place.number, field: columns[name] ?? name };
  };

/** An operator corrects a file in several steps. Listing all problems of a wrong file would take minutes. */
export const MAX_PROBLEMS = 100;

/** The maximum of a catalogue. */
export const MAX_PRODUCTS = 10_000;

/** Whether to stop reading. */
export const hasTooMany = (
  problems: readonly FileProblem[],
  products: readonly unknown[],
  { maxProblems = MAX_PROBLEMS }: ReadOptions,
) => problems.length >= maxProblems || products.length > MAX_PRODUCTS;

/** The problems sorted by row, at most `maxProblems`, with the names of their products. */
export function withProductNames(
  problems: readonly FileProblem[],
  { maxProblems = MAX_PROBLEMS }: ReadOptions,
  nameOf: (row: number) => string | undefined,
): FileProblem[] {
  return problems
    .toSorted((a, b) => a.row - b.row)
    .slice(0, maxProblems)
    .map((problem) => {
      const product = nameOf(problem.row);
      const shown = { ...problem, reason: excerpt(problem.reason) };
      return product ? { ...shown, product: excerpt(product) } : shown;
    });
}

/**
 * Returns a function that reports a row whose key is used before, and returns whether the key is new. Ignores empty
 * keys.
 */
export function duplicateCheck(problems: FileProblem[], field: string) {
  const firstRows = new Map<string, number>();
  return (key: string, row: number): boolean => {
    const first = firstRows.get(key);
    if (key === "" || first === undefined) {
      firstRows.set(key, row);
      return true;
    }
    problems.push({ row, field, reason: `is the same as in row ${String(first)}` });
    return false;
  };
}
