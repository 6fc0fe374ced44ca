// Runs Workers for benchmarks and for tests of faults: the pinned workerd with bundles like those of a deployment. Each
// Worker listens on its own loopback port, so that there is no proxy between the load and the Worker.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { readD1Migrations } from "@cloudflare/vitest-pool-workers";
import { PROJECT_ROOT, WRANGLER } from "../src/cli/paths.ts";
import type { Bindings } from "../src/platform/env.ts";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";

const PUBLIC_URL = "http://localhost:8787";

export const CODE_SECRET = "the key of the bench's codes, 32+ characters";

/** A Worker of the rig. Workers with the same `state` share a database, a cache and a queue. */
export interface RigWorker {
  name: string;
  /** The source of the Worker, or a compressed bundle (`.js.gz`). */
  source: string;
  state: string;
  /** Whether the Worker handles the messages of the queue. */
  consumes?: boolean;
}

export interface Rig {
  /** The Worker's origin, without a slash at the end. */
  url: (worker: string) => Promise<string>;
  d1: (worker: string) => Promise<D1Database>;
  kv: (worker: string) => Promise<KVNamespace>;
  /** Runs the handler of the cron trigger. */
  cron: (worker: string) => Promise<void>;
  /** Resident memory of workerd in MiB. */
  memoryMib: () => number;
  /** CPU time that workerd has used so far, in milliseconds. It does not include other processes. */
  cpuMs: () => number;
  dispose: () => Promise<void>;
}

/** Builds the minified bundle that `wrangler deploy` would upload, or decompresses it. Returns its path. */
export function bundle(source: string, directory: string): string {
  if (source.endsWith(".js.gz")) {
    const file = path.join(directory, "worker.js");
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, gunzipSync(readFileSync(path.join(PROJECT_ROOT, source))));
    return file;
  }
  execFileSync(
    WRANGLER,
    ["deploy", source, "--dry-run", "--minify", "--env", "", "--outdir", directory],
    { cwd: PROJECT_ROOT, stdio: ["ignore", "ignore", "inherit"] },
  );
  return path.join(directory, path.basename(source).replace(/\.ts$/, ".js"));
}

/** Starts the Workers in one workerd, with empty databases to which the migrations are applied. */
export async function startRig(workers: readonly RigWorker[]): Promise<Rig> {
  const directory = mkdtempSync(path.join(tmpdir(), "regalo-bench-"));
  const bundles = new Map<string, string>();
  for (const { source } of workers) {
    if (bundles.has(source)) continue;
    bundles.set(source, bundle(source, path.join(directory, `bundle-${String(bundles.size)}`)));
  }
  const compatibilityDate = /^compatibility_date = "(.+)"$/m.exec(
    readFileSync(path.join(PROJECT_ROOT, "wrangler.toml"), "utf8"),
  )?.[1];
  if (!compatibilityDate) throw new Error("wrangler.toml has no compatibility_date");

  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      resourcePersistencePath: path.join(directory, "state"),
      workers: workers.map(({ name, source, state, consumes }) => ({
        name,
        modules: [{ type: "ESModule" as const, path: bundles.get(source) ?? "" }],
        modulesRoot: directory,
        compatibilityDate,
        d1Databases: { DB: state },
        kvNamespaces: { KV: state, OAUTH_KV: `${state}-oauth` },
        queueProducers: { WEBHOOK_QUEUE: state },
        ...(consumes && { queueConsumers: { [state]: { maxBatchSize: 1, maxBatchTimeout: 0 } } }),
        serviceBindings: { ASSETS: readAsset },
        ratelimits: {
          RATE_LIMITER: {
            namespace_id: state,
            simple: { limit: 1_000_000_000, period: 60 as const },
          },
          OAUTH_RATE_LIMITER: {
            namespace_id: `${state}-oauth`,
            simple: { limit: 1_000_000_000, period: 60 as const },
          },
        },
        bindings: {
          ENVIRONMENT: "local",
          RATE_LIMIT_PER_MINUTE: 1_000_000_000,
          PUBLIC_URL,
          CONSOLE_URL: "http://localhost:8788",
          SUPPORT_EMAIL: "support@example.com",
          EMAIL_FROM: "gifts@example.com",
          EMAIL_IMPRINT: "Example Ltd, 1 Example Street",
          CODE_SECRET,
          GIFT_LINK_SECRET: "the key of the bench's gift links, 32+ characters",
          WEBHOOK_SECRET: "the key of the bench's webhooks, 32+ characters",
        },
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      })),
    }),
  );
  const rig: Rig = {
    url: async (worker) => (await miniflare.unsafeGetDirectURL(worker)).origin,
    d1: async (worker) => (await miniflare.getBindings<Bindings>(worker)).DB,
    kv: async (worker) => (await miniflare.getBindings<Bindings>(worker)).KV,
    cron: async (worker) => {
      const { outcome } = await (
        await miniflare.getWorker(worker)
      ).scheduled({ cron: "* * * * *" });
      if (outcome !== "ok") throw new Error(`the cron handler of ${worker}: ${outcome}`);
    },
    memoryMib,
    cpuMs,
    dispose: async () => {
      await miniflare.dispose();
      rmSync(directory, { recursive: true });
    },
  };
  for (const state of new Set(workers.map((worker) => worker.state))) {
    const owner = workers.find((worker) => worker.state === state);
    if (owner) await migrate(await rig.d1(owner.name));
  }
  return rig;
}

/** The static files. In a deployment, each location has them. */
function readAsset(request: { url: string }): Response {
  const { pathname } = new URL(request.url);
  return new Response(readFileSync(path.join(PROJECT_ROOT, "public", pathname)));
}

async function migrate(d1: D1Database): Promise<void> {
  for (const { queries } of await readD1Migrations(path.join(PROJECT_ROOT, "migrations"))) {
    await d1.batch(queries.map((sql) => d1.prepare(sql)));
  }
}

/** The id of the child process that runs the Workers. */
function workerdPid(): string {
  const children = readFileSync(`/proc/self/task/${String(process.pid)}/children`, "utf8");
  const pid = children
    .trim()
    .split(" ")
    .find((child) => readFileSync(`/proc/${child}/comm`, "utf8").startsWith("workerd"));
  if (pid === undefined) throw new Error("workerd is not running");
  return pid;
}

function memoryMib(): number {
  const status = readFileSync(`/proc/${workerdPid()}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024);
}

function cpuMs(): number {
  const tasks = `/proc/${workerdPid()}/task`;
  let nanoseconds = 0;
  for (const task of readdirSync(tasks)) {
    nanoseconds += Number(readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ", 1)[0]);
  }
  return nanoseconds / 1e6;
}
