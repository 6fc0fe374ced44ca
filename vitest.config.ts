import { globSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Plugin } from "vitest/config";
import { defineConfig } from "vitest/config";

// A test file in one of these folders belongs to the project with the folder's name. Files in test/core, and other files
// named `*.node.test.ts`, belong to the project "node". All remaining files belong to the project "worker" and run
// inside workerd.
const PROJECT_FOLDERS = ["cli", "browser", "faults", "generated-clients", "lighthouse"];
const filesOf = (folder: string) => `test/${folder}/**/*.test.ts`;
const NODE_FILES = [filesOf("core"), "test/**/*.node.test.ts"];

/** Also set in the environment, from which Wrangler passes it to the servers that tests start. */
const SECRETS = {
  GIFT_LINK_SECRET: "a secret of the tests, long enough to be a key",
  CODE_SECRET: "a code secret of the tests, long enough to be a key",
  WEBHOOK_SECRET: "a webhook secret of the tests, long enough to be a key",
};
Object.assign(process.env, SECRETS);
// Servers that tests start use their own state, not the developer's.
process.env["REGALO_SETUP"] = "off";
// Processes that tests start read Wrangler's compiled code instead of compiling it again.
process.env["NODE_COMPILE_CACHE"] ??= path.join(
  import.meta.dirname,
  "node_modules/.cache/compiled",
);

/** A folder in memory, if there are at least 2 GB for it. Containers have less. */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize < 2e9 ? undefined : mkdtempSync("/dev/shm/regalo-tests-");
  } catch {
    return undefined;
  }
}

// D1 answers in a third of the time if its files are in memory.
const folder = memoryFolder();
if (folder !== undefined) {
  process.env["TMPDIR"] = folder;
  process.on("exit", () => {
    rmSync(folder, { recursive: true, force: true });
  });
}

const RUNS_ENV = { FULL_RUNS: process.env["FULL_RUNS"] ?? "off" };
const PROPERTIES = "test/support/runs.ts";

/** Node prints a warning because node:sqlite is experimental. */
const QUIET_SQLITE = ["--disable-warning=ExperimentalWarning"];

/** The names after `--project`. */
const { project: chosen } = parseArgs({
  options: { project: { type: "string", multiple: true } },
  strict: false,
}).values;

/** Loading Wrangler takes longer than a pure test, so runs of other projects do without it. */
async function workerPlugins(): Promise<Plugin[]> {
  const names = [chosen ?? "worker"].flat().map(String);
  if (!names.some((name) => /^worker$|[*!]/.test(name))) return [];
  const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-pool-workers");
  const options = async () => ({
    main: "./src/index.ts",
    wrangler: { configPath: "./wrangler.toml" },
    miniflare: {
      bindings: {
        ...SECRETS,
        // The consumer of the queue sends no e-mails, so that it does not take those of a test.
        EMAIL_FROM: "",
        MIGRATIONS: await readD1Migrations("migrations"),
      },
      // For single tests: a database without tables, a replica that lags behind, and a low rate limit.
      d1Databases: {
        EMPTY_DB: "empty",
        REPLICA_DB: "replica",
      },
      ratelimits: {
        SMALL_RATE_LIMITER: { namespace_id: "1000", simple: { limit: 3, period: 60 as const } },
      },
      // The local environment has no binding EMAIL.
      email: { send_email: [{ name: "EMAIL_SERVICE" }] },
    },
  });
  return [cloudflareTest(options)];
}

/** Tests inside workerd, with the Worker's own D1 and KV. */
const worker = {
  plugins: [workerPlugins()],
  test: {
    name: "worker",
    include: ["test/**/*.test.ts"],
    exclude: [...PROJECT_FOLDERS.map(filesOf), ...NODE_FILES],
    // A property test sends some hundred requests, which takes long on a slow machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    env: RUNS_ENV,
    setupFiles: [PROPERTIES, "test/setup.ts"],
    globalSetup: ["test/receiver.setup.ts"],
    // Files share an isolate and its database, because starting them takes longer than running most files.
    isolate: false,
    restoreMocks: true,
  },
};

