// The parts of the OpenAPI document from which other files are generated.

export interface OpenApi {
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    contact: { email: string };
  };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, Record<string, OpenApiOperation>>;
  components: {
    securitySchemes: Record<string, { description: string }>;
  };
}

export interface OpenApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  /** The scope that the credentials need. Absent in webhooks. */
  "x-scope"?: string;
  "x-for-own"?: boolean;
  /** Absent in webhooks. */
  "x-codeSamples"?: { lang: string; label: string; source: string }[];
  parameters: (OpenApiParameter | { $ref: string })[];
  requestBody?: { content: OpenApiContent };
  responses: Record<string, OpenApiResponse | { $ref: string }>;
}

export interface OpenApiParameter {
  name: string;
  in: "query" | "header";
  required: boolean;
  description: string;
  schema: OpenApiSchema;
}

export interface OpenApiResponse {
  description: string;
  content?: OpenApiContent;
}

type OpenApiContent = Record<
  "application/json",
  { schema: OpenApiSchema; examples: Record<string, Example> }
>;

interface Example {
  value: unknown;
}

export interface OpenApiSchema {
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  /** The known values of a response. */
  "x-extensible-enum"?: string[];
  default?: string | number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: OpenApiSchema;
  properties?: Record<string, OpenApiSchema>;
  required?: string[];
  anyOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
}

/** The target of a `$ref`, or `value` itself. Fields next to the `$ref` override those of the target. */
export function resolve<T extends object>(document: OpenApi, value: T | { $ref: string }): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as T;
  const { $ref, ...own } = value;
  const target = $ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
  return { ...resolve(document, target as T), ...own };
}
