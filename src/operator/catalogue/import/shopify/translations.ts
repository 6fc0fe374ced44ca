// Reads Shopify's export of translations, which has a row for each text and language. It names products by ids, which
// the product export does not have: the row with the handle has both. Options are found by their text.
import { canonicalLanguage } from "../../../../core/values/language-tag.ts";
import type { VariationOptions } from "../../../../features/catalogue/file-product.ts";
import { type CsvRow, decodeUtf8, missingColumns, readTable } from "../../../files/csv.ts";
import { UnreadableFile } from "../../../files/unreadable-file.ts";
import { translatedOptions } from "../convert.ts";

/** The translations of the product with the handle, which has `variations`. */
export type TranslationsOf = (
  handle: string,
  variations: readonly VariationOptions[],
) => Record<string, object> | undefined;

const COLUMNS = [
  ...["Type", "Identification", "Field", "Locale", "Market", "Default content"],
  "Translated content",
];

const localeOf = (row: CsvRow) => canonicalLanguage(row.get("Locale")) ?? row.get("Locale");

/** Errors: `UnreadableFile`, also if a single row cannot be read. */
export function readTranslations(bytes: Uint8Array): TranslationsOf {
  const { columns, rows } = readTable(decodeUtf8(bytes));
  const missing = missingColumns(
    columns,
    COLUMNS.map((name) => [name]),
  );
  if (missing.length > 0) {
    throw new UnreadableFile(
      `is not an export of translations of Shopify (missing columns: ${missing.join(", ")})`,
    );
  }
  const handles = new Map(
    rows
      .filter((row) => row.get("Type") === "PRODUCT" && row.get("Field") === "handle")
      .map((row) => [row.get("Identification"), row.get("Default content")]),
  );
  /** By locale, field, and handle or original text. A text with several translations has none. */
  const texts = new Map<string, string>();
  const key = (...parts: string[]) => JSON.stringify(parts);
  for (const row of rows) {
    if (row.fault) {
      throw new UnreadableFile(`cannot be read: row ${String(row.number)} ${row.fault}`);
    }
    // A translation of a single market does not apply to others.
    if (row.get("Market") !== "" || row.get("Translated content") === "") continue;
    const isProduct = row.get("Type") === "PRODUCT";
    if (!isProduct && !row.get("Type").startsWith("PRODUCT_OPTION")) continue;
    const subject = isProduct ? handles.get(row.get("Identification")) : row.get("Default content");
    const place = key(localeOf(row), row.get("Field"), subject ?? "");
    const text = row.get("Translated content").replace(/\r\n?/g, "\n");
    texts.set(place, (texts.get(place) ?? text) === text ? text : "");
  }
  const locales = [...new Set(rows.map(localeOf))];
  return (handle, variations) => {
    const translations = locales.map((locale) => {
      const textOf = (field: string, subject: string) => texts.get(key(locale, field, subject));
      return [
        locale,
        {
          product_name: textOf("title", handle),
          product_description: textOf("body_html", handle),
          options: translatedOptions((text) => textOf("name", text), variations),
        },
      ] as const;
    });
    const found = translations.filter(([, fields]) => Object.values(fields).some(Boolean));
    return found.length > 0 ? Object.fromEntries(found) : undefined;
  };
}