/** Tests in Node that finish in seconds. */
const node = {
  test: {
    name: "node",
    env: RUNS_ENV,
    setupFiles: [PROPERTIES],
    include: NODE_FILES,
    exclude: PROJECT_FOLDERS.map(filesOf),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    execArgv: QUIET_SQLITE,
    // Files share a process, so that a server that several of them need is started once.
    isolate: false,
  },
};

/** Processes start in seconds, and much later on a busy machine. */
const PROCESSES = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

/** The command line. */
const cli = {
  test: {
    name: "cli",
    include: [filesOf("cli")],
    env: RUNS_ENV,
    setupFiles: [PROPERTIES],
    // Files of a worker share modules, because loading Wrangler takes longer than most files.
    isolate: false,
    ...PROCESSES,
    execArgv: QUIET_SQLITE,
  },
};

/** Chromium shows pages with these fonts only, whatever the machine has. macOS does not read the file. */
const fonts = (name: string) => ({
  FONTCONFIG_FILE: path.join(import.meta.dirname, `test/browser/fonts/${name}.conf`),
});

/** Pages in Chromium: a sample of them, and all with FULL_RUNS=on. */
const browser = {
  test: {
    name: "browser",
    include: [filesOf("browser")],
    env: fonts("dejavu"),
    globalSetup: ["test/browser.setup.ts"],
    // Loading Playwright takes longer than many tests.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

/**
 * The tests of the browser project that compare positions and sizes, also with narrower fonts. Texts that fit with
 * DejaVu fit with these too, and clicks and forms do not depend on fonts.
 */
const browserNoto = {
  test: {
    ...browser.test,
    name: "browser-noto",
    include: ["fonts", "gift-phone", "gift-settings", "gift-states"].map(
      (name) => `test/browser/${name}.test.ts`,
    ),
    env: fonts("noto"),
  },
};

/** Servers that are killed under load. */
const faults = {
  test: {
    name: "faults",
    include: [filesOf("faults")],
    env: RUNS_ENV,
    setupFiles: [PROPERTIES],
    globalSetup: ["test/faults/setup.ts"],
    ...PROCESSES,
    execArgv: QUIET_SQLITE,
  },
};

/** Clients that other generators make from the OpenAPI document. */
const generatedClients = {
  test: {
    name: "generated-clients",
    include: [filesOf("generated-clients")],
    testTimeout: 120_000,
  },
};

/** Lighthouse, page by page. */
const lighthouse = {
  test: {
    name: "lighthouse",
    include: [filesOf("lighthouse")],
    exclude: ["**/node_modules/**"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
};

/** The tests of a file in `src`: those with its name, or else those of its folder or of the one above. */
function testsOf(folder: string, name: string): string[] {
  const patterns = [
    `${folder}/${name}.*test.ts`,
    `${folder}/**/*.test.ts`,
    `${folder}/../**/*.test.ts`,
  ];
  return (
    patterns.map((pattern) => globSync(`test/${pattern}`)).find((files) => files.length > 0) ?? []
  );
}

export default defineConfig({
  test: {
    // Tests in Chromium wait for it a part of their time.
    maxWorkers: [chosen].flat().every((name) => String(name).startsWith("browser")) ? 3 : 2,
    slowTestThreshold: 1_000,
    // A module is transformed again only after it has changed.
    experimental: {
      fsModuleCache: true,
      fsModuleCachePath: path.join(import.meta.dirname, "node_modules/.cache/vitest"),
    },
    projects: [worker, node, cli, browser, browserNoto, faults, generatedClients, lighthouse],
    // For `npm run watch`. By their imports, nearly all tests would depend on each file.
    watchTriggerPatterns: [
      {
        pattern: /\/src\/(?!.*\/src\/)(.+)\/([^/]+)\.tsx?$/,
        testsToRun: (_file, [, folder = "", name = ""]) => testsOf(folder, name),
      },
    ],
    // Hides the request log.
    onConsoleLog: (log) => !log.startsWith('{"event":"request"'),
  },
});
