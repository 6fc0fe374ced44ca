// Each endpoint is defined once, in the `contract.ts` of its feature. Its route, its validation, its 405 response and
// its path in the OpenAPI document are derived from the definition.
import { type Context, Hono } from "hono";
import type * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../api-error.ts";
import type { AppEnv } from "./context.ts";
import { methodNotAllowed } from "./error-response.ts";
import { readJsonObject } from "./json-body.ts";
import { readQuery } from "./query.ts";
import { validate } from "../validation/validate.ts";

type Lazy<Schema> = () => Schema;

export interface Endpoint<
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Response extends z.ZodMiniType = z.ZodMiniType,
> {
  /** Names the operation in the OpenAPI document. */
  operationId: string;
  method: "GET" | "POST";
  path: `/api/${string}`;
  /** The query parameters. Others are ignored. */
  query?: Lazy<Query>;
  /** The JSON body. */
  body?: Lazy<Body>;
  /** Names that have an error code of their own when they are missing, which is checked before all other rules. */
  requiredFirst?: Readonly<Record<string, ErrorCode>>;
  response: ResponseType<Response>;
  /** Error codes besides those of every endpoint. */
  errors: readonly ErrorCode[];
}

/** A response schema for the compiler. */
interface ResponseType<Schema extends z.ZodMiniType> {
  schema?: Lazy<Schema>;
}

/**
 * The type of a response, without its schema: the Worker does not validate its own responses, so the bundle need not
 * contain their schemas. The OpenAPI document is made of them.
 */
export function responseType<Schema extends Lazy<z.ZodMiniType>>(): ResponseType<
  ReturnType<Schema>
> {
  return {};
}

export function endpoint<
  Query extends z.ZodMiniObject,
  Body extends z.ZodMiniType,
  Response extends z.ZodMiniType,
>(definition: Endpoint<Query, Body, Response>): Endpoint<Query, Body, Response> {
  return definition;
}

interface Input<Query extends z.ZodMiniObject, Body extends z.ZodMiniType> {
  query: z.output<Query>;
  body: z.output<Body>;
}

interface Route {
  endpoint: Pick<Endpoint, "method" | "path">;
  respond: (c: Context<AppEnv>) => Promise<Response>;
}

/** Handles an endpoint: `handler` gets the validated input, and returns the body of the response or a whole response. */
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
): Route {
  return {
    endpoint: definition,
    respond: async (c) => {
      const response = await handler(c, await readInput(c, definition));
      return response instanceof Response ? response : c.json(response);
    },
  };
}

/** A router for the endpoints. Other methods of their paths are answered with 405. */
export function routes(...handled: Route[]): Hono<AppEnv> {
  const router = new Hono<AppEnv>();
  for (const { endpoint, respond } of handled) router.on(endpoint.method, endpoint.path, respond);
  for (const path of new Set(handled.map(({ endpoint }) => endpoint.path))) {
    const methods = handled
      .filter(({ endpoint }) => endpoint.path === path)
      // Hono answers HEAD as GET without the body.
      .flatMap(({ endpoint: { method } }) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .sort();
    router.all(path, methodNotAllowed(...methods));
  }
  return router;
}

/** Errors: those of `requiredFirst`, `unsupported_media_type`, `invalid_json`, `validation_error`. */
async function readInput<Query extends z.ZodMiniObject, Body extends z.ZodMiniType>(
  c: Context<AppEnv>,
  { query, body, requiredFirst = {} }: Endpoint<Query, Body>,
): Promise<Input<Query, Body>> {
  const json = body && (await readJsonObject(c));
  const given = json ?? c.req.query();
  for (const [name, code] of Object.entries(requiredFirst)) {
    if (given[name] == null) throw new ApiError(code, `A ${name} must be set.`);
  }
  return {
    query: (query && readQuery(c, query)) as z.output<Query>,
    body: (body && validate(body(), json)) as z.output<Body>,
  };
}
