// Tables and lists of fields in a terminal.
import stringWidth from "string-width";

export type Cell = string | number | null;

/**
 * Control characters, line separators and characters that change the direction of the text after them. Texts of partners
 * and recipients could contain terminal commands, or look different from what they are.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const printed = (cell: Cell) => String(cell ?? "-").replace(UNPRINTABLE, "\ufffd");

/** The text with spaces up to the width in a terminal, where a Chinese or Japanese character takes two columns. */
function aligned(text: string, width: number, toRight = false): string {
  const spaces = " ".repeat(Math.max(0, width - stringWidth(text)));
  return toRight ? spaces + text : text + spaces;
}

/** Each column is as wide as its widest cell. Numbers are aligned to the right. */
export function textTable(columns: string[], rows: Cell[][]): string {
  if (rows.length === 0) return "(none)";
  const lines = [columns, ...rows];
  const text = lines.map((cells) => cells.map(printed));
  // Not `Math.max(...)`, whose arguments would overflow the stack at a hundred thousand rows.
  const widths = columns.map((_, index) =>
    text.reduce((width, cells) => Math.max(width, stringWidth(cells[index] ?? "")), 0),
  );
  return text
    .map((cells, n) =>
      cells
        .map((cell, index) =>
          aligned(cell, widths[index] ?? 0, typeof lines[n]?.[index] === "number"),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A line for each entry, with its name and its value. Null is a dash. */
export function fields(entries: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${printed(value)}`)
    .join("\n");
}
