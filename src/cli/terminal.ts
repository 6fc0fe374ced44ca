// Terminal output: tables and lists of fields. Progress and questions are written to stderr.
import { createInterface } from "node:readline";
import stringWidth from "string-width";

export type Cell = string | number | null;

/**
 * Control characters, line separators and characters that change the direction of the text after them. Texts of partners
 * and recipients could contain terminal commands, or look different from what they are.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const printed = (cell: Cell) => String(cell ?? "-").replace(UNPRINTABLE, "\ufffd");

/** Whether the text is printed as it is, on one line. */
export const isPrintable = (text: string) => printed(text) === text;

/** The text with spaces up to the width in a terminal, where a Chinese or Japanese character takes two columns. */
function aligned(text: string, width: number, toRight = false): string {
  const spaces = " ".repeat(Math.max(0, width - stringWidth(text)));
  return toRight ? spaces + text : text + spaces;
}

/** Each column is as wide as its widest cell. Numbers are aligned to the right. */
export function table(columns: string[], rows: Cell[][]): string {
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

/** The head of each column, and the cell that a row has in it. */
export type Columns<Row> = Record<string, (row: Row) => Cell>;

export const tableOf = <Row>(rows: readonly Row[], columns: Columns<Row>): string =>
  table(
    Object.keys(columns),
    rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row))),
  );

/** A line for each entry, with its name and its value. Null is a dash. */
export function fields(entries: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${printed(value)}`)
    .join("\n");
}

/** The text with at most 40 characters. */
export const shortened = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 39)}…` : text;

/** The text in lines of at most 110 characters, indented. */
export function wrapped(text: string): string {
  return text.replace(/(.{1,108})(?: |$)/g, "  $1\n").trimEnd();
}

const BAR_WIDTH = 30;

const PROGRESS_INTERVAL_MS = 5_000;

/**
 * Shows a progress bar in a terminal. Otherwise prints a line at the first progress and then every few seconds, which
 * begins with `verb`.
 */
export function progressBar(total: number, verb: string): (done: number) => void {
  const startedAtMs = Date.now();
  let printedAtMs = -Infinity;
  return (done) => {
    const share = total === 0 ? 1 : done / total;
    const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
    const counted = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}, ${seconds} s`;
    if (process.stderr.isTTY) {
      const bar = "#".repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, ".");
      process.stderr.write(`\r[${bar}] ${counted}${done === total ? "\n" : ""}`);
    } else if (done < total && Date.now() - printedAtMs >= PROGRESS_INTERVAL_MS) {
      printedAtMs = Date.now();
      process.stderr.write(`${verb} ${counted}\n`);
    }
  };
}

/** A line of progress on stderr, which each text replaces. Prints nothing without a terminal. */
export function showStatus(text: string): void {
  // Clears the rest of the line.
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`);
}

/** Asks a yes-or-no question. Stdin must be a terminal. Ctrl-C and the end of the input mean no. */
export async function confirm(
  question: string,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<boolean> {
  const terminal = createInterface({ input, output: process.stderr });
  const answer = await new Promise<string | null>((resolve) => {
    terminal.once("close", () => {
      resolve(null);
    });
    terminal.question(`${question} [y/N] `, resolve);
  });
  if (answer === null) process.stderr.write("\n");
  terminal.close();
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/**
 * Ends the process once its output is written. Otherwise, the handles that wrangler leaves open after a failed start of
 * the local runtime would keep it running.
 */
export function endProcess(): void {
  const timer = setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  }, 100);
  timer.unref();
}
