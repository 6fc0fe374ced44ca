import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // One JSON line a request is for operators; a failing test shows its own output.
    onConsoleLog: (log) => !log.startsWith('{"requestId"'),
    projects: [
      {
        plugins: [
          cloudflareTest(async () => ({
            main: "./src/index.ts",
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                GIFT_LINK_SECRET: "a secret of the tests, long enough to be a key",
                MIGRATIONS: await readD1Migrations("migrations"),
              },
              // Real bindings for what a test wants to see refused: a database without a table, a low limit.
              d1Databases: { EMPTY_DB: "empty" },
              ratelimits: {
                SMALL_RATE_LIMITER: { namespace_id: "1000", simple: { limit: 3, period: 60 } },
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/node/**"],
          setupFiles: ["test/setup.ts"],
        },
      },
      { test: { name: "node", include: ["test/node/**/*.test.ts"] } },
    ],
  },
});
