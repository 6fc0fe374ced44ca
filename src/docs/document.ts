// The API's OpenAPI 3.1 document, generated from the schemas that the Worker uses.
import type { ProductWire } from "../catalogue/import/product.ts";
import { answerExamples } from "./examples.ts";
import {
  commonResponses,
  CREDENTIAL_PARAMETERS,
  HEADERS,
  paths,
  SECURITY,
  SECURITY_SCHEMES,
  TAGS,
} from "./operations.ts";
import { components } from "./schemas.ts";

/** Version of the interface, not of the software. */
const VERSION = "1.0.0";

export interface DocumentSources {
  servers: { sandbox: string; production: string };
  /** E-mail address that partners write to. */
  support: string;
  /** The demo catalogue, from which the examples are taken. The sandbox has it too. */
  catalogue: ProductWire[];
  /** Markdown. */
  guide: string;
}

export function openApiDocument({ servers, support, catalogue, guide }: DocumentSources) {
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
    paths: paths(answerExamples(catalogue, servers.sandbox)),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: CREDENTIAL_PARAMETERS,
      headers: HEADERS,
      responses: commonResponses(),
      schemas: components(),
    },
  };
}
