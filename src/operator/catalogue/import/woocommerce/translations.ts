// The translations in a WooCommerce export of a shop with Polylang or WPML: rows of their own, each with its language
// and the group of the product or variation that it translates.
import { canonicalLanguage } from "../../../../core/values/language-tag.ts";
import { isLanguage } from "../../../../features/catalogue/file-product.ts";
import { languagesFor } from "../../../../features/redeem/translate.ts";
import type { CsvRow } from "../../../files/csv.ts";
import { translatedOptions } from "../convert.ts";
import { attributesOf, isPublished, longText, unescaped } from "./row.ts";
import type { ExpandedVariation } from "./variations.ts";

/** The canonical tag of the row's language, or the text that is none. */
function languageOf(row: CsvRow): string {
  const text = row.get("Language") || row.get("Meta: _wpml_import_language_code");
  return canonicalLanguage(text.replaceAll("_", "-")) ?? text;
}

const groupOf = (row: CsvRow) =>
  row.get("Translation group") || row.get("Meta: _wpml_import_translation_group");

/** The other rows of its group, by the original of each group. */
export type TranslatedRows = ReadonlyMap<CsvRow, CsvRow[]>;

/**
 * Finds the originals: in each group the row in the language of the catalogue, otherwise the first. `catalogue` is
 * undefined if it is not known: then it is the language of the first row.
 */
export function groupTranslations(
  rows: readonly CsvRow[],
  catalogue: string | undefined,
): TranslatedRows {
  const original = catalogue ?? rows.map(languageOf).find(isLanguage);
  const groups = Map.groupBy(rows, groupOf);
  groups.delete("");
  return new Map(
    [...groups.values()].flatMap((group): [CsvRow, CsvRow[]][] => {
      const tags = group.map(languageOf);
      const [best] = original ? languagesFor(original, tags.filter(isLanguage)) : [];
      const head = group.find((_, n) => tags[n] === best) ?? group[0];
      return head ? [[head, group.filter((row) => row !== head)]] : [];
    }),
  );
}

/** The published translations of a product's texts. Undefined if it has none. */
export function translationsOf(
  translated: TranslatedRows,
  row: CsvRow,
  variations: readonly ExpandedVariation[],
) {
  const rows = (translated.get(row) ?? []).filter((each) => isPublished(each) && !each.fault);
  if (rows.length === 0) return undefined;
  return Object.fromEntries(
    rows.map((each) => [
      languageOf(each),
      {
        product_name: unescaped(each.get("Name")) || undefined,
        product_description: longText(each.get("Description")),
        product_short_description: longText(each.get("Short description")),
        options: optionsIn(languageOf(each), translated, variations),
      },
    ]),
  );
}

/** Undefined if a name or an option is not translated. The n-th attribute of a row translates that of the original. */
function optionsIn(
  language: string,
  translated: TranslatedRows,
  variations: readonly ExpandedVariation[],
): Record<string, string> | undefined {
  const words = variations.flatMap(({ row }) => {
    const other = translated.get(row)?.find((each) => languageOf(each) === language);
    const texts = other ? textsOf(other) : [];
    return textsOf(row).map((text, n) => [text, texts[n] ?? ""] as const);
  });
  return translatedOptions(new Map(words), variations);
}

const textsOf = (row: CsvRow) =>
  attributesOf(row).flatMap(({ name, values }) => [name, values.replaceAll("\\,", ",")]);
