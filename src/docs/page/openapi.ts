// The parts of an OpenAPI document that the reference page shows.

export interface OpenApi {
  info: { title: string; version: string; summary: string; description: string; contact: Contact };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, { name: string; description: string }>;
    responses: Record<string, Response>;
    schemas: Record<string, Schema>;
  };
}

interface Contact {
  name: string;
  email: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  "x-codeSamples": { label: string; source: string }[];
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Content };
  responses: Record<string, Response | { $ref: string }>;
}

export interface Parameter {
  name: string;
  in: "query" | "header";
  required: boolean;
  description: string;
  example: string | number;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, { description: string } | { $ref: string }>;
  content?: Content;
}

type Content = Record<"application/json", { schema: Schema; examples: Record<string, Example> }>;

interface Example {
  value: unknown;
}

export interface Schema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string;
  format?: string;
  enum?: string[];
  default?: string | number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** What `value` refers to, or itself. Fields beside the `$ref`, such as a description, go before its target's. */
export function resolve<T extends object>(document: OpenApi, value: T | { $ref: string }): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const { $ref, ...own } = value;
  const target = $ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
  return { ...resolve(document, target as T), ...own };
}
