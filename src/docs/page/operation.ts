// The operations of the document, with their fields, as the pages, the Markdown files and the search show them.
import { type Field, fieldOf, type ObjectFields, objectsOf } from "./fields.ts";
import {
  type OpenApi,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  resolve,
} from "./openapi.ts";

export interface Operation {
  id: string;
  tag: string;
  method: string;
  /** The path, or a description of the URL for a webhook. */
  path: string;
  summary: string;
  description: string;
  parameters: Parameter[];
  body: ObjectFields[];
  /** Examples of the body, by name. */
  requests: [name: string, value: unknown][];
  responses: Response[];
  /** One for each code. */
  errors: { status: string; description: string }[];
  /** Empty for a webhook. */
  samples: { lang: string; label: string; source: string }[];
}

interface Parameter extends Pick<OpenApiParameter, "name" | "in" | "example"> {
  /** Whether the samples have it. */
  isSent: boolean;
  field: Field;
}

interface Response {
  status: string;
  description: string;
  /** The headers that not all responses have. */
  headers: Field[];
  body: ObjectFields[];
  examples: [name: string, value: unknown][];
}

/** All operations in the order of the document. Webhooks are last. */
export function operationsOf(document: OpenApi): Operation[] {
  const webhooks = Object.values(document.webhooks).map(
    (operations) => ["the URL of your endpoint", operations] as const,
  );
  return [...Object.entries(document.paths), ...webhooks].flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      describe(document, path, method.toUpperCase(), operation),
    ),
  );
}

function describe(
  document: OpenApi,
  path: string,
  method: string,
  operation: OpenApiOperation,
): Operation {
  const { operationId: id, summary, description, requestBody } = operation;
  const samples = operation["x-codeSamples"] ?? [];
  const parameters = operation.parameters
    .map((parameter) => resolve<OpenApiParameter>(document, parameter))
    // The guide describes the credentials.
    .filter(({ name }) => !(name in document.components.securitySchemes));
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, resolve<OpenApiResponse>(document, response)] as const,
  );
  const isError = (status: string) => Number(status) >= 400 && samples.length > 0;
  const body = requestBody?.content["application/json"];
  return {
    id,
    method,
    path,
    summary,
    description,
    tag: operation.tags[0] ?? "",
    parameters: parameters.map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      example: parameter.example,
      isSent: samples.some(({ source }) => source.includes(`${parameter.name}=`)),
      field: fieldOf(document, parameter, id),
    })),
    body: body ? objectsOf(document, body.schema, id) : [],
    requests: examplesOf(body),
    responses: responses
      .filter(([status]) => !isError(status))
      .map(([status, response]) => describeResponse(document, status, response, id)),
    // The description of an error response has a paragraph for each code.
    errors: responses
      .filter(([status]) => isError(status))
      .flatMap(([status, { description }]) =>
        description.split("\n\n").map((code) => ({ status, description: code })),
      ),
    samples,
  };
}

function describeResponse(
  document: OpenApi,
  status: string,
  { description, headers = {}, content }: OpenApiResponse,
  operationId: string,
): Response {
  const id = `${operationId}.${status}`;
  const body = content?.["application/json"];
  // The guide describes the headers of all responses.
  const own = Object.entries(headers).flatMap(([name, header]) =>
    "$ref" in header ? [] : [fieldOf(document, { name, description: header.description }, id)],
  );
  return {
    status,
    description,
    headers: own,
    examples: examplesOf(body),
    body: body ? objectsOf(document, body.schema, id) : [],
  };
}

const examplesOf = (body?: { examples: Record<string, { value: unknown }> }) =>
  Object.entries(body?.examples ?? {}).map(([name, { value }]): [string, unknown] => [name, value]);
