// The product CSV export of WooCommerce: one row a product, and one more for each of its variations
// (decision 34).
import { formatAmount, amountAsNumber } from "../../money.ts";
import { hasColumns, type Row, type Table } from "./csv.ts";
import {
  attributeId,
  type CatalogueSource,
  checkProduct,
  convert,
  parsePrice,
  type Problem,
  type SourceDefaults,
  type SourceProduct,
  splitField,
  uniqueness,
  vendorNamed,
} from "./source.ts";

export function isWooCommerce(columns: string[]): boolean {
  return hasColumns(columns, ["type", "name", "published", "regular price"]);
}

/** Where a person finds what a field of the interface comes from. */
const COLUMNS: Record<string, string> = {
  product_sku: "SKU",
  sku: "SKU",
  product_name: "Name",
  product_description: "Description",
  product_short_description: "Short description",
  price: "Regular price",
  stock_qty: "Stock",
  variation_qty: "Stock",
  attributes: "Attribute 1 name",
  options: "Attribute 1 value(s)",
  featured_image: "Images",
  additional_images: "Images",
  variations: "Type",
};

export function readWooCommerce(table: Table, defaults: SourceDefaults): CatalogueSource {
  const problems: Problem[] = [];
  const products: SourceProduct[] = [];
  const units = unitsOf(table.columns);
  const onceById = uniqueness(problems, "ID");
  const onceBySku = uniqueness(problems, "SKU");

  const rows = table.rows.map((row) => ({ row, types: typesOf(row) }));
  const parents = new Map<string, Row>();
  for (const { row, types } of rows) {
    if (!types.includes("variable")) continue;
    for (const name of namesOf(row)) parents.set(name, row);
  }
  const children = new Map<Row, Row[]>();
  let unpublished = 0;
  for (const { row, types } of rows) {
    onceById(row.get("ID"), row.number);
    onceBySku(row.get("SKU"), row.number);
    if (!types.includes("variation")) continue;
    const parent = parents.get(parentName(row.get("Parent")));
    if (!parent) {
      const reason = row.get("Parent")
        ? `names no variable product of this file: ${row.get("Parent")}`
        : "is required for a variation";
      problems.push({ row: row.number, field: "Parent", reason });
    } else if (isPublished(row)) {
      children.set(parent, [...(children.get(parent) ?? []), row]);
    }
  }

  const atFault = new Set(problems.map((problem) => problem.row));
  for (const { row, types } of rows) {
    if (types.includes("variation")) continue;
    const unsupported = types.find((type) => !SUPPORTED.has(type));
    if (
      unsupported !== undefined ||
      !types.some((type) => type === "simple" || type === "variable")
    ) {
      const reason = `is not supported: ${unsupported ?? (row.get("Type") || "(empty)")}`;
      problems.push({ row: row.number, field: "Type", reason });
      continue;
    }
    if (!isPublished(row)) {
      unpublished += 1;
      continue;
    }
    const variationRows = types.includes("variable") ? (children.get(row) ?? []) : [];
    const found = problems.length;
    const draft = types.includes("variable")
      ? variableDraft(row, variationRows, units, defaults, problems)
      : simpleDraft(row, types, units, defaults, problems);
    const keys = namesOf(row);
    if (keys.length === 0) {
      problems.push({ row: row.number, field: "SKU", reason: "is required where there is no ID" });
    }
    const variationKeys = variationRows.map(namesOf);
    for (const [index, names] of variationKeys.entries()) {
      const number = variationRows[index]?.number ?? row.number;
      if (names.length > 0) continue;
      problems.push({ row: number, field: "SKU", reason: "is required where there is no ID" });
    }
    const product = checkProduct(draft, problems, (field) => {
      const { index, name } = splitField(field);
      const at = index === undefined ? row : (variationRows[index] ?? row);
      return { row: at.number, field: COLUMNS[name] ?? name };
    });
    const sound = [row, ...variationRows].every(({ number }) => !atFault.has(number));
    if (product && sound && problems.length === found) {
      products.push({ keys, variationKeys, product });
    }
  }
  return { format: "woocommerce", products, problems, unpublished };
}

const SUPPORTED = new Set(["simple", "variable", "virtual", "downloadable"]);

const listOf = (text: string) =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");

const typesOf = (row: Row) => listOf(row.get("Type").toLowerCase());

/** 1 is published, 0 private, -1 a draft. */
const isPublished = (row: Row) => ["1", ""].includes(row.get("Published"));

/** What a row is known by: the shop's id, which is firm, and its SKU. */
function namesOf(row: Row): string[] {
  const [id, sku] = [row.get("ID"), plain(row.get("SKU"))];
  return [...(id ? [`id:${id}`] : []), ...(sku ? [`sku:${sku}`] : [])];
}

/** The Parent column holds `id:12` or a SKU. */
function parentName(parent: string): string {
  const [, id] = /^id:\s*(\d+)$/i.exec(parent) ?? [];
  return id === undefined ? `sku:${plain(parent)}` : `id:${id}`;
}

/** The export guards what a spreadsheet would take for a formula with an apostrophe. */
const plain = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, "");

/** The export writes a line break as `\n`, and a backslash before an n as `\\n`. */
function longText(text: string): string {
  return plain(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\\\\n|\\n/g, (escaped) => (escaped === "\\n" ? "\n" : "\\n"));
}

