// Expands the variations of a WooCommerce product, so that each has one option for every attribute.
import type { CsvRow } from "../../../files/csv.ts";
import { plainName } from "../../../files/decode-text.ts";
import { MAX_VARIATIONS } from "../../../../features/catalogue/file-product.ts";
import type { ReportProblem } from "../check.ts";
import { attributesOf, rowKeys, splitList } from "./row.ts";

export interface ExpandedVariation {
  row: CsvRow;
  keys: string[];
  options: AttributeOption[];
}

interface AttributeOption {
  name: string;
  option: string;
}

/**
 * The variations of the rows. A row without a value for an attribute becomes a variation for each option of the
 * product. If several rows have the same options, the first row with the fewest missing values is used.
 */
export function expandVariations(
  parent: CsvRow,
  rows: CsvRow[],
  report: ReportProblem,
): ExpandedVariation[] {
  const names = [...new Set(rows.flatMap((row) => attributesOf(row).map(({ name }) => name)))];
  const optionsOfProduct = new Map(
    attributesOf(parent).map(({ name, values }) => [name, splitList(values).map(plainName)]),
  );
  const used = new Set<string>();
  return rows
    .map((row) => readValues(row, names))
    .sort((a, b) => a.missing.length - b.missing.length)
    .flatMap((variation) =>
      expandRow(variation, names, optionsOfProduct, report).filter(({ options }) => {
        const combination = JSON.stringify(options);
        if (used.has(combination)) return false;
        used.add(combination);
        return true;
      }),
    )
    .sort((a, b) => a.row.number - b.row.number);
}

interface VariationRow {
  row: CsvRow;
  /** The row's value for each attribute. */
  values: Map<string, string>;
  /** The attributes without a value. */
  missing: string[];
}

function readValues(row: CsvRow, names: readonly string[]): VariationRow {
  // A variation has exactly one value for an attribute, so its commas are not separators.
  const values = new Map(
    attributesOf(row).map(({ name, values: value }) => [
      name,
      plainName(value.replaceAll("\\,", ",")),
    ]),
  );
  return { row, values, missing: names.filter((name) => !values.get(name)) };
}

function expandRow(
  { row, values, missing }: VariationRow,
  names: readonly string[],
  optionsOfProduct: ReadonlyMap<string, string[]>,
  report: ReportProblem,
): ExpandedVariation[] {
  const choices = names.map((name) => {
    const value = values.get(name);
    return { name, options: value ? [value] : (optionsOfProduct.get(name) ?? []) };
  });
  const count = choices.reduce((product, { options }) => product * options.length, 1);
  if (count === 0 || count > MAX_VARIATIONS) {
    const reason =
      `has no value for ${missing.join(" and ")}, so the row stands for ${String(count)} variations: ` +
      `it must stand for 1 to ${String(MAX_VARIATIONS)}`;
    report(row, "Attribute 1 value(s)", reason);
    return [];
  }
  return combinationsOf(choices).map((options) => ({
    row,
    keys: variationKeys(row, missing, options),
    options,
  }));
}

/** All combinations of one option for each attribute. */
function combinationsOf(choices: { name: string; options: string[] }[]): AttributeOption[][] {
  return choices.reduce<AttributeOption[][]>(
    (combinations, { name, options }) =>
      combinations.flatMap((chosen) => options.map((option) => [...chosen, { name, option }])),
    [[]],
  );
}

/**
 * The keys of the row. For missing values, they contain the chosen options, sorted so that the order of columns does
 * not matter.
 */
function variationKeys(row: CsvRow, missing: string[], options: AttributeOption[]): string[] {
  if (missing.length === 0) return rowKeys(row);
  const chosen = options
    .filter(({ name }) => missing.includes(name))
    .map(({ name, option }) => [name, option])
    .sort();
  return rowKeys(row).map((key) => `${key} any:${JSON.stringify(chosen)}`);
}
