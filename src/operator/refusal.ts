/**
 * A valid request that cannot be carried out, or not for all objects. The message is a sentence without the names of a
 * command's options or of a form's fields. It says what was changed, if anything was.
 */
export class Refusal extends Error {
  override name = "Refusal";
}

/** There is no such object. */
export class NotFound extends Refusal {
  override name = "NotFound";
}
