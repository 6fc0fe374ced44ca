// A local server with all parts of the deployment: static files, the Worker, and the demo data of `npm start`.
import { createTestHarness } from "wrangler";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { seed } from "../../src/cli/seed.ts";
import type { Bindings } from "../../src/platform/env.ts";

export interface Served {
  url: string;
  database: D1Database;
  close: () => Promise<void>;
}

/** Starts the server on a free port, with a database that is deleted at its end. */
export async function serve(): Promise<Served> {
  const harness = createTestHarness({
    root: PROJECT_ROOT,
    workers: [
      {
        configPath: "wrangler.toml",
        secrets: {
          CODE_SECRET: "a code secret of the tests, long enough to be a key",
          GIFT_LINK_SECRET: "a secret of the tests, long enough to be a key",
          WEBHOOK_SECRET: "a webhook secret of the tests, long enough to be a key",
        },
      },
    ],
  });
  const { url } = await harness.listen();
  const worker = harness.getWorker<Bindings>();
  await worker.applyD1Migrations("DB");
  const env = await worker.getEnv();
  await seed(env, Date.now());
  return { url: url.origin, database: env.DB, close: () => harness.close() };
}

const shared = globalThis as { served?: Promise<Served> };

/** The server of the process, which runs one test file after the other. The first one that needs it starts it. */
export const sharedServer = () => (shared.served ??= serve());
