// POST /mcp: the API's operations as tools for AI agents, by the Model Context Protocol (MCP) over streamable HTTP. There
// are no sessions and no streams, so each request stands alone.
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod/mini";
import { ApiError, type ErrorCode, validationError } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { validate } from "../../core/validation/validate.ts";
import { includesScope } from "../../core/values/scopes.ts";
import type { Bindings } from "../../platform/env.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { type ErrorResponse, methodNotAllowed } from "../../platform/http/error-response.ts";
import { readJson } from "../../platform/http/input.ts";
import { requestDatabase } from "../../platform/http/middleware.ts";
import { callTool } from "./call.ts";
import { INSTRUCTIONS, loadTools } from "./tools.ts";

/** The supported revisions of the protocol, newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];

const METHOD_NOT_FOUND = -32601;
const SERVER_ERROR = -32000;

/** The codes of JSON-RPC for errors of the API. The others are SERVER_ERROR. */
const RPC_CODES: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32700,
  validation_error: -32600,
};

/** A request, or a notification, which has no id. The server sends no requests, so it gets no responses. */
const RpcMessage = lazy(() =>
  z.object({
    jsonrpc: z.literal("2.0"),
    id: z.optional(z.union([z.string(), z.number()])),
    method: z.string(),
    params: z.optional(z.unknown()),
  }),
);

/** Gives the error responses of /mcp the body of JSON-RPC. Their status and headers stay. */
export const rpcErrors: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.error) return;
  const { message, code, errors } = await c.res.json<ErrorResponse>();
  const error = { code: RPC_CODES[code] ?? SERVER_ERROR, message, data: { code, errors } };
  c.res = new Response(JSON.stringify({ jsonrpc: "2.0", id: null, error }), c.res);
};

/**
 * The tools are called through `api`, the app itself, so that scopes, log and errors of a tool are those of its operation.
 * Every request is authenticated and counted before its body is read.
 */
export function mcpRoutes(
  authenticate: MiddlewareHandler<AppEnv>,
  limitBody: MiddlewareHandler<AppEnv>,
  api: (
    request: Request,
    env: Bindings,
    context: Context["executionCtx"],
  ) => Response | Promise<Response>,
) {
  const router = createRouter();
  const authenticateOnly: MiddlewareHandler<AppEnv> = async (c, next) => {
    const { env } = c;
    const withoutSessions = () => {
      // The request of a tool opens its own.
      c.env = env;
      return next();
    };
    await requestDatabase(c, () => authenticate(c, withoutSessions) as Promise<void>);
  };
  router.use("/mcp", authenticateOnly);
  router.post("/mcp", limitBody, async (c) => {
    checkHeaders(c);
    const { id, method, params } = validate(RpcMessage(), await readJson(c));
    if (id === undefined) return c.body(null, 202);
    const call = (request: Request) => api(request, c.env, c.executionCtx);
    const isCall = method === "tools/call";
    const answer = isCall ? callTool(c.env, c.req.raw, params, call) : respond(c, method, params);
    return c.json({ jsonrpc: "2.0", id, ...(await answer) });
  });
  router.all("/mcp", methodNotAllowed("POST"));
  return router;
}

/** Errors: `forbidden` for a page of another site, `validation_error` for an unknown revision. */
function checkHeaders(c: Context<AppEnv>): void {
  const origin = c.req.header("Origin");
  if (origin !== undefined && origin !== new URL(c.env.PUBLIC_URL).origin) {
    throw new ApiError("forbidden", "Pages of other sites may not use this server.");
  }
  const revision = c.req.header("MCP-Protocol-Version");
  if (revision !== undefined && !REVISIONS.includes(revision)) {
    const field = "MCP-Protocol-Version";
    throw validationError([{ field, message: `must be one of ${REVISIONS.join(", ")}` }]);
  }
}

/** The `result` or the `error` of a request. */
async function respond(c: Context<AppEnv>, method: string, params: unknown): Promise<object> {
  switch (method) {
    case "initialize": {
      const { protocolVersion: requested } = (params ?? {}) as { protocolVersion?: unknown };
      const protocolVersion = REVISIONS.find((known) => known === requested) ?? REVISIONS[0];
      const serverInfo = { name: "regalo", title: "Regalo", version: "1.0.0" };
      const capabilities = { tools: {} };
      return { result: { protocolVersion, capabilities, serverInfo, instructions: INSTRUCTIONS } };
    }
    case "ping":
      return { result: {} };
    case "tools/list": {
      const scope = c.get("scope") ?? "read";
      const tools = await loadTools(c.env);
      return { result: { tools: tools.filter(({ _meta }) => includesScope(scope, _meta.scope)) } };
    }
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `There is no method ${method}.` } };
  }
}
