// Writes CSV (RFC 4180): commas, CRLF, and quotes around cells that need them. UTF-8 without a byte order mark, except for
// Excel.

/** The start of the cell, or after a character at which a program with another separator begins a cell. */
const START = String.raw`(?<=^|[;|\t\r\n])`;
/**
 * Programs may skip white space and quotes, and some accept the full-width forms. An apostrophe that a text has itself
 * gets another one, so that the text can be read again.
 */
const FORMULA = String.raw`(?:[^\S\t\r\n]|["'])*[=+\-@＝＋－＠]`;
const FORMULAS = new RegExp(String.raw`^[\t\r\n]|${START}${FORMULA}`, "g");
const APOSTROPHES = new RegExp(String.raw`${START}'(?=[\t\r\n]|${FORMULA})`, "g");

/** A number such as `-12.50`, or a phone number. A spreadsheet cannot execute code from them. */
const HARMLESS = /^(?:-\d+(?:\.\d+)?|\+[\d ().\-/]+)$/;

/**
 * A row with its line break. Null is an empty cell. A text that could be a formula has an apostrophe before it: names and
 * messages come from partners and recipients.
 */
export function csvRow(
  cells: readonly (string | number | null)[],
  format: CsvFormat = "csv",
): string {
  const texts = cells.map((cell, index) => {
    const text = String(cell ?? "");
    return format === "excel" && CHANGED_BY_EXCEL.test(text)
      ? `"=""${text}"""`
      : csvCell(text, index === 0);
  });
  return `${texts.join(",")}\r\n`;
}

/** `excel` is for a double click: with a byte order mark, and with formulas such as `="007"` for texts like numbers. */
export type CsvFormat = "csv" | "excel";

/** By which Excel knows UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Numbers with a zero before them or more digits than Excel keeps, and what it takes for powers, dates and fractions. */
const CHANGED_BY_EXCEL =
  /^(?:0\d+|\d{12,}|\d+E\d+|\d{1,2}[-/]\d{1,2}(?:[-/]\d{2,4})?|\+\d[\d ]*)$/i;

/** The text of a cell, without the apostrophes before formulas. */
export const withoutApostrophes = (cell: string): string => cell.replace(APOSTROPHES, "");

/** With another separator, the first cell of a row may be read together with the following ones. */
function csvCell(text: string, isFirst: boolean): string {
  const safe = HARMLESS.test(text) && !isFirst ? text : text.replace(FORMULAS, "'$&");
  return safe !== text || /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
