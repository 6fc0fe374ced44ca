// Preloaded into the operator's commands. Wrangler sends the requests of remote bindings to
// https://WORKER.SUBDOMAIN.workers.dev, and has no setting for this address. It passes the address to its proxy, which
// runs in Miniflare. Here it is replaced by the address of the simulated Cloudflare on loopback.
import { createRequire } from "node:module";
import process from "node:process";
import { URL } from "node:url";

const { SIMULATED_PREVIEWS: simulated } = process.env;

if (simulated && process.argv[1]?.endsWith("/src/cli/ops.ts")) {
  const { hostname, port } = new URL(simulated);
  const wrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  const miniflare = wrangler("miniflare");

  class Miniflare extends miniflare.Miniflare {
    constructor(options) {
      super(options);
      const { dispatchFetch } = this;
      this.dispatchFetch = (url, init) => {
        const address = init?.cf?.hostMetadata?.proxyData?.userWorkerUrl;
        if (address) Object.assign(address, { protocol: "http:", hostname, port });
        return dispatchFetch(url, init);
      };
    }
  }

  wrangler.cache[wrangler.resolve("miniflare")].exports = { ...miniflare, Miniflare };
}
