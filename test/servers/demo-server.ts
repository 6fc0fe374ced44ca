// A server with demo data for the tests of one file, which may kill and restart it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, inject } from "vitest";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { NODE } from "./command.ts";
import { copiedState, type LocalServer, type LocalState } from "./server.ts";

/** The demo client's credentials. */
export const AUTH = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };
export const JSON_HEADERS = { ...AUTH, "Content-Type": "application/json" };

const SERVED = path.join(PROJECT_ROOT, "test/faults/served.ts");

/** Serves the bundle of test/faults/setup.ts from a process of its own. */
async function startBundle(state: LocalState): Promise<LocalServer> {
  const child = spawn(NODE, [SERVED, inject("bundle"), state.folder], {
    // A separate process group, so that workerd is killed together with Node.
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const [url] = (await Promise.race([once(child.stdout, "data"), ended])) as [Buffer | number];
  if (!Buffer.isBuffer(url)) throw new Error("the server ended by itself");
  return {
    url: url.toString().trim(),
    kill: async () => {
      process.kill(-(child.pid as number), "SIGKILL");
      await ended;
    },
  };
}

type Folder = Pick<LocalState, "folder">;

/** The database of a state, as a process beside the server opens it. The caller closes it. */
export function openFile({ folder }: Folder): DatabaseSync {
  const databases = path.join(folder, "v3/d1/miniflare-D1DatabaseObject");
  const name = readdirSync(databases).find((entry) => /^[0-9a-f]+\.sqlite$/.test(entry)) ?? "";
  return new DatabaseSync(path.join(databases, name), { timeout: 30_000 });
}

/** Runs a statement on the database, also while it is served, and returns the rows. */
export function sqlOf<Row = Record<string, number>>(state: Folder, text: string): Row[] {
  const database = openFile(state);
  try {
    return database.prepare(text).all() as Row[];
  } finally {
    database.close();
  }
}

export interface DemoServer extends LocalServer {
  readonly state: LocalState;
  /** Starts the server again after it was killed. Its URL is another one. */
  restart: () => Promise<void>;
  /** Runs the handler of the cron trigger. */
  cron: () => Promise<Response>;
  /** As `sqlOf`. */
  sql: <Row = Record<string, number>>(text: string) => Row[];
}

/** Starts the server before the file's tests, and ends it after them. */
export function useDemoServer(): DemoServer {
  let state: LocalState;
  let server: LocalServer;
  beforeAll(async () => {
    state = copiedState(inject("seeded"));
    server = await startBundle(state);
  });
  afterAll(async () => {
    await server.kill();
    state.remove();
  });
  return {
    get url() {
      return server.url;
    },
    get state() {
      return state;
    },
    kill: () => server.kill(),
    restart: async () => {
      server = await startBundle(state);
    },
    cron: () => fetch(`${server.url}/cdn-cgi/local/scheduled`),
    sql: (text) => sqlOf(state, text),
  };
}
