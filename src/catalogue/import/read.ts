// A catalogue file, whatever shop it comes from: recognised by its content, never by its name.
import { decode, missingColumns, readTable } from "./csv.ts";
import { readRegalo } from "./regalo.ts";
import { readShopify, SHOPIFY_COLUMNS } from "./shopify.ts";
import { type CatalogueSource, type SourceDefaults, UnreadableFile } from "./source.ts";
import { readWooCommerce, WOOCOMMERCE_COLUMNS } from "./woocommerce.ts";

/** Errors: `UnreadableFile` for a file that is none of the three, or lacks what no default gives. */
export function readCatalogue(bytes: Uint8Array, defaults: SourceDefaults): CatalogueSource {
  const text = decode(bytes);
  if (/^\s*[{[]/.test(text)) {
    refuseStock(defaults);
    return readRegalo(text, defaults);
  }
  const table = readTable(text);
  const lacks = {
    woocommerce: missingColumns(table.columns, WOOCOMMERCE_COLUMNS),
    shopify: missingColumns(table.columns, SHOPIFY_COLUMNS),
  };
  const isShopify = lacks.shopify.length === 0;
  if (lacks.woocommerce.length > 0 && !isShopify) {
    throw new UnreadableFile(
      "is neither Regalo's JSON nor a product export in English: " +
        `of WooCommerce's columns it lacks ${lacks.woocommerce.join(", ")}, ` +
        `of Shopify's ${lacks.shopify.join(", ")}`,
    );
  }
  if (defaults.currency === undefined) {
    throw new UnreadableFile("does not say its currency: give it with --currency");
  }
  if (isShopify) return readShopify(table, defaults);
  refuseStock(defaults);
  return readWooCommerce(table, defaults);
}

function refuseStock({ stock }: SourceDefaults): void {
  if (stock === undefined) return;
  throw new UnreadableFile(
    "has its own quantities: --stock-from and --untracked are for product exports of Shopify",
  );
}
