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
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/cli/**"],
          setupFiles: ["test/setup.ts"],
        },
      },
      // The command line runs in Node, as its users run it.
      {
        test: { name: "cli", include: ["test/cli/**/*.test.ts"], testTimeout: 300_000 },
      },
    ],
  },
});
