// Defines and mounts endpoints. Each one is defined once, in the `contract.ts` of its feature. Its route, validation,
// 405 response and path in the OpenAPI document are derived from it.
import type { Context } from "hono";
import type * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../../core/api-error.ts";
import { type AppEnv, createRouter } from "./context.ts";
import { NEAREST } from "../db/sessions.ts";
import { BOOKMARK_HEADER, nearOrPrimary, readBookmark } from "./bookmark.ts";
import { methodNotAllowed } from "./error-response.ts";
import { readJsonObject, readQuery } from "./input.ts";
import { misspeltFields, type Vocabulary } from "./misspelt.ts";
import { validate } from "../../core/validation/validate.ts";
import { includesScope, type Scope } from "../../core/values/scopes.ts";

type Lazy<Schema> = () => Schema;

export interface Endpoint<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Response extends z.ZodMiniType = z.ZodMiniType,
> extends Pick<Vocabulary, "siblings"> {
  /** Names the operation in the OpenAPI document. */
  operationId: string;
  method: "GET" | "POST";
  path: `/api/${string}`;
  /** The schema of the query parameters. Others are refused. */
  query?: Lazy<Query>;
  /** Unknown query parameters are ignored, because the endpoint is in the interface's specification. */
  ignoresUnknown?: true;
  /** The schema of the JSON body. */
  body?: Lazy<Body>;
  /** Parameters or fields that are checked before all others, and the error code if one of them is missing. */
  requiredFirst?: Readonly<Record<string, ErrorCode>>;
  /**
   * Whether the request may have a bookmark (`BOOKMARK_HEADER`). The endpoint only reads. Without a bookmark, the primary
   * answers, or the nearest replica by default.
   */
  near?: true | "by default";
  /** Whether a set that is restricted to its own orders may use the endpoint, which shows nothing of other orders. */
  forOwn?: true;
  /** The scope that the request needs. By default, GET needs `read` and POST needs `order`. */
  scope?: Scope;
  /** The schema of the response, for its type, the OpenAPI document and tests. The Worker does not validate responses. */
  response: Lazy<Response>;
  /** The error codes, without those that every endpoint can return (`COMMON_ERRORS` in docs.ts). */
  errors: readonly ErrorCode[];
}

export function endpoint<
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
  Response extends z.ZodMiniType,
>(definition: Endpoint<Query, Body, Response>): Endpoint<Query, Body, Response> {
  return definition;
}

export const scopeOf = ({ method, scope }: Pick<Endpoint, "method" | "scope">): Scope =>
  scope ?? (method === "GET" ? "read" : "order");

export const insufficientScope = (needed: Scope) =>
  new ApiError("insufficient_scope", `The request needs credentials with the scope ${needed}.`);

const NOT_FOR_OWN =
  "Credentials that are restricted to their own orders may not use this operation.";

interface Input<Query extends z.ZodMiniObject, Body extends z.ZodMiniType> {
  query: z.output<Query>;
  body: z.output<Body>;
}

interface Route {
  endpoint: Pick<Endpoint, "method" | "path">;
  respond: (c: Context<AppEnv>) => Promise<Response>;
}

/**
 * The route of an endpoint. `handler` gets the validated input and returns the response's body, or a `Response`.
 * `permit` runs before the input is read, and throws if the client may not use the endpoint.
 */
export function handle<
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
  ResponseBody extends z.ZodMiniType,
>(
  definition: Endpoint<Query, Body, ResponseBody>,
  handler: (
    c: Context<AppEnv>,
    input: Input<Query, Body>,
  ) => Promise<z.output<ResponseBody> | Response>,
  permit: (c: Context<AppEnv>) => void = () => undefined,
): Route {
  return {
    endpoint: definition,
    respond: async (c) => {
      const [given, needed] = [c.get("scope"), scopeOf(definition)];
      if (!given || !includesScope(given, needed)) throw insufficientScope(needed);
      if (c.get("ownId") !== null && !definition.forOwn) {
        throw new ApiError("insufficient_scope", NOT_FOR_OWN);
      }
      permit(c);
      const guardedDatabase = needed === "admin" && c.get("guardedDatabase");
      if (guardedDatabase) c.env = { ...c.env, DB: guardedDatabase() };
      const input = await readInput(c, definition);
      const sent = definition.near && readBookmark(c);
      const state = sent ?? (definition.near === "by default" ? NEAREST : undefined);
      const response = await (state === undefined
        ? handler(c, input)
        : nearOrPrimary(c, state, () => handler(c, input)));
      const isWrite = definition.method === "POST" && !definition.near;
      const bookmark = isWrite || sent !== undefined ? c.get("sessions").bookmark() : null;
      if (bookmark !== null) c.header(BOOKMARK_HEADER, bookmark);
      return response instanceof Response ? response : c.json(response);
    },
  };
}

/** A router for the routes. Requests to their paths with other methods get a 405 response. */
export function routes(...handled: Route[]): ReturnType<typeof createRouter> {
  const router = createRouter();
  for (const { endpoint, respond } of handled) router.on(endpoint.method, endpoint.path, respond);
  for (const path of new Set(handled.map(({ endpoint }) => endpoint.path))) {
    const methods = handled
      .filter(({ endpoint }) => endpoint.path === path)
      // Hono handles HEAD with the handler of GET.
      .flatMap(({ endpoint: { method } }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .sort();
    router.all(path, methodNotAllowed(...methods));
  }
  return router;
}

/**
 * Validates the query and the body. Errors: the codes of `requiredFirst`, `unsupported_media_type`, `invalid_json`,
 * `validation_error`.
 */
async function readInput<Query extends z.ZodMiniObject, Body extends z.ZodMiniType>(
  c: Context<AppEnv>,
  definition: Endpoint<Query, Body>,
): Promise<Input<Query, Body>> {
  const { query, body, requiredFirst = {} } = definition;
  const json = body && (await readJsonObject(c));
  for (const [name, code] of Object.entries(requiredFirst)) {
    const given = json ? json[name] : c.req.query(name);
    if (given == null) throw new ApiError(code, `A ${name} must be set.`);
  }
  const misspelt = misspeltFields(definition, json, c.get("isOfTool"));
  return {
    query: readQuery(c, query, definition) as z.output<Query>,
    body: (body && validate(body(), json, misspelt)) as z.output<Body>,
  };
}
