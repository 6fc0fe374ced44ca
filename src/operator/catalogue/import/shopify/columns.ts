// The columns of Shopify's product export. Exports of older templates have other names. The code uses the current
// names.

/**
 * The older names of columns that were renamed. Column names ignore case, so columns whose names differ only in case
 * are not listed.
 */
export const RENAMED_COLUMNS: Record<string, string> = {
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
  "HS code": "Variant HS Code",
  "Country of origin": "Variant Country of Origin",
  "Product image URL": "Image Src",
  "Variant image URL": "Variant Image",
};

/** The current name of a column, and its older name if it has one. */
export const shopifyNames = (column: string) =>
  [column, RENAMED_COLUMNS[column]].filter((name) => name !== undefined);

/** A metafield of the shop. */
export const RECIPIENT_INFO = "Recipient info (product.metafields.custom.recipient_info)";

/** The column of each field of a product, for problems. */
export const COLUMN_OF_FIELD: Record<string, string> = {
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
  recipient_info: RECIPIENT_INFO,
  hs_code: "HS code",
  origin_country: "Country of origin",
  categories: "Product category",
};
