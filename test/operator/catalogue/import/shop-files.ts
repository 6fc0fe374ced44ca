// Export files of shops, made from the columns that a test sets.
import { expect } from "vitest";
import { readCatalogue } from "../../../../src/operator/catalogue/import/read.ts";
import { RENAMED_COLUMNS } from "../../../../src/operator/catalogue/import/shopify/columns.ts";
import type {
  CatalogueSource,
  SourceDefaults,
} from "../../../../src/operator/catalogue/import/source.ts";

export const DEFAULTS: SourceDefaults = {
  currency: "AUD",
  locations: ["AU"],
  shippingMinor: 950,
  vendor: "The Shop",
};

/** Reads a file with this text. */
export const readText = (text: string, changes: Partial<SourceDefaults> = {}) =>
  readCatalogue(new TextEncoder().encode(text), { ...DEFAULTS, ...changes });

/** The first product of a file without problems. */
function firstProduct({ products, problems }: CatalogueSource) {
  expect(problems).toEqual([]);
  return products[0]?.product;
}

export type Fields = Record<string, string>;

/** The row and the column of each problem. */
const problemsIn = ({ problems }: CatalogueSource) =>
  problems.map(({ row, field }) => `${String(row)} ${field}`);

/** What a product has whose stock is not tracked. */
export const UNTRACKED = { track_inventory: "N", stock_status: "in_stock", stock_qty: "" };

/** What a product with this quantity has. */
export const trackedAt = (quantity: string) => ({
  track_inventory: "Y",
  stock_status: quantity === "0" ? "out_of_stock" : "in_stock",
  stock_qty: quantity,
});

/** The head of WooCommerce's export, without the columns of attributes, whose number varies. */
const WOOCOMMERCE_HEAD = [
  ...["ID", "Type", "SKU", "GTIN, UPC, EAN, or ISBN", "Name", "Published", "Is featured?"],
  ...["Visibility in catalog", "Short description", "Description", "Date sale price starts"],
  ...["Date sale price ends", "Tax status", "Tax class", "In stock?", "Stock", "Low stock amount"],
  ...["Backorders allowed?", "Sold individually?", "Weight (kg)", "Length (cm)", "Width (cm)"],
  ...["Height (cm)", "Allow customer reviews?", "Purchase note", "Sale price", "Regular price"],
  ...["Categories", "Tags", "Shipping class", "Images", "Download limit", "Download expiry days"],
  ...["Parent", "Grouped products", "Upsells", "Cross-sells", "External URL", "Button text"],
  ...["Position", "Brands", "Meta: recipient_info"],
];

const attributeHead = (n: number) => [
  ...[`Attribute ${String(n)} name`, `Attribute ${String(n)} value(s)`],
  ...[`Attribute ${String(n)} visible`, `Attribute ${String(n)} global`],
];

/** A simple product of WooCommerce for 10.00 that is in stock and untracked. */
const WOOCOMMERCE_ROW: Fields = {
  Type: "simple",
  Published: "1",
  "Is featured?": "0",
  "Visibility in catalog": "visible",
  "Tax status": "taxable",
  "In stock?": "1",
  "Backorders allowed?": "0",
  "Sold individually?": "0",
  "Regular price": "10.00",
  Images: "https://shop.example/image.jpg",
};

/** A file with a row for each of `rows`. The first has the ID 1. */
export function wooCommerceFile(rows: Fields[]): string {
  const numbers = rows.flatMap((row) =>
    Object.keys(row).map((column) => Number(/^Attribute (\d+) /.exec(column)?.[1] ?? 1)),
  );
  const attributes = Array.from({ length: Math.max(2, ...numbers) }, (_, n) =>
    attributeHead(n + 1),
  );
  const head = [...WOOCOMMERCE_HEAD, ...attributes.flat()];
  return csv(
    head,
    rows.map((row, index) => {
      const ID = String(index + 1);
      return { ID, SKU: `SKU-${ID}`, Name: `Product ${ID}`, ...WOOCOMMERCE_ROW, ...row };
    }),
  );
}

/** Reads a WooCommerce export with these rows. */
export const readWooCommerceRows = (rows: Fields[], changes?: Partial<SourceDefaults>) =>
  readText(wooCommerceFile(rows), changes);

export const wooCommerceProblems = (...input: Parameters<typeof readWooCommerceRows>) =>
  problemsIn(readWooCommerceRows(...input));

/** The product of the row. */
export const wooCommerceProduct = (row: Fields, changes?: Partial<SourceDefaults>) =>
  firstProduct(readWooCommerceRows([row], changes));

/** The head of Shopify's product export until its template was renamed. */
const SHOPIFY_OLDER_HEAD = [
  ...["Handle", "Title", "Body (HTML)", "Vendor", "Product Category", "Type", "Tags", "Published"],
  ...["Option1 Name", "Option1 Value", "Option1 Linked To", "Option2 Name", "Option2 Value"],
  ...["Option2 Linked To", "Option3 Name", "Option3 Value", "Option3 Linked To", "Variant SKU"],
  ...["Variant Grams", "Variant Inventory Tracker", "Variant Inventory Qty"],
  ...["Variant Inventory Policy", "Variant Fulfillment Service", "Variant Price"],
  ...["Variant Compare At Price", "Variant Requires Shipping", "Variant Taxable"],
  ...["Variant Barcode", "Image Src", "Image Position", "Image Alt Text", "Gift Card", "SEO Title"],
  ...["SEO Description", "Google Shopping / Gender", "Variant Image", "Variant Weight Unit"],
  ...["Variant Tax Code", "Cost per item", "Included / International", "Price / International"],
  ...["Compare At Price / International", "Status"],
];

