// Writes the output of a command in parts, to a file or to stdout. A reader that is slower than the command does not
// make the command use more memory.
import { createWriteStream, type WriteStream } from "node:fs";
import { realpath, rename, rm, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { OutputError } from "./errors.ts";

export type Parts = Iterable<string> | AsyncIterable<string>;

/**
 * Writes the parts to the file, or to stdout if none is given. Returns the bytes written to the file. The file is replaced
 * when it is complete. Only its owner can read it, because exports and pick lists contain personal data. A device or a
 * pipe, such as /dev/null, is written directly. Errors: `OutputError` if it cannot be written.
 */
export async function writeParts(file: string | undefined, parts: Parts): Promise<number> {
  if (file === undefined) {
    await writeToStdout(parts);
    return 0;
  }
  try {
    const existing = await stat(file).catch(ignoreMissing);
    if (existing?.isFile() === false) return await writeTo(createWriteStream(file), parts);
    // The target of a symbolic link.
    return await replaceFile(existing ? await realpath(file) : file, parts);
  } catch (error) {
    throw isFileError(error) ? new OutputError(`${file} cannot be written: ${error.code}.`) : error;
  }
}

/** Errors: those of the operating system. */
async function replaceFile(file: string, parts: Parts): Promise<number> {
  // Commands that write the same file at the same time must not mix their output.
  const incomplete = `${file}.${String(process.pid)}.part`;
  await rm(incomplete, { force: true });
  try {
    const bytes = await writeTo(createWriteStream(incomplete, { flags: "wx", mode: 0o600 }), parts);
    await rename(incomplete, file);
    return bytes;
  } catch (error) {
    await rm(incomplete, { force: true });
    throw error;
  }
}

async function writeTo(stream: WriteStream, parts: Parts): Promise<number> {
  await pipeline(Readable.from(parts), stream);
  return stream.bytesWritten;
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
      throw new OutputError(`the output cannot be written: ${error.code}.`);
    }
  }
}

/** Whether the operating system has refused to open, write or rename a file. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error;
}
