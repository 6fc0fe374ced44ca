// Reads the JSON body and the query parameters of a request.
import type { Context } from "hono";
import type * as z from "zod/mini";
import { ApiError, type FieldError, validationError } from "../../core/api-error.ts";
import { validate } from "../../core/validation/validate.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import type { AppEnv } from "./context.ts";
import { parseJsonBody } from "./json.ts";
import { isDryRun, nearestName, NO_DRY_RUN, unknownName, type Vocabulary } from "./misspelt.ts";
import { mediaTypeOf } from "./request-headers.ts";

/** The JSON value in the body. Errors: `unsupported_media_type`, `invalid_json`. */
export async function readJson(c: Context<AppEnv>): Promise<unknown> {
  if (mediaTypeOf(c.req.raw) !== "application/json") {
    throw new ApiError("unsupported_media_type", "Content-Type must be application/json.");
  }
  return parseJsonBody(await c.req.arrayBuffer());
}

/** The JSON object in the body. Errors: `unsupported_media_type`, `invalid_json`. */
export async function readJsonObject(c: Context<AppEnv>): Promise<Record<string, unknown>> {
  const body = await readJson(c);
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ApiError("invalid_json", "The body must be a JSON object.");
  }
  return body as Record<string, unknown>;
}

/**
 * The validated query parameters, or undefined for an endpoint without parameters. Errors: `validation_error`, also for
 * a repeated parameter, because either value may be the intended one, and for an unknown one. If the endpoint ignores
 * unknown parameters, only for one that looks misspelt.
 */
export function readQuery<Schema extends z.ZodMiniObject>(
  c: Context<AppEnv>,
  schema: (() => Schema) | undefined,
  endpoint: Pick<Vocabulary, "near"> & { ignoresUnknown?: true },
): z.output<Schema> | undefined {
  const given = c.req.queries();
  const names = schema ? Object.keys(schema().shape) : [];
  const problems = Object.keys(given).flatMap((field): FieldError[] => {
    if (names.includes(field)) {
      return given[field]?.length === 1 ? [] : [{ field, message: "must be given once" }];
    }
    if (isDryRun(field, endpoint)) return [{ field, message: NO_DRY_RUN }];
    const nearest = nearestName(field, names);
    if (endpoint.ignoresUnknown && nearest === undefined && !c.get("isOfTool")) return [];
    const meant = nearest ?? names.find((name) => name.includes(field));
    return [{ field, message: unknownName("parameter", meant) }];
  });
  if (problems.length > 0) throw validationError(problems);
  const values = names.map((name) => [name, given[name]?.map(withoutInvisible)[0]]);
  return schema && validate(schema(), Object.fromEntries(values));
}
