// The error for a file that cannot be read as a whole.
import { Refusal } from "../refusal.ts";

/** The message is a predicate that follows the file's name: "is not valid JSON". */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}

/** Errors: `Refusal` for an `UnreadableFile`, or the given error. */
export function refuse(file: string, error: unknown): never {
  if (!(error instanceof UnreadableFile)) throw error;
  throw new Refusal(`${file} ${error.message}.`);
}
