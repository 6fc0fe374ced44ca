// What commands use of the process, so that tests can run them without one.
import { openAsBlob } from "node:fs";
import path from "node:path";
import { type Parts, writeParts } from "../output.ts";
import { confirm, progressBar } from "../terminal.ts";
import { UsageError } from "./errors.ts";

export interface Terminal {
  fetch: typeof fetch;
  /** Writes to stdout, or to a file. */
  write: (file: string | undefined, parts: Parts) => Promise<void>;
  /** Writes a line to stderr. */
  note: (text: string) => void;
  /** Asks a question. Undefined if there is nobody to ask. */
  confirm: ((question: string) => Promise<boolean>) | undefined;
  progressBar: typeof progressBar;
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
  progressBar,
  open: async (file) => {
    try {
      return new File([await openAsBlob(file)], path.basename(file));
    } catch (error) {
      const { code = "unknown" } = error as NodeJS.ErrnoException;
      throw new UsageError(`${file} cannot be read (${code}).`);
    }
  },
};
