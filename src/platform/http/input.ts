// Reads the JSON body and the query parameters of a request.
import type { Context } from "hono";
import type * as z from "zod/mini";
import { ApiError, validationError } from "../../core/api-error.ts";
import { validate } from "../../core/validation/validate.ts";
import type { AppEnv } from "./context.ts";
import { mediaTypeOf } from "./request-headers.ts";

/** Throws on bytes that are not UTF-8. Replacing them could change a recipient's name unnoticed. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The JSON object in the body. Errors: `unsupported_media_type`, `invalid_json`. */
export async function readJsonObject(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  if (mediaTypeOf(c.req.raw) !== "application/json") {
    throw new ApiError("unsupported_media_type", "Content-Type must be application/json.");
  }
  const bytes = await c.req.arrayBuffer();
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError("invalid_json", "The body is not valid JSON.");
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  }
  return body as Record<string, unknown>;
}

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

/** Longer names get no suggestion, which bounds the cost of the comparison. */
const MAX_LENGTH = 40;

/** The nearest of the names that contain the given one, or differ from it in at most half of its characters. */
function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const [nearest] = names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => name.includes(given) || distance <= given.length / 2)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.name;
}

/** The Levenshtein distance: how many characters to insert, delete or replace. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] as number) + (character === to[column] ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
