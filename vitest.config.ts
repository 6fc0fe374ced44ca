import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      // Inside workerd, on real D1 and KV.
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
            },
          })),
        ],
        test: { name: "worker", include: ["test/*.test.ts"], setupFiles: ["test/setup.ts"] },
      },
      // Beside the Worker: commands, and the deployment as a whole.
      { test: { name: "node", include: ["test/node/**/*.test.ts"], testTimeout: 60_000 } },
      { test: { name: "browser", include: ["test/browser/**/*.test.ts"], testTimeout: 60_000 } },
    ],
    // One JSON line a request is for operators; a failing test shows its own output.
    onConsoleLog: (log) => !log.startsWith('{"requestId"'),
  },
});
