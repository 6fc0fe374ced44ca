// Reads the files that operators pass to commands.
import { readFile } from "node:fs/promises";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { Refusal } from "./errors.ts";

/** What `read` makes of the file. Errors: `Refusal` if the file cannot be read. */
export async function readInput<T>(file: string, read: (bytes: Uint8Array) => T): Promise<T> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new Refusal(`${file} cannot be read (${code}).`);
  });
  try {
    return read(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new Refusal(`${file} ${error.message}.`);
  }
}
