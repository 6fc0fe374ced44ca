// What the `docs.ts` of a feature contains: descriptions and examples of its schemas and endpoints, from which src/docs
// generates the OpenAPI document. The Worker does not import it.
import type * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";

export interface FeatureDocs {
  /** The group of the operations. Several features may have the same one. */
  tag: { name: string; description: string };
  /** The schemas by their names in the document. A schema without a name is shown where it is used. */
  requests?: Record<string, DescribedSchema>;
  responses: Record<string, DescribedSchema>;
  /** In the order of the document. */
  operations: Operation[];
  /** Requests that we send to partners, by name. */
  sent?: Record<string, SentRequest>;
}

/** The origin of the sandbox in examples. The generator replaces it by the URL in wrangler.toml. */
export const SANDBOX_URL = "{{sandbox}}";

export interface DescribedSchema {
  schema: z.ZodMiniType;
  texts: Record<string, string | undefined>;
}

/** A missing or unknown field does not compile. A constant needs no description. */
type FieldTexts<Shape> = {
  [Name in keyof Shape as Shape[Name] extends z.ZodMiniLiteral ? never : Name]: string;
} & { [Name in keyof Shape as Shape[Name] extends z.ZodMiniLiteral ? Name : never]?: string };

/**
 * A schema with its description (`_`) and those of its fields: meaning, unit, and rules that the schema does not express.
 */
export function described<Schema extends z.ZodMiniType>(
  schema: Schema,
  texts: { _: string } & (Schema extends z.ZodMiniObject<infer Shape>
    ? FieldTexts<Shape>
    : unknown),
): DescribedSchema {
  return { schema, texts };
}

export interface Parameter {
  description: string;
  example: string | number;
  /** A blank value means the same as leaving the parameter out. */
  allowEmptyValue?: true;
}

interface Texts {
  summary: string;
  description: string;
  /** Request headers in addition to the credentials. */
  headers?: Record<string, Parameter>;
  /** What the 200 response contains. */
  returns: string;
  /** Headers of the 200 response. The `required` ones are always set. */
  responseHeaders?: Record<string, ResponseHeader>;
  /** Responses without a body, by status. */
  emptyResponses?: Record<string, string>;
}

export interface ResponseHeader {
  description: string;
  required: boolean;
  values?: readonly string[];
}

export interface Operation extends Texts {
  endpoint: Endpoint;
  query?: Record<string, Parameter>;
  /** Names of the parameters in the sample request. By default, the required ones. */
  sample?: readonly string[];
  /** Examples of the body. The sample request has the first one. */
  requests?: Record<string, unknown>;
  responseSchema: z.ZodMiniType;
  /** Examples of the response. */
  responses: Record<string, unknown>;
}

/** An endpoint with its descriptions and examples. The compiler compares them with the endpoint's schemas. */
export function operation<
  Query extends z.ZodMiniObject,
  Request extends z.ZodMiniType,
  Response extends z.ZodMiniType,
>(
  endpoint: Endpoint<Query, Request, Response>,
  responseSchema: NoInfer<Response>,
  docs: Texts & {
    responses: Record<string, z.output<NoInfer<Response>>>;
  } & (string extends keyof z.output<Query>
      ? { query?: never }
      : {
          query: Record<keyof z.output<Query>, Parameter>;
          sample?: (keyof z.output<Query>)[];
        }) &
    (unknown extends z.input<Request>
      ? { requests?: never }
      : { requests: Record<string, z.input<Request>> }),
): Operation {
  return { endpoint, responseSchema, ...docs } as Operation;
}

export interface SentRequest {
  operationId: string;
  summary: string;
  description: string;
  headers: Record<string, Parameter>;
  body: { schema: z.ZodMiniType; examples: Record<string, unknown> };
  /** What each response of the receiver means, by status. */
  responses: Record<string, string>;
}
