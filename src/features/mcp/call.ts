// Calls a tool, which is a request to the API with the caller's headers.
import { own } from "../../core/values/own.ts";
import { withoutInvisible } from "../../core/values/plain-text.ts";
import type { Bindings } from "../../platform/env.ts";
import { plainText } from "../catalogue/markup.ts";
import { type JsonSchema, loadTools, NOTE, type Tool } from "./tools.ts";

const INVALID_PARAMS = -32602;

/** The maximum number of characters of the arguments of a tool that reads. They become the query of a URL. */
const MAX_QUERY_LENGTH = 8_000;

/** Longer responses are refused. An agent cannot use so much. */
const MAX_RESULT_LENGTH = 1_000_000;

type Arguments = Record<string, unknown>;

/** Headers of the caller's request that describe its body, or that would change the API's response. */
const NOT_FORWARDED = ["Content-Length", "Content-Encoding", "If-None-Match", "Range"];

/**
 * The `result` or the `error` of a `tools/call` message in the request `raw`, which has been counted. An error of the API
 * is a result with `isError`, so that the agent reads it. The response is text only: structured content would repeat it.
 */
export async function callTool(
  env: Bindings,
  raw: Request,
  params: unknown,
  api: (request: Request) => Response | Promise<Response>,
): Promise<object> {
  const { name, arguments: given } = (params ?? {}) as { name?: unknown; arguments?: unknown };
  const tool = (await loadTools(env)).find((known) => known.name === name);
  if (!tool) return invalidParams("name is not the name of a tool");
  if (typeof (given ?? {}) !== "object" || Array.isArray(given)) {
    return invalidParams("arguments must be an object");
  }
  const converted = convert(given ?? {}, tool.inputSchema) as Arguments;
  const { limit } = tool.inputSchema.properties ?? {};
  if (limit) converted["limit"] ??= limit.default;
  const request = requestOf(tool, converted, raw);
  if (!request) return invalidParams("arguments are too long");
  const response = await api(request);
  const text = await response.text();
  if (text.length > MAX_RESULT_LENGTH) {
    const tooLong = "The response is too long for a tool: ask for a smaller page with limit.";
    return resultOf(tooLong, true, {});
  }
  const { headers, status, ok } = response;
  const orderStatus = headers.get("Regalo-Order-Status");
  const _meta = {
    status,
    request_id: headers.get("X-Request-Id"),
    ...(orderStatus !== null && {
      order_status: orderStatus,
      idempotent_replayed: headers.has("Idempotent-Replayed"),
    }),
  };
  const left = headers.get("Regalo-Spending-Left");
  const result = resultOf(readable(text, tool), !ok, _meta);
  if (ok && tool._meta.method === "GET") result.result.content.push(contentOf(NOTE));
  if (left !== null) result.result.content.push(contentOf(`Left to spend: ${left}`));
  return result;
}

/** The response as a person would read it: the texts of products are HTML, which may have hidden parts. */
function readable(text: string, { _meta: { path } }: Tool): string {
  const isHtml = path.startsWith("/api/product");
  const read = (value: string) => withoutInvisible(isHtml ? plainText(value) : value);
  const revive = (_: string, value: unknown) => (typeof value === "string" ? read(value) : value);
  return JSON.stringify(JSON.parse(text, revive));
}

const contentOf = (text: string) => ({ type: "text", text });

/** `resultType` is required by revisions since 2026-07-28, and ignored by others. */
const resultOf = (text: string, isError: boolean, _meta: object) => ({
  result: { content: [contentOf(text)], isError, _meta, resultType: "complete" },
});

/**
 * The value, in which texts are the numbers, booleans, objects and lists that the schema has in their place. Models write
 * `"2"` for 2, and JSON as text.
 */
function convert(value: unknown, schema: JsonSchema): unknown {
  const { type, properties, items, anyOf = [] } = schema;
  const [other] = anyOf.filter((each) => each.type !== "null");
  if (other) return convert(value, other);
  const isText = typeof value === "string" && type !== undefined && type !== "string";
  const read = isText ? parsed(value) : value;
  if (Array.isArray(read)) return items ? read.map((each) => convert(each, items)) : read;
  if (typeof read !== "object" || read === null || !properties) return read;
  return Object.fromEntries(
    Object.entries(read).map(([name, each]) => [name, convert(each, own(properties, name) ?? {})]),
  );
}

/** The JSON value that the text is, or the text itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const invalidParams = (message: string) => ({ error: { code: INVALID_PARAMS, message } });

/** Null if the arguments are too long for a URL. */
function requestOf(
  { _meta: { method, path } }: Tool,
  given: Arguments,
  raw: Request,
): Request | null {
  const url = new URL(path, raw.url);
  const headers = new Headers(raw.headers);
  for (const name of NOT_FORWARDED) headers.delete(name);
  headers.set("Accept-Encoding", "identity");
  headers.set("Content-Type", "application/json");
  if (method === "POST") {
    return new Request(url, { method, headers, body: JSON.stringify(given) });
  }
  if (JSON.stringify(given).length > MAX_QUERY_LENGTH) return null;
  const query = Object.entries(given)
    // Agents send null or an empty text for a parameter that they leave out.
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]);
  url.search = new URLSearchParams(query).toString();
  return new Request(url, { headers });
}
