// The product CSV export of Shopify: rows of one handle are one product; some add a variant, some an image
// (decision 34).
import { amountAsNumber, formatAmount } from "../../values/money.ts";
import { findColumn, type Row, type Table } from "./csv.ts";
import { optionValues } from "./inventory.ts";
import {
  attributeId,
  type CatalogueSource,
  checkProduct,
  convert,
  imageOf,
  named,
  parsePrice,
  type Problem,
  type SourceDefaults,
  type SourceProduct,
  splitField,
  uniqueness,
  vendorNamed,
} from "./source.ts";

/** The columns of Shopify's current template that had another name before; what differs in case is the same. */
const OLDER_NAMES: Record<string, string> = {
  "URL handle": "Handle",
  Description: "Body (HTML)",
  "Published on online store": "Published",
  SKU: "Variant SKU",
  Price: "Variant Price",
  "Inventory tracker": "Variant Inventory Tracker",
  "Inventory quantity": "Variant Inventory Qty",
  "Continue selling when out of stock": "Variant Inventory Policy",
  "Weight value (grams)": "Variant Grams",
  "Requires shipping": "Variant Requires Shipping",
  "Product image URL": "Image Src",
  "Variant image URL": "Variant Image",
};

/** A column's current name, and its older one. */
const namesOf = (column: string) =>
  [column, OLDER_NAMES[column]].filter((name) => name !== undefined);

/** The columns without which a table is no export of Shopify, each with its names. */
export const SHOPIFY_COLUMNS = ["URL handle", "Title", "Option1 value", "Price"].map(namesOf);

/** Where a person finds what a field of the interface comes from. */
const COLUMNS: Record<string, string> = {
  product_sku: "SKU",
  sku: "SKU",
  product_name: "Title",
  product_description: "Description",
  product_vendor: "Vendor",
  price: "Price",
  attributes: "Option1 name",
  options: "Option1 value",
  featured_image: "Product image URL",
  additional_images: "Product image URL",
  variations: "Option1 value",
  shipping_details: "Weight value (grams)",
};

/** A file that is being read. */
interface Reading {
  defaults: SourceDefaults;
  problems: Problem[];
  /** Whether the shop counts a variant's stock. */
  isTracked: (variant: Row) => boolean;
  /** What is left of a variant: empty where that is not said, null where no quantities are to be used. */
  quantityOf: (variant: Row) => string | null;
}

export function readShopify(table: Table, defaults: SourceDefaults): CatalogueSource {
  /** The file's own name of a column. */
  const nameIn = (column: string) => findColumn(table.columns, namesOf(column)) ?? column;
  const ownNames = new Map(Object.keys(OLDER_NAMES).map((column) => [column, nameIn(column)]));
  const rows = table.rows.map((row) => ({
    ...row,
    get: (column: string) => row.get(ownNames.get(column) ?? column),
  }));
  const problems: Problem[] = [];
  const { lacksQuantities, ...stock } = stockIn(table.columns, defaults);
  const reading = { defaults, problems, ...stock };

  const byHandle = new Map<string, Row[]>();
  for (const row of rows) {
    const handle = row.get("URL handle");
    if (handle === "") {
      problems.push({ row: row.number, field: "URL handle", reason: "is required" });
      continue;
    }
    const group = byHandle.get(handle);
    if (group) group.push(row);
    else byHandle.set(handle, [row]);
  }

  const products: SourceProduct[] = [];
  const titles = new Map<number, string>();
  let unpublished = 0;
  for (const [handle, group] of byHandle) {
    const [head] = group;
    if (!head) continue;
    for (const { number } of group) titles.set(number, head.get("Title") || handle);
    const unreadable = group.filter(({ fault }) => fault !== undefined);
    if (unreadable.length > 0) {
      for (const { number, fault = "" } of unreadable) {
        problems.push({ row: number, field: "row", reason: fault });
      }
    } else if (isPublished(head)) {
      const product = readProduct(reading, handle, head, group);
      if (product) products.push(product);
    } else {
      unpublished += 1;
    }
  }
  return {
    format: "shopify",
    products,
    problems: named(
      problems.map((problem) => ({ ...problem, field: nameIn(problem.field) })),
      (row) => titles.get(row),
    ),
    unpublished,
    quantities: lacksQuantities && rows.some(stock.isTracked) ? "missing" : "file",
  };
}

