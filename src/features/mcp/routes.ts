// POST /mcp: the API's operations as tools for AI agents, by the Model Context Protocol (MCP) over streamable HTTP. There
// are no sessions and no streams, so each request stands alone.
import type { Context, MiddlewareHandler } from "hono";
import { ApiError, validationError } from "../../core/api-error.ts";
import type { Bindings } from "../../platform/env.ts";
import { type AppEnv, createRouter } from "../../platform/http/context.ts";
import { methodNotAllowed } from "../../platform/http/error-response.ts";
import { readJsonObject } from "../../platform/http/input.ts";
import { requestDatabase } from "../../platform/http/middleware.ts";
import { callTool } from "./call.ts";
import { INSTRUCTIONS, loadTools } from "./tools.ts";

/** The supported revisions of the protocol, newest first. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26"];

const METHOD_NOT_FOUND = -32601;

const NO_STORE = { "Cache-Control": "private, no-store" };

type Message = Record<string, unknown>;

/**
 * The tools are called through `api`, the app itself, so that authentication, limits, log and errors of a tool are those
 * of its operation. `authenticate` protects the other methods.
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
  router.post("/mcp", limitBody, async (c) => {
    checkHeaders(c);
    const message = await readJsonObject(c);
    // A notification, or the response to a request that the server never sends.
    if (message.id === undefined || typeof message.method !== "string") return c.body(null, 202);
    const { id, method, params } = message;
    const json = (answer: object) => c.json({ jsonrpc: "2.0", id, ...answer }, 200, NO_STORE);
    if (method === "tools/call") {
      const { env, executionCtx } = c;
      const call = (request: Request) => api(request, env, executionCtx);
      const answer = await callTool(env, c.req.raw, params, call);
      return answer instanceof Response ? answer : json(answer);
    }
    await requestDatabase(
      c,
      () =>
        authenticate(c, async () => {
          c.res = json(await respond(c.env, message));
        }) as Promise<void>,
    );
    return c.res;
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
async function respond(env: Bindings, { method, params }: Message): Promise<object> {
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
    case "tools/list":
      return { result: { tools: await loadTools(env) } };
    default:
      return {
        error: { code: METHOD_NOT_FOUND, message: `There is no method ${String(method)}.` },
      };
  }
}
