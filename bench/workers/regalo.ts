// Regalo as it is deployed, but for its rate limiter. Deployed, that is a counter on the machine the Worker
// runs on; the local simulation of it writes to SQLite for every request, which would be all one measured.
import regalo from "../../src/index.ts";
import type { Bindings } from "../../src/env.ts";

const counts = new Map<string, number>();

const RATE_LIMITER: RateLimit = {
  limit: ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return Promise.resolve({ success: true });
  },
};

export default {
  fetch: (request: Request, env: Bindings, context: ExecutionContext) =>
    regalo.fetch(request, { ...env, RATE_LIMITER }, context),
};
