// Converts the rows of a product in a Shopify export.
import { checkProduct, duplicateCheck, MIXED, placeIn, type ReportProblem } from "../check.ts";
import { plainMarkup, plainName } from "../../../files/decode-text.ts";
import { readFlag } from "../../../files/numbers.ts";
import { categoryPaths } from "../convert.ts";
import {
  commonFields,
  priceIn,
  type ShopArticle,
  type ShopStock,
  simpleFields,
  variableFields,
} from "../shop-product.ts";
import { countryOf } from "../../../../core/values/country.ts";
import type { CsvRow } from "../../../files/csv.ts";
import type { FileProblem, ShopDefaults, SourceProduct } from "../source.ts";
import { COLUMN_OF_FIELD, RECIPIENT_INFO } from "./columns.ts";
import { optionValues } from "./inventory.ts";

export interface ShopifyContext {
  defaults: ShopDefaults;
  problems: FileProblem[];
  /** Adds to `problems`. */
  report: ReportProblem;
  stockOf: (variant: CsvRow, report: ReportProblem) => ShopStock;
  /** A weight in kg. */
  weightOf: (text: string) => string;
}

/** The product of the rows with one handle. If it has problems, reports them and returns null. */
export function readShopifyProduct(
  context: ShopifyContext,
  handle: string,
  head: CsvRow,
  rows: CsvRow[],
): SourceProduct | null {
  const { defaults, problems } = context;
  const problemsBefore = problems.length;
  const variants = rows.filter((row) => row.get("Option1 value") || row.get("Price"));
  const options = optionNames(head);
  const [only] = variants;
  const simple =
    variants.length <= 1 &&
    (options.length === 0 || only?.get("Option1 value") === "Default Title");
  const first = only ?? head;
  const digital = !needsShipping(first, head);
  const other = variants.find((variant) => needsShipping(variant, head) === digital);
  if (other) context.report(other, "Requires shipping", MIXED);
  const variable = simple ? null : variableDraft(context, head, variants, options);
  const draft = {
    ...commonFields(
      digital,
      imagesOf(rows),
      plainName(head.get("Vendor")) || defaults.vendor,
      defaults,
    ),
    product_name: plainName(head.get("Title")),
    product_description: plainMarkup(head.get("Description").replace(/\r\n?/g, "\n")),
    product_short_description: "",
    recipient_info: plainMarkup(head.get(RECIPIENT_INFO)) || undefined,
    // Tags are labels such as `sale`, not categories.
    categories: categoryPaths([head.get("Product category"), head.get("Type")].map(plainName)),
    shipping_details: {
      weight: context.weightOf(first.get("Weight value (grams)")),
      length: "",
      width: "",
      height: "",
    },
    ...(!digital && customsOf(context, handle, [first, ...variants])),
    ...(variable ?? simpleFields(readVariant(context, first), defaults)),
  };
  const place = placeIn(head, variants, COLUMN_OF_FIELD);
  const product = checkProduct(draft, defaults, problems, place);
  if (!product || problems.length > problemsBefore) return null;
  const variationKeys = simple ? [] : variantKeys(handle, variants);
  const sku = simple && only ? only.get("SKU") : "";
  // Not the key of a variant with this SKU, because the product may get variants.
  const ofSku = sku === "" ? [] : [`handle:${handle} product sku:${sku}`];
  return { keys: [...ofSku, `handle:${handle}`], variationKeys, product };
}

/** Of the product's variants, or of those in the inventory export, which Shopify fills in. */
function customsOf({ defaults: { stock } }: ShopifyContext, handle: string, variants: CsvRow[]) {
  const find = (column: string, counted: "HS Code" | "COO") =>
    variants.map((variant) => variant.get(column)).find((text) => text !== "") ??
    (typeof stock === "object" ? stock.customsOf(handle, counted) : undefined);
  const origin = find("Country of origin", "COO");
  return {
    hs_code: find("HS code", "HS Code"),
    origin_country: origin && (countryOf(origin) ?? origin),
  };
}

