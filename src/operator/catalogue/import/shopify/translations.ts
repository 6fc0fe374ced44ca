// Reads Shopify's export of translations, which has a row for each text and language. It names products by ids that the
// product export does not have, so they are found by the rows with their handle or title. Options are found by their
// text.
import { canonicalLanguage } from "../../../../core/values/language-tag.ts";
import type { FileProduct, VariationOptions } from "../../../../features/catalogue/file-product.ts";
import { type CsvRow, decodeUtf8, missingColumns, readTable } from "../../../files/csv.ts";
import { UnreadableFile } from "../../../files/unreadable-file.ts";
import { translatedOptions } from "../convert.ts";

export interface ShopTranslations {
  /** The translations of a product. Undefined if it has none. `variations` is empty for a simple product. */
  translationsOf: (
    product: { handle: string; title: string },
    variations: readonly VariationOptions[],
  ) => FileProduct["translations"];
}

const COLUMNS = ["Type", "Identification", "Field", "Locale", "Default content"];
const TEXT = "Translated content";

const localeOf = (row: CsvRow) => canonicalLanguage(row.get("Locale")) ?? row.get("Locale");

/** Errors: `UnreadableFile`, also if a single row cannot be read. */
export function readTranslations(bytes: Uint8Array): ShopTranslations {
  const { columns, rows } = readTable(decodeUtf8(bytes));
  const needed = [...COLUMNS, TEXT].map((name) => [name]);
  const missing = missingColumns(columns, needed).join(", ");
  if (missing !== "") {
    throw new UnreadableFile(
      `is not an export of translations of Shopify (missing columns: ${missing})`,
    );
  }
  for (const { number, fault } of rows) {
    if (fault) throw new UnreadableFile(`cannot be read: row ${String(number)} ${fault}`);
  }
  // Texts of single markets are left out.
  const byType = Map.groupBy(rows, (row) =>
    row.get("Market") === "" ? row.get("Type").toUpperCase() : "",
  );
  const products = productsByKey(byType.get("PRODUCT") ?? []);
  const words = wordsByLocale([
    ...(byType.get("PRODUCT_OPTION") ?? []),
    ...(byType.get("PRODUCT_OPTION_VALUE") ?? []),
  ]);
  return {
    translationsOf: ({ handle, title }, variations) => {
      const own = products.get(`handle ${handle}`) ?? products.get(`title ${title}`) ?? [];
      const translations = [...new Set([...own.map(localeOf), ...words.keys()])].map((locale) => {
        const textOf = (field: string) =>
          own.find((row) => localeOf(row) === locale && row.get("Field") === field)?.get(TEXT);
        const texts = {
          product_name: textOf("title") || undefined,
          product_description: textOf("body_html")?.replace(/\r\n?/g, "\n") || undefined,
          options: translatedOptions(words.get(locale), variations),
        };
        return [locale, texts] as const;
      });
      const found = translations.filter(([, texts]) => Object.values(texts).some(Boolean));
      return found.length > 0 ? Object.fromEntries(found) : undefined;
    },
  };
}

/** The rows of each product, by its handle and its title. A title of several products finds none of them. */
function productsByKey(rows: readonly CsvRow[]): Map<string, CsvRow[]> {
  const products = new Map<string, CsvRow[]>();
  for (const own of Map.groupBy(rows, (row) => row.get("Identification")).values()) {
    for (const row of own.filter((each) => ["handle", "title"].includes(each.get("Field")))) {
      const key = `${row.get("Field")} ${row.get("Default content")}`;
      products.set(key, (products.get(key) ?? own) === own ? own : []);
    }
  }
  return products;
}

/** The translations of the names and values of options. A text with several translations has none. */
function wordsByLocale(rows: readonly CsvRow[]): Map<string, Map<string, string>> {
  const locales = new Map<string, Map<string, string>>();
  for (const row of rows.filter((each) => each.get("Field") === "name" && each.get(TEXT) !== "")) {
    const words = locales.get(localeOf(row)) ?? new Map<string, string>();
    locales.set(localeOf(row), words);
    const [word, text] = [row.get("Default content"), row.get(TEXT)];
    words.set(word, (words.get(word) ?? text) === text ? text : "");
  }
  return locales;
}
