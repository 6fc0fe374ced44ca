// Reads CSV files as shops export them: with commas, semicolons or tabs, quotes, line breaks in fields, and byte order
// marks.
import { CsvError, parse } from "csv-parse/sync";
import { UnreadableFile } from "./unreadable-file.ts";
import { repair } from "./text.ts";

export interface CsvRow {
  /** As in a spreadsheet: the header is row 1, and a field with line breaks is in one row. */
  number: number;
  /** The columns of the table. */
  columns: readonly string[];
  /** The trimmed field. Empty if the row or the table does not have the column. */
  get: (column: string) => string;
  /** The reason if the row cannot be read. Its fields may be in the wrong columns. */
  fault?: string;
}

export interface CsvTable {
  columns: string[];
  rows: CsvRow[];
}

/** The columns that are missing, such as `Price or Variant Price`. Each of `needed` has the names of one column. */
export function missingColumns(columns: string[], needed: readonly (readonly string[])[]) {
  return needed
    .filter((names) => findColumn(columns, names) === undefined)
    .map((names) => names.join(" or "));
}

/** The first of `names` that is a column, with the spelling of the table. Ignores case. */
export function findColumn(columns: string[], names: readonly string[]): string | undefined {
  return names
    .map((name) => columns.find((column) => column.toLowerCase() === name.toLowerCase()))
    .find((column) => column !== undefined);
}

const NOT_UTF8 = 'is not UTF-8 text: export it again, or save it as "CSV UTF-8"';

/** Errors: `UnreadableFile` if the file is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  // UTF-16 without a byte order mark can be valid UTF-8, but it contains zeros.
  if (bytes.subarray(0, 1_000).includes(0)) throw new UnreadableFile(NOT_UTF8);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new UnreadableFile(NOT_UTF8);
  }
}

/**
 * Reads all rows that are not blank. A row may have fewer fields than the header, because some exports add columns
 * while they write. Errors: `UnreadableFile` if the file is not valid CSV.
 */
export function readTable(text: string): CsvTable {
  const [header, ...rows] = parseRecords(repair(text))
    .map((record, index) => ({ number: index + 1, record }))
    .filter(({ record }) => record.some((field) => field.trim() !== ""));
  const columns = (header?.record ?? []).map((name) => name.trim());
  const positions = new Map(columns.map((name, index) => [name.toLowerCase(), index]));
  return {
    columns,
    rows: rows.map(({ number, record }) => ({
      number,
      columns,
      get: (column) => (record[positions.get(column.toLowerCase()) ?? -1] ?? "").trim(),
      ...(record.length > columns.length && {
        fault: `has ${String(record.length)} fields, but the header has ${String(columns.length)}`,
      }),
    })),
  };
}

function parseRecords(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(`is not a valid CSV file: ${error.message}`);
  }
}

/** The delimiter that is most frequent in the header. */
function delimiterOf(text: string): string {
  const header = (/[^\r\n]*\S[^\r\n]*/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const occurrences = (delimiter: string) => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, next) =>
    occurrences(next) > occurrences(best) ? next : best,
  );
}
