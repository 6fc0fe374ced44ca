import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

export default defineConfig({
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
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    // One JSON line a request is for operators; a failing test shows its own output.
    onConsoleLog: (log) => !log.startsWith('{"requestId"'),
  },
});