function readProduct(
  reading: Reading,
  handle: string,
  head: Row,
  rows: Row[],
): SourceProduct | null {
  const { defaults, problems } = reading;
  const found = problems.length;
  const variants = rows.filter((row) => row.get("Option1 value") || row.get("Price"));
  const names = optionNames(head);
  const [only] = variants;
  const simple =
    variants.length <= 1 && (names.length === 0 || only?.get("Option1 value") === "Default Title");
  const draft = simple
    ? simpleDraft(reading, head, rows, only ?? head)
    : variableDraft(reading, head, rows, variants, names);
  const product = checkProduct(draft, defaults, problems, (field) => {
    const { index, name } = splitField(field);
    const row = variants.find((_, n) => n === index) ?? head;
    return { row: row.number, field: COLUMNS[name] ?? name };
  });
  if (!product || problems.length > found) return null;
  const variationKeys = simple ? [] : keysOf(handle, variants);
  return { keys: [`handle:${handle}`], variationKeys, product };
}

/** Where the stock of a table's variants is found. */
function stockIn(columns: string[], { stock }: SourceDefaults) {
  const has = (column: string) => findColumn(columns, namesOf(column)) !== undefined;
  const [hasTracker, hasQuantity] = [has("Inventory tracker"), has("Inventory quantity")];
  const quantityOf = (variant: Row): string | null => {
    if (stock === "untracked") return null;
    if (stock) {
      const left = stock.quantityOf(variant.get("URL handle"), optionValues(variant));
      return left === undefined ? "" : String(left);
    }
    return hasQuantity ? variant.get("Inventory quantity") : null;
  };
  // A table without a tracker counts what has a quantity.
  const isTracked = (variant: Row) =>
    hasTracker ? variant.get("Inventory tracker") !== "" : (quantityOf(variant) ?? "") !== "";
  return { quantityOf, isTracked, lacksQuantities: stock === undefined && !hasQuantity };
}

/** Shown in the shop: not a draft, not archived, not unlisted, and not taken out of its online store. */
function isPublished(head: Row): boolean {
  const status = head.get("Status").toLowerCase() || "active";
  return status === "active" && head.get("Published on online store").toLowerCase() !== "false";
}

function optionNames(head: Row): string[] {
  return [1, 2, 3].map((n) => head.get(`Option${String(n)} name`)).filter((name) => name !== "");
}

/** A variant is known by its SKU where no other variant has it, and by its options. */
function keysOf(handle: string, variants: Row[]): string[][] {
  const skus = variants.map((variant) => variant.get("SKU"));
  return variants.map((variant, index) => {
    const sku = skus[index] ?? "";
    const own = sku !== "" && skus.indexOf(sku) === skus.lastIndexOf(sku);
    return [
      ...(own ? [`handle:${handle} sku:${sku}`] : []),
      `handle:${handle} options:${JSON.stringify(optionValues(variant))}`,
    ];
  });
}

function shared(
  head: Row,
  rows: Row[],
  variants: Row[],
  { vendor, locations, shippingMinor }: SourceDefaults,
) {
  const digital = variants.every((variant) => !needsShipping(variant, head));
  const images = imagesOf(rows);
  return {
    // A placeholder: the id is found by the handle.
    product_id: 1,
    product_name: head.get("Title"),
    product_description: head.get("Description").replace(/\r\n?/g, "\n"),
    product_short_description: "",
    digital_physical: digital ? "digital" : "physical",
    featured_image: images[0] ?? "",
    additional_images: images.slice(1),
    product_vendor: vendorNamed(head.get("Vendor") || vendor),
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor),
    shipping_details: {
      weight: convert((variants[0] ?? head).get("Weight value (grams)"), 0.001),
      length: "",
      width: "",
      height: "",
    },
    available_location: locations,
  };
}

