// Tables as shops export them: commas, semicolons or tabs, quotes, line breaks inside fields, a BOM.
import { CsvError, parse } from "csv-parse/sync";
import { UnreadableFile } from "./source.ts";
import { repair } from "./text.ts";

export interface Row {
  /** As a spreadsheet counts: the head is row 1, and a field with line breaks is in one row. */
  number: number;
  /** The head of its table. */
  columns: readonly string[];
  /** The field without spaces around it; empty when the row or the head has no such column. */
  get: (column: string) => string;
  /** Why the row cannot be read, if it cannot: its fields may stand in wrong columns. */
  fault?: string;
}

export interface Table {
  columns: string[];
  rows: Row[];
}

/** The columns that a table lacks, such as `Price or Variant Price`. Each of `needed` is a column's names. */
export function missingColumns(columns: string[], needed: readonly (readonly string[])[]) {
  return needed
    .filter((names) => findColumn(columns, names) === undefined)
    .map((names) => names.join(" or "));
}

/** The first of `names` that is a column, in any case; as the table spells it. */
export function findColumn(columns: string[], names: readonly string[]): string | undefined {
  return names
    .map((name) => columns.find((column) => column.toLowerCase() === name.toLowerCase()))
    .find((column) => column !== undefined);
}

const ENCODING = 'is not UTF-8 text: export it again, or save it as "CSV UTF-8"';

/** The text of a file. Errors: `UnreadableFile` for every encoding but UTF-8. */
export function decode(bytes: Uint8Array): string {
  // UTF-16 without a byte order mark is UTF-8 with zeros in it.
  if (bytes.subarray(0, 1_000).includes(0)) throw new UnreadableFile(ENCODING);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new UnreadableFile(ENCODING);
  }
}

/**
 * The rows that are not blank. A row may have fewer fields than the head: exporters that add columns as they go
 * write such rows. Errors: `UnreadableFile` when the quotes do not close.
 */
export function readTable(text: string): Table {
  const [head, ...rows] = parseRecords(repair(text))
    .map((record, index) => ({ number: index + 1, record }))
    .filter(({ record }) => record.some((field) => field.trim() !== ""));
  const columns = (head?.record ?? []).map((name) => name.trim());
  const positions = new Map(columns.map((name, index) => [name.toLowerCase(), index]));
  return {
    columns,
    rows: rows.map(({ number, record }) => ({
      number,
      columns,
      get: (column) => (record[positions.get(column.toLowerCase()) ?? -1] ?? "").trim(),
      ...(record.length > columns.length && {
        fault: `has ${String(record.length)} fields where the head has ${String(columns.length)}`,
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
    throw new UnreadableFile(`is not a table of comma-separated values: ${error.message}`);
  }
}

/** The delimiter that is most frequent in the head. */
function delimiterOf(text: string): string {
  const head = (/[^\r\n]*\S[^\r\n]*/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const times = (delimiter: string) => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, next) => (times(next) > times(best) ? next : best));
}
