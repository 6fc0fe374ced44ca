// Commands on a deployed environment while Cloudflare accepts connections and leaves one request without an answer.
import { globSync, readFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { addClient } from "../../src/operator/clients/queries.ts";
import { firstAccount, newDatabase } from "../cloudflare/account.ts";
import { type Cloudflare, startCloudflare } from "../cloudflare/cloudflare.ts";
import { addEnvironment } from "../cloudflare/environment.ts";
import type { Failure } from "../cloudflare/network.ts";
import { NODE, OPS, run } from "../support/command.ts";

const started: Cloudflare[] = [];

async function start(failures: Failure[]): Promise<Cloudflare> {
  const cloudflare = await startCloudflare();
  started.push(cloudflare);
  cloudflare.network.failures.push(...failures);
  return cloudflare;
}

afterEach(async () => {
  for (const cloudflare of started.splice(0)) await cloudflare.close();
});

const silent = (request: RegExp, skip = 0): Failure => ({
  ...{ request, outcome: "silence", times: Infinity, skip },
});

/** Runs the command to its end, and waits until no process that it has started is left. */
async function ops({ env }: Cloudflare, words: string) {
  const done = await run(NODE, [OPS, ...words.split(" "), "--env", "sandbox", "--as", "ada"], env);
  await vi.waitFor(() => {
    expect(processesWith(env.WRANGLER_CACHE_DIR)).toEqual([]);
  }, 5_000);
  return done;
}

async function addPartner(d1: D1Database): Promise<void> {
  await d1.prepare("INSERT INTO catalogues (id, name) VALUES (1, 'main')").run();
  await addClient(d1, {
    ...{ id: "acme", name: "Acme", billing: "invoice", feeBasisPoints: 0, defaultCurrency: "AUD" },
    ...{ catalogueId: 1, createdAtMs: 0 },
  });
}

/** The command lines of the processes whose environment contains the text. */
function processesWith(text: string): string[] {
  const read = (file: string) => {
    try {
      return readFileSync(file, "utf8");
    } catch {
      // The process has ended, or belongs to another user.
      return "";
    }
  };
  return globSync("/proc/[0-9]*")
    .filter((folder) => read(`${folder}/environ`).includes(text))
    .map((folder) => read(`${folder}/cmdline`).replaceAll("\0", " "));
}

const NO_ANSWER = "sandbox cannot be reached: Cloudflare did not respond within 60 s";

test.runIf(process.platform === "linux")(
  "a command ends after 60 seconds with exit code 3, whichever step has no answer, and leaves no process",
  async () => {
    const lookups: Failure[][] = [
      [silent(/^GET \/(accounts|memberships)$/)],
      [silent(/^GET \/d1\/database/)],
      [silent(/^GET \/storage\/kv/)],
      [silent(/^GET .*\/subdomain/)],
      [silent(/^POST .*\/edge-preview$/)],
    ];
    const refused = lookups.map(async (failures) => {
      const cloudflare = await start(failures);
      firstAccount(cloudflare).databases.push(newDatabase("regalo-sandbox"));
      firstAccount(cloudflare).namespaces.push({ id: "f".repeat(32), title: "regalo-sandbox-kv" });
      const { code, out, err } = await ops(cloudflare, "client list");
      expect([code, out], String(failures[0]?.request)).toEqual([3, ""]);
      expect(err).toContain(NO_ANSWER);
      expect(err).not.toContain("deploy");
    });
    const changes: [Failure, number, string][] = [
      [silent(/^PREVIEW/), 3, "the database did not answer: D1 did not respond within 60 s"],
      // After reading and updating the client, the command deletes its record from KV.
      [
        { ...silent(/^PREVIEW/, 2), times: 1 },
        0,
        "note: KV cannot be reached. The change is saved",
      ],
    ];
    const changed = changes.map(async ([failure, exitCode, message]) => {
      const cloudflare = await start([]);
      await addPartner(
        await cloudflare.runtime.database(await addEnvironment(cloudflare, "sandbox")),
      );
      cloudflare.network.failures.push(failure);
      const { code, err } = await ops(cloudflare, "client suspend acme --yes");
      expect([code, err]).toEqual([exitCode, expect.stringContaining(message)]);
    });
    await Promise.all([...refused, ...changed]);
  },
  600_000,
);

test.runIf(process.platform === "linux")(
  "a command that fails at one lookup does not leave the other one running",
  async () => {
    const cloudflare = await start([
      { request: /^GET \/d1\/database/, outcome: 429, times: Infinity },
      silent(/^GET \/storage\/kv/),
    ]);
    const { code, err } = await ops(cloudflare, "client list");
    expect([code, err]).toEqual([3, expect.stringContaining("throttling")]);
  },
);