function optionNames(head: CsvRow): string[] {
  return [1, 2, 3]
    .map((n) => plainName(head.get(`Option${String(n)} name`)))
    .filter((name) => name !== "");
}

/** The keys of each variant: its SKU if it is unique in the product, and its options. */
function variantKeys(handle: string, variants: CsvRow[]): string[][] {
  const skus = variants.map((variant) => variant.get("SKU"));
  return variants.map((variant, index) => {
    const sku = skus[index] ?? "";
    const isUnique = sku !== "" && skus.indexOf(sku) === skus.lastIndexOf(sku);
    return [
      ...(isUnique ? [`handle:${handle} sku:${sku}`] : []),
      `handle:${handle} options:${JSON.stringify(optionValues(variant))}`,
    ];
  });
}

const readVariant = (
  { defaults, report, stockOf }: ShopifyContext,
  variant: CsvRow,
): ShopArticle => ({
  sku: plainName(variant.get("SKU")),
  stock: stockOf(variant, report),
  price: priceIn(variant, "Price", defaults.currency, report),
});

/**
 * What the shop shows for the option's value. The value of an option that is linked to a metaobject is a handle such as
 * `navy-blue`. A handle of letters is the label in lower case, and others may have a number that the label has not.
 */
function labelOf(
  { report }: ShopifyContext,
  head: CsvRow,
  variant: CsvRow,
  value: string,
  n: number,
): string {
  const linked =
    head.get(`Option${String(n)} Linked To`) || variant.get(`Option${String(n)} Linked To`);
  if (linked === "" || !/^[\p{Ll}\p{N}-]+$/u.test(value)) return plainName(value);
  if (!/^\p{Ll}+(?:-\p{Ll}+)*$/u.test(value)) {
    const reason = `is the handle of a linked option: ${value}. Write what the shop shows in its place`;
    report(variant, `Option${String(n)} value`, reason);
  }
  return SIZES.test(value)
    ? value.toUpperCase()
    : value.replaceAll(/(?<=^|-)\p{Ll}/gu, (letter) => letter.toUpperCase()).replaceAll("-", " ");
}

const SIZES = /^(?:x*s|m|x*l|xx?xl)$/;

function variableDraft(context: ShopifyContext, head: CsvRow, variants: CsvRow[], names: string[]) {
  const { defaults, problems, report } = context;
  const isNew = duplicateCheck(problems, "Option1 value");
  const variations = variants.map((variant) => {
    const values = optionValues(variant);
    const labels = values.map((value, n) => labelOf(context, head, variant, value, n + 1));
    isNew(JSON.stringify(values), variant.number);
    if (values.length !== names.length) {
      const needed = names.join(", ") || "the product's options";
      report(variant, "Option1 value", `must have a value for each of ${needed}`);
    }
    return {
      ...readVariant(context, variant),
      options: names.slice(0, values.length).map((name, n) => ({ name, option: labels[n] ?? "" })),
    };
  });
  const attributes = names.map((name, n) => ({
    name,
    option: [...new Set(variations.flatMap(({ options }) => options[n]?.option ?? []))],
  }));
  return { product_sku: "", ...variableFields(attributes, variations, defaults) };
}

const needsShipping = (variant: CsvRow, head: CsvRow) =>
  readFlag(head.get("Gift card")) !== true && readFlag(variant.get("Requires shipping")) !== false;

/** The product's images by position, then those without a position, then the images of variants. */
function imagesOf(rows: CsvRow[]): string[] {
  const positionOf = (row: CsvRow) => Number(row.get("Image position")) || Number.MAX_SAFE_INTEGER;
  const ofProduct = rows
    .filter((row) => row.get("Product image URL") !== "")
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => row.get("Product image URL"));
  const ofVariants = rows.map((row) => row.get("Variant image URL")).filter((url) => url !== "");
  return [...ofProduct, ...ofVariants];
}
