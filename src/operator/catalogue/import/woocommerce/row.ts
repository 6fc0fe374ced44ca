// Reads single columns of a row in a WooCommerce export.
import type { CsvRow } from "../../../files/csv.ts";
import { convertUnit } from "../convert.ts";

/** Removes the apostrophe that the export puts before text that a spreadsheet could take for a formula. */
export const unescaped = (text: string) => text.replace(/^'(?=[=+\-@\t\r])/, "");

/** Splits a list at its commas. A comma after a backslash belongs to the value. */
export const splitList = (text: string) =>
  text
    .split(/(?<!\\),/)
    .map((part) => part.replaceAll("\\,", ",").trim())
    .filter((part) => part !== "");

/** Unescapes a long text. The export writes a line break as `\n`, and a backslash before an n as `\\n`. */
export function longText(text: string): string {
  return unescaped(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\\\\n|\\n/g, (escaped) => (escaped === "\\n" ? "\n" : "\\n"));
}

export const typesOf = (row: CsvRow) => splitList(row.get("Type").toLowerCase());

export const isDigital = (row: CsvRow) =>
  typesOf(row).some((type) => type === "virtual" || type === "downloadable");

/** 1 is published. 0 is private or a disabled variation, 2 is pending, -1 is a draft. */
export const isPublished = (row: CsvRow) => ["1", ""].includes(row.get("Published"));

/** Whether the shop's catalogue lists the product. Other products are found only by search or by link. */
export const isListed = (row: CsvRow) =>
  !["hidden", "search"].includes(row.get("Visibility in catalog").toLowerCase());

/** The keys of a row: its id in the shop, and its SKU. */
export function keysOf(row: CsvRow): string[] {
  const [id, sku] = [row.get("ID"), unescaped(row.get("SKU"))];
  return [...(id ? [`id:${id}`] : []), ...(sku ? [`sku:${sku}`] : [])];
}

/** The key of a variation's product. The Parent column contains `id:12` or a SKU. */
export function parentKey(row: CsvRow): string {
  const parent = row.get("Parent");
  const [, id] = /^id:\s*(\d+)$/i.exec(parent) ?? [];
  return id === undefined ? `sku:${unescaped(parent)}` : `id:${id}`;
}

/** The attributes of a row. `values` is the text of the column, which may be a list. */
export function attributesOf(row: CsvRow): { name: string; values: string }[] {
  return row.columns
    .map((column) => /^attribute (\d+) name$/i.exec(column)?.[1])
    .filter((n) => n !== undefined)
    .map((n) => ({
      name: unescaped(row.get(`Attribute ${n} name`)),
      values: unescaped(row.get(`Attribute ${n} value(s)`)),
    }))
    .filter(({ name }) => name !== "");
}

const KG: Record<string, number> = { kg: 1, g: 0.001, lbs: 0.45359237, oz: 0.028349523125 };
const CM: Record<string, number> = { cm: 1, m: 100, mm: 0.1, in: 2.54, yd: 91.44 };

/** Returns a function that reads the parcel of a row. Columns such as `Weight (kg)` and `Length (cm)` have the units. */
export function parcelReader(columns: readonly string[]) {
  const unitOf = (name: string) =>
    columns
      .map((column) => new RegExp(`^${name} \\((\\w+)\\)$`, "i").exec(column)?.[1])
      .find((unit) => unit !== undefined) ?? "";
  const [weight, length] = [unitOf("weight"), unitOf("length")];
  return (row: CsvRow) => {
    const side = (name: string) =>
      convertUnit(row.get(`${name} (${length})`), CM[length.toLowerCase()]);
    return {
      weight: convertUnit(row.get(`Weight (${weight})`), KG[weight.toLowerCase()]),
      length: side("Length"),
      width: side("Width"),
      height: side("Height"),
    };
  };
}
