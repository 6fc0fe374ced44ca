// A Miniflare plugin for bindings with `raw: true`: the Worker gets the service behind the database or the namespace, and
// not the class that workerd wraps around it. The Worker that serves remote bindings forwards requests to such services.

/** The services that Miniflare's D1 and KV plugins register. */
const ENTRY_SERVICES = { d1: "d1:db:entry", kv_namespace: "kv:ns:entry" };

const rawBindings = (config) =>
  Object.entries(config.env ?? {}).filter(([, { type }]) => type === "unsafe:raw");

const raw = {
  bindingTypeDescription: "Raw binding",
  getBindings: ({ config }) =>
    rawBindings(config).map(([name, { dev }]) => ({
      name,
      service: {
        name: ENTRY_SERVICES[dev.options.type],
        props: { json: JSON.stringify({ MINIFLARE_NAMESPACE: dev.options.id }) },
      },
    })),
  getNodeBindings: () => ({}),
  getServices: () => [],
};

export const plugins = { raw };
