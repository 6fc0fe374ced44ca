// Reads the product CSV export of WooCommerce. Each product has one row, and each of its variations has one more.
import {
  duplicateCheck,
  hasTooMany,
  reporter,
  type ReportProblem,
  withProductNames,
} from "../check.ts";
import { type CsvRow, type CsvTable, findColumn } from "../../../files/csv.ts";
import { plainName } from "../../../files/decode-text.ts";
import { readFlag } from "../../../files/numbers.ts";
import type { CatalogueSource, FileProblem, ShopDefaults, SourceProduct } from "../source.ts";
import { readWooCommerceProduct } from "./product.ts";
import { isListed, isPublished, rowKeys, parcelReader, parentKey, typesOf } from "./row.ts";

/** The columns that identify a WooCommerce export. */
export const WOOCOMMERCE_COLUMNS = [["Type"], ["Name"], ["Regular price"]];

export function readWooCommerce(
  table: CsvTable,
  defaults: ShopDefaults,
): Omit<CatalogueSource, "dropped"> {
  const problems: FileProblem[] = [];
  const report = reporter(problems);
  const { rows } = table;
  for (const row of rows) if (row.fault) report(row, "row", row.fault);
  checkRows(rows, problems);
  const variations = variationsByProduct(rows, report);
  const invalidRows = new Set(problems.map(({ row }) => row));
  const { parcelOf, notes } = parcelReader(table);
  const hasPublished = findColumn(table.columns, ["Published"]) !== undefined;
  const context = { defaults, problems, report, parcelOf };

  const products: SourceProduct[] = [];
  const unpublished: string[] = [];
  for (const row of rows) {
    if (hasTooMany(problems, products, defaults)) break;
    if (row.fault || typesOf(row).includes("variation")) continue;
    if (!isPublished(row) || !isListed(row)) {
      unpublished.push(plainName(row.get("Name")));
      continue;
    }
    const variationRows = variations.get(row) ?? [];
    const product = readWooCommerceProduct(context, row, variationRows);
    const isValid = [row, ...variationRows].every(({ number }) => !invalidRows.has(number));
    if (product && isValid) products.push(product);
  }
  const names = new Map(rows.map((row) => [row.number, plainName(row.get("Name"))]));
  return {
    format: "woocommerce",
    products,
    problems: withProductNames(problems, defaults, (row) => names.get(row)),
    unpublished,
    notes: [
      ...notes,
      ...(hasPublished
        ? []
        : ["The file has no column Published: all its products are published."]),
    ],
    quantities: "file",
  };
}

/** Reports ids and SKUs that repeat those of another row, and unknown states. */
function checkRows(rows: CsvRow[], problems: FileProblem[]): void {
  const isNewId = duplicateCheck(problems, "ID");
  const isNewSku = duplicateCheck(problems, "SKU");
  const report = reporter(problems);
  for (const row of rows) {
    const published = row.get("Published");
    if (published !== "" && !/^(?:-1|2)$/.test(published) && readFlag(published) === undefined) {
      report(row, "Published", `must be 1 or 0: ${published}`);
    }
    isNewId(row.get("ID"), row.number);
    isNewSku(plainName(row.get("SKU")), row.number);
  }
}

/** The published variations of each variable product. Reports variations without a product. */
function variationsByProduct(rows: CsvRow[], report: ReportProblem): Map<CsvRow, CsvRow[]> {
  const variations = new Map<CsvRow, CsvRow[]>();
  const variationsByKey = new Map<string, CsvRow[]>();
  for (const row of rows.filter((each) => typesOf(each).includes("variable"))) {
    const own: CsvRow[] = [];
    variations.set(row, own);
    for (const key of rowKeys(row)) variationsByKey.set(key, own);
  }
  for (const row of rows) {
    if (!typesOf(row).includes("variation") || !isPublished(row)) continue;
    const siblings = variationsByKey.get(parentKey(row));
    if (!siblings && row.fault) continue;
    const parent = row.get("Parent");
    if (siblings) siblings.push(row);
    else if (parent) report(row, "Parent", `is not a variable product in this file: ${parent}`);
    else report(row, "Parent", "is required for a variation");
  }
  return variations;
}