interface Units {
  weight: string;
  toKg: number;
  side: (name: string) => string;
  toCm: number;
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
    toKg: KG[weight.toLowerCase()] ?? 1,
    side: (name) => `${name} (${length})`,
    toCm: CM[length.toLowerCase()] ?? 1,
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

const isDigital = (types: string[]) => types.includes("virtual") || types.includes("downloadable");

function simpleDraft(
  row: Row,
  types: string[],
  units: Units,
  defaults: SourceDefaults,
  problems: Problem[],
) {
  const { tracked, status, quantity } = stockOf(row, problems);
  return {
    ...shared(row, isDigital(types), listOf(row.get("Images")), units, defaults),
    product_type: "simple",
    price: priceOf(row, defaults.nowMs, problems),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(
  row: Row,
  variationRows: Row[],
  units: Units,
  defaults: SourceDefaults,
  problems: Problem[],
) {
  if (row.get("Stock") !== "") {
    const reason = "of a variable product must stand with its variations";
    problems.push({ row: row.number, field: "Stock", reason });
  }
  const variations = variationRows.map((variation, index) => {
    const { tracked, status, quantity } = stockOf(variation, problems);
    return {
      tracked,
      wire: {
        id: index + 1,
        sku: plain(variation.get("SKU")),
        price: priceOf(variation, defaults.nowMs, problems) ?? "",
        price_currency: defaults.currency ?? "",
        variation_qty: quantity,
        variation_stock_status: status,
        options: attributesOf(variation).flatMap(({ name, options: [option] }) =>
          // A variation without a value goes with any of them.
          option === undefined ? [] : [{ id: attributeId(name), name, option }],
        ),
      },
    };
  });
  const varied = new Set(variations.flatMap(({ wire }) => wire.options.map(({ id }) => id)));
  const digital =
    variationRows.length > 0 && variationRows.every((variation) => isDigital(typesOf(variation)));
  const images = [row, ...variationRows].flatMap((each) => listOf(each.get("Images")));
  const inStock = variations.some(({ wire }) => wire.variation_stock_status === "in_stock");
  return {
    ...shared(row, digital, [...new Set(images)], units, defaults),
    product_type: "variable",
    attributes: attributesOf(row)
      .map(({ name, options }) => ({ id: attributeId(name), name, option: options }))
      .filter(({ id }) => varied.has(id)),
    variations: variations.map(({ wire }) => wire),
    track_inventory: variations.some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

function attributesOf(row: Row): { name: string; options: string[] }[] {
  const attributes = [];
  for (let n = 1; n <= MAX_ATTRIBUTES; n++) {
    const name = plain(row.get(`Attribute ${String(n)} name`));
    if (name === "") continue;
    const values = row.get(`Attribute ${String(n)} value(s)`);
    // A variation has one value, whose commas are its own.
    const options = typesOf(row).includes("variation")
      ? [values.replaceAll("\\,", ",")].filter((value) => value !== "")
      : listOf(values);
    attributes.push({ name, options });
  }
  return attributes;
}

const MAX_ATTRIBUTES = 20;

/** The sale price while the sale is on, else the regular one; none when it cannot be read. */
function priceOf(row: Row, nowMs: number, problems: Problem[]): string | undefined {
  const field =
    row.get("Sale price") !== "" && saleIsOn(row, nowMs, problems) ? "Sale price" : "Regular price";
  const text = row.get(field);
  if (text === "") return undefined;
  const minor = parsePrice(text);
  if (minor !== undefined) return formatAmount(minor);
  const reason = `must be an amount with at most two decimals: ${text}`;
  problems.push({ row: row.number, field, reason });
  return "0.00";
}

function saleIsOn(row: Row, nowMs: number, problems: Problem[]): boolean {
  const moment = (field: string, time: string) => {
    const text = row.get(field);
    if (text === "") return undefined;
    const [, date, clock] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
    const ms = Date.parse(`${date ?? ""}T${clock ?? time}Z`);
    if (!Number.isNaN(ms)) return ms;
    problems.push({ row: row.number, field, reason: `must be a date such as 2026-05-31: ${text}` });
    return undefined;
  };
  const starts = moment("Date sale price starts", "00:00:00") ?? -Infinity;
  const ends = moment("Date sale price ends", "23:59:59") ?? Infinity;
  return starts <= nowMs && nowMs <= ends;
}

/** A quantity means that stock is tracked; below zero is zero, unless the shop takes orders all the same. */
function stockOf(row: Row, problems: Problem[]) {
  const text = plain(row.get("Stock"));
  const inStock = row.get("In stock?") !== "0";
  const status = inStock ? ("in_stock" as const) : ("out_of_stock" as const);
  if (text === "") return { tracked: false, status, quantity: "" };
  if (!/^-?\d{1,9}(\.0+)?$/.test(text)) {
    const reason =
      text.toLowerCase() === "parent"
        ? "shared with the parent is not supported: each variation needs its own"
        : `must be a whole number: ${text}`;
    problems.push({ row: row.number, field: "Stock", reason });
    return { tracked: false, status, quantity: "" };
  }
  const quantity = Math.trunc(Number(text));
  const backorders = inStock && /^(1|notify|yes)$/i.test(row.get("Backorders allowed?"));
  if (quantity <= 0 && backorders) return { tracked: false, status, quantity: "" };
  return {
    tracked: true,
    status: quantity > 0 ? status : ("out_of_stock" as const),
    quantity: String(Math.max(0, quantity)),
  };
}
