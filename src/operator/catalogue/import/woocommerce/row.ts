// Reads single columns of a row in a WooCommerce export.
import { own } from "../../../../core/values/own.ts";
import type { CsvRow, CsvTable } from "../../../files/csv.ts";
import { plainMarkup, plainName } from "../../../files/decode-text.ts";
import { readFlag } from "../../../files/numbers.ts";
import { measureReader } from "../convert.ts";

/** Splits a list at its commas. A comma after a backslash belongs to the value. */
export const splitList = (text: string) =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");

/** Unescapes and decodes a long text. The export writes a line break as `\n`, and a backslash before an n as `\\n`. */
export function longText(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .replace(/\\\\n|\\n/g, (escaped) => (escaped === "\\n" ? "\n" : "\\n"));
  return plainMarkup(lines);
}

export const typesOf = (row: CsvRow) => splitList(row.get("Type").toLowerCase());

export const isDigital = (row: CsvRow) =>
  typesOf(row).some((type) => type === "virtual" || type === "downloadable");

/**
 * 1 is published. 0 is private or a disabled variation, 2 is pending, -1 is a draft. A file without the column has
 * published products only.
 */
export const isPublished = (row: CsvRow) =>
  row.get("Published") === "" || readFlag(row.get("Published")) === true;

/** Whether the shop's catalogue lists the product. Other products are found only by search or by link. */
export const isListed = (row: CsvRow) =>
  !["hidden", "search"].includes(row.get("Visibility in catalog").toLowerCase());

/** The keys of a row: its id in the shop, and its SKU. */
export function rowKeys(row: CsvRow): string[] {
  const [id, sku] = [row.get("ID"), plainName(row.get("SKU"))];
  return [...(id ? [`id:${id}`] : []), ...(sku ? [`sku:${sku}`] : [])];
}

/** The key of a variation's product. The Parent column contains `id:12` or a SKU. */
export function parentKey(row: CsvRow): string {
  const parent = row.get("Parent");
  const [, id] = /^id:\s*(\d+)$/i.exec(parent) ?? [];
  return id === undefined ? `sku:${plainName(parent)}` : `id:${id}`;
}

/** The attributes of a row. `values` is the text of the column, which may be a list, and is not decoded. */
export function attributesOf(row: CsvRow): { name: string; values: string }[] {
  return row.columns
    .map((column) => /^attribute (\d+) name$/i.exec(column)?.[1])
    .filter((n) => n !== undefined)
    .map((n) => ({
      name: plainName(row.get(`Attribute ${n} name`)),
      values: row.get(`Attribute ${n} value(s)`),
    }))
    .filter(({ name }) => name !== "");
}

const KG: Record<string, number> = { kg: 1, g: 0.001, lbs: 0.45359237, oz: 0.028349523125 };
const CM: Record<string, number> = { cm: 1, m: 100, mm: 0.1, in: 2.54, yd: 91.44 };

/**
 * Returns a function that reads the parcel of a row, and notes that show the units. They are in the names of columns such
 * as `Weight (kg)` and `Length (cm)`, and are kg and cm if those have none.
 */
export function parcelReader({ columns, rows }: CsvTable) {
  const columnOf = (name: string) =>
    columns.find((column) => new RegExp(`^${name}(?: \\(\\w+\\))?$`, "i").test(column)) ?? "";
  const measure = (name: string, names: string[], units: Record<string, number>, base: string) => {
    const parts = names.map(columnOf);
    const unit = /\((\w+)\)$/.exec(parts[0] ?? "")?.[1]?.toLowerCase() ?? base;
    const texts = rows.flatMap((row) => parts.map((column) => row.get(column)));
    const { read, notes } = measureReader({ name, unit, factor: own(units, unit), texts });
    return { read: (row: CsvRow, column: string) => read(row.get(columnOf(column))), notes };
  };
  const weight = measure("Weights", ["Weight"], KG, "kg");
  const side = measure("Lengths", ["Length", "Width", "Height"], CM, "cm");
  return {
    notes: [...weight.notes, ...side.notes],
    parcelOf: (row: CsvRow) => ({
      weight: weight.read(row, "Weight"),
      length: side.read(row, "Length"),
      width: side.read(row, "Width"),
      height: side.read(row, "Height"),
    }),
  };
}
