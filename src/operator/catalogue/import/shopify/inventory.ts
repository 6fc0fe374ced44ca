// Reads the inventory CSV export of Shopify, which has the quantity of each variant at each location. The product
// export of a shop with several locations has no quantities.
import {
  type CsvRow,
  checkUtf8,
  findColumn,
  missingColumns,
  readTable,
} from "../../../files/csv.ts";
import { UnreadableFile } from "../../../files/unreadable-file.ts";

export interface Inventory {
  /** The total quantity of a variant at all locations. Undefined if the file does not list the variant. */
  quantityOf: (handle: string, options: readonly string[]) => number | undefined;
  /** The value of the first variant of the product that has one. */
  customsOf: (handle: string, column: "HS Code" | "COO") => string | undefined;
  locations: string[];
  /** The columns that are not those of an export. */
  unread: string[];
}

/** In an export with a row for each location, the quantities that are not for sale. */
const NOT_FOR_SALE = /^(incoming|unavailable|committed|available|on hand)\b/i;

/** In an export with a column for each location, the columns that are not locations. */
const NOT_A_LOCATION =
  /^(handle|title|option[123] (name|value)|sku|barcode|hs code|coo|location|bin name)$/i;

/**
 * In an export with a row for each location, the columns with quantities, the preferred one first. "On hand" includes
 * pieces that are sold but not yet shipped.
 */
const QUANTITY_COLUMNS = ["Available (not editable)", "Available", "On hand (current)", "On hand"];

/** Several locations for each variant of a large shop. */
const MAX_ROWS = 250_000;

/** Errors: `UnreadableFile`, also if a single row cannot be read, because the totals would be wrong. */
export function readInventory(bytes: Uint8Array): Inventory {
  checkUtf8(bytes);
  const { columns, rows, unread } = readTable(bytes, { maxRows: MAX_ROWS });
  const quantities = findQuantityColumns(columns);
  const totals = new Map<string, number>();
  const locations = new Set<string>();
  const customs = new Map<string, string>();
  const checkRepetition = repetitionCheck();
  for (const row of rows) {
    if (row.fault) throw unreadableRow(row, row.fault);
    const variant = variantKey(row.get("Handle"), optionValues(row));
    checkRepetition(row, variant);
    for (const column of ["HS Code", "COO"]) {
      const key = row.get("Handle") + column;
      customs.set(key, customs.get(key) || row.get(column));
    }
    for (const column of quantities.columns) {
      locations.add(quantities.namedByLocation ? column : row.get("Location"));
      totals.set(variant, (totals.get(variant) ?? 0) + quantityIn(row, column));
    }
  }
  return {
    quantityOf: (handle, options) => totals.get(variantKey(handle, options)),
    customsOf: (handle, column) => customs.get(handle + column) || undefined,
    locations: [...locations],
    unread: unread().filter((name) => !NOT_A_LOCATION.test(name) && !NOT_FOR_SALE.test(name)),
  };
}

/** Errors: `UnreadableFile` if the table is not an inventory export with quantities. */
function findQuantityColumns(columns: string[]): { columns: string[]; namedByLocation: boolean } {
  const missing = missingColumns(columns, [["Handle"], ["Option1 Value"]]);
  if (missing.length > 0) {
    throw new UnreadableFile(
      `is not an inventory export of Shopify (missing columns: ${missing.join(", ")})`,
    );
  }
  const column = findColumn(columns, QUANTITY_COLUMNS);
  if (column !== undefined) return { columns: [column], namedByLocation: false };
  const locations = columns.filter((name) => name !== "" && !NOT_A_LOCATION.test(name));
  if (locations.length === 0) throw new UnreadableFile("has no column with quantities");
  return { columns: locations, namedByLocation: true };
}

/** Returns a function that throws if an earlier row has the same variant and location. */
function repetitionCheck() {
  const firstRows = new Map<string, number>();
  return (row: CsvRow, variant: string): void => {
    const key = JSON.stringify([variant, row.get("Location")]);
    const first = firstRows.get(key);
    if (first !== undefined) throw unreadableRow(row, `repeats row ${String(first)}`);
    firstRows.set(key, row.number);
  };
}

const unreadableRow = (row: CsvRow, reason: string) =>
  new UnreadableFile(`cannot be read: row ${String(row.number)} ${reason}`);

const variantKey = (handle: string, options: readonly string[]) =>
  JSON.stringify([handle, ...options]);

export const optionValues = (row: CsvRow) =>
  [1, 2, 3].map((n) => row.get(`Option${String(n)} Value`)).filter((value) => value !== "");

function quantityIn(row: CsvRow, column: string): number {
  const text = row.get(column);
  if (text === "" || text.toLowerCase() === "not stocked") return 0;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw unreadableRow(row, `must have a whole number in ${column}: ${text}`);
}
