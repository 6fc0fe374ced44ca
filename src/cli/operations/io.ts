// What commands use of the process, so that tests can run them without one.
import { openAsBlob } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { UsageError } from "./errors.ts";
import { type Parts, writeParts } from "./output.ts";

export interface Terminal {
  fetch: typeof fetch;
  /** Writes to stdout, or to a file. */
  write: (file: string | undefined, parts: Parts) => Promise<void>;
  /** Writes a line to stderr. */
  note: (text: string) => void;
  /** Asks a yes-or-no question. Undefined if stdin is not a terminal. */
  confirm: ((question: string) => Promise<boolean>) | undefined;
  progress: typeof progress;
  /** Opens a file of the command line. Errors: `UsageError`. */
  open: (file: string) => Promise<File>;
}

export const TERMINAL: Terminal = {
  fetch: (...request) => fetch(...request),
  write: async (file, parts) => {
    const bytes = await writeParts(file, parts);
    if (file !== undefined) {
      console.error(`Wrote ${String(bytes)} bytes to ${path.resolve(file)}.`);
    }
  },
  note: (text) => {
    console.error(text);
  },
  confirm: process.stdin.isTTY ? (question) => confirm(question) : undefined,
  progress,
  open: async (file) => {
    try {
      return new File([await openAsBlob(file)], path.basename(file));
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      throw new UsageError(`${file} cannot be read (${code}).`);
    }
  },
};

const PROGRESS_INTERVAL_MS = 5_000;

/** Prints a line at the first progress, and then every few seconds. */
export function progress(total: number): (done: number) => void {
  const startedAtMs = Date.now();
  let printedAtMs = -Infinity;
  return (done) => {
    if (done === total || Date.now() - printedAtMs < PROGRESS_INTERVAL_MS) return;
    printedAtMs = Date.now();
    const seconds = ((printedAtMs - startedAtMs) / 1000).toFixed(1);
    console.error(
      `Done: ${done.toLocaleString("en")} of ${total.toLocaleString("en")}, ${seconds} s`,
    );
  };
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
