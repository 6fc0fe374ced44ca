// The tools of the MCP server (src/features/mcp), generated from the OpenAPI document.
import { isRepeatable } from "../../packages/client/src/retry.ts";
import type { Scope } from "../core/values/scopes.ts";
import type { JsonSchema, Tool } from "../features/mcp/tools.ts";
import { type OpenApi, type OpenApiOperation, type OpenApiSchema, resolve } from "./openapi.ts";

/** The default of `limit`. Pages of products with long descriptions then have at most 20 KB. */
const DEFAULT_LIMIT = 5;

/** How long descriptions may be. All tools together have at most 35 KB. */
const MAX_TOOL_LENGTH = 250;
const MAX_ARGUMENT_LENGTH = 90;

const RULES = new Set(["type", "enum", "default", "required", "minItems", "additionalProperties"]);

/** Sentences about HTTP, and those that repeat the annotations or the list of tools. */
const NOT_FOR_AGENTS =
  /\b(?:HTTP|304|gzip|Retry-After|Regalo-Bookmark|headers?|scope)\b|%2B|only in the sandbox|unknown path|safe to repeat/;

/**
 * The tools of all operations, except those with the scope `admin`: their responses contain secrets, which must not get
 * into the context of a model.
 */
export function mcpTools(document: OpenApi): Tool[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-scope"] !== "admin")
      .map(([method, operation]) => toolOf(document, path, method, operation)),
  );
}

function toolOf(
  document: OpenApi,
  path: string,
  method: string,
  operation: OpenApiOperation,
): Tool {
  const scope = operation["x-scope"] as Scope;
  const forOwn = operation["x-for-own"] ?? false;
  return {
    name: operation.operationId,
    title: operation.summary,
    description: agentText(document, operation.description, MAX_TOOL_LENGTH),
    inputSchema: agentSchema(document, { ...inputSchema(document, operation), description: "" }),
    annotations:
      method === "get" || scope === "read"
        ? { readOnlyHint: true }
        : {
            readOnlyHint: false,
            destructiveHint: true,
            idempotentHint: isRepeatable(path as "/api/order", {}),
          },
    _meta: { method: method === "get" ? "GET" : "POST", path, scope, forOwn },
  };
}

/** The schema of the body, or one with the query parameters. Tools have smaller pages than the API. */
function inputSchema(
  document: OpenApi,
  { parameters, requestBody }: OpenApiOperation,
): OpenApiSchema {
  if (requestBody) return requestBody.content["application/json"].schema;
  const query = parameters
    .map((parameter) => resolve(document, parameter))
    // The results of tools are JSON.
    .filter(({ name, ...parameter }) => parameter.in === "query" && name !== "format");
  return {
    type: "object",
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        { ...schema, description, ...(name === "limit" && { default: DEFAULT_LIMIT }) },
      ]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The schema without `$ref`, because a tool's must be complete, and without rules that the API checks anyway. */
function agentSchema(document: OpenApi, schema: OpenApiSchema): JsonSchema {
  const { anyOf = [], items, properties, description, ...rules } = resolve(document, schema);
  const [option, other] = anyOf.filter(({ type }) => type !== "null");
  if (option && !other) {
    const nonNull = resolve(document, option);
    return agentSchema(document, { ...nonNull, ...rules, description: description ?? "" });
  }
  return {
    ...Object.fromEntries(Object.entries(rules).filter(([rule]) => RULES.has(rule))),
    ...(description && { description: agentText(document, description, MAX_ARGUMENT_LENGTH) }),
    ...(other && { anyOf: anyOf.map((each) => agentSchema(document, each)) }),
    ...(items && { items: agentSchema(document, items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, agentSchema(document, field)]),
      ),
      additionalProperties: false,
    }),
  };
}

/** The first sentences, with the names of tools instead of paths, and without words of HTTP. */
function agentText({ paths }: OpenApi, text: string, maxLength: number): string {
  const sentences = text
    .replaceAll(
      /\[?\b(GET|POST) (\/api\/[\w/-]+)(?:\]\([^)]*\))?/g,
      (_, method: string, path: string) => paths[path]?.[method.toLowerCase()]?.operationId ?? path,
    )
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/\brequest(?=s?\b)/g, "call")
    .replaceAll(/\bresponse(?=s?\b)/g, "result")
    .replaceAll(/\bparameter(?=s?\b)/g, "argument")
    .replaceAll(/\s+/g, " ")
    .split(/(?<=\.) /)
    .filter((sentence) => !NOT_FOR_AGENTS.test(sentence));
  const fits = (index: number) => sentences.slice(0, index + 1).join(" ").length <= maxLength;
  return sentences.filter((_, index) => index === 0 || fits(index)).join(" ");
}
