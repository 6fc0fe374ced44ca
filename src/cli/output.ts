// Writes the output of a command in parts, to a file or to stdout. A reader that is slower than the command does not
// make the command use more memory.
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "./errors.ts";

export type Parts = Iterable<string> | AsyncIterable<string>;

/**
 * Writes the parts to the file, or to stdout if none is given. The file is replaced when it is complete. Errors:
 * `UsageError` if it cannot be written.
 */
export async function writeParts(file: string | undefined, parts: Parts): Promise<void> {
  if (file === undefined) return writeToStdout(parts);
  const incomplete = `${file}.part`;
  try {
    await pipeline(Readable.from(parts), createWriteStream(incomplete));
    await rename(incomplete, file);
  } catch (error) {
    await rm(incomplete, { force: true });
    throw isFileError(error) ? new UsageError(`${file} cannot be written: ${error.code}.`) : error;
  }
}

async function writeToStdout(parts: Parts): Promise<void> {
  try {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
  } catch (error) {
    // The reader, such as `head`, needs no more.
    if (!isFileError(error) || error.code !== "EPIPE") throw error;
  }
}

/** Whether the operating system has refused to open, write or rename a file. */
function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error;
}
