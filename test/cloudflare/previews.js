// Preloaded into the operator's commands, and into tests that run them in their own process. Wrangler sends the requests
// of remote bindings to https://WORKER.SUBDOMAIN.workers.dev, and has no setting for this address. It passes the address
// to its proxy, which runs in Miniflare. Here it is replaced by the address of the simulated Cloudflare on loopback.
import { createRequire } from "node:module";
import process from "node:process";
import { URL } from "node:url";

if (/\/src\/cli\/ops\.ts$|\/vitest\//.test(process.argv[1] ?? "")) {
  const wrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  const miniflare = wrangler("miniflare");

  class Miniflare extends miniflare.Miniflare {
    constructor(options) {
      super(options);
      const { dispatchFetch } = this;
      this.dispatchFetch = (url, init) => {
        const address = init?.cf?.hostMetadata?.proxyData?.userWorkerUrl;
        const { SIMULATED_PREVIEWS: simulated } = process.env;
        if (address && simulated) {
          const { hostname, port } = new URL(simulated);
          Object.assign(address, { protocol: "http:", hostname, port });
        }
        return dispatchFetch(url, init);
      };
    }
  }

  wrangler.cache[wrangler.resolve("miniflare")].exports = { ...miniflare, Miniflare };
}
