// The reference page: the API's document, and a client that sends requests to the server the page came from.
(async () => {
  const openapi = await (await fetch("/openapi.json")).json();
  const [sandbox] = openapi.servers;
  const here = openapi.servers.find(({ url }) => url === location.origin) ?? {
    url: location.origin,
    description: "This machine",
  };
  Scalar.createApiReference("#reference", {
    content: openapi,
    servers: here.url === sandbox.url ? [sandbox] : [here, sandbox],
    authentication: { preferredSecurityScheme: [["CLIENT-ID", "API-KEY", "API-PASSWORD"]] },
    // Nothing may be loaded from or told to anyone else.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: "never",
    hideClientButton: true,
    persistAuth: false,
    documentDownloadType: "direct",
    defaultOpenAllTags: true,
    // Fields stand in the interface's order.
    orderSchemaPropertiesBy: "preserve",
    orderRequiredPropertiesFirst: false,
  });
})();
