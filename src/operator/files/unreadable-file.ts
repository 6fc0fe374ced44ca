// The error for a file that cannot be read as a whole.

/** The message is a predicate that follows the file's name: "is not valid JSON". */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}
