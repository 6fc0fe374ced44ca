// The translations in a WooCommerce export of a shop with Polylang or WPML: rows of their own, each with its language
// and the group of the product or variation that it translates.
import { canonicalLanguage } from "../../../../core/values/language-tag.ts";
import { isLanguage } from "../../../../features/catalogue/file-product.ts";
import { languagesFor } from "../../../../features/redeem/translate.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { translatedOptions } from "../convert.ts";
import { attributesOf, isPublished, longText, unescaped } from "./row.ts";
import type { ExpandedVariation } from "./variations.ts";

/** The canonical tag of the row's language, or its text if it is not a known tag. */
function languageOf(row: CsvRow): string {
  const text = row.get("Language") || row.get("Meta: _wpml_import_language_code");
  return canonicalLanguage(text.replaceAll("_", "-")) ?? text;
}

const groupOf = (row: CsvRow) =>
  row.get("Translation group") || row.get("Meta: _wpml_import_translation_group");

/** The other rows of its group, by the original of each group. */
export type TranslatedRows = ReadonlyMap<CsvRow, CsvRow[]>;

/**
 * Finds the original of each group: the row in the language of the catalogue, otherwise the first. Without a language,
 * that of the file's first row is used.
 */
export function groupTranslations(
  rows: readonly CsvRow[],
  language = rows.map(languageOf).find(isLanguage),
): TranslatedRows {
  const translated = new Map<CsvRow, CsvRow[]>();
  if (language === undefined) return translated;
  const grouped = rows.filter((row) => groupOf(row) !== "");
  for (const group of Map.groupBy(grouped, groupOf).values()) {
    const [best] = languagesFor(language, group.map(languageOf).filter(isLanguage));
    const original = group.find((row) => languageOf(row) === best) ?? group[0];
    if (original)
      translated.set(
        original,
        group.filter((row) => row !== original),
      );
  }
  return translated;
}

/** The published translations of a product's texts. Undefined if it has none. */
export function translationsOf(
  translated: TranslatedRows,
  row: CsvRow,
  variations: readonly ExpandedVariation[],
) {
  const rows = translated.get(row)?.filter((each) => isPublished(each) && !each.fault) ?? [];
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    rows.map((own) => {
      const language = languageOf(own);
      const options = optionTranslations(translated, variations, language);
      return [
        language,
        {
          product_name: unescaped(own.get("Name")) || undefined,
          product_description: longText(own.get("Description")),
          product_short_description: longText(own.get("Short description")),
          options: translatedOptions((text) => options?.get(text), variations),
        },
      ];
    }),
  );
}

/**
 * The translation of each text. The n-th attribute of a variation's row translates that of the original's. Undefined if
 * the rows do not have the same attributes and values, or if a text has two translations.
 */
function optionTranslations(
  translated: TranslatedRows,
  variations: readonly ExpandedVariation[],
  language: string,
): ReadonlyMap<string, string> | undefined {
  const options = new Map<string, string>();
  for (const { row } of variations) {
    const other = translated.get(row)?.find((each) => languageOf(each) === language);
    if (!other) continue;
    const [texts, translations] = [textsOf(row), textsOf(other)];
    if (texts.length !== translations.length) return undefined;
    for (const [n, text] of texts.entries()) {
      const translation = translations[n] ?? "";
      const isMissing = (text === "") !== (translation === "");
      if (isMissing || (options.get(text) ?? translation) !== translation) return undefined;
      options.set(text, translation);
    }
  }
  return options;
}

const textsOf = (row: CsvRow) =>
  attributesOf(row).flatMap(({ name, values }) => [name, values.replaceAll("\\,", ",")]);
