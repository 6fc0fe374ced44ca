// The tools of the MCP server (src/features/mcp), generated from the OpenAPI document.
import { isRepeatable } from "../../../packages/client/src/retry.ts";
import type { Scope } from "../../core/values/scopes.ts";
import type { Tool } from "../../features/mcp/tools.ts";
import { type OpenApi, type OpenApiOperation, resolve } from "./openapi.ts";

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
  const isRead = scope === "read";
  return {
    name: operation.operationId,
    title: operation.summary,
    description: operation.description,
    inputSchema: inlined(document, inputSchema(document, operation)) as object,
    annotations: isRead
      ? { readOnlyHint: true }
      : {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: isRepeatable(path as "/api/order", {}),
        },
    _meta: { method: method === "get" ? "GET" : "POST", path, scope },
  };
}

/** The schema of the body, or one with the query parameters. */
function inputSchema(document: OpenApi, { parameters, requestBody }: OpenApiOperation): object {
  if (requestBody) return requestBody.content["application/json"].schema;
  const query = parameters
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.in === "query");
  return {
    type: "object",
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: query.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The value with each `$ref` replaced by its target, because a tool's schema must be complete. */
function inlined(document: OpenApi, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(document, item));
  if (typeof value !== "object" || value === null) return value;
  const target = "$ref" in value ? resolve(document, value as { $ref: string }) : value;
  return Object.fromEntries(
    Object.entries(target).map(([key, item]) => [key, inlined(document, item)]),
  );
}
