// Reads the product CSV export of Shopify. The rows with the same handle are one product. Each of them adds a
// variant, an image, or both.
import { hasTooMany, reporter, withProductNames } from "../check.ts";
import { type CsvRow, type CsvTable, findColumn } from "../../../files/csv.ts";
import { plainName } from "../../../files/decode-text.ts";
import { readFlag } from "../../../files/numbers.ts";
import { measureReader } from "../convert.ts";
import { line } from "../../../../core/validation/fields.ts";
import { brokenRule } from "../../../../core/validation/validate.ts";
import type { CatalogueSource, FileProblem, ShopDefaults, SourceProduct } from "../source.ts";
import { shopifyNames, RENAMED_COLUMNS } from "./columns.ts";
import { readShopifyProduct, type ShopifyContext } from "./product.ts";
import { stockReader } from "./stock.ts";

/** The columns that identify a Shopify export, each with its names. */
export const SHOPIFY_COLUMNS = ["URL handle", "Title", "Option1 value", "Price"].map(shopifyNames);

export function readShopify(
  table: CsvTable,
  defaults: ShopDefaults,
): Omit<CatalogueSource, "dropped"> {
  /** The name of a column in this file. */
  const nameInFile = (column: string) => findColumn(table.columns, shopifyNames(column)) ?? column;
  const rows = withCurrentNames(table.rows, nameInFile);
  const { stockOf, lacksQuantities } = stockReader(table.columns, defaults);
  const problems: FileProblem[] = [];
  const weight = measureReader({
    name: "Weights",
    unit: "g",
    factor: 0.001,
    texts: rows.map((row) => row.get("Weight value (grams)")),
  });
  const report = reporter(problems);
  const context = { defaults, problems, report, stockOf, weightOf: weight.read };
  const groups = groupByHandle(rows, context);
  const { products, unpublished } = readGroups(context, groups);

  const titles = new Map(
    groups.flatMap(({ handle, head, rows: own }) =>
      own.map(({ number }) => [number, head.get("Title") || handle]),
    ),
  );
  return {
    format: "shopify",
    products,
    problems: withProductNames(
      problems.map((problem) => ({ ...problem, field: nameInFile(problem.field) })),
      defaults,
      (row) => titles.get(row),
    ),
    unpublished,
    notes: weight.notes,
    quantities: lacksQuantities(rows) ? "missing" : "file",
  };
}

/** The rows, with `get` taking the current names of columns, also for a file of an older template. */
function withCurrentNames(rows: CsvRow[], nameInFile: (column: string) => string): CsvRow[] {
  const names = new Map(Object.keys(RENAMED_COLUMNS).map((column) => [column, nameInFile(column)]));
  return rows.map((row) => ({
    ...row,
    get: (column: string) => row.get(names.get(column) ?? column),
  }));
}

/** The rows of a product. */
interface HandleGroup {
  handle: string;
  /** The first row, which has the fields of the product. */
  head: CsvRow;
  rows: CsvRow[];
}

const MAX_HANDLE_LENGTH = 255;

function groupByHandle(rows: CsvRow[], { report }: ShopifyContext): HandleGroup[] {
  const groups = new Map<string, HandleGroup>();
  for (const row of rows) {
    const handle = row.get("URL handle");
    const reason = handle === "" ? "is required" : brokenRule(line(MAX_HANDLE_LENGTH), handle);
    if (reason !== undefined) {
      report(row, "URL handle", reason);
      continue;
    }
    const group = groups.get(handle);
    if (group) group.rows.push(row);
    else groups.set(handle, { handle, head: row, rows: [row] });
  }
  return [...groups.values()];
}

function readGroups(context: ShopifyContext, groups: readonly HandleGroup[]) {
  const products: SourceProduct[] = [];
  const unpublished: string[] = [];
  for (const { handle, head, rows } of groups) {
    if (hasTooMany(context.problems, products, context.defaults)) break;
    const faulty = rows.filter(({ fault }) => fault !== undefined);
    for (const row of faulty) context.report(row, "row", row.fault ?? "");
    if (faulty.length > 0) continue;
    if (isPublished(head)) {
      const product = readShopifyProduct(context, handle, head, rows);
      if (product) products.push(product);
    } else {
      unpublished.push(plainName(head.get("Title")) || handle);
    }
  }
  return { products, unpublished };
}

/** Whether the product is active and published on the shop's online store. */
function isPublished(head: CsvRow): boolean {
  const status = head.get("Status").toLowerCase() || "active";
  return status === "active" && readFlag(head.get("Published on online store")) !== false;
}
