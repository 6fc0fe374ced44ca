// Terminal output: tables and lists of fields. Progress and questions are written to stderr.
import { createInterface } from "node:readline/promises";

export type Cell = string | number | null;

/** Replaces control characters, because texts of partners and recipients could contain terminal commands. */
const printed = (cell: Cell) => String(cell ?? "-").replace(/\p{Cc}/gu, "\ufffd");

/** Each column is as wide as its widest cell. Numbers are aligned to the right. */
export function table(columns: string[], rows: Cell[][]): string {
  if (rows.length === 0) return "(none)";
  const text = rows.map((row) => row.map(printed));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...text.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: string[], isHead: boolean, row?: Cell[]) =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return !isHead && typeof row?.[index] === "number"
          ? cell.padStart(width)
          : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [line(columns, true), ...text.map((cells, n) => line(cells, false, rows[n]))].join("\n");
}

/** A line for each entry, with its name and its value. Null is a dash. */
export function fields(entries: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${printed(value)}`)
    .join("\n");
}

const BAR_WIDTH = 30;

/** Shows a progress bar in a terminal. Otherwise prints a line for every tenth, which begins with `verb`. */
export function progressBar(total: number, verb = "published"): (done: number) => void {
  const startedAtMs = Date.now();
  let tenth = 0;
  return (done) => {
    const share = total === 0 ? 1 : done / total;
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    const counted = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}, ${seconds} s`;
    if (process.stderr.isTTY) {
      const bar = "#".repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, ".");
      process.stderr.write(`\r[${bar}] ${counted}${done === total ? "\n" : ""}`);
    } else if (Math.floor(share * 10) > tenth || done === total) {
      tenth = Math.floor(share * 10);
      process.stderr.write(`${verb} ${counted}\n`);
    }
  };
}

/** A line of progress on stderr, which each text replaces. Prints nothing without a terminal. */
export function statusLine(): { show: (text: string) => void; end: () => void } {
  const write = (text: string) => {
    // Clears the rest of the line.
    if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`);
  };
  return {
    show: write,
    end: () => {
      write("");
    },
  };
}

/** Asks a yes-or-no question. Stdin must be a terminal. */
export async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
