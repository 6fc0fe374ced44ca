// Reads CSV files of shops, warehouses and carriers. They may have commas, semicolons or tabs as delimiters, quotes, line
// breaks in fields, and byte order marks.
import { CsvError, parse } from "csv-parse/sync";
import { fold } from "../../core/values/fold.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import { UnreadableFile } from "./unreadable-file.ts";
import { repairText } from "./repair-text.ts";

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

export interface CsvRow {
  /** The row in a spreadsheet: the header is row 1, and a field with line breaks does not begin a new row. */
  number: number;
  /** The columns of the table. */
  columns: readonly string[];
  /** The trimmed field. Empty if the row or the table does not have the column. */
  get: (column: string) => string;
  /** Set if the row cannot be read, because its fields may be in the wrong columns. Follows "row" in a message. */
  fault?: string;
}

export interface CsvTable {
  columns: string[];
  rows: CsvRow[];
  /** Whether the names of the columns are those of the file. */
  hasHeader: boolean;
  /** The numbers of the records that are neither the header nor rows. */
  skipped: number[];
  /** The columns with values that no `get` has read and that are not `known`. */
  unread: (known?: readonly (string | undefined)[]) => string[];
}

/** The missing columns, such as `Price or Variant Price`. Each element of `needed` contains the names of one column. */
export function missingColumns(columns: string[], needed: readonly (readonly string[])[]) {
  return needed
    .filter((names) => findColumn(columns, names) === undefined)
    .map((names) => names.join(" or "));
}

/** The first of `names` that is a column, as the table spells it. Ignores case. */
export function findColumn(columns: string[], names: readonly string[]): string | undefined {
  return names
    .map((name) => columns.find((column) => column.toLowerCase() === name.toLowerCase()))
    .find((column) => column !== undefined);
}

const NOT_UTF8 = 'is not UTF-8 text: export it again, or save it as "CSV UTF-8"';

/** Errors: `UnreadableFile` if the file is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return [...decodedParts(bytes, bytes.length)].join("");
}

const CHECKED_BYTES = 1_000_000;

/** Does not hold the text of the whole file. Errors: `UnreadableFile` if the file is not UTF-8. */
export function checkUtf8(bytes: Uint8Array): void {
  const parts = decodedParts(bytes, CHECKED_BYTES);
  while (!parts.next().done);
}

function* decodedParts(bytes: Uint8Array, size: number): Generator<string> {
  // UTF-16 without a byte order mark can be valid UTF-8, but it contains zeros.
  if (bytes.subarray(0, 1_000).includes(0)) throw new UnreadableFile(NOT_UTF8);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  try {
    for (let start = 0; start < bytes.length; start += size) {
      const end = start + size;
      yield decoder.decode(bytes.subarray(start, end), { stream: end < bytes.length });
    }
  } catch {
    throw new UnreadableFile(NOT_UTF8);
  }
}

/** More than the exports of shops have, which have four columns for each attribute. */
const MAX_COLUMNS = 1_000;
/** Twice the longest text of a product. */
const MAX_CELL = 100_000;

/** The number of rows that a spreadsheet can have below its header. */
export const MAX_ROWS = 1_048_575;

export interface TableOptions {
  /** Blank rows count. */
  maxRows?: number | undefined;
  /** Repairs the text of a field. */
  repair?: (text: string) => string;
  /** How the file is laid out, from its beginning. By default, the header is the first line. */
  layoutOf?: (start: string) => TableLayout;
}

/** How a file that a person or a bank has laid out is read. */
export interface TableLayout {
  delimiter: string;
  /** The record of the header or, without one, the first row. Those before it are titles. */
  first: number;
  /** Names of columns for a file without a header. */
  names?: readonly string[];
  /** Whether a record after the header is neither a row nor blank, such as a total. */
  isOther: (fields: readonly string[]) => boolean;
}

/**
 * Reads the rows that are not blank. A row may have fewer fields than the header, because WooCommerce adds columns while it
 * exports. The bytes of a large file need less memory than its text. Errors: `UnreadableFile` if the file is not valid CSV,
 * has more than `maxRows` rows below its header, or too many columns.
 */
