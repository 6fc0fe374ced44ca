// The paths of the OpenAPI document: parameters, bodies and responses of each operation.
import type { ErrorCode } from "../core/api-error.ts";
import { STATUS } from "../platform/http/error-response.ts";
import { CHALLENGE } from "../features/clients/authenticate.ts";
import { COMMON_ERRORS, ERROR_MEANINGS } from "./error-codes.ts";
import { errorExample, type ResponseExamples } from "./examples.ts";
import { querySchemas } from "./json-schema.ts";
import { type Operation, operations } from "./operations.ts";
import { ref } from "./schemas.ts";

const CACHE_CONTROL = "Responses are for your client only. Shared caches must not store them.";

/** The three headers of every request. The examples are the credentials of the local demo client. */
const CREDENTIALS = [
  { name: "CLIENT-ID", description: "Identifies your client.", example: "demo" },
  { name: "API-KEY", description: "First half of your secret.", example: "demo-key" },
  { name: "API-PASSWORD", description: "Second half of your secret.", example: "demo-password" },
];

const CREDENTIAL_OPTIONS = CREDENTIALS.map(
  ({ name }) => `-H "${name}: $${name.replace("-", "_")}"`,
);

/**
 * The headers as `security`. API-KEY is first because some tools, such as Postman's import, support only one scheme and
 * take the first.
 */
export const SECURITY = [{ "API-KEY": [], "CLIENT-ID": [], "API-PASSWORD": [] }];

export const SECURITY_SCHEMES = Object.fromEntries(
  CREDENTIALS.map(({ name, description }) => [
    name,
    { type: "apiKey", in: "header", name, description },
  ]),
);

/**
 * The headers as parameters, for tools that support one scheme. They are not `required`, because other tools use
 * `security`.
 */
export const CREDENTIAL_PARAMETERS = Object.fromEntries(
  CREDENTIALS.map(({ name, ...parameter }) => [
    name,
    { name, in: "header", required: false, ...parameter, schema: { type: "string" } },
  ]),
);

export function paths(examples: ResponseExamples): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations(examples)) {
    const { path, method } = operation.endpoint;
    (paths[path] ??= {})[method.toLowerCase()] = toOpenApi(operation);
  }
  return paths;
}

function toOpenApi(operation: Operation) {
  const { endpoint, response, body } = operation;
  return {
    operationId: endpoint.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curl(operation) }],
    parameters: parameters(operation),
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: ref(body.schema), ...named(body.examples) } },
      },
    }),
    responses: {
      "200": {
        description: response.description,
        headers: { ...COMMON_HEADERS, ...headers(operation.responseHeaders) },
        content: {
          "application/json": { schema: ref(response.schema), ...named(response.examples) },
        },
      },
      ...Object.fromEntries(
        Object.entries(operation.emptyResponses ?? {}).map(([status, description]) => [
          status,
          { description, headers: { ...COMMON_HEADERS, ...headers(operation.responseHeaders) } },
        ]),
      ),
      ...Object.fromEntries(
        COMMON_ERRORS.map((code) => [STATUS[code], { $ref: `#/components/responses/${code}` }]),
      ),
      // Every operation refuses an invalid header Regalo-Simulate.
      ...errorResponses([...new Set<ErrorCode>([...endpoint.errors, "validation_error"])]),
    },
  };
}

function parameters({ endpoint, query, headers = {} }: Operation) {
  const inQuery = Object.entries(endpoint.query ? querySchemas(endpoint.query()) : {}).map(
    ([name, schema]) => {
      const parameter = query?.parameters[name];
      if (!parameter) throw new Error(`parameter ${name} is not described`);
      return { name, in: "query", required: false, ...parameter, schema };
    },
  );
  const inHeader = Object.entries(headers).map(([name, parameter]) => ({
    name,
    in: "header",
    required: false,
    ...parameter,
    schema: { type: "string" },
  }));
  const credentials = CREDENTIALS.map(({ name }) => ({ $ref: `#/components/parameters/${name}` }));
  return [...inQuery, ...inHeader, ...credentials];
}

/** A complete command. It uses the shell variables that the guide sets. */
function curl({ endpoint, query, body }: Operation): string {
  const sent = query?.sample.map((name) => `${name}=${String(query.parameters[name]?.example)}`);
  const url = `$REGALO_URL${endpoint.path}${sent ? `?${sent.join("&")}` : ""}`;
  const lines = [`curl "${url}"`, ...CREDENTIAL_OPTIONS];
  if (body) {
    const [example] = Object.values(body.examples);
    lines.push(
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify(example, null, 2).replaceAll("\n", "\n  ")}'`,
    );
  }
  return lines.join(" \\\n  ");
}

function named(examples: Record<string, unknown>) {
  return {
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, value]) => [name, { value }]),
    ),
  };
}

function headers(described: NonNullable<Operation["responseHeaders"]> = {}) {
  return Object.fromEntries(
    Object.entries(described).map(([name, { values, ...header }]) => [
      name,
      { ...header, schema: { type: "string", ...(values && { enum: values }) } },
    ]),
  );
}

const COMMON_HEADERS = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "Cache-Control": { $ref: "#/components/headers/Cache-Control" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimit-Policy" },
};

export const HEADERS = {
  "X-Request-Id": {
    description: "Identifies the request. Include it when you write to us about a response.",
    required: true,
    schema: { type: "string", format: "uuid" },
  },
  "Cache-Control": {
    description: CACHE_CONTROL,
    required: true,
    schema: { type: "string", enum: ["private, no-store", "private, no-cache"] },
  },
  "RateLimit-Policy": {
    description:
      "Your rate limit: `q` requests in `w` seconds. Set on every response to a request with valid credentials. The number of remaining requests is not available.",
    required: false,
    schema: { type: "string", pattern: '^"client";q=[0-9]+;w=60$' },
  },
};

/** A response component for each of `COMMON_ERRORS`. */
export function commonResponses() {
  return Object.fromEntries(
    COMMON_ERRORS.map((code) => [code, errorResponses([code])[STATUS[code]]]),
  );
}

/** Codes whose responses have a Retry-After header. */
const WITH_RETRY_AFTER: ErrorCode[] = ["too_many_requests", "service_unavailable"];

/** One response for each status. Its description and its examples have an entry for each code with the status. */
function errorResponses(codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const withStatus = codes.filter((code) => STATUS[code] === status);
      return [
        status,
        {
          description: withStatus
            .map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`)
            .join("\n\n"),
          headers: {
            ...COMMON_HEADERS,
            ...(withStatus.includes("unauthorized") &&
              headers({
                "WWW-Authenticate": {
                  description: "Names the three headers that every request needs.",
                  required: true,
                  values: [CHALLENGE],
                },
              })),
            ...(withStatus.includes("too_many_requests") &&
              headers({
                RateLimit: {
                  description:
                    "You have no requests left in this minute. Not set if the 429 is because of your network's limit, which counts requests with new or invalid credentials.",
                  required: false,
                  values: ['"client";r=0'],
                },
              })),
            ...(withStatus.some((code) => WITH_RETRY_AFTER.includes(code)) &&
              headers({
                "Retry-After": { description: "Seconds to wait.", required: true },
              })),
          },
          content: {
            "application/json": {
              schema: ref("Error"),
              ...named(
                Object.fromEntries(
                  withStatus.map((code) => [code, errorExample(code, ERROR_MEANINGS[code])]),
                ),
              ),
            },
          },
        },
      ];
    }),
  );
}
