// The commands that prepare and serve a fresh clone.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { components } from "../../packages/client/src/openapi.ts";
import { withBindings } from "../../src/cli/bindings.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { BIN } from "../servers/command.ts";
import { receivingPath } from "../support/received.ts";
import { startReceiver } from "../support/receiver.ts";
import { freePort, untilAnswering } from "../servers/server.ts";

type PlacedGiftLinks = components["schemas"]["PlacedGiftLinks"];
type Gift = PlacedGiftLinks["recipient_return"][number];

const AUTH = { "CLIENT-ID": "demo", "API-KEY": "demo-key", "API-PASSWORD": "demo-password" };

let clone: string;
let port: string;
let server: ChildProcess | undefined;
/** The output of the server. */
let printed: string;

beforeEach(async () => {
  clone = mkdtempSync(path.join(tmpdir(), "regalo-clone-"));
  const files = execFileSync("git", ["ls-files", "-z", "-c", "-o", "--exclude-standard"], {
    cwd: PROJECT_ROOT,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "")) {
    cpSync(path.join(PROJECT_ROOT, file), path.join(clone, file), { force: true });
  }
  symlinkSync(path.join(PROJECT_ROOT, "node_modules"), path.join(clone, "node_modules"));
  port = String(await freePort());
});

afterEach(() => {
  if (server?.exitCode === null) process.kill(-(server.pid as number), "SIGKILL");
  server = undefined;
  rmSync(clone, { recursive: true, force: true });
});

/** The environment of a user's shell, without the variables that the tests set. */
const environment = () => ({
  ...process.env,
  PATH: `${BIN}${path.delimiter}${process.env["PATH"] ?? ""}`,
  GIFT_LINK_SECRET: undefined,
  WEBHOOK_SECRET: undefined,
  REGALO_SETUP: undefined,
});

/** Starts a command of the clone in its own process group, and waits until the server responds. */
async function serve(command: string, words: string[]): Promise<void> {
  printed = "";
  server = spawn(command, words, {
    cwd: clone,
    detached: true,
    env: { ...environment(), PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  }
  await untilAnswering(`http://localhost:${port}`, server);
}

/** Prepares the clone. Returns what the command prints. */
const setup = () =>
  execFileSync("npm", ["run", "-s", "setup"], { cwd: clone, env: environment(), encoding: "utf8" });

const get = (where: string) => fetch(`http://localhost:${port}${where}`, { headers: AUTH });

/** The requests of README.md, to the server's port. */
const readmeRequests = () =>
  [
    ...readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8").matchAll(
      /```sh\n(curl .*?)```/gs,
    ),
  ].map(([, script = ""]) => script.replaceAll(":8787", `:${port}`));

/** Runs a command that prints JSON. */
const runShell = (script: string) =>
  JSON.parse(
    execFileSync("sh", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] }).toString(),
  );

/** Locks the database of the clone like an operator's command, until the returned function is called. */
function lock(): () => void {
  const files = `${clone}/.wrangler/state/v3/d1/miniflare-D1DatabaseObject/[0-9a-f]*.sqlite`;
  const other = new DatabaseSync(globSync(files)[0] ?? "", { timeout: 10_000 });
  other.exec("BEGIN IMMEDIATE");
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
}

async function expectSeeded(): Promise<void> {
  const list = await get("/api/products?limit=1");
  expect(list.status).toBe(200);
  expect(await list.json()).toMatchObject({ total_products: 71 });
  expect(await (await get("/docs")).text()).toContain("Idempotent-Replayed");
}

/** All running processes of this machine. */
function processes(): { id: number; parent: number }[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state]) => !state?.startsWith("Z"))
    .map(([id, parent]) => ({ id: Number(id), parent: Number(parent) }));
}

/** The child processes of a process, and their child processes. */
function descendants(pid: number, all = processes()): number[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap(({ id }) => [id, ...descendants(id, all)]);
}

describe("a fresh clone", () => {
  test("is served by `wrangler dev` with the demo data and the reference, as by `npm start`", async () => {
    await serve("wrangler", ["dev", "--port", port, "--inspector-port", "0"]);
    await expectSeeded();
    expect((await get("/mailbox")).status).toBe(404);
  });

  test("is prepared by `npm run setup` without being served", () => {
    expect(setup()).toContain("API-PASSWORD: demo-password");
    // A second run changes nothing.
    expect(setup()).toBe("");
  });

  test("is not served if an applied migration has changed, until its state is deleted", () => {
    setup();
    const state = path.join(clone, ".wrangler/state");
    appendFileSync(path.join(clone, "migrations/0000_initial.sql"), "-- changed\n");
    for (const words of [["start"], ["run", "ops", "--", "client", "list"]]) {
      const refused = spawnSync("npm", words, {
        cwd: clone,
        encoding: "utf8",
        env: { ...environment(), PORT: port },
      });
      expect(refused.status).toBeGreaterThan(0);
      expect(refused.stderr).toContain("migrations/0000_initial.sql");
      expect(refused.stderr).toContain(state);
    }
    rmSync(state, { recursive: true });
    expect(setup()).toContain("API-PASSWORD: demo-password");
  });
});