const needsShipping = (variant: Row, head: Row) =>
  head.get("Gift card").toLowerCase() !== "true" &&
  variant.get("Requires shipping").toLowerCase() !== "false";

/** By their position, then those without one; images of variants, which often are not the product's, come last. */
function imagesOf(rows: Row[]): string[] {
  const positionOf = (row: Row) => Number(row.get("Image position")) || Number.MAX_SAFE_INTEGER;
  const own = rows
    .filter((row) => row.get("Product image URL") !== "")
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => row.get("Product image URL"));
  const ofVariants = rows.map((row) => row.get("Variant image URL")).filter((src) => src !== "");
  return [...new Set([...own, ...ofVariants].map(imageOf))];
}

function simpleDraft(reading: Reading, head: Row, rows: Row[], variant: Row) {
  const { defaults, problems } = reading;
  const { tracked, status, quantity } = stockOf(reading, variant);
  return {
    ...shared(head, rows, [variant], defaults),
    product_sku: variant.get("SKU"),
    product_type: "simple",
    price: priceOf(variant, problems),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(reading: Reading, head: Row, rows: Row[], variants: Row[], names: string[]) {
  const { defaults, problems } = reading;
  const once = uniqueness(problems, "Option1 value");
  const variations = variants.map((variant, index) => {
    const values = optionValues(variant);
    once(JSON.stringify(values), variant.number);
    if (values.length !== names.length) {
      const reason = `must have a value for each of ${names.join(", ") || "the product's options"}`;
      problems.push({ row: variant.number, field: "Option1 value", reason });
    }
    const { tracked, status, quantity } = stockOf(reading, variant);
    return {
      tracked,
      wire: {
        id: index + 1,
        sku: variant.get("SKU"),
        price: priceOf(variant, problems) ?? "",
        price_currency: defaults.currency ?? "",
        variation_qty: quantity,
        variation_stock_status: status,
        options: names.slice(0, values.length).map((name, n) => ({
          id: attributeId(name),
          name,
          option: values[n],
        })),
      },
    };
  });
  const inStock = variations.some(({ wire }) => wire.variation_stock_status === "in_stock");
  return {
    ...shared(head, rows, variants, defaults),
    product_sku: "",
    product_type: "variable",
    attributes: names.map((name, n) => ({
      id: attributeId(name),
      name,
      option: [...new Set(variants.flatMap((variant) => optionValues(variant)[n] ?? []))],
    })),
    variations: variations.map(({ wire }) => wire),
    track_inventory: variations.some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

/** None when it cannot be read. */
function priceOf(variant: Row, problems: Problem[]): string | undefined {
  const text = variant.get("Price");
  if (text === "") return undefined;
  const minor = parsePrice(text);
  if (minor !== undefined) return formatAmount(minor);
  const reason = `must be an amount with at most two decimals: ${text}`;
  problems.push({ row: variant.number, field: "Price", reason });
  return "0.00";
}

/** Below zero is zero, unless the shop sells on all the same. */
function stockOf({ isTracked, quantityOf, defaults, problems }: Reading, variant: Row) {
  const untracked = { tracked: false, status: "in_stock" as const, quantity: "" };
  const text = quantityOf(variant);
  if (text === null || !isTracked(variant)) return untracked;
  if (!/^-?\d{1,9}$/.test(text)) {
    const reason =
      text !== ""
        ? `must be a whole number: ${text}`
        : defaults.stock
          ? "is not in the inventory file"
          : "is required where an inventory tracker is set";
    problems.push({ row: variant.number, field: "Inventory quantity", reason });
    return untracked;
  }
  const quantity = Number(text);
  const policy = variant.get("Continue selling when out of stock").toLowerCase();
  if (quantity <= 0 && (policy === "continue" || policy === "true")) return untracked;
  return {
    tracked: true,
    status: quantity > 0 ? ("in_stock" as const) : ("out_of_stock" as const),
    quantity: String(Math.max(0, quantity)),
  };
}
