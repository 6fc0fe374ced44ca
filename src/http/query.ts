// Reads the query parameters of a request.
import type { Context } from "hono";
import type * as z from "zod/mini";
import type { AppEnv } from "./context.ts";
import { validationError } from "../api-error.ts";
import { validate } from "../validation/validate.ts";

/**
 * The validated query parameters. Parameters that the schema does not name are ignored. Errors: `validation_error`,
 * also for a repeated parameter, because either value may be the intended one.
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
