// The inventory CSV export of Shopify: what is left of each variant at each location. Its product export leaves
// quantities out where a shop has several locations.
import { decode, findColumn, missingColumns, readTable, type Row } from "./csv.ts";
import { UnreadableFile } from "./source.ts";

export interface Inventory {
  /** What all locations together have of a variant; `undefined` when the file does not list it. */
  quantityOf: (handle: string, options: readonly string[]) => number | undefined;
  locations: string[];
}

/** Columns beside those of the locations, in an export of nothing but what is available. */
const NO_LOCATION =
  /^(handle|title|option[123] (name|value)|sku|barcode|hs code|coo|location|bin name)$/i;

/** In an export of all states, with a row for each location. On hand includes what is sold and not sent yet. */
const QUANTITIES = ["Available (not editable)", "Available", "On hand (current)", "On hand"];

/** Errors: `UnreadableFile` with the first row that cannot be read: a wrong sum would be sold. */
export function readInventory(bytes: Uint8Array): Inventory {
  const { columns, rows } = readTable(decode(bytes));
  const missing = missingColumns(columns, [["Handle"], ["Option1 Value"]]);
  if (missing.length > 0) {
    throw new UnreadableFile(`is no inventory export of Shopify: it lacks ${missing.join(", ")}`);
  }
  const quantity = findColumn(columns, QUANTITIES);
  const counted =
    quantity === undefined
      ? columns.filter((column) => column !== "" && !NO_LOCATION.test(column))
      : [quantity];
  if (counted.length === 0) throw new UnreadableFile("has no column with quantities");

  const sums = new Map<string, number>();
  const seen = new Map<string, number>();
  const locations = new Set<string>();
  for (const row of rows) {
    const fail = (reason: string) =>
      new UnreadableFile(`cannot be read: row ${String(row.number)} ${reason}`);
    if (row.fault) throw fail(row.fault);
    const variant = keyOf(row.get("Handle"), optionValues(row));
    const place = JSON.stringify([variant, row.get("Location")]);
    const earlier = seen.get(place);
    if (earlier !== undefined) throw fail(`repeats row ${String(earlier)}`);
    seen.set(place, row.number);
    for (const column of counted) {
      locations.add(column === quantity ? row.get("Location") : column);
      const left = quantityIn(row, column);
      if (left === undefined) {
        throw fail(`must have a whole number in ${column}: ${row.get(column)}`);
      }
      sums.set(variant, (sums.get(variant) ?? 0) + left);
    }
  }
  return {
    quantityOf: (handle, options) => sums.get(keyOf(handle, options)),
    locations: [...locations],
  };
}

const keyOf = (handle: string, options: readonly string[]) => JSON.stringify([handle, ...options]);

export const optionValues = (row: Row) =>
  [1, 2, 3].map((n) => row.get(`Option${String(n)} Value`)).filter((value) => value !== "");

function quantityIn(row: Row, column: string): number | undefined {
  const text = row.get(column);
  if (text === "" || text.toLowerCase() === "not stocked") return 0;
  return /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
