// Reads files of `wrangler d1 export`. Each INSERT statement is one line, because the export escapes line breaks in
// texts.
import { createReadStream } from "node:fs";
import { UsageError } from "../operations/errors.ts";
import { isFileError } from "../operations/output.ts";

export interface ExportLine {
  /** The first line is 1. */
  number: number;
  text: string;
  /** Whether the line is a statement that inserts a row of a table. Those in triggers are indented. */
  isInsert: boolean;
}

/** A string literal of SQL. */
export const LITERAL = /'[^']*(?:''[^']*)*'/g;

/**
 * The lines of the file. Errors: `UsageError` if the file cannot be read, and for an INSERT statement that is not
 * complete, or that SQLite would end at a U+0000.
 */
export async function* readLines(file: string): AsyncGenerator<ExportLine> {
  let number = 0;
  try {
    for await (const text of textsOf(file)) {
      number += 1;
      if (text.includes("\0")) throw unreadableLine(file, number, "contains U+0000");
      const isInsert = text.startsWith("INSERT INTO ");
      if (isInsert && !isComplete(text)) throw unreadableLine(file, number, "is not complete");
      yield { number, text, isInsert };
    }
  } catch (error) {
    throw isFileError(error) ? new UsageError(`${file} cannot be read: ${error.code}.`) : error;
  }
}

/** The message contains no text of the line, which may be personal data. */
const unreadableLine = (file: string, number: number, fault: string) =>
  new UsageError(`${file} cannot be imported: line ${String(number)} ${fault}.`);

const isComplete = (insert: string) => /^[^']*\);$/.test(insert.replace(LITERAL, ""));

/** Texts may contain other line separators than `\n`, so `node:readline` would cut them. */
async function* textsOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
