// The commands that prepare and serve a clone. Preparing and starting take seconds, so the tests of a server share it, and
// later ones use the clone that the first one has prepared.
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { components } from "../../packages/client/src/openapi.ts";
import { toGiftId } from "../../src/core/values/ids.ts";
import { DAY_MS } from "../../src/core/values/time.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { BIN } from "../servers/command.ts";
import { callDemo } from "../servers/demo-gift.ts";
import { AUTH, openFile } from "../servers/demo-server.ts";
import { receivingPath } from "../support/received.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { freePort, untilAnswering } from "../servers/server.ts";

type PlacedGiftLinks = components["schemas"]["PlacedGiftLinks"];
type Order = components["schemas"]["Order"];
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
  CODE_SECRET: undefined,
  REGALO_SETUP: undefined,
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
  await untilEnded(started);
  await ended;
  return started;
}

async function untilEnded(ids: number[]): Promise<void> {
  const areEnded = () => {
    expect(processes().filter(({ id }) => ids.includes(id))).toEqual([]);
  };
  await vi.waitFor(areEnded, { timeout: 120_000, interval: 100 });
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command in the clone to its end. */
const runCommand = (command: string, words: string[], env: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    const options = { cwd: clone, env: { ...environment(), PORT: port, ...env } };
    const child = execFile(command, words, options, (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
    child.stdin?.end();
  });

/** Runs a script of the clone's package.json to its end. */
const runScript = (script: string) => runCommand("npm", ["run", "-s", script]);

const ops = (line: string, env?: Record<string, string>) =>
  runCommand("npm", ["run", "-s", "ops", "--", ...line.split(" ")], env);

/** The output of a command that must succeed. */
async function opsJson(line: string) {
  const { status, stdout, stderr } = await ops(`${line} --json`);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

const lastLine = (text: string) => JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");

const get = (where: string) => fetch(`http://localhost:${port}${where}`, { headers: AUTH });

/** The requests of README.md, to the server's port. */
const readmeRequests = () =>
  [
    ...readFileSync(path.join(PROJECT_ROOT, "README.md"), "utf8").matchAll(
      /```sh\n(curl .*?)```/gs,
    ),
  ].map(([, script = ""]) => script.replaceAll(":8787", `:${port}`));

/** The shell code of docs/operator-api.md, with the functions that call the local console. */
function operatorScript(): string {
  const page = readFileSync(path.join(PROJECT_ROOT, "docs/operator-api.md"), "utf8");
  const [signIn, ...blocks] = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code);
  expect(signIn).toContain("auth() {");
  return [
    "set -euo pipefail",
    `API=http://localhost:${String(Number(port) + 1)}/operations`,
    'auth() { curl -sS --fail-with-body "$@"; }',
    ...blocks,
  ].join("\n");
}

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
    const messages = async () => {
      const list = await (await get("/mailbox")).text();
      return Promise.all(
        [...list.matchAll(/href="(\/mailbox\/[^"]+)"/g)].map(async ([, path]) =>
          (await get(`${String(path)}/html`)).text(),
        ),
      );
    };
    const withText = async (text: string) =>
      (await messages()).find((each) => each.includes(text)) ?? "";
    await expect.poll(() => withText("Dear Noor,"), { timeout: 45_000 }).toContain(link);
    const codes = await get("/api/order?order_ref_id=my-first-order&include=codes");
    const { recipients } = await codes.json<Order>();
    for (const { code } of recipients) {
      await expect.poll(() => withText(code ?? "no code"), { timeout: 45_000 }).not.toBe("");
    }
    const [, demo = ""] = /href="([^"]+)"/.exec(await withText("Ingrid")) ?? [];
    expect(demo).toMatch(new RegExp(`^http://localhost:${port}/redeem/`));
    expect(await (await fetch(demo)).text()).toContain("Ingrid, a gift for you");
  });

  describe("npm run ops", () => {
    test("lists, and makes a change once, with its entry in the audit log", async () => {
      expect(
        (await opsJson("client list")).map(({ client }: { client: string }) => client),
      ).toContain("demo");
      await opsJson("client set demo-two --fee 5");
      expect((await opsJson("client show demo-two")).facts).toMatchObject({ fee: "5" });
      const entry = {
        action: "client set",
        object: "demo-two",
        operator: "engineer@regalo.example",
      };
      expect(await opsJson("audit list --client demo-two")).toEqual([
        expect.objectContaining(entry),
      ]);
    });

    test("is refused with the exit code 1, also what another role may not do", async () => {
      const unknown = await ops("order show GO-00077 --json");
      expect([unknown.status, lastLine(unknown.stderr)]).toMatchObject([1, { code: "refused" }]);
      const forbidden = await ops("client set demo-two --fee 6 --json", { REGALO_ROLE: "support" });
      expect([forbidden.status, lastLine(forbidden.stderr)]).toMatchObject([
        1,
        { code: "refused" },
      ]);
      expect((await opsJson("client show demo-two")).facts).toMatchObject({ fee: "5" });
    });

    test("writes a file, and prints no error if its output is closed early", async () => {
      const file = path.join(clone, "clients.csv");
      expect(await ops(`client list --csv --output ${file}`)).toMatchObject({
        status: 0,
        stdout: "",
      });
      expect(readFileSync(file, "utf8")).toMatch(/^client,.*\r\n/);
      const shell = (rest: string) =>
        runCommand("bash", ["-c", `set -o pipefail; npm run -s ops -- ${rest}`]);
      expect(await shell("client list --csv | true")).toMatchObject({ status: 0, stderr: "" });
    });

    // Only Linux has /dev/full.
    test.runIf(process.platform === "linux")(
      "does not make a change look like a refusal if the disk is full",
      async () => {
        const change = "npm run -s ops -- client suspend demo-jp --json > /dev/full";
        const { status, stderr } = await runCommand("bash", ["-c", change]);
        expect([status, lastLine(stderr)]).toMatchObject([4, { code: "unexpected", exit_code: 4 }]);
        expect((await opsJson("client show demo-jp")).facts).toMatchObject({ status: "suspended" });
      },
    );
  });

  test("answers the requests of docs/operator-api.md", async () => {
    const day = new Date(Date.now() + 60 * DAY_MS).toISOString().slice(0, 10);
    writeFileSync(path.join(clone, "counts.csv"), "product,quantity\n1001,4321\n");
    const shipped = ["GO-00006-1,JD01", "GO-00006-4,JD04"];
    writeFileSync(
      path.join(clone, "shipped.csv"),
      ["suborder_number,tracking_number", ...shipped].join("\n"),
    );
    for (const sequence of [1, 4]) {
      const gift = { event: "gift.redeemed", suborder_id: toGiftId(6, sequence) };
      await callDemo({ url: `http://localhost:${port}` }, "/api/sandbox/event", gift);
    }
    const script = operatorScript().replaceAll("2027-01-31", day);
    const { status, stdout, stderr } = await runCommand("bash", ["-c", script]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('"shipped": 2');
    expect(readFileSync(path.join(clone, "stock.csv"), "utf8")).toMatch(/^product,.*\r\n/);
    expect(await opsJson("stock list --product 1001")).toMatchObject([{ quantity: 4321 }]);
    expect((await opsJson("order show GO-00006")).facts).toMatchObject({ last_day: day });
    const [, key = ""] = /"api_key": "(.*)"/.exec(stdout) ?? [];
    const [, password = ""] = /"api_password": "(.*)"/.exec(stdout) ?? [];
    const headers = { "CLIENT-ID": "acme", "API-KEY": key, "API-PASSWORD": password };
    const list = await fetch(`http://localhost:${port}/api/products`, { headers });
    expect(list.status).toBe(200);
  });

  test("ends with all its processes on SIGTERM, and commands say that nothing is served", async () => {
    expect((await end()).length).toBeGreaterThan(2);
    const { status, stderr } = await ops("client list --json");
    expect([status, lastLine(stderr)]).toMatchObject([3, { code: "unreachable" }]);
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
    expect(await open("engineer", "/audit/list")).toEqual([
      200,
      expect.stringContaining("Audit log"),
    ]);
    expect(await open("viewer", "/audit/list")).toEqual([
      403,
      expect.stringContaining("Not allowed"),
    ]);
    // Without its Access, the Worker shows nothing of the console.
    expect((await get("/local-console/")).status).toBe(403);
    expect((await runScript("console")).stdout).toBe(`The console is served already: ${url}\n`);
  });

  test("runs the cron handler, which sends the webhooks that were missed, and logs no request for it", async () => {
    await expect.poll(() => path().sequences()).toEqual([sequence]);
    expect(printed).toContain("Ready on");
    expect(printed).not.toContain("cdn-cgi/local/scheduled");
  });

  test("ends with all its processes if it is killed", async () => {
    const started = descendants(server?.pid as number);
    process.kill(started[0] as number, "SIGKILL");
    server = undefined;
    await untilEnded(started);
  });
});

describe("an applied migration that has changed", () => {
  beforeAll(async () => {
    await end();
    appendFileSync(path.join(clone, "migrations/0001_orders.sql"), "-- changed\n");
  });

  test("ends npm start, which names the state to delete", async () => {
    const refused = await runScript("start");
    expect(refused.status).toBeGreaterThan(0);
    expect(refused.stderr).toContain("migrations/0001_orders.sql");
    expect(refused.stderr).toContain(state().folder);
  });

  test("is applied by `wrangler dev` without that state, which prepares it", async () => {
    rmSync(state().folder, { recursive: true });
    await serve("wrangler", ["dev", "--port", port, "--inspector-port", "0"]);
    await expectSeeded();
    expect((await get("/mailbox")).status).toBe(404);
    expect(printed).toContain("API-PASSWORD: demo-password");
    expect(await runCommand(process.execPath, ["src/cli/setup.ts"])).toMatchObject({
      status: 0,
      stdout: "",
    });
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
