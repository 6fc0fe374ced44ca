// Calls a tool, which is a request to the API with the caller's headers.
import type { Bindings } from "../../platform/env.ts";
import { loadTools, type Tool } from "./tools.ts";

const INVALID_PARAMS = -32602;

/** Headers of the caller's request that describe its body, or that would change the API's response. */
const NOT_FORWARDED = ["Content-Length", "Content-Encoding", "If-None-Match", "Range"];

/**
 * The `result` or the `error` of a `tools/call` message in the request `raw`. An error of the API is a result with
 * `isError`, so that the agent reads it. Only a 401 is returned as it is, because MCP clients expect it from the server.
 */
export async function callTool(
  env: Bindings,
  raw: Request,
  params: unknown,
  api: (request: Request) => Response | Promise<Response>,
): Promise<object> {
  const { name, arguments: given = {} } = (params ?? {}) as { name?: unknown; arguments?: object };
  const tool = (await loadTools(env)).find((known) => known.name === name);
  if (!tool) {
    return { error: { code: INVALID_PARAMS, message: `There is no tool ${String(name)}.` } };
  }
  const response = await api(requestOf(tool, given, raw));
  if (response.status === 401) return response;
  const text = await response.text();
  const result = {
    content: [{ type: "text", text }],
    structuredContent: JSON.parse(text) as unknown,
    isError: !response.ok,
    _meta: { status: response.status, request_id: response.headers.get("X-Request-Id") },
  };
  return { result };
}

function requestOf({ _meta: { method, path } }: Tool, given: object, raw: Request): Request {
  const url = new URL(path, raw.url);
  const headers = new Headers(raw.headers);
  for (const name of NOT_FORWARDED) headers.delete(name);
  headers.set("Accept-Encoding", "identity");
  headers.set("Content-Type", "application/json");
  if (method === "POST") {
    return new Request(url, { method, headers, body: JSON.stringify(given) });
  }
  for (const [name, value] of Object.entries(given)) {
    url.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return new Request(url, { headers });
}
