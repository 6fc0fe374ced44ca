import { ApiError } from "../../core/api-error.ts";

/** A file that cannot be read as a whole. The reason is a predicate: "is not valid JSON". */
export class UnreadableFile extends ApiError {
  readonly reason: string;

  constructor(reason: string, field = "file") {
    super("validation_error", `${field} ${reason}.`, [{ field, message: reason }]);
    this.reason = reason;
  }
}
