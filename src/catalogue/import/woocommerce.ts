// The product CSV export of WooCommerce: one row a product, and one more for each of its variations
// (decision 34).
import { amountAsNumber } from "../../values/money.ts";
import type { Row, Table } from "./csv.ts";
import {
  attributeId,
  type CatalogueSource,
  checkProduct,
  convert,
  named,
  type Problem,
  type SourceDefaults,
  type SourceProduct,
  splitField,
  uniqueness,
  vendorNamed,
} from "./source.ts";
import {
  attributesOf,
  imagesOf,
  isDigital,
  isListed,
  isPublished,
  listOf,
  longText,
  namesOf,
  parentName,
  plain,
  priceOf,
  type Report,
  stockOf,
  typesOf,
} from "./woocommerce-row.ts";
import { type SoldVariation, variationsOf } from "./woocommerce-variations.ts";

/** The columns without which a table is no export of WooCommerce. */
export const WOOCOMMERCE_COLUMNS = [["Type"], ["Name"], ["Published"], ["Regular price"]];

/** Where a person finds what a field of the interface comes from. */
const COLUMNS: Record<string, string> = {
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

/** A file that is being read. */
interface Reading {
  defaults: SourceDefaults;
  units: Units;
  problems: Problem[];
  report: Report;
}

export function readWooCommerce(table: Table, defaults: SourceDefaults): CatalogueSource {
  const problems: Problem[] = [];
  const report: Report = (row, field, reason) => {
    problems.push({ row: row.number, field, reason });
  };
  const reading = { defaults, units: unitsOf(table.columns), problems, report };
  const children = joinVariations(table.rows, reading);
  const atFault = new Set(problems.map((problem) => problem.row));

  const products: SourceProduct[] = [];
  let unpublished = 0;
  for (const row of table.rows) {
    if (row.fault || typesOf(row).includes("variation")) continue;
    if (!isPublished(row) || !isListed(row)) {
      unpublished += 1;
      continue;
    }
    const variationRows = children.get(row) ?? [];
    const product = readProduct(reading, row, variationRows);
    const isSound = [row, ...variationRows].every(({ number }) => !atFault.has(number));
    if (product && isSound) products.push(product);
  }
  const names = new Map(table.rows.map((row) => [row.number, plain(row.get("Name"))]));
  return {
    format: "woocommerce",
    products,
    problems: named(problems, (row) => names.get(row)),
    unpublished,
    quantities: "file",
  };
}

/** The published variations of each variable product; reports what is wrong between rows. */
function joinVariations(rows: Row[], { problems, report }: Reading): Map<Row, Row[]> {
  const onceById = uniqueness(problems, "ID");
  const onceBySku = uniqueness(problems, "SKU");
  const children = new Map<Row, Row[]>();
  const parents = new Map<string, Row[]>();
  for (const row of rows) {
    if (!typesOf(row).includes("variable")) continue;
    const variations: Row[] = [];
    children.set(row, variations);
    for (const name of namesOf(row)) parents.set(name, variations);
  }
  for (const row of rows) {
    if (row.fault) report(row, "row", row.fault);
    onceById(row.get("ID"), row.number);
    onceBySku(plain(row.get("SKU")), row.number);
    if (!typesOf(row).includes("variation") || !isPublished(row)) continue;
    const siblings = parents.get(parentName(row));
    if (siblings) siblings.push(row);
    else if (!row.fault) {
      const parent = row.get("Parent");
      const reason = parent
        ? `names no variable product of this file: ${parent}`
        : "is required for a variation";
      report(row, "Parent", reason);
    }
  }
  return children;
}

/** The product of a row and its variations; null when it has problems. */
function readProduct(reading: Reading, row: Row, variationRows: Row[]): SourceProduct | null {
  const { defaults, problems, report } = reading;
  const found = problems.length;
  const types = typesOf(row);
  const unsupported = types.find((type) => !SUPPORTED.has(type));
  const isVariable = types.includes("variable");
  if (unsupported !== undefined || (!isVariable && !types.includes("simple"))) {
    report(row, "Type", `is not supported: ${unsupported ?? (row.get("Type") || "(empty)")}`);
    return null;
  }
  if (isVariable && variationRows.length === 0) {
    report(row, "Type", "is variable, but the product has no published variation in this file");
    return null;
  }
  // What such a row says may stand in wrong columns; it is reported already.
  if (variationRows.some(({ fault }) => fault !== undefined)) return null;

  for (const each of [row, ...variationRows]) {
    if (namesOf(each).length === 0) report(each, "SKU", "is required where there is no ID");
  }
  const variations = variationsOf(row, variationRows, report);
  if (isVariable && variations.length === 0) return null;
  const draft = isVariable ? variableDraft(reading, row, variations) : simpleDraft(reading, row);
  const product = checkProduct(draft, defaults, problems, (field) => {
    const { index, name } = splitField(field);
    const at = variations.find((_, n) => n === index)?.row ?? row;
    return { row: at.number, field: COLUMNS[name] ?? name };
  });
  if (!product || problems.length > found) return null;
  return { keys: namesOf(row), variationKeys: variations.map(({ keys }) => keys), product };
}

const SUPPORTED = new Set(["simple", "variable", "virtual", "downloadable"]);

interface Units {
  weight: string;
  /** Undefined for a unit that is not known. */
  toKg: number | undefined;
  side: (name: string) => string;
  toCm: number | undefined;
}

const KG: Record<string, number> = { kg: 1, g: 0.001, lbs: 0.45359237, oz: 0.028349523125 };
const CM: Record<string, number> = { cm: 1, m: 100, mm: 0.1, in: 2.54, yd: 91.44 };

/** The units stand in the head: `Weight (kg)`, `Length (cm)`. */
function unitsOf(columns: string[]): Units {
  const unitOf = (name: string) =>
    columns
      .map((column) => new RegExp(`^${name} \\((\\w+)\\)$`, "i").exec(column)?.[1])
      .find((unit) => unit !== undefined) ?? "";
  const [weight, length] = [unitOf("weight"), unitOf("length")];
  return {
    weight: `Weight (${weight})`,
    toKg: KG[weight.toLowerCase()],
    side: (name) => `${name} (${length})`,
    toCm: CM[length.toLowerCase()],
  };
}

function shared(
  row: Row,
  digital: boolean,
  images: string[],
  units: Units,
  { vendor, locations, shippingMinor }: SourceDefaults,
) {
  const side = (name: string) => convert(row.get(units.side(name)), units.toCm);
  return {
    // A placeholder: the id is found by the names.
    product_id: 1,
    product_sku: plain(row.get("SKU")),
    product_name: plain(row.get("Name")),
    product_description: longText(row.get("Description")),
    product_short_description: longText(row.get("Short description")),
    digital_physical: digital ? "digital" : "physical",
    featured_image: images[0] ?? "",
    additional_images: images.slice(1),
    product_vendor: vendorNamed(vendor),
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor),
    shipping_details: {
      weight: convert(row.get(units.weight), units.toKg),
      length: side("Length"),
      width: side("Width"),
      height: side("Height"),
    },
    available_location: locations,
  };
}