/** The head of Shopify's current template. */
const SHOPIFY_HEAD = [
  ...["Title", "URL handle", "Description", "Vendor", "Product category", "Type", "Tags"],
  ...["Published on online store", "Status", "SKU", "Barcode", "Option1 name", "Option1 value"],
  ...["Option1 Linked To", "Option2 name", "Option2 value", "Option2 Linked To", "Option3 name"],
  ...["Option3 value", "Option3 Linked To", "Price", "Compare-at price", "Cost per item"],
  ...["Charge tax", "Tax code", "Unit price total measure", "Unit price total measure unit"],
  ...["Unit price base measure", "Unit price base measure unit", "Inventory tracker"],
  ...["Inventory quantity", "Continue selling when out of stock", "Weight value (grams)"],
  ...["Weight unit for display", "Requires shipping", "Fulfillment service"],
  ...["Product image URL", "Image position", "Image alt text", "Variant image URL", "Gift card"],
  ...["SEO title", "SEO description", "Google Shopping / Gender"],
];

/** The current names of the columns that tests set, by their older names. */
const CURRENT_NAMES: Fields = Object.fromEntries(
  Object.entries(RENAMED_COLUMNS).map(([current, older]) => [older, current]),
);

/** The first row of a Shopify product for 10.00 with 5 in stock. */
const SHOPIFY_ROW: Fields = {
  Handle: "product",
  Title: "Product",
  Vendor: "Maker",
  Published: "true",
  "Option1 Name": "Title",
  "Option1 Value": "Default Title",
  "Variant Grams": "250",
  "Variant Inventory Tracker": "shopify",
  "Variant Inventory Qty": "5",
  "Variant Inventory Policy": "deny",
  "Variant Price": "10.00",
  "Variant Requires Shipping": "true",
  "Variant Taxable": "true",
  "Image Src": "https://shop.example/image.jpg",
  "Image Position": "1",
  "Gift Card": "false",
  Status: "active",
};

export interface ShopifyOptions {
  /** The template of the head. `rows` have the older names in both cases. */
  template?: "older" | "current";
  /** Older names of columns that are missing in the file. */
  without?: string[];
  /** Columns of other programs at the end. */
  more?: string[];
}

/** A file with a row for each of `rows`. Only the first row of a handle has default values. */
export function shopifyFile(rows: Fields[], options: ShopifyOptions = {}): string {
  const { template = "older", without = [], more = [] } = options;
  const current = template === "current";
  const nameIn = (column: string) => (current ? (CURRENT_NAMES[column] ?? column) : column);
  const seen = new Set<string | undefined>();
  const records = rows.map((row) => {
    const handle = row["Handle"] ?? "product";
    const fields = seen.has(handle) ? { Handle: handle, ...row } : { ...SHOPIFY_ROW, ...row };
    seen.add(handle);
    return Object.fromEntries(
      Object.entries(fields).map(([column, field]) => [nameIn(column), field]),
    );
  });
  const gone = without.map((column) => nameIn(column).toLowerCase());
  const head = (current ? SHOPIFY_HEAD : SHOPIFY_OLDER_HEAD).filter(
    (column) => !gone.includes(column.toLowerCase()),
  );
  return csv([...head, ...more], records);
}

type ShopifyInput = [rows: Fields[], options?: ShopifyOptions, changes?: Partial<SourceDefaults>];

/** Reads a Shopify export with these rows. */
export const readShopifyRows = (...[rows, options, changes]: ShopifyInput) =>
  readText(shopifyFile(rows, options), changes);

export const shopifyProblems = (...input: ShopifyInput) => problemsIn(readShopifyRows(...input));

/** The product of the rows, which must have one handle. */
export const shopifyProduct = (...input: ShopifyInput) => firstProduct(readShopifyRows(...input));

/** The columns of Shopify's inventory export before those with quantities. */
export const INVENTORY_HEAD = [
  ...["Handle", "Title", "Option1 Name", "Option1 Value", "Option2 Name", "Option2 Value"],
  ...["Option3 Name", "Option3 Value", "SKU", "HS Code", "COO"],
];

/** The columns of an inventory export of all states, which has a row for each location. */
export const ALL_STATES = [
  ...["Location", "Bin name", "Incoming (not editable)", "Unavailable (not editable)"],
  ...["Committed (not editable)", "Available (not editable)", "On hand (current)", "On hand (new)"],
];

/** A table with these columns, in any letter case. Fields of other columns are omitted. */
export function csv(head: string[], rows: Fields[]): string {
  const quoted = (field: string) =>
    /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
  const lines = rows.map((row) => {
    const fields = new Map(Object.entries(row).map(([name, field]) => [name.toLowerCase(), field]));
    return head.map((column) => quoted(fields.get(column.toLowerCase()) ?? "")).join(",");
  });
  return [head.map(quoted).join(","), ...lines, ""].join("\n");
}

/** A product in Regalo's own format, without an image. */
export const OWN_PRODUCT = {
  product_id: 900_001,
  product_sku: "",
  product_name: "Vase",
  product_description: "",
  product_short_description: "",
  product_type: "simple",
  digital_physical: "physical",
  price: "10.00",
  price_currency: "AUD",
  track_inventory: "N",
  stock_status: "in_stock",
  stock_qty: "",
  featured_image: "",
  additional_images: [],
  product_vendor: { name: "V", bio: "", logo: "/b.svg", shipping_info: null, returns_info: null },
  shipping_cost: 0,
  shipping_details: { weight: "", length: "", width: "", height: "" },
  available_location: [],
};
