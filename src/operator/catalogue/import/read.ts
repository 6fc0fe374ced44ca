// Reads a catalogue file of any format. The format is detected from the content, not from the file's name.
import { decodeUtf8, missingColumns, readTable } from "../../files/csv.ts";
import { readRegalo } from "./regalo.ts";
import { readShopify, SHOPIFY_COLUMNS } from "./shopify/read.ts";
import type { CatalogueSource, ShopDefaults, SourceDefaults } from "./source.ts";
import { repairAndDrop } from "../../files/repair-text.ts";
import { UnreadableFile } from "../../files/unreadable-file.ts";
import { readWooCommerce, WOOCOMMERCE_COLUMNS } from "./woocommerce/read.ts";

/** Errors: `UnreadableFile`, also if the currency is missing or if an inventory is given for a file with quantities. */
export function readCatalogue(bytes: Uint8Array, defaults: SourceDefaults): CatalogueSource {
  const text = decodeUtf8(bytes);
  if (/^\s*[{[]/.test(text)) {
    refuseInventory(defaults);
    return readRegalo(text, defaults);
  }
  const { text: repaired, dropped } = repairAndDrop(text);
  const table = readTable(repaired, defaults.maxRows);
  const missing = {
    woocommerce: missingColumns(table.columns, WOOCOMMERCE_COLUMNS),
    shopify: missingColumns(table.columns, SHOPIFY_COLUMNS),
  };
  const isShopify = missing.shopify.length === 0;
  if (missing.woocommerce.length > 0 && !isShopify) {
    throw new UnreadableFile(
      "is neither a Regalo JSON file nor an English product export of " +
        `WooCommerce (missing columns: ${missing.woocommerce.join(", ")}) or ` +
        `Shopify (missing columns: ${missing.shopify.join(", ")})`,
    );
  }
  const { currency } = defaults;
  if (currency === undefined) {
    throw new UnreadableFile("does not contain a currency, which must be given");
  }
  const shop: ShopDefaults = { ...defaults, currency };
  if (isShopify) return { ...readShopify(table, shop), dropped };
  refuseInventory(defaults);
  return { ...readWooCommerce(table, shop), dropped };
}

function refuseInventory({ stock }: SourceDefaults): void {
  if (typeof stock !== "object") return;
  throw new UnreadableFile(
    "contains its quantities: --stock-from is only for product exports of Shopify",
  );
}
