// What the `docs.ts` of a feature contains: texts and examples of its endpoints, from which src/docs generates
// the OpenAPI document. The Worker does not import it.
import type * as z from "zod/mini";
import type { Endpoint } from "./endpoint.ts";

export interface FeatureDocs {
  /** The group of the operations. Several features may have the same one. */
  tag: { name: string; description: string };
  /** In the order of the document. */
  operations: EndpointDocs[];
  /** Requests that we send to partners, by name. */
  sent?: Record<string, SentRequest>;
}

/** The origin of the sandbox in examples. The generator replaces it by the URL in wrangler.toml. */
export const SANDBOX_URL = "{{sandbox}}";

export interface Parameter {
  description: string;
  example: string;
}

interface Texts {
  summary: string;
  description: string;
  /** Request headers in addition to the credentials. */
  headers?: Record<string, Parameter>;
  /** What the 200 response contains. */
  returns: string;
  /** What the 200 response contains in other formats than JSON, by media type. */
  otherContent?: Record<string, object>;
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

export interface EndpointDocs extends Texts {
  endpoint: Endpoint;
  /** Names of the parameters in the sample request. By default, the required ones. */
  sample?: readonly string[];
  /** Examples of the body. The sample request has the first one. */
  requests?: Record<string, unknown>;
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
  docs: Texts & {
    responses: Record<string, z.output<NoInfer<Response>>>;
  } & (string extends keyof z.output<Query> ? unknown : { sample?: (keyof z.output<Query>)[] }) &
    (unknown extends z.input<Request>
      ? { requests?: never }
      : { requests: Record<string, z.input<Request>> }),
): EndpointDocs {
  return { endpoint, ...docs };
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
