/** The file cannot be read at all. The message follows the file's name. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}