function simpleDraft({ defaults, units, report }: Reading, row: Row) {
  const { tracked, status, quantity } = stockOf(row, report);
  return {
    ...shared(row, isDigital(row), imagesOf([row]), units, defaults),
    product_type: "simple",
    price: priceOf(row, defaults.nowMs, report),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(
  { defaults, units, report }: Reading,
  row: Row,
  variations: SoldVariation[],
) {
  if (row.get("Stock") !== "") {
    report(row, "Stock", "of a variable product must stand with its variations");
  }
  const rows = [...new Set(variations.map((variation) => variation.row))];
  const sold = new Map(
    rows.map((each) => [
      each,
      { ...stockOf(each, report), price: priceOf(each, defaults.nowMs, report) ?? "" },
    ]),
  );
  for (const [each, { length }] of Map.groupBy(variations, (variation) => variation.row)) {
    if (length === 1 || !sold.get(each)?.tracked) continue;
    const reason = `is one quantity for ${String(length)} variations: each needs a row of its own`;
    report(each, "Stock", reason);
  }
  const wires = variations.map(({ row: each, options }, index) => ({
    id: index + 1,
    sku: plain(each.get("SKU")),
    price: sold.get(each)?.price,
    price_currency: defaults.currency,
    variation_qty: sold.get(each)?.quantity,
    variation_stock_status: sold.get(each)?.status,
    options: options.map(({ name, option }) => ({ id: attributeId(name), name, option })),
  }));
  const varied = new Set(wires.flatMap(({ options }) => options.map(({ id }) => id)));
  const inStock = wires.some((wire) => wire.variation_stock_status === "in_stock");
  return {
    ...shared(row, rows.every(isDigital), imagesOf([row, ...rows]), units, defaults),
    product_type: "variable",
    attributes: attributesOf(row)
      .map(({ name, values }) => ({ id: attributeId(name), name, option: listOf(values) }))
      .filter(({ id }) => varied.has(id)),
    variations: wires,
    track_inventory: [...sold.values()].some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}