export function readTable(
  content: string | Uint8Array,
  { maxRows = MAX_ROWS, repair = repairText, layoutOf }: TableOptions = {},
): CsvTable {
  const rows: CsvRow[] = [];
  const columns: string[] = [];
  const skipped: number[] = [];
  const positions = new Map<string, number>();
  const read = new Set<number>();
  const filled = new Set<number>();
  const plain = withoutMark(content);
  const start = startOf(plain);
  const layout = layoutOf?.(start);
  const first = layout?.first ?? 1;
  eachRecord(plain, layout?.delimiter ?? delimiterOf(start), maxRows, (record, number) => {
    if (record.every((field) => field.trim() === "")) return;
    if (number < first) return void skipped.push(number);
    const repaired = record.map(repair);
    const fields = repaired.map((field) => (field.length > MAX_CELL ? "" : field));
    const tooLong = repaired.some(({ length }) => length > MAX_CELL)
      ? `has a field of more than ${inEnglish(MAX_CELL)} characters`
      : undefined;
    if (columns.length === 0) {
      if (tooLong !== undefined) throw new UnreadableFile(tooLong);
      const names = layout?.names ?? fields.map((name) => name.trim());
      columns.push(...(layout ? distinctNames(names) : names));
      for (const [index, name] of columns.entries()) positions.set(name.toLowerCase(), index);
      if (!layout?.names) return;
    }
    if (layout?.isOther(fields)) return void skipped.push(number);
    for (const [n, field] of fields.entries()) if (field !== "") filled.add(n);
    const last = fields.findLastIndex((field) => field.trim() !== "");
    const fault =
      (layout ? last + 1 : fields.length) > columns.length
        ? `has ${String(fields.length)} fields, but the header has ${String(columns.length)}`
        : tooLong;
    rows.push({
      number,
      columns,
      get: (column) => {
        const position = positions.get(column.toLowerCase()) ?? -1;
        read.add(position);
        return (fields[position] ?? "").trim();
      },
      ...(fault !== undefined && { fault }),
    });
  });
  const unread: CsvTable["unread"] = (known = []) =>
    columns.filter((name, n) => filled.has(n) && !read.has(n) && !known.includes(name));
  return { columns, rows, hasHeader: !layout?.names, skipped, unread };
}

/** The text on one line, without characters that cannot be seen. */
export const oneLine = (text: string): string =>
  withoutInvisible(text.replaceAll(/[\s\p{Cc}]+/gu, " "));

/** Names for columns without one, and different names for columns with the same one, short enough for an answer. */
function distinctNames(names: readonly string[]): string[] {
  // An answer without a column.
  const seen = new Set(["(none)"]);
  return names.map((given, n) => {
    const text = oneLine(given).slice(0, 100) || `Column ${String(n + 1)}`;
    let name = text;
    for (let count = 2; seen.has(fold(name)); count++) name = `${text} (${String(count)})`;
    seen.add(fold(name));
    return name;
  });
}

const inEnglish = (count: number) => count.toLocaleString("en");

function eachRecord(
  content: string | Uint8Array,
  delimiter: string,
  maxRows: number,
  use: (record: string[], number: number) => void,
): void {
  let number = 0;
  try {
    parse(content, {
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      cast: (field, { index }) => {
        if (index < MAX_COLUMNS) return field;
        throw new UnreadableFile(`has more than ${inEnglish(MAX_COLUMNS)} columns`);
      },
      // The parser stops at the first row that is too many.
      to: maxRows + 2,
      on_record: (record: string[]) => {
        use(record, ++number);
        // The parser does not keep the record.
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // The message may end with the value of the field.
    throw new UnreadableFile(
      `is not a valid CSV file: ${error.message.replace(/, value is [^]*/, "")}`,
    );
  }
  if (number <= maxRows + 1) return;
  throw new UnreadableFile(`has more than ${inEnglish(maxRows)} rows`);
}

/** The file without its byte order mark. */
function withoutMark(content: string | Uint8Array): string | Uint8Array {
  if (typeof content === "string") return content.replace(/^\ufeff/, "");
  return BYTE_ORDER_MARK.every((byte, index) => content[index] === byte)
    ? content.subarray(BYTE_ORDER_MARK.length)
    : content;
}

/** More than a header has. */
const START_LENGTH = 100_000;

function startOf(content: string | Uint8Array): string {
  const start = content.slice(0, START_LENGTH);
  return typeof start === "string" ? start : new TextDecoder().decode(start);
}

/** The delimiter that is most frequent in the first line. */
function delimiterOf(start: string): string {
  const lines = start.split(/\r\n|\n|\r/);
  const first = (lines.find((line) => line.trim() !== "") ?? "").replace(/"[^"]*"/g, "");
  const occurrences = (delimiter: string) => first.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, next) =>
    occurrences(next) > occurrences(best) ? next : best,
  );
}
