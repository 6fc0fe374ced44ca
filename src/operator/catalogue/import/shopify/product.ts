// Converts the rows of a product in a Shopify export.
import { amountAsNumber, formatAmount } from "../../../../core/values/money.ts";
import { checkProduct, duplicateCheck, splitField } from "../check.ts";
import { attributeId, convertUnit, encodeUrl, parsePrice, vendorWithName } from "../convert.ts";
import type { CsvRow } from "../../../files/csv.ts";
import type { FileProblem, SourceDefaults, SourceProduct } from "../source.ts";
import { COLUMN_OF_FIELD } from "./columns.ts";
import { optionValues } from "./inventory.ts";
import { stockOf, type StockReader } from "./stock.ts";

export interface ShopifyContext {
  defaults: SourceDefaults;
  problems: FileProblem[];
  stock: StockReader;
}

/** The product of the rows with one handle. If it has problems, reports them and returns null. */
export function readProduct(
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
  const draft = simple
    ? simpleDraft(context, head, rows, only ?? head)
    : variableDraft(context, head, rows, variants, options);
  const product = checkProduct(draft, defaults, problems, (field) => {
    const { index, name } = splitField(field);
    const row = variants.find((_, n) => n === index) ?? head;
    return { row: row.number, field: COLUMN_OF_FIELD[name] ?? name };
  });
  if (!product || problems.length > problemsBefore) return null;
  const variationKeys = simple ? [] : variantKeys(handle, variants);
  return { keys: [`handle:${handle}`], variationKeys, product };
}

function optionNames(head: CsvRow): string[] {
  return [1, 2, 3].map((n) => head.get(`Option${String(n)} name`)).filter((name) => name !== "");
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

function simpleDraft(context: ShopifyContext, head: CsvRow, rows: CsvRow[], variant: CsvRow) {
  const { defaults, problems } = context;
  const { tracked, status, quantity } = stockOf(context.stock, variant, defaults, problems);
  return {
    ...commonFields(head, rows, [variant], defaults),
    product_sku: variant.get("SKU"),
    product_type: "simple",
    price: priceOf(variant, problems),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(
  context: ShopifyContext,
  head: CsvRow,
  rows: CsvRow[],
  variants: CsvRow[],
  options: string[],
) {
  const isNew = duplicateCheck(context.problems, "Option1 value");
  const variations = variants.map((variant, index) => {
    isNew(JSON.stringify(optionValues(variant)), variant.number);
    return variationDraft(context, variant, index + 1, options);
  });
  const inStock = variations.some(({ draft }) => draft.variation_stock_status === "in_stock");
  return {
    ...commonFields(head, rows, variants, context.defaults),
    product_sku: "",
    product_type: "variable",
    attributes: options.map((name, n) => ({
      id: attributeId(name),
      name,
      option: [...new Set(variants.flatMap((variant) => optionValues(variant)[n] ?? []))],
    })),
    variations: variations.map(({ draft }) => draft),
    track_inventory: variations.some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

function variationDraft(
  { defaults, problems, stock }: ShopifyContext,
  variant: CsvRow,
  id: number,
  options: string[],
) {
  const values = optionValues(variant);
  if (values.length !== options.length) {
    const reason = `must have a value for each of ${options.join(", ") || "the product's options"}`;
    problems.push({ row: variant.number, field: "Option1 value", reason });
  }
  const { tracked, status, quantity } = stockOf(stock, variant, defaults, problems);
  return {
    tracked,
    draft: {
      id,
      sku: variant.get("SKU"),
      price: priceOf(variant, problems) ?? "",
      price_currency: defaults.currency ?? "",
      variation_qty: quantity,
      variation_stock_status: status,
      options: options.slice(0, values.length).map((name, n) => ({
        id: attributeId(name),
        name,
        option: values[n],
      })),
    },
  };
}

/** The fields that simple and variable products have in common. */
function commonFields(
  head: CsvRow,
  rows: CsvRow[],
  variants: CsvRow[],
  { vendor, locations, shippingMinor }: SourceDefaults,
) {
  const digital = variants.every((variant) => !needsShipping(variant, head));
  const images = imagesOf(rows);
  return {
    // A placeholder. Publishing finds or assigns the id by the handle.
    product_id: 1,
    product_name: head.get("Title"),
    product_description: head.get("Description").replace(/\r\n?/g, "\n"),
    product_short_description: "",
    digital_physical: digital ? "digital" : "physical",
    featured_image: images[0] ?? "",
    additional_images: images.slice(1),
    product_vendor: vendorWithName(head.get("Vendor") || vendor),
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor),
    shipping_details: {
      weight: convertUnit((variants[0] ?? head).get("Weight value (grams)"), 0.001),
      length: "",
      width: "",
      height: "",
    },
    available_location: locations,
  };
}

const needsShipping = (variant: CsvRow, head: CsvRow) =>
  head.get("Gift card").toLowerCase() !== "true" &&
  variant.get("Requires shipping").toLowerCase() !== "false";

/** The product's images by position, then those without a position, then the images of variants. */
function imagesOf(rows: CsvRow[]): string[] {
  const positionOf = (row: CsvRow) => Number(row.get("Image position")) || Number.MAX_SAFE_INTEGER;
  const ofProduct = rows
    .filter((row) => row.get("Product image URL") !== "")
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => row.get("Product image URL"));
  const ofVariants = rows.map((row) => row.get("Variant image URL")).filter((url) => url !== "");
  return [...new Set([...ofProduct, ...ofVariants].map(encodeUrl))];
}

/** Undefined if there is no price. An invalid price is reported. */
function priceOf(variant: CsvRow, problems: FileProblem[]): string | undefined {
  const text = variant.get("Price");
  if (text === "") return undefined;
  const minor = parsePrice(text);
  if (minor !== undefined) return formatAmount(minor);
  const reason = `must be an amount with at most two decimals: ${text}`;
  problems.push({ row: variant.number, field: "Price", reason });
  return "0.00";
}
