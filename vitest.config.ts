import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";

/** Wrangler asks for it in the environment as well, and hands it to the servers that tests start. */
const TEST_SECRET = "a secret of the tests, long enough to be a key";
process.env["GIFT_LINK_SECRET"] = TEST_SECRET;
// Servers that tests start have states of their own: the developer's is left alone.
process.env["REGALO_SETUP"] = "off";

/** node:sqlite warns of being new. */
const QUIET_SQLITE = ["--disable-warning=ExperimentalWarning"];

/** Tests that run inside workerd, with the Worker's own D1 and KV. */
const worker = {
  plugins: [
    cloudflareTest(async () => ({
      main: "./src/index.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: {
          GIFT_LINK_SECRET: TEST_SECRET,
          MIGRATIONS: await readD1Migrations("migrations"),
        },
        // Real bindings for what only some tests need: a database without a table, one whose migrations a test
        // applies itself, a copy of the database that lags behind, a low limit.
        d1Databases: { EMPTY_DB: "empty", UNMIGRATED_DB: "unmigrated", COPY_DB: "copy" },
        ratelimits: {
          SMALL_RATE_LIMITER: { namespace_id: "1000", simple: { limit: 3, period: 60 as const } },
        },
      },
    })),
  ],
  test: {
    name: "worker",
    include: ["test/*.test.ts"],
    // Property tests make some hundred requests each, and machines differ.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    setupFiles: ["test/setup.ts"],
    // Files share an isolate and its database, since starting both takes longer than most files do.
    isolate: false,
    restoreMocks: true,
  },
};

/** Tests of files and commands, in Node. */
const node = {
  test: {
    name: "node",
    include: ["test/node/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

/** The operator's commands, run as operators run them. */
const cli = {
  test: {
    name: "cli",
    include: ["test/cli/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    execArgv: QUIET_SQLITE,
  },
};

/** Tests of pages in a real browser, in Node. */
const browser = {
  test: { name: "browser", include: ["test/browser/*.test.ts"], testTimeout: 120_000 },
};

/** Clients that are generated from the API's document; their tools are installed by `npm run check:clients`. */
const clients = {
  test: { name: "clients", include: ["test/clients/*.test.ts"], testTimeout: 120_000 },
};

/** Tests that start and kill processes, in Node. */
const faults = {
  test: { name: "faults", include: ["test/faults/*.test.ts"], execArgv: QUIET_SQLITE },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [worker, node, cli, browser, clients, faults],
    // One JSON line a request is for operators; a failing test shows its own output.
    onConsoleLog: (log) => !log.startsWith('{"requestId"'),
  },
});
