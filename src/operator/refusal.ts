// The refusals of operations. Each is an `ApiError`, as those of the verbs that operations call.
import { ApiError } from "../core/api-error.ts";

/**
 * A valid request that cannot be carried out, or not for all objects. The message is a sentence without the names of a
 * command's options or of a form's fields. It says what was changed, if anything was.
 */
export class Refusal extends ApiError {
  constructor(message: string) {
    super("not_allowed_in_state", message);
  }
}

/** There is no such object. */
export class NotFound extends ApiError {
  constructor(message: string) {
    super("not_found", message);
  }
}
