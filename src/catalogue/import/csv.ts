// Tables as shops export them: commas, semicolons or tabs, quotes, line breaks inside fields, a BOM.
import { CsvError, parse } from "csv-parse/sync";
import { UnreadableFile } from "./source.ts";

export interface Row {
  /** As a spreadsheet counts: the head is row 1. */
  number: number;
  /** The field without spaces around it; empty when there is no such column. */
  get: (column: string) => string;
}

export interface Table {
  columns: string[];
  rows: Row[];
}

/** Whether a table has all of these columns; `names` are in small letters. */
export function hasColumns(columns: string[], names: string[]): boolean {
  return names.every((name) => columns.some((column) => column.toLowerCase() === name));
}

const ENCODING = 'is not UTF-8 text: export it again, or save it as "CSV UTF-8"';

/** The text of a file. Errors: `UnreadableFile` for every encoding but UTF-8. */
export function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16 || bytes.subarray(0, 1_000).includes(0)) throw new UnreadableFile(ENCODING);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new UnreadableFile(ENCODING);
  }
}

/**
 * Errors: `UnreadableFile` when its quotes do not close, or a row has not as many fields as the head: which product
 * that row belongs to cannot be told.
 */
export function readTable(text: string): Table {
  const [head = [], ...records] = parseRecords(text);
  const columns = head.map((name) => name.trim());
  const positions = new Map(columns.map((name, index) => [name.toLowerCase(), index]));
  const rows = records.map((record, index) => {
    const number = index + 2;
    if (record.length !== columns.length) {
      throw new UnreadableFile(
        `is no table: row ${String(number)} has ${String(record.length)} fields where the head has ` +
          String(columns.length),
      );
    }
    const get = (column: string) =>
      (record[positions.get(column.toLowerCase()) ?? -1] ?? "").trim();
    return { number, get };
  });
  return { columns, rows };
}

function parseRecords(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableFile(`is not a table of comma-separated values: ${error.message}`);
  }
}

/** The head tells: column names hold none of the three often enough to mislead. */
function delimiterOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/)).replace(/"[^"]*"/g, "");
  const times = (delimiter: string) => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, next) => (times(next) > times(best) ? next : best));
}
