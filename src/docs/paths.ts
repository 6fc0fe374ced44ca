// The paths of the OpenAPI document: parameters, bodies and responses of each operation.
import type { ErrorCode } from "../core/api-error.ts";
import { BOOKMARK_PARAMETER } from "../platform/http/docs.ts";
import type { FeatureDocs, EndpointDocs, SentRequest } from "../platform/http/documentation.ts";
import { BOOKMARK_HEADER } from "../platform/http/bookmark.ts";
import { scopeOf } from "../platform/http/endpoint.ts";
import type { Scope } from "../core/values/scopes.ts";
import { FEATURES } from "./features.ts";
import { querySchemas } from "./json-schema.ts";
import { COMMON_REFS, errorResponses, headerRef, headers, jsonContent } from "./responses.ts";
import { codeSamples } from "./samples.ts";

/** The three headers of every request. The examples are the credentials of the local demo client. */
const CREDENTIALS = [
  { name: "CLIENT-ID", description: "Identifies your client.", example: "demo" },
  { name: "API-KEY", description: "First half of your secret.", example: "demo-key" },
  { name: "API-PASSWORD", description: "Second half of your secret.", example: "demo-password" },
];

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
 * The parameters of several operations. The credentials are parameters too, for tools that support one scheme. They are
 * not `required`, because other tools use `security`.
 */
export const SHARED_PARAMETERS = Object.fromEntries(
  [...CREDENTIALS, { name: BOOKMARK_HEADER, ...BOOKMARK_PARAMETER }].map(
    ({ name, ...parameter }) => [
      name,
      { name, in: "header", required: false, ...parameter, schema: { type: "string" } },
    ],
  ),
);

export function paths(): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, operations } of FEATURES) {
    for (const operation of operations) {
      const { path, method } = operation.endpoint;
      (paths[path] ??= {})[method.toLowerCase()] = toOpenApi(operation, tag);
    }
  }
  return paths;
}

function toOpenApi(operation: EndpointDocs, tag: FeatureDocs["tag"]) {
  const { endpoint, requests, emptyResponses = {} } = operation;
  const hasBookmark = endpoint.near !== undefined || endpoint.method === "POST";
  const okHeaders = {
    ...headers(operation.responseHeaders),
    ...(hasBookmark && headerRef(BOOKMARK_HEADER)),
  };
  return {
    operationId: endpoint.operationId,
    tags: [tag.name],
    summary: operation.summary,
    description: operation.description + scopeText(scopeOf(endpoint)),
    "x-scope": scopeOf(endpoint),
    ...(endpoint.forOwn && { "x-for-own": true }),
    "x-codeSamples": samples(operation),
    parameters: parameters(operation),
    ...(endpoint.body && {
      requestBody: { required: true, content: jsonContent(endpoint.body(), requests ?? {}) },
    }),
    responses: {
      "200": {
        description: operation.returns,
        headers: okHeaders,
        content: {
          ...jsonContent(endpoint.response(), operation.responses),
          ...operation.otherContent,
        },
      },
      ...Object.fromEntries(
        Object.entries(emptyResponses).map(([status, description]) => [
          status,
          { description, headers: okHeaders },
        ]),
      ),
      ...COMMON_REFS,
      // Every operation refuses an invalid header Regalo-Simulate.
      ...errorResponses([...new Set<ErrorCode>([...endpoint.errors, "validation_error"])]),
    },
  };
}

/** Credentials of every scope may read. */
const scopeText = (scope: Scope) =>
  scope === "read" ? "" : `\n\nThe request needs the scope \`${scope}\`.`;

const queryOf = ({ endpoint }: EndpointDocs) =>
  endpoint.query ? querySchemas(endpoint.query()) : [];

function parameters(operation: EndpointDocs) {
  const inQuery = queryOf(operation).map(({ name, ...parameter }) => {
    return { name, in: "query", ...parameter };
  });
  const { near } = operation.endpoint;
  const inHeader = headerParameters(operation.headers, false);
  const shared = [...(near ? [BOOKMARK_HEADER] : []), ...CREDENTIALS.map(({ name }) => name)];
  return [
    ...inQuery,
    ...inHeader,
    ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function headerParameters(described: SentRequest["headers"] = {}, required: boolean) {
  return Object.entries(described).map(([name, parameter]) => ({
    name,
    in: "header",
    required,
    ...parameter,
    schema: { type: "string" },
  }));
}

function samples(operation: EndpointDocs) {
  const { endpoint, sample, requests } = operation;
  const sent = queryOf(operation)
    .filter(({ name, required }) => sample?.includes(name) ?? required)
    .map(({ name, example }) => `${name}=${String(example)}`)
    .join("&");
  const request = {
    method: endpoint.method,
    target: `${endpoint.path}${sent && `?${sent}`}`,
    body: requests && Object.values(requests)[0],
  };
  return codeSamples(
    request,
    CREDENTIALS.map(({ name }) => name),
  );
}

/** The `webhooks` of the document: the requests that we send to partners. */
export function sentRequests() {
  const requests = FEATURES.flatMap(({ tag, sent = {} }) =>
    Object.entries(sent).map(([name, request]) => [name, { post: toWebhook(request, tag) }]),
  );
  return Object.fromEntries(requests) as object;
}

function toWebhook(
  { operationId, summary, description, headers, body, responses }: SentRequest,
  tag: FeatureDocs["tag"],
) {
  return {
    operationId,
    tags: [tag.name],
    summary,
    description,
    security: [],
    parameters: headerParameters(headers, true),
    requestBody: { required: true, content: jsonContent(body.schema, body.examples) },
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, description]) => [status, { description }]),
    ),
  };
}
