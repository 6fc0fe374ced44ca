// The product CSV export of Shopify: rows of one handle are one product; some add a variant, some an image
// (decision 34).
import { amountAsNumber, formatAmount } from "../../money.ts";
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

export function isShopify(columns: string[]): boolean {
  return hasColumns(columns, ["handle", "title", "option1 value", "variant price"]);
}

const COLUMNS: Record<string, string> = {
  product_sku: "Variant SKU",
  sku: "Variant SKU",
  product_name: "Title",
  product_description: "Body (HTML)",
  product_vendor: "Vendor",
  price: "Variant Price",
  stock_qty: "Variant Inventory Qty",
  variation_qty: "Variant Inventory Qty",
  attributes: "Option1 Name",
  options: "Option1 Value",
  featured_image: "Image Src",
  additional_images: "Image Src",
  variations: "Option1 Value",
};

export function readShopify(table: Table, defaults: SourceDefaults): CatalogueSource {
  const problems: Problem[] = [];
  const products: SourceProduct[] = [];
  const byHandle = new Map<string, Row[]>();
  for (const row of table.rows) {
    const handle = row.get("Handle");
    if (handle === "") {
      problems.push({ row: row.number, field: "Handle", reason: "is required" });
      continue;
    }
    const rows = byHandle.get(handle);
    if (rows) rows.push(row);
    else byHandle.set(handle, [row]);
  }

  let unpublished = 0;
  for (const [handle, rows] of byHandle) {
    const [head] = rows;
    if (!head) continue;
    if (!isPublished(head)) {
      unpublished += 1;
      continue;
    }
    const found = problems.length;
    const variants = rows.filter((row) => row.get("Option1 Value") || row.get("Variant Price"));
    const names = optionNames(head);
    const [only] = variants;
    const simple =
      variants.length <= 1 &&
      (names.length === 0 || only?.get("Option1 Value") === "Default Title");
    const draft = simple
      ? simpleDraft(head, rows, only ?? head, defaults, problems)
      : variableDraft(head, rows, variants, names, defaults, problems);
    const product = checkProduct(draft, problems, (field) => {
      const { index, name } = splitField(field);
      const row = (index === undefined ? head : variants[index]) ?? head;
      return { row: row.number, field: COLUMNS[name] ?? name };
    });
    if (product && problems.length === found) {
      const variationKeys = simple ? [] : keysOf(handle, variants);
      products.push({ keys: [`handle:${handle}`], variationKeys, product });
    }
  }
  return { format: "shopify", products, problems, unpublished };
}

/** Shown in the shop: not a draft, not archived, and not taken out of its online store. */
function isPublished(head: Row): boolean {
  const status = head.get("Status").toLowerCase() || "active";
  return status === "active" && head.get("Published").toLowerCase() !== "false";
}

function optionNames(head: Row): string[] {
  return [1, 2, 3].map((n) => head.get(`Option${String(n)} Name`)).filter((name) => name !== "");
}

const optionValues = (variant: Row) =>
  [1, 2, 3].map((n) => variant.get(`Option${String(n)} Value`)).filter((value) => value !== "");

/** A variant is known by its SKU where no other variant has it, and by its options. */
function keysOf(handle: string, variants: Row[]): string[][] {
  const skus = variants.map((variant) => variant.get("Variant SKU"));
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
    product_description: head.get("Body (HTML)").replace(/\r\n?/g, "\n"),
    product_short_description: "",
    digital_physical: digital ? "digital" : "physical",
    featured_image: images[0] ?? "",
    additional_images: images.slice(1),
    product_vendor: vendorNamed(head.get("Vendor") || vendor),
    shipping_cost: digital ? 0 : amountAsNumber(shippingMinor),
    shipping_details: {
      weight: convert((variants[0] ?? head).get("Variant Grams"), 0.001),
      length: "",
      width: "",
      height: "",
    },
    available_location: locations,
  };
}

