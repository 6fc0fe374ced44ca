import { ApiError } from "../../core/api-error.ts";

/** The beginning of a message with texts of a file. */
export const excerpt = (text: string, length = 500) =>
  text.length > length ? `${text.slice(0, length)}…` : text;

/** A warning that names the columns, or other parts, that are not read. No warning if there are none. */
export const unreadColumns = (columns: readonly string[], which = "Columns"): string[] =>
  columns.length === 0 ? [] : [`${which} that are not read: ${excerpt(columns.join(", "))}.`];

/** A file that cannot be read as a whole. The reason is a predicate: "is not valid JSON". */
export class UnreadableFile extends ApiError {
  readonly reason: string;

  constructor(whole: string, field = "file") {
    const reason = excerpt(whole, 1_000);
    super("validation_error", `${field} ${reason}.`, [{ field, message: reason }]);
    this.reason = reason;
  }
}
