// The API's OpenAPI 3.1 document, generated from the contracts of the endpoints.
import type { FileProduct } from "../features/catalogue/file-product.ts";
import { responseExamples } from "./examples.ts";
import { componentSchemas } from "./json-schema.ts";
import { TAGS } from "./operations.ts";
import { webhooks } from "./webhook-operations.ts";
import {
  commonResponses,
  CREDENTIAL_PARAMETERS,
  HEADERS,
  paths,
  SECURITY,
  SECURITY_SCHEMES,
} from "./paths.ts";

/** Version of the API, not of the software. */
const VERSION = "1.0.0";

export interface DocumentSources {
  servers: { sandbox: string; production: string };
  /** E-mail address for partners. */
  support: string;
  /** The demo catalogue. The sandbox has the same one. The examples are taken from it. */
  catalogue: FileProduct[];
  /** Markdown. */
  guide: string;
}

export function openApiDocument({ servers, support, catalogue, guide }: DocumentSources) {
  const examples = responseExamples(catalogue, servers.sandbox);
  return {
    openapi: "3.1.0",
    info: {
      title: "Regalo",
      version: VERSION,
      summary: "A product catalogue and gift ordering API.",
      description: guide,
      contact: { name: "Regalo support", email: support },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [
      {
        url: servers.sandbox,
        description: "Sandbox: credit is not money, and nothing is delivered.",
      },
      { url: servers.production, description: "Production" },
    ],
    security: SECURITY,
    tags: TAGS,
    paths: paths(examples),
    webhooks: webhooks(examples),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: CREDENTIAL_PARAMETERS,
      headers: HEADERS,
      responses: commonResponses(),
      schemas: componentSchemas(),
    },
  };
}
