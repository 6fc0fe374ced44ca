// The query of a request: each parameter that a route knows, once.
import type { Context } from "hono";
import type * as z from "zod/mini";
import type { AppEnv } from "./context.ts";
import { validationError } from "../api-error.ts";
import { validate } from "../validation/validate.ts";

/**
 * The query by its schema. Errors: `validation_error`, also for a parameter that is given twice: whichever we
 * took, a caller may have meant the other (decision 28). Parameters that the schema does not name are ignored.
 */
export function readQuery<Schema extends z.ZodMiniObject>(
  c: Context<AppEnv>,
  schema: () => Schema,
): z.output<Schema> {
  const given = c.req.queries();
  const names = Object.keys(schema().shape);
  const repeated = names.filter((name) => (given[name]?.length ?? 0) > 1);
  if (repeated.length > 0) {
    throw validationError(repeated.map((field) => ({ field, message: "must be given once" })));
  }
  return validate(schema(), Object.fromEntries(names.map((name) => [name, given[name]?.[0]])));
}
