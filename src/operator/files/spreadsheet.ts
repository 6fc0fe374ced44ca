// Reads CSV files that were edited in a spreadsheet, or exported by warehouses, carriers and banks.
import {
  checkUtf8,
  type CsvRow,
  type CsvTable,
  decodeUtf8,
  eachRow,
  readTable,
  type TableOptions,
} from "./csv.ts";
import { fold } from "../../core/values/fold.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { withoutApostrophes } from "../../core/csv-output.ts";
import { repairText } from "./repair-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";

type Options = Pick<TableOptions, "maxRows" | "isHeader" | "hasOpenRows">;

/** Longer texts are cut. The fields that are read are far shorter, but the notes of a carrier may be longer. */
const repair = (text: string) => repairText(text.slice(0, 10_000));

/** Reads all rows. Errors: `UnreadableFile` if it is not a CSV file or has more than `maxRows` rows. */
export const readSpreadsheet = (bytes: Uint8Array, options?: Options): CsvTable =>
  readTable(plainContent(bytes), { repair, ...options });

/** Calls `use` with each row, and returns the columns. Errors: those of `readSpreadsheet`. */
export const eachSpreadsheetRow = (
  bytes: Uint8Array,
  use: (row: CsvRow) => void,
  options: Options,
): Omit<CsvTable, "rows"> => eachRow(plainContent(bytes), use, { repair, ...options });

/** Excel exports UTF-8, the code page of its country, or UTF-16, depending on the chosen format. */
function plainContent(bytes: Uint8Array): string | Uint8Array {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) {
    return plainText(new TextDecoder("utf-16le").decode(bytes));
  }
  try {
    checkUtf8(bytes);
    return hasFormula(bytes) ? plainText(decodeUtf8(bytes)) : bytes.subarray(lengthOfSep(bytes));
  } catch (error) {
    if (!(error instanceof UnreadableFile) || bytes.includes(0)) throw error;
    // Numbers and amounts are ASCII, so only names may be affected.
    return plainText(new TextDecoder("windows-1252").decode(bytes));
  }
}

/** Whether the file may have a formula such as `="001"`. */
function hasFormula(bytes: Uint8Array): boolean {
  let position = -1;
  do {
    position = bytes.indexOf(0x3d, position + 1);
    if (position >= 0 && bytes[position + 1] === 0x22) return true;
  } while (position >= 0);
  return false;
}

/** The length of Excel's line `sep=;`, with the byte order mark before it. */
const lengthOfSep = (bytes: Uint8Array): number =>
  SEP.exec(String.fromCharCode(...bytes.subarray(0, 10)))?.[0].length ?? 0;

const SEP = /^(?:\u00ef\u00bb\u00bf)?sep=.(?=[\r\n])/i;

/**
 * A quoted text, or a formula such as `="001"` that is not part of one. A field with doubled quotes is several quoted
 * texts, because a repeated group would overflow the stack at a field of some megabytes.
 */
const QUOTED_OR_FORMULA = /"[^"]*"|="([^"\r\n]*)"/g;

/** Up to a thousand quoted texts and what is before them. The replacement of a whole file would need ten times its size. */
const PARTS = /(?:[^"]*"[^"]*"){1,1000}|[^]+/g;

/**
 * The text without Excel's line `sep=;`, and with formulas such as `="001"` as quoted fields. Programs write them so that
 * Excel keeps the zeros.
 */
const plainText = (text: string) =>
  text
    .replace(/^(\ufeff?)sep=.(?=[\r\n])/i, "$1")
    .replaceAll(PARTS, (part) =>
      part.replaceAll(QUOTED_OR_FORMULA, (quoted, content?: string) =>
        content === undefined ? quoted : `"${content}"`,
      ),
    );

/** The column of each key: the first of its names that is present. Errors: `UnreadableFile` if there are two. */
export function findColumns<Key extends string>(
  columns: readonly string[],
  names: Readonly<Record<Key, readonly string[]>>,
) {
  const present = Map.groupBy(columns, foldedColumn);
  const find = ([key, each]: [string, readonly string[]]) => {
    const found = each.map((name) => present.get(foldedColumn(name))).find(Boolean) ?? [];
    if (found.length < 2) return [key, found[0]] as const;
    throw new UnreadableFile(`has several columns with the same meaning: ${found.join(", ")}`);
  };
  return Object.fromEntries(Object.entries<readonly string[]>(names).map(find)) as Record<
    Key,
    string | undefined
  >;
}

/** Returns a function that reads a cell. It is empty if the file does not have the column. */
export const cellReader =
  <Key extends string>(row: CsvRow, columns: Readonly<Record<Key, string | undefined>>) =>
  (key: Key) =>
    columns[key] === undefined ? "" : plainCell(row.get(columns[key]));

/** The same text for `Tracking_Number`, `tracking-number` and `TrackingNumber`, and for `Betrag` and `Betrag (EUR)`. */
export const foldedColumn = (name: string) =>
  fold(name.replace(/\([^()]*\)$/, "")).replaceAll(/[\s_.'’#:-]+/g, "");

/** The cell without characters that cannot be seen and the apostrophes of CSV output, or the text of a formula such as `="001"`. */
export function plainCell(text: string): string {
  const [, content] = /^="([^"]*)"$/.exec(text) ?? [];
  return withoutInvisible(content ?? withoutApostrophes(text));
}