describe("npm run console", () => {
  test("serves the console and the API, and a second one says where", async () => {
    await serve("npm", ["run", "console"]);
    await expectSeeded();
    const url = `http://localhost:${String(Number(port) + 1)}`;
    const open = async (role: string, where: string) => {
      const headers = { Cookie: `local_role=${role}`, "Cf-Access-Jwt-Assertion": "forged" };
      const page = await fetch(url + where, { headers });
      return [page.status, await page.text()];
    };
    expect(await open("engineer", "/audit")).toEqual([200, expect.stringContaining("Audit log")]);
    expect(await open("viewer", "/audit")).toEqual([403, expect.stringContaining("Not allowed")]);
    // Without its Access, the Worker shows nothing of the console.
    expect((await get("/local-console/")).status).toBe(403);
    const second = execFileSync("npm", ["run", "-s", "console"], {
      cwd: clone,
      encoding: "utf8",
      env: { ...environment(), PORT: port },
    });
    expect(second).toBe(`The console is served already: ${url}\n`);
  });
});

describe("npm start", () => {
  test("serves at PORT with links to it and the mailbox, and ends with all its processes on SIGTERM", async () => {
    await serve("npm", ["start"]);
    await expectSeeded();
    const [ordered, read, invited] = readmeRequests().map((script) => runShell(script));
    expect(ordered.order_data.order_number).toBe(read.order_number);
    const [{ gift_url: link }] = (invited as PlacedGiftLinks).recipient_return as [Gift];
    expect(link).toMatch(new RegExp(`^http://localhost:${port}/redeem/`));
    expect((await fetch(link)).status).toBe(200);

    // The queue starts the outbox at once, not only with the next cron trigger.
    const list = () => get("/mailbox").then((response) => response.text());
    await expect.poll(list, { timeout: 10_000, interval: 100 }).toContain("noor@example.com");
    const emails = [...(await list()).matchAll(/href="(\/mailbox\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    const messages = emails.map(async (path) => (await get(`${String(path)}/html`)).text());
    const [message = "", seeded = ""] = await Promise.all(messages);
    expect(message).toMatch(/Dear Noor,.*thank you for a wonderful year\./);
    expect(message).toContain(`href="${link}"`);
    const [, demo = ""] = /href="([^"]+)"/.exec(seeded) ?? [];
    expect(demo).toMatch(new RegExp(`^http://localhost:${port}/redeem/`));
    expect(await (await fetch(demo)).text()).toContain("Ingrid, a gift for you");

    const unlock = lock();
    const balance = get("/api/credit-balance");
    await sleep(1_000);
    unlock();
    expect((await balance).status).toBe(200);
    expect(printed).not.toMatch(/SQLITE|stack:/);

    const pid = server?.pid as number;
    const started = descendants(pid);
    const commands = execFileSync("ps", ["-o", "args=", "-p", started.join()], {
      encoding: "utf8",
    });
    expect(commands).toContain("workerd");
    process.kill(pid, "SIGTERM");
    let left = started;
    for (const startMs = Date.now(); left.length > 0 && Date.now() < startMs + 30_000;) {
      await sleep(100);
      const running = new Set(processes().map(({ id }) => id));
      left = left.filter((id) => running.has(id));
    }
    expect(left).toEqual([]);
  });

  test("runs the cron handler, which sends the webhooks that were missed, and logs no request for it", async () => {
    const receiver = await startReceiver();
    try {
      const path = receivingPath(receiver.url, "missed");
      setup();
      const sequence = await addUnsentEvent(path.url);
      await serve("npm", ["start"]);
      await expect
        .poll(() => path.sequences(), { timeout: 30_000, interval: 250 })
        .toEqual([sequence]);
      expect(printed).toContain("Ready on");
      expect(printed).not.toContain("cdn-cgi/local/scheduled");
    } finally {
      await receiver.close();
    }
  });
});

/** Adds an event and a webhook that has not sent it, without a message in the queue. Returns the event's sequence. */
function addUnsentEvent(url: string): Promise<number> {
  const persistTo = path.join(clone, ".wrangler/state");
  return withBindings({ environment: "local", persistTo }, async ({ DB }) => {
    const event = await DB.prepare(
      `INSERT INTO events (client_id, sequence, type, data, created_at_ms)
       SELECT 'demo', coalesce(max(sequence), 0) + 1, 'credit.low', ?, ?
       FROM events WHERE client_id = 'demo' RETURNING sequence`,
    )
      .bind(
        JSON.stringify({ currency: "AUD", balanceMinor: 100, alertBelowMinor: 200 }),
        Date.now(),
      )
      .first<{ sequence: number }>();
    const sequence = event?.sequence ?? 0;
    await DB.prepare(
      `INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
       VALUES ('demo', ?, 'nonce', ?, 1)`,
    )
      .bind(url, sequence - 1)
      .run();
    return sequence;
  });
}
