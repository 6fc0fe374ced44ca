// Writes the output of a command in parts, to a file or to stdout. A reader that is slower than the command does not
// make the command use more memory.
import { createWriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "./errors.ts";

export type Parts = Iterable<string> | AsyncIterable<string>;

/**
 * Writes the parts to the file, or to stdout if none is given. The file is replaced when it is complete, and keeps its
 * permissions. A device or a pipe, such as /dev/null, is written directly. Errors: `UsageError` if it cannot be written.
 */
export async function writeParts(file: string | undefined, parts: Parts): Promise<void> {
  if (file === undefined) return writeToStdout(parts);
  try {
    const existing = await stat(file).catch(ignoreMissing);
    if (existing?.isFile() === false) {
      await pipeline(Readable.from(parts), createWriteStream(file));
    } else {
      // The target of a symbolic link.
      const target = existing ? await realpath(file) : file;
      await replaceFile(target, parts, existing && existing.mode & 0o777);
    }
  } catch (error) {
    throw isFileError(error) ? new UsageError(`${file} cannot be written: ${error.code}.`) : error;
  }
}

/** A JSON array with a line for each row. */
export async function* jsonParts(chunks: AsyncIterable<object[]>): AsyncGenerator<string> {
  let separator = "[\n";
  for await (const rows of chunks) {
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(row)).join(",\n");
    separator = ",\n";
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

/** Errors: those of the operating system. */
async function replaceFile(file: string, parts: Parts, mode = 0o666): Promise<void> {
  // Commands that write the same file at the same time must not mix their output.
  const incomplete = `${file}.${String(process.pid)}.part`;
  try {
    await pipeline(Readable.from(parts), createWriteStream(incomplete, { mode }));
    await rename(incomplete, file);
  } catch (error) {
    await rm(incomplete, { force: true });
    throw error;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isFileError(error) || error.code !== "ENOENT") throw error;
}

async function writeToStdout(parts: Parts): Promise<void> {
  try {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
  } catch (error) {
    if (!isFileError(error)) throw error;
    // With EPIPE, the reader, such as `head`, has closed the pipe.
    if (error.code !== "EPIPE") {
      throw new UsageError(`the output cannot be written: ${error.code}.`);
    }
  }
}

/** Whether the operating system has refused to open, write or rename a file. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error;
}
