// `wrangler dev` as a process with its own state.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withLocalState } from "../../src/cli/local-state.ts";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import { seed } from "../../src/cli/seed.ts";
import type { Bindings } from "../../src/platform/env.ts";
import { copyMigrated } from "./migrated.ts";

const START_PATIENCE_MS = 120_000;

export interface LocalState {
  folder: string;
  /** Runs `work` with the state's D1 and KV. No server may use the state at that time. */
  use: <T>(work: (env: Bindings) => Promise<T>) => Promise<T>;
  remove: () => void;
}

/** Creates a state with the migrations. */
export const migratedState = (): LocalState => newState(copyMigrated);

/** Creates a state with the migrations and the demo data. */
export async function seededState(): Promise<LocalState> {
  const state = migratedState();
  await state.use((env) => seed(env, Date.now()));
  return state;
}

/** Copies the folder of a state that no process uses. */
export const copiedState = (folder: string): LocalState =>
  newState((copy) => {
    cpSync(folder, copy, { recursive: true });
  });

function newState(fill: (folder: string) => void): LocalState {
  const folder = mkdtempSync(path.join(tmpdir(), "regalo-"));
  fill(folder);
  return {
    folder,
    use: (work) => withLocalState(folder, work),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface LocalServer {
  url: string;
  /** Kills the server's processes with SIGKILL. */
  kill: () => Promise<void>;
}

/**
 * Serves the state on a free port. Returns when the server responds. `vars` are variables of wrangler.toml with other
 * values. `entry` is a Worker in the place of `main`.
 */
export async function startServer(
  state: LocalState,
  vars: Record<string, string> = {},
  entry: string[] = [],
): Promise<LocalServer> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(
    WRANGLER,
    [
      ...["dev", ...entry, "--port", port, "--inspector-port", "0", "--persist-to", state.folder],
      ...Object.entries({ PUBLIC_URL: url, ...vars }).flatMap(([name, value]) => [
        "--var",
        `${name}:${value}`,
      ]),
      ...["--show-interactive-dev-session", "false", "--log-level", "error"],
    ],
    // A separate process group, so that workerd can be killed together with wrangler.
    { cwd: PROJECT_ROOT, detached: true, stdio: "ignore" },
  );
  await untilAnswering(url, server);
  return {
    url,
    kill: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      process.kill(-(server.pid as number), "SIGKILL");
      await ended;
    },
  };
}

/** Waits until `server` responds at `url`. */
export async function untilAnswering(url: string, server: ChildProcess): Promise<void> {
  const untilMs = Date.now() + START_PATIENCE_MS;
  while (Date.now() < untilMs) {
    if (server.exitCode !== null) throw new Error("the server ended by itself");
    try {
      await fetch(`${url}/api/products`);
      return;
    } catch {
      await sleep(100);
    }
  }
  throw new Error(`the server did not answer within ${String(START_PATIENCE_MS)} ms`);
}

/** Ports below those that the system gives to connections, so that no connection takes one before its server starts. */
const PORTS = { first: 20_000, ofProcess: 20, processes: 500 };
let chosen = 0;

/** An even port at which nothing listens. Processes that run at once have different ports. The next port is for a console. */
export async function freePort(): Promise<number> {
  const first = PORTS.first + (process.pid % PORTS.processes) * PORTS.ofProcess;
  for (let tries = 0; tries < PORTS.ofProcess / 2; tries++) {
    const port = first + ((chosen += 2) % PORTS.ofProcess);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error("no free port");
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.on("error", () => {
      resolve(false);
    });
    probe.listen(port, "127.0.0.1", () => {
      probe.close(() => {
        resolve(true);
      });
    });
  });
