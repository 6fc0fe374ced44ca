// A catalogue file, whatever shop it comes from: recognised by its content, never by its name.
import { decode, readTable } from "./csv.ts";
import { readRegalo } from "./regalo.ts";
import { isShopify, readShopify } from "./shopify.ts";
import { type CatalogueSource, type SourceDefaults, UnreadableFile } from "./source.ts";
import { isWooCommerce, readWooCommerce } from "./woocommerce.ts";

/** Errors: `UnreadableFile` for a file that is none of the three, or lacks what no default gives. */
export function readCatalogue(bytes: Uint8Array, defaults: SourceDefaults): CatalogueSource {
  const text = decode(bytes);
  if (/^\s*[{[]/.test(text)) return readRegalo(text);
  const table = readTable(text);
  const read = isWooCommerce(table.columns)
    ? readWooCommerce
    : isShopify(table.columns)
      ? readShopify
      : undefined;
  if (!read) {
    throw new UnreadableFile(
      "is neither Regalo's JSON nor a product export of WooCommerce or Shopify in English",
    );
  }
  if (defaults.currency === undefined) {
    throw new UnreadableFile("does not say its currency: give it with --currency");
  }
  return read(table, defaults);
}
