// Reads the query parameters of a request.
import type { Context } from "hono";
import type * as z from "zod/mini";
import type { AppEnv } from "./context.ts";
import { validationError } from "../api-error.ts";
import { validate } from "../validation/validate.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * The validated query parameters, or undefined for an endpoint without parameters. Errors: `validation_error`, also for
 * a repeated parameter, because either value may be the intended one, and for an unknown one unless they are ignored.
 */
export function readQuery<Schema extends z.ZodMiniObject>(
  c: Context<AppEnv>,
  schema: (() => Schema) | undefined,
  { ignoresUnknown = false } = {},
): z.output<Schema> | undefined {
  const given = c.req.queries();
  const names = schema ? Object.keys(schema().shape) : [];
  const unknown = ignoresUnknown ? [] : Object.keys(given).filter((name) => !names.includes(name));
  const repeated = names.filter((name) => (given[name]?.length ?? 0) > 1);
  if (unknown.length > 0 || repeated.length > 0) {
    throw validationError([
      ...unknown.map((field) => ({ field, message: unknownMessage(field, names) })),
      ...repeated.map((field) => ({ field, message: "must be given once" })),
    ]);
  }
  return (
    schema && validate(schema(), Object.fromEntries(names.map((name) => [name, given[name]?.[0]])))
  );
}

function unknownMessage(field: string, names: string[]): string {
  const nearest = nearestName(field, names);
  const hint = nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
  return `is not a parameter of this request${hint}`;
}
