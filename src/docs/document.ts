// The API's OpenAPI 3.1 document, generated from the contracts and the documentation of the features.
import { FEATURES } from "./features.ts";
import { componentSchemas } from "./json-schema.ts";
import { COMMON_RESPONSES, HEADERS, SHARED_HEADERS } from "./responses.ts";
import { SHARED_PARAMETERS, paths, SECURITY, SECURITY_SCHEMES, sentRequests } from "./paths.ts";

const PLACES = new Map(
  FEATURES.flatMap(({ tag, operations, sent = {} }) => {
    const page = `/docs/reference#tag/${tag.name.toLowerCase()}`;
    const sentIds = Object.values(sent).map(({ operationId }) => operationId);
    return [
      ...operations.map(({ endpoint: { operationId: id } }) => [id, `${page}/${id}`] as const),
      ...sentIds.map((id) => [id, `${page}/webhook/${id}`] as const),
    ];
  }),
);

/** The Markdown with complete links to operations. In the sources, such a link is the operation's id as a fragment. */
export const withLinks = (text: string): string =>
  text.replaceAll(/\]\(#(\w+)\)/g, (whole, id: string) =>
    PLACES.has(id) ? `](${String(PLACES.get(id))})` : whole,
  );

/** Version of the API, not of the software (CHANGELOG.md). */
const VERSION = "1.0.0";

/**
 * `guide` is Markdown. `{{sandbox}}`, `{{production}}` and `{{support}}` are placeholders of the servers' URLs and of the
 * e-mail address for partners.
 */
export function openApiDocument(guide: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Regalo",
      version: VERSION,
      summary: "A product catalogue and gift ordering API.",
      description: guide,
      contact: { name: "Regalo support", email: "{{support}}" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [
      {
        url: "{{sandbox}}",
        description: "Sandbox: credit is not money, and nothing is delivered.",
      },
      { url: "{{production}}", description: "Production" },
    ],
    security: SECURITY,
    tags: [...new Set(FEATURES.map(({ tag }) => tag))],
    paths: paths(),
    webhooks: sentRequests(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: SHARED_PARAMETERS,
      headers: { ...HEADERS, ...SHARED_HEADERS },
      responses: COMMON_RESPONSES,
      schemas: componentSchemas(),
    },
  };
}
