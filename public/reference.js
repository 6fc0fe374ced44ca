// Shows the OpenAPI document at /docs/reference, with forms that send requests to the page's server.
import { createApiReference } from "/docs/viewer/standalone.esm.js";

const response = await fetch("/openapi.json");
const api = await response.json();

const [, production] = api.servers;
const warning = "**This is production: orders that you place here are real.** ";
api.info.description = `${location.origin === production.url ? warning : ""}The [guide](/docs) describes how the operations work together, and the sandbox in which you can try them. The credentials that you enter here are sent to this server only, and discarded when you leave the page.`;
api.servers = [{ url: location.origin }];

for (const operation of Object.values(api.paths).flatMap((methods) => Object.values(methods))) {
  const [{ source }] = operation["x-codeSamples"];
  operation.parameters = operation.parameters
    .map(({ $ref, ...own }) => ($ref ? api.components.parameters[$ref.split("/").at(-1)] : own))
    // They are sent as security schemes.
    .filter(({ name }) => !(name in api.components.securitySchemes))
    // A form sends the parameters of the sample. By default, it would send all that have examples.
    .map(({ example, ...parameter }) => ({
      ...parameter,
      examples: {
        sample: { value: example, "x-disabled": !source.includes(`${parameter.name}=`) },
      },
    }));
}

createApiReference("#reference", {
  content: api,
  generateOperationSlug: ({ operationId }) => operationId,
  generateWebhookSlug: ({ name }) => api.webhooks[name].post.operationId,
  authentication: { preferredSecurityScheme: [Object.keys(api.security[0])] },
  persistAuth: false,
  documentDownloadType: "none",
  hideModels: true,
  defaultOpenAllTags: true,
  // Nothing of the viewer's maker: no fonts from its servers, telemetry, tools and links.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  // Small text has a contrast of at least 4.5.
  customCss: `
    a[href^="https://scalar.com"] { display: none }
    .light-mode { --scalar-color-3: #6b6b6b; --scalar-color-green: #00683f; --scalar-color-orange: #a33b00 }
    .dark-mode { --scalar-color-3: #9a9a9a }
  `,
});
