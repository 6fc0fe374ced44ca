// Reads a catalogue file of any format. The format is detected from the content, not from the file's name.
import { checkUtf8, decodeUtf8, missingColumns, readTable } from "../../files/csv.ts";
import { readRegalo } from "./regalo.ts";
import { readShopify, SHOPIFY_COLUMNS } from "./shopify/read.ts";
import type { CatalogueSource, ShopDefaults, SourceDefaults } from "./source.ts";
import { plainCell } from "../../files/table.ts";
import { repairCounting } from "../../files/repair-text.ts";
import { unreadColumns, UnreadableFile } from "../../files/unreadable-file.ts";
import { readWooCommerce, WOOCOMMERCE_COLUMNS } from "./woocommerce/read.ts";

/** The beginnings of column names in exports of shops. They need no warning if they are not read. */
const OF_EXPORTS = new RegExp(
  "^(?:is featured|tax |gtin|low stock|backorders|sold ind|allow customer|purchase note|shipping class|tags$|download |date sale|" +
    "grouped|upsells|cross-sells|external url|button text|position$|brands$|attribute \\d|image |seo |google |option\\d|" +
    "variant |inventory |continue |barcode|charge tax|fulfil|weight |compare|cost per|unit price|included /|price /)",
  "i",
);

/** Errors: `UnreadableFile`, also if the currency is missing or if an inventory is given for a file with quantities. */
export function readCatalogue(bytes: Uint8Array, defaults: SourceDefaults): CatalogueSource {
  if (isJson(bytes)) {
    refuseInventory(defaults);
    return readRegalo(parseJson(bytes), defaults);
  }
  checkUtf8(bytes);
  const { repair, dropped } = repairCounting();
  const table = readTable(bytes, {
    maxRows: defaults.maxRows,
    // Some exports have an apostrophe before numbers, which is how a spreadsheet's users mark a text.
    repair: (text) => plainCell(repair(text)).replace(/^'(?=\d+(?:[.,]\d+)?$)/, ""),
  });
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
  const shop: ShopDefaults = { ...defaults, currency, codes: defaults.codes ?? [] };
  if (!isShopify) refuseInventory(defaults);
  const source = isShopify ? readShopify(table, shop) : readWooCommerce(table, shop);
  const unread = table.unread().filter((column) => !OF_EXPORTS.test(column));
  const notes = [...source.notes, ...unreadColumns(unread)];
  return { ...source, notes, dropped: dropped() };
}

const START_BYTES = 1_000;

const isJson = (bytes: Uint8Array) =>
  /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, START_BYTES)));

/** A function of its own, so that the text is not held while the value is read. */
function parseJson(bytes: Uint8Array): unknown {
  checkSize(bytes);
  try {
    return JSON.parse(decodeUtf8(bytes));
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new UnreadableFile("is not valid JSON");
  }
}

/** A product of the API has about 40 values, and a variation 20. */
const MAX_VALUES = 1_000_000;
const MAX_DEPTH = 100;

/**
 * Errors: `UnreadableFile` for JSON with too many values, or too deep ones. It counts them in the bytes, because parsed
 * values need more memory.
 */
function checkSize(bytes: Uint8Array): void {
  let [values, depth, isInText] = [0, 0, false];
  for (let n = 0; n < bytes.length; n++) {
    const byte = bytes[n] ?? 0;
    // The byte after a backslash is skipped.
    if (isInText && byte === 0x5c) n++;
    else if (byte === 0x22) isInText = !isInText;
    else if (!isInText) {
      // Brackets and braces differ in one bit.
      const opens = (byte | 0x20) === 0x7b;
      if (opens || byte === 0x2c) values++;
      depth += opens ? 1 : (byte | 0x20) === 0x7d ? -1 : 0;
    }
    if (values > MAX_VALUES) throw new UnreadableFile(`has more than ${String(MAX_VALUES)} values`);
    if (depth > MAX_DEPTH) throw new UnreadableFile(`has more than ${String(MAX_DEPTH)} levels`);
  }
}

function refuseInventory({ stock }: SourceDefaults): void {
  if (typeof stock !== "object") return;
  throw new UnreadableFile(
    "contains its quantities: an inventory is only for product exports of Shopify",
  );
}
