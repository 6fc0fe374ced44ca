import type { D1Migration } from "cloudflare:test";
import type { Bindings } from "../src/platform/env.ts";

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      MIGRATIONS: D1Migration[];
      /** A database without tables, so that every query fails. */
      EMPTY_DB: D1Database;
      /** The nearest replica of the database (test/support/replica.ts). */
      REPLICA_DB: D1Database;
      /** Permits 3 requests a minute. */
      SMALL_RATE_LIMITER: RateLimit;
      /** Miniflare's e-mail service, which sends nothing. */
      EMAIL_SERVICE: SendEmail;
    }
  }
}
