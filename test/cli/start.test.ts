// The commands that prepare and serve a clone. Preparing and starting take seconds, so the tests of a server share it, and
// later ones use the clone that the first one has prepared.
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { components } from "../../packages/client/src/openapi.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { BIN } from "../servers/command.ts";
import { AUTH, lockFile, openFile } from "../servers/demo-server.ts";
import { receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { freePort, untilAnswering } from "../servers/server.ts";

type PlacedGiftLinks = components["schemas"]["PlacedGiftLinks"];
type Gift = PlacedGiftLinks["recipient_return"][number];

let clone: string;
let port: string;
let server: ChildProcess | undefined;
/** The output of the server. */
let printed: string;

const state = () => ({ folder: path.join(clone, ".wrangler/state") });

beforeAll(async () => {
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

afterAll(() => {
  if (server) process.kill(-(server.pid as number), "SIGKILL");
  rmSync(clone, { recursive: true, force: true });
});

/** The environment of a user's shell, without the variables that the tests set. */
const environment = () => ({
  ...process.env,
  PATH: `${BIN}${path.delimiter}${process.env["PATH"] ?? ""}`,
  GIFT_LINK_SECRET: undefined,
  WEBHOOK_SECRET: undefined,
  REGALO_SETUP: undefined,
  WRANGLER_LOG: undefined,
});

/** Starts a command of the clone in its own process group, in the place of the present server, and waits until it responds. */
async function serve(command: string, words: string[]): Promise<void> {
  await end();
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

/** Ends the server with SIGTERM. Returns the processes that it had started, after all of them have ended. */
async function end(): Promise<number[]> {
  if (server?.exitCode !== null) return [];
  const [ended, started] = [once(server, "exit"), descendants(server.pid as number)];
  server.kill();
  server = undefined;
  const areEnded = () => {
    expect(processes().filter(({ id }) => started.includes(id))).toEqual([]);
  };
  await vi.waitFor(areEnded, { timeout: 120_000, interval: 100 });
  await ended;
  return started;
}

/** Runs a script of the clone's package.json to its end. */
const runScript = (...words: string[]) =>
  spawnSync("npm", ["run", "-s", ...words], {
    cwd: clone,
    encoding: "utf8",
    env: { ...environment(), PORT: port },
  });

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

describe("npm start in a fresh clone", () => {
  beforeAll(() => serve("npm", ["start"]));

  test("serves the demo data and the reference", expectSeeded);

  test("answers the requests of the README, with links to PORT", async () => {
    const [ordered, read, invited] = readmeRequests().map((script) => runShell(script));
    expect(ordered.order_data.order_number).toBe(read.order_number);
    const [{ gift_url: link }] = (invited as PlacedGiftLinks).recipient_return as [Gift];
    expect(link).toMatch(new RegExp(`^http://localhost:${port}/redeem/`));
    expect((await fetch(link)).status).toBe(200);

    // The queue starts the outbox at once, not only with the next cron trigger.
    const list = () => get("/mailbox").then((response) => response.text());
    await expect.poll(list, { timeout: 45_000 }).toContain("noor@example.com");
    const [message = "", seeded = ""] = await Promise.all(
      [...(await list()).matchAll(/href="(\/mailbox\/[^"]+)"/g)].map(async ([, path]) =>
        (await get(`${String(path)}/html`)).text(),
      ),
    );
    expect(message).toMatch(/Dear Noor,.*thank you for a wonderful year\./);
    expect(message).toContain(`href="${link}"`);
    const [, demo = ""] = /href="([^"]+)"/.exec(seeded) ?? [];
    expect(demo).toMatch(new RegExp(`^http://localhost:${port}/redeem/`));
    expect(await (await fetch(demo)).text()).toContain("Ingrid, a gift for you");
  });

  test("answers when a command has ended its transaction, and prints nothing of the lock", async () => {
    const unlock = lockFile(state());
    const balance = get("/api/credit-balance");
    await sleep(1_000);
    unlock();
    expect((await balance).status).toBe(200);
    expect(printed).not.toMatch(/SQLITE|stack:/);
  });

  test("ends with all its processes on SIGTERM", async () => {
    expect((await end()).length).toBeGreaterThan(2);
  });
});

describe("npm run console in a clone that is prepared", () => {
  let receiver: Receiver;
  let sequence: number;
  const path = () => receivingPath(receiver.url, "missed");

  beforeAll(async () => {
    receiver = await startReceiver();
    await end();
    sequence = addUnsentEvent(path().url);
    await serve("npm", ["run", "console"]);
  });

  afterAll(() => receiver.close());

  test("serves the console and the API, and a second one says where", async () => {
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
    expect(runScript("console").stdout).toBe(`The console is served already: ${url}\n`);
  });

  test("runs the cron handler, which sends the webhooks that were missed, and logs no request for it", async () => {
    await expect.poll(() => path().sequences()).toEqual([sequence]);
    expect(printed).toContain("Ready on");
    expect(printed).not.toContain("cdn-cgi/local/scheduled");
  });
});

describe("an applied migration that has changed", () => {
  beforeAll(async () => {
    await end();
    appendFileSync(path.join(clone, "migrations/0000_initial.sql"), "-- changed\n");
  });

  test.each([
    ["npm start", ["start"]],
    ["a command", ["ops", "client", "list"]],
  ])("ends %s, which names the state to delete", (_, words) => {
    const refused = runScript(...words);
    expect(refused.status).toBeGreaterThan(0);
    expect(refused.stderr).toContain("migrations/0000_initial.sql");
    expect(refused.stderr).toContain(state().folder);
  });

  test("is applied by `wrangler dev` without that state, which prepares it like `npm run setup`", async () => {
    rmSync(state().folder, { recursive: true });
    await serve("wrangler", ["dev", "--port", port, "--inspector-port", "0"]);
    await expectSeeded();
    expect((await get("/mailbox")).status).toBe(404);
    expect(printed).toContain("API-PASSWORD: demo-password");
    expect(runScript("setup")).toMatchObject({ status: 0, stdout: "" });
  });
});

/** Adds an event and a webhook that has not sent it, without a message in the queue. Returns the event's sequence. */
function addUnsentEvent(url: string): number {
  const database = openFile(state());
  const data = JSON.stringify({ currency: "AUD", balanceMinor: 100, alertBelowMinor: 200 });
  const { sequence } = database
    .prepare(
      `INSERT INTO events (client_id, sequence, type, data, created_at_ms)
       SELECT 'demo', coalesce(max(sequence), 0) + 1, 'credit.low', ?, ?
       FROM events WHERE client_id = 'demo' RETURNING sequence`,
    )
    .get(data, Date.now()) as { sequence: number };
  database
    .prepare(
      `INSERT INTO webhooks (client_id, url, secret_nonce, position, created_at_ms)
       VALUES ('demo', ?, 'nonce', ?, 1)`,
    )
    .run(url, sequence - 1);
  database.close();
  return sequence;
}
