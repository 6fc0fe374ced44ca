import type { D1Migration } from "cloudflare:test";
import type { Bindings } from "../src/env.ts";

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      MIGRATIONS: D1Migration[];
      /** A database on which every query fails. */
      EMPTY_DB: D1Database;
      /** For the test of a migration. */
      UNMIGRATED_DB: D1Database;
      /** Stands for the copy of the database that is nearest to the caller (test/support/copy.ts). */
      COPY_DB: D1Database;
      /** Lets 3 requests a minute pass. */
      SMALL_RATE_LIMITER: RateLimit;
    }
  }
}