const needsShipping = (variant: Row, head: Row) =>
  head.get("Gift Card").toLowerCase() !== "true" &&
  variant.get("Variant Requires Shipping").toLowerCase() !== "false";

/** By their position; images of variants, which often are none of the product's own, come last. */
function imagesOf(rows: Row[]): string[] {
  const own = rows
    .filter((row) => row.get("Image Src") !== "")
    .toSorted((a, b) => Number(a.get("Image Position")) - Number(b.get("Image Position")))
    .map((row) => row.get("Image Src"));
  const ofVariants = rows.map((row) => row.get("Variant Image")).filter((src) => src !== "");
  return [...new Set([...own, ...ofVariants])];
}

function simpleDraft(
  head: Row,
  rows: Row[],
  variant: Row,
  defaults: SourceDefaults,
  problems: Problem[],
) {
  const { tracked, status, quantity } = stockOf(variant, problems);
  return {
    ...shared(head, rows, [variant], defaults),
    product_sku: variant.get("Variant SKU"),
    product_type: "simple",
    price: priceOf(variant, problems),
    price_currency: defaults.currency,
    track_inventory: tracked ? "Y" : "N",
    stock_status: status,
    stock_qty: quantity,
  };
}

function variableDraft(
  head: Row,
  rows: Row[],
  variants: Row[],
  names: string[],
  defaults: SourceDefaults,
  problems: Problem[],
) {
  const once = uniqueness(problems, "Option1 Value");
  const variations = variants.map((variant, index) => {
    const values = optionValues(variant);
    once(JSON.stringify(values), variant.number);
    if (values.length !== names.length) {
      const reason = `must have a value for each of ${names.join(", ") || "the product's options"}`;
      problems.push({ row: variant.number, field: "Option1 Value", reason });
    }
    const { tracked, status, quantity } = stockOf(variant, problems);
    return {
      tracked,
      wire: {
        id: index + 1,
        sku: variant.get("Variant SKU"),
        price: priceOf(variant, problems) ?? "",
        price_currency: defaults.currency ?? "",
        variation_qty: quantity,
        variation_stock_status: status,
        options: names.map((name, n) => ({
          id: attributeId(name),
          name,
          option: values[n] ?? "",
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
      option: [...new Set(variants.map((variant) => optionValues(variant)[n] ?? ""))],
    })),
    variations: variations.map(({ wire }) => wire),
    track_inventory: variations.some(({ tracked }) => tracked) ? "Y" : "N",
    stock_status: inStock ? "in_stock" : "out_of_stock",
    stock_qty: "",
  };
}

/** None when it cannot be read. */
function priceOf(variant: Row, problems: Problem[]): string | undefined {
  const text = variant.get("Variant Price");
  if (text === "") return undefined;
  const minor = parsePrice(text);
  if (minor !== undefined) return formatAmount(minor);
  const reason = `must be an amount with at most two decimals: ${text}`;
  problems.push({ row: variant.number, field: "Variant Price", reason });
  return "0.00";
}

/** A tracker means that stock is tracked; below zero is zero, unless the shop sells on all the same. */
function stockOf(variant: Row, problems: Problem[]) {
  const untracked = { tracked: false, status: "in_stock" as const, quantity: "" };
  if (variant.get("Variant Inventory Tracker") === "") return untracked;
  const text = variant.get("Variant Inventory Qty");
  const field = "Variant Inventory Qty";
  if (!/^-?\d{1,9}$/.test(text)) {
    const reason =
      text === ""
        ? "is required where an inventory tracker is set"
        : `must be a whole number: ${text}`;
    problems.push({ row: variant.number, field, reason });
    return untracked;
  }
  const quantity = Number(text);
  if (quantity <= 0 && variant.get("Variant Inventory Policy").toLowerCase() === "continue") {
    return untracked;
  }
  return {
    tracked: true,
    status: quantity > 0 ? ("in_stock" as const) : ("out_of_stock" as const),
    quantity: String(Math.max(0, quantity)),
  };
}
