// Regalo as in a deployment, except for the log and the rate limiter. In a deployment, the limiter is a counter in the
// memory of the machine. The local simulation writes to SQLite for every request, which would dominate the results.
import regalo from "../../src/index.ts";
import type { Bindings } from "../../src/platform/env.ts";

// Locally, log lines would be written to a pipe that the process of the load reads.
console.log = () => undefined;

const counts = new Map<string, number>();

const RATE_LIMITER: RateLimit = {
  limit: ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return Promise.resolve({ success: true });
  },
};

let bindings: Bindings | undefined;

export default {
  fetch: (request: Request, env: Bindings, context: ExecutionContext) =>
    regalo.fetch(request, (bindings ??= { ...env, RATE_LIMITER }), context),
};
