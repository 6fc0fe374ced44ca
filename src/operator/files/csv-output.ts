// Writes CSV (RFC 4180): commas, CRLF, and quotes around cells that need them. UTF-8 without a byte order mark.

export type CsvCell = string | number | null;

/** A spreadsheet may read a cell that begins with one of these as a formula. Some also accept the full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\n＝＋－＠]/;

/** A number such as `-12.50`, or a phone number. A spreadsheet cannot execute code from them. */
const HARMLESS = /^(?:-\d+(?:\.\d+)?|\+[\d ().\-/]+)$/;

/**
 * A row with its line break. Null is an empty cell. A cell that could be a formula begins with an apostrophe
 * (DECISIONS.md: CSV cells cannot be formulas).
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => csvCell(String(cell ?? ""))).join(",")}\r\n`;
}

/** A row of column names, and the rows of the chunks. */
export async function* csvParts<Column extends string>(
  columns: readonly Column[],
  chunks: AsyncIterable<Record<Column, CsvCell>[]>,
): AsyncGenerator<string> {
  yield csvRow(columns);
  for await (const rows of chunks) {
    yield rows.map((row) => csvRow(columns.map((name) => row[name]))).join("");
  }
}

function csvCell(text: string): string {
  const safe = FORMULA_START.test(text) && !HARMLESS.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
