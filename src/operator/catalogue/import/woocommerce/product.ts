// Converts the row of a product, with the rows of its variations, in a WooCommerce export.
import { checkProduct, MIXED, placeIn, type ReportProblem } from "../check.ts";
import { plainName } from "../../../files/decode-text.ts";
import { attributeId, categoryPaths } from "../convert.ts";
import {
  commonFields,
  priceIn,
  type ShopArticle,
  type ShopStock,
  simpleFields,
  trackedStock,
  untracked,
  variableFields,
} from "../shop-product.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { readFlag } from "../../../files/numbers.ts";
import { line } from "../../../../core/validation/fields.ts";
import { brokenRule } from "../../../../core/validation/validate.ts";
import type { FileProblem, ShopDefaults, SourceProduct } from "../source.ts";
import {
  attributesOf,
  isDigital,
  rowKeys,
  longText,
  type parcelReader,
  splitList,
  typesOf,
} from "./row.ts";

export interface WooCommerceContext {
  defaults: ShopDefaults;
  parcelOf: ReturnType<typeof parcelReader>["parcelOf"];
  problems: FileProblem[];
  /** Adds to `problems`. */
  report: ReportProblem;
}

/** The column of each field of a product, for problems. */
const COLUMN_OF_FIELD: Record<string, string> = {
  product_sku: "SKU",
  sku: "SKU",
  product_name: "Name",
  product_description: "Description",
  product_short_description: "Short description",
  price: "Regular price",
  attributes: "Attribute 1 name",
  options: "Attribute 1 value(s)",
  featured_image: "Images",
  additional_images: "Images",
  variations: "Type",
  recipient_info: "Meta: recipient_info",
  categories: "Categories",
};

const MAX_ID_LENGTH = 50;

/** The product of a row and its variations. If it has problems, reports them and returns null. */
export function readWooCommerceProduct(
  context: WooCommerceContext,
  row: CsvRow,
  variationRows: CsvRow[],
): SourceProduct | null {
  const { defaults, problems, report, parcelOf } = context;
  const problemsBefore = problems.length;
  if (!checkType(row, variationRows, report)) return null;
  // Rows with a fault are already reported.
  if (variationRows.some(({ fault }) => fault !== undefined)) return null;

  for (const each of [row, ...variationRows]) {
    if (rowKeys(each).length === 0) report(each, "SKU", "is required if there is no ID");
    // They are stored as keys. The schema of the product checks the other rules of a SKU.
    const rule = each.get("ID") && brokenRule(line(MAX_ID_LENGTH), each.get("ID"));
    if (rule) report(each, "ID", rule);
    if (/[\r\n]/.test(each.get("SKU"))) report(each, "SKU", "must be one line of text");
  }
  const images = [row, ...variationRows].flatMap((each) => splitList(each.get("Images")));
  const [first = row] = variationRows;
  const digital = isDigital(first);
  const other = variationRows.find((each) => isDigital(each) !== digital);
  if (other) report(other, "Type", MIXED);
  const draft = {
    ...commonFields(digital, images, defaults.vendor, defaults),
    product_name: plainName(row.get("Name")),
    product_description: longText(row.get("Description")),
    product_short_description: longText(row.get("Short description")),
    recipient_info: longText(row.get("Meta: recipient_info")) || undefined,
    shipping_details: parcelOf(row),
    categories: categoryPaths(splitList(row.get("Categories")).map(plainName)),
    ...(typesOf(row).includes("variable")
      ? variableDraft(context, row, variationRows)
      : simpleFields(readArticle(context, row), defaults)),
  };
  const place = placeIn(row, variationRows, COLUMN_OF_FIELD);
  const product = checkProduct(draft, defaults, problems, place);
  if (!product || problems.length > problemsBefore) return null;
  return { keys: rowKeys(row), variationKeys: variationRows.map(rowKeys), product };
}

const SUPPORTED_TYPES = new Set(["simple", "variable", "virtual", "downloadable"]);

/** Returns whether the product's type is supported, and otherwise reports it. */
function checkType(row: CsvRow, variationRows: CsvRow[], report: ReportProblem): boolean {
  const types = typesOf(row);
  const unsupported = types.find((type) => !SUPPORTED_TYPES.has(type));
  const isVariable = types.includes("variable");
  if (unsupported !== undefined || (!isVariable && !types.includes("simple"))) {
    report(row, "Type", `is not supported: ${unsupported ?? (row.get("Type") || "(empty)")}`);
    return false;
  }
  if (isVariable && variationRows.length === 0) {
    report(row, "Type", "is variable, but the product has no published variation in this file");
    return false;
  }
  return true;
}

const readArticle = ({ defaults, report }: WooCommerceContext, row: CsvRow): ShopArticle => ({
  sku: plainName(row.get("SKU")),
  stock: stockOf(row, report),
  price: priceIn(row, "Regular price", defaults.currency, report),
});

/** The stock of a row. It is tracked if the row has a quantity. */
function stockOf(row: CsvRow, report: ReportProblem): ShopStock {
  const text = row.get("Stock");
  const inStock = readFlag(row.get("In stock?")) !== false;
  const status = inStock ? "in_stock" : "out_of_stock";
  if (text === "") return untracked(status);
  if (!/^-?\d{1,9}(\.0+)?$/.test(text)) {
    const reason =
      text === "parent"
        ? "shared with the parent is not supported: each variation needs its own"
        : `must be a whole number: ${text}`;
    report(row, "Stock", reason);
    return untracked(status);
  }
  const backorders = row.get("Backorders allowed?").toLowerCase();
  const continues = inStock && (backorders === "notify" || readFlag(backorders) === true);
  return trackedStock(Number(text), status, continues);
}

function variableDraft(context: WooCommerceContext, row: CsvRow, variationRows: CsvRow[]) {
  const { defaults, report } = context;
  if (row.get("Stock") !== "") {
    report(row, "Stock", "must be set for the variations, not for the variable product");
  }
  const variations = variationRows.map((each) => ({
    ...readArticle(context, each),
    options: optionsOf(each),
  }));
  const names = new Set(variations.flatMap(({ options }) => options.map(({ name }) => name)));
  const used = new Set([...names].map(attributeId));
  for (const [index, { options }] of variations.entries()) {
    const given = options.filter(({ option }) => option !== "").map(({ name }) => name);
    const missing = [...names].filter((name) => !given.includes(name)).join(" and ");
    const reason = `has no value for ${missing}: each variation needs its own row`;
    if (missing) report(variationRows[index] ?? row, "Attribute 1 value(s)", reason);
  }
  const attributes = attributesOf(row)
    .map(({ name, values }) => ({ name, option: splitList(values).map(plainName) }))
    .filter(({ name }) => used.has(attributeId(name)));
  return {
    product_sku: plainName(row.get("SKU")),
    ...variableFields(attributes, variations, defaults),
  };
}

/** A variation has exactly one value for an attribute, so its commas are not separators. */
const optionsOf = (row: CsvRow) =>
  attributesOf(row).map(({ name, values }) => ({
    name,
    option: plainName(values.replaceAll("\\,", ",")),
  }));
