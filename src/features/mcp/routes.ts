// POST /mcp: the API's operations as tools for AI agents, by the Model Context Protocol (MCP) over streamable HTTP. There
// are no sessions and no streams, so each request stands alone.
import type { Context, MiddlewareHandler } from "hono";
import * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../../core/api-error.ts";
import { lazy } from "../../core/lazy.ts";
import { validate } from "../../core/validation/validate.ts";
import { MINUTE_MS } from "../../core/values/time.ts";
import { includesScope } from "../../core/values/scopes.ts";
import { type Api, type AppEnv, createRouter, toolRequests } from "../../platform/http/context.ts";
import { type ErrorResponse, methodNotAllowed } from "../../platform/http/error-response.ts";
import { readJson } from "../../platform/http/input.ts";
import { requestDatabase } from "../../platform/http/middleware.ts";
import { findGranted, isAccessToken } from "../connectors/server.ts";
import { callTool } from "./call.ts";
import { INSTRUCTIONS, loadTools } from "./tools.ts";

/** The supported revisions of the protocol, newest first. The first one has no `initialize`. */
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];
const [, ...INITIALIZED] = REVISIONS;

const METHOD_NOT_FOUND = -32601;
const SERVER_ERROR = -32000;
const UNSUPPORTED_REVISION = -32022;

const SERVER_INFO = { name: "regalo", title: "Regalo", version: "1.0.0" };
const CAPABILITIES = { tools: {} };

/** Tools change only with a deployment, and depend on what the credentials permit. */
const CACHED = { ttlMs: 5 * MINUTE_MS, cacheScope: "private" };

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
  if (c.res.status !== 401) return;
  // RFC 9728, section 5.1, and RFC 6750, section 3.
  const document = `${c.env.PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`;
  const reason = c.req.header("Authorization") === undefined ? "" : ', error="invalid_token"';
  const challenge = `Bearer realm="Regalo", resource_metadata="${document}"${reason}`;
  c.header("WWW-Authenticate", `${challenge}, ${String(c.res.headers.get("WWW-Authenticate"))}`);
};

/**
 * The tools are called through `api`, the app itself, so that scopes, log and errors of a tool are those of its operation.
 * Every request is authenticated and counted before its body is read.
 */
export function mcpRoutes(
  authenticate: MiddlewareHandler<AppEnv>,
  limitBody: MiddlewareHandler<AppEnv>,
  api: Api,
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
  router.use("/mcp", readAuthorization, authenticateOnly);
  router.post("/mcp", limitBody, async (c) => {
    checkOrigin(c);
    const { id, method, params } = validate(RpcMessage(), await readJson(c));
    if (id === undefined) return c.body(null, 202);
    const requested = revisionOf(c, params);
    if (requested !== undefined && !REVISIONS.includes(requested)) {
      const data = { supported: REVISIONS, requested };
      const message = `The protocol version must be one of ${REVISIONS.join(", ")}.`;
      return c.json(
        { jsonrpc: "2.0", id, error: { code: UNSUPPORTED_REVISION, message, data } },
        400,
      );
    }
    const call = (request: Request) => {
      toolRequests.set(request, c.get("granted"));
      return api(request, c.env, c.executionCtx);
    };
    const isCall = method === "tools/call";
    const answer = isCall ? callTool(c.env, c.req.raw, params, call) : respond(c, method, params);
    return c.json({ jsonrpc: "2.0", id, ...(await answer) });
  });
  router.all("/mcp", methodNotAllowed("POST"));
  return router;
}

/**
 * Connectors cannot set headers of their own, so `Authorization` may have an access token, or the credentials: client id,
 * key and password separated by colons, as they are or in Base64, after `Bearer` or `Basic`. A token is looked up before
 * the caller's address is counted, because all clients of a service share its addresses.
 */
const readAuthorization: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [, given = ""] =
    /^(?:Bearer|Basic) +(\S+)$/i.exec(c.req.header("Authorization") ?? "") ?? [];
  if (isAccessToken(given)) {
    c.set("granted", await findGranted(c.env, given));
    return next();
  }
  const [clientId, apiKey, apiPassword] = (given.includes(":") ? given : decoded(given)).split(":");
  if (clientId && apiKey && apiPassword) {
    const headers = new Headers(c.req.raw.headers);
    headers.set("CLIENT-ID", clientId);
    headers.set("API-KEY", apiKey);
    headers.set("API-PASSWORD", apiPassword);
    c.req.raw = new Request(c.req.raw, { headers });
  }
  return next();
};

/** Empty if the text is not Base64, or not text. */
function decoded(base64: string): string {
  try {
    return atob(base64.replaceAll("-", "+").replaceAll("_", "/")).replaceAll(/[^ -~]/g, "");
  } catch {
    return "";
  }
}

/** Errors: `forbidden` for a page of another site. */
function checkOrigin(c: Context<AppEnv>): void {
  const origin = c.req.header("Origin");
  if (origin === undefined || origin === new URL(c.env.PUBLIC_URL).origin) return;
  throw new ApiError("forbidden", "Pages of other sites may not use this server.");
}

/** The revision that the request names in its header, or since 2026-07-28 in itself. */
function revisionOf(c: Context<AppEnv>, params: unknown): string | undefined {
  const { _meta: meta } = (params ?? {}) as { _meta?: Record<string, unknown> };
  const named = meta?.["io.modelcontextprotocol/protocolVersion"];
  return typeof named === "string" ? named : c.req.header("MCP-Protocol-Version");
}

/** A result, with what revisions since 2026-07-28 require. Earlier ones ignore it. */
const complete = (result: object) => ({
  result: {
    ...result,
    resultType: "complete",
    _meta: { "io.modelcontextprotocol/serverInfo": SERVER_INFO },
  },
});

/** The `result` or the `error` of a request. */
async function respond(c: Context<AppEnv>, method: string, params: unknown): Promise<object> {
  switch (method) {
    case "initialize": {
      const { protocolVersion: requested } = (params ?? {}) as { protocolVersion?: unknown };
      const protocolVersion = INITIALIZED.find((known) => known === requested) ?? INITIALIZED[0];
      const server = { capabilities: CAPABILITIES, serverInfo: SERVER_INFO };
      return { result: { protocolVersion, ...server, instructions: INSTRUCTIONS } };
    }
    case "server/discover":
      return complete({
        supportedVersions: REVISIONS,
        capabilities: CAPABILITIES,
        instructions: INSTRUCTIONS,
        ...CACHED,
      });
    case "ping":
      return { result: {} };
    case "tools/list": {
      const scope = c.get("scope") ?? "read";
      const tools = await loadTools(c.env);
      const isOwn = c.get("ownId") !== null;
      const permitted = tools.filter(
        ({ _meta }) => includesScope(scope, _meta.scope) && (_meta.forOwn || !isOwn),
      );
      return complete({
        tools: permitted.map((tool) => ({ ...tool, _meta: undefined })),
        ...CACHED,
      });
    }
    default:
      return { error: { code: METHOD_NOT_FOUND, message: `There is no method ${method}.` } };
  }
}
