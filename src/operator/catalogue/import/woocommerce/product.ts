// Converts the row of a product, with the rows of its variations, in a WooCommerce export.
import { amountAsNumber } from "../../../../core/values/money.ts";
import { checkProduct, splitField } from "../check.ts";
import { attributeId, convertUnit, vendorWithName } from "../convert.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { line } from "../../../../core/validation/fields.ts";
import { brokenRule } from "../../../../core/validation/validate.ts";
import type { FileProblem, SourceDefaults, SourceProduct } from "../source.ts";
import {
  attributesOf,
  imagesOf,
  isDigital,
  keysOf,
  longText,
  type ReportProblem,
  splitList,
  typesOf,
  unescaped,
} from "./row.ts";
import { priceOf, stockOf } from "./price-and-stock.ts";
import type { ExportUnits } from "./units.ts";
import { type ExpandedVariation, expandVariations } from "./variations.ts";

export interface WooCommerceContext {
  defaults: SourceDefaults;
  units: ExportUnits;
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
};

const MAX_ID_LENGTH = 50;

/** The product of a row and its variations. If it has problems, reports them and returns null. */
export function readProduct(
  context: WooCommerceContext,
  row: CsvRow,
  variationRows: CsvRow[],
): SourceProduct | null {
  const { defaults, problems, report } = context;
  const problemsBefore = problems.length;
  if (!checkType(row, variationRows, report)) return null;
  // Rows with a fault are already reported.
  if (variationRows.some(({ fault }) => fault !== undefined)) return null;

  for (const each of [row, ...variationRows]) {
    if (keysOf(each).length === 0) report(each, "SKU", "is required if there is no ID");
    // They are stored as keys. The schema of the product checks the other rules of a SKU.
    const rule = each.get("ID") && brokenRule(line(MAX_ID_LENGTH), each.get("ID"));
    if (rule) report(each, "ID", rule);
    if (/[\r\n]/.test(each.get("SKU"))) report(each, "SKU", "must be one line of text");
  }
  const isVariable = typesOf(row).includes("variable");
  const variations = expandVariations(row, variationRows, report);
  if (isVariable && variations.length === 0) return null;
  const draft = isVariable ? variableDraft(context, row, variations) : simpleDraft(context, row);
  const product = checkProduct(draft, defaults, problems, (field) => {
    const { index, name } = splitField(field);
    const place = variations.find((_, n) => n === index)?.row ?? row;
    return { row: place.number, field: COLUMN_OF_FIELD[name] ?? name };
  });
  if (!product || problems.length > problemsBefore) return null;
  return { keys: keysOf(row), variationKeys: variations.map(({ keys }) => keys), product };
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

function simpleDraft({ defaults, units, report }: WooCommerceContext, row: CsvRow) {
  const { tracked, status, quantity } = stockOf(row, report);
  return {
    ...commonFields(row, isDigital(row), imagesOf([row]), units, defaults),
    product_type: "simple",
    price: priceOf(row, defaults.nowMs, report),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(
  context: WooCommerceContext,
  row: CsvRow,
  variations: readonly ExpandedVariation[],
) {
  const { defaults, units, report } = context;
  if (row.get("Stock") !== "") {
    report(row, "Stock", "must be set for the variations, not for the variable product");
  }
  const rows = [...new Set(variations.map((variation) => variation.row))];
  const pricesAndStock = readPricesAndStock(context, rows);
  reportSharedStock(variations, pricesAndStock, report);
  const drafts = variations.map(({ row: own, options }, index) => ({
    id: index + 1,
    sku: unescaped(own.get("SKU")),
    price: pricesAndStock.get(own)?.price,
    price_currency: defaults.currency,
    variation_qty: pricesAndStock.get(own)?.quantity,
    variation_stock_status: pricesAndStock.get(own)?.status,
    options: options.map(({ name, option }) => ({ id: attributeId(name), name, option })),
  }));
  const inStock = drafts.some((draft) => draft.variation_stock_status === "in_stock");
  return {
    ...commonFields(row, rows.every(isDigital), imagesOf([row, ...rows]), units, defaults),
    product_type: "variable",
    attributes: usedAttributes(row, variations),
    variations: drafts,
    track_inventory: [...pricesAndStock.values()].some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

/** The price and the stock of each row. Several variations may share a row, whose problems must be reported once. */
function readPricesAndStock({ defaults, report }: WooCommerceContext, rows: readonly CsvRow[]) {
  return new Map(
    rows.map((row) => [
      row,
      { ...stockOf(row, report), price: priceOf(row, defaults.nowMs, report) ?? "" },
    ]),
  );
}

/** Reports each row that has one quantity for more than one variation. */
function reportSharedStock(
  variations: readonly ExpandedVariation[],
  pricesAndStock: ReturnType<typeof readPricesAndStock>,
  report: ReportProblem,
): void {
  for (const [row, { length }] of Map.groupBy(variations, (variation) => variation.row)) {
    if (length === 1 || !pricesAndStock.get(row)?.tracked) continue;
    const reason = `is one quantity for ${String(length)} variations: each variation needs its own row`;
    report(row, "Stock", reason);
  }
}

/** The product's attributes, without those that its variations do not use. */
function usedAttributes(row: CsvRow, variations: readonly ExpandedVariation[]) {
  const used = new Set(
    variations.flatMap(({ options }) => options.map(({ name }) => attributeId(name))),
  );
  return attributesOf(row)
    .map(({ name, values }) => ({ id: attributeId(name), name, option: splitList(values) }))
    .filter(({ id }) => used.has(id));
}

/** The fields that simple and variable products have in common. */
function commonFields(
  row: CsvRow,
  digital: boolean,
  images: string[],
  units: ExportUnits,
  { vendor, locations, shippingMinor }: SourceDefaults,
) {
  const side = (name: string) => convertUnit(row.get(units.sideColumn(name)), units.toCm);
  return {
    // A placeholder. Publishing finds or assigns the id by the keys.
    product_id: 1,
    product_sku: unescaped(row.get("SKU")),
    product_name: unescaped(row.get("Name")),
    product_description: longText(row.get("Description")),
    product_short_description: longText(row.get("Short description")),
    digital_physical: digital ? "digital" : "physical",
    featured_image: images[0] ?? "",
    additional_images: images.slice(1),
    product_vendor: vendorWithName(vendor),
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor),
    shipping_details: {
      weight: convertUnit(row.get(units.weightColumn), units.toKg),
      length: side("Length"),
      width: side("Width"),
      height: side("Height"),
    },
    available_location: locations,
  };
}
