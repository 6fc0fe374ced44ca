// Reads files of `wrangler d1 export`. Each INSERT statement is one line, because the export escapes line breaks in
// texts.
import { createReadStream } from "node:fs";

/** The lines of the file. Texts may contain other line separators than `\n`, so `node:readline` would cut them. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Whether the line is a statement that inserts a row of a table. Those in triggers are indented. */
export const isInsert = (line: string) => line.startsWith("INSERT INTO ");
