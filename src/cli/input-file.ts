// The files that a command line names.
import { access, constants, readFile, stat } from "node:fs/promises";
import { refuse, UnreadableFile } from "../operator/files/unreadable-file.ts";

const MB = 1_000_000;

/** The largest file of each kind, in bytes. It must be a regular file, because a device or a pipe may have no end. */
const MAX_BYTES = {
  "a file of payments": 20 * MB,
  "a branding file": MB,
};

export type FileKind = keyof typeof MAX_BYTES;

/** Errors: `UnreadableFile` if it is not a regular file, cannot be opened, or is too large for its kind. */
export async function checkInputFile(file: string, kind: FileKind): Promise<void> {
  const info = await stat(file).catch(notReadable);
  // A device or a pipe may have no end.
  if (!info.isFile()) throw new UnreadableFile("is not a regular file");
  await access(file, constants.R_OK).catch(notReadable);
  const max = MAX_BYTES[kind];
  if (info.size > max) {
    throw new UnreadableFile(
      `has ${megabytes(info.size)} MB: ${kind} can have at most ${megabytes(max)} MB`,
    );
  }
}

/** What `read` makes of the content of the file. Errors: `Refusal` if the file cannot be read. */
export async function readInput<T>(
  file: string,
  kind: FileKind,
  read: (bytes: Uint8Array) => T,
): Promise<T> {
  try {
    await checkInputFile(file, kind);
    return read(await readFile(file));
  } catch (error) {
    return refuse(file, error);
  }
}

const megabytes = (bytes: number) => Math.ceil(bytes / MB).toLocaleString("en");

function notReadable(error: unknown): never {
  const { code = "unknown" } = error as NodeJS.ErrnoException;
  throw new UnreadableFile(`cannot be read (${code})`);
}
