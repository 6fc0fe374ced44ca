// Deployment, and commands on deployed environments, with the real wrangler and a fake of Cloudflare's API.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deployedConfig } from "../../src/cli/bindings.ts";
import { PROJECT_ROOT, WRANGLER } from "../../src/cli/paths.ts";
import { type Cloudflare, startCloudflare } from "../support/cloudflare.ts";
import { NODE, OPS, run } from "../support/command.ts";

const DATABASE_ID = "11111111-2222-3333-4444-555555555555";
const NAMESPACE_ID = "0123456789abcdef0123456789abcdef";

let cloudflare: Cloudflare;

/** Starts an API with `accounts` accounts, which this process and its child processes use. */
async function start(accounts: number): Promise<void> {
  cloudflare = await startCloudflare(accounts);
  for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
}

/** Adds the sandbox's resources and others to an account. */
function addResources(accountIndex: number): void {
  const account = cloudflare.accounts[accountIndex];
  const sqlite = new DatabaseSync(":memory:");
  account?.databases.push(
    { name: "regalo-production", uuid: crypto.randomUUID(), sqlite },
    { name: "regalo-sandbox", uuid: DATABASE_ID, sqlite },
  );
  account?.namespaces.push(
    { title: "regalo-production-kv", id: "f".repeat(32) },
    { title: "regalo-sandbox-kv", id: NAMESPACE_ID },
  );
}

beforeEach(() => start(1));
afterEach(async () => {
  vi.unstubAllEnvs();
  await cloudflare.close();
});

describe("an operator's command on a deployed environment", () => {
  test("uses the remote database and namespace, at any log level of wrangler", async () => {
    vi.stubEnv("WRANGLER_LOG", "error");
    addResources(0);
    const config = await deployedConfig("sandbox");
    expect(config.vars.ENVIRONMENT).toBe("sandbox");
    expect(config.d1_databases).toEqual([
      { binding: "DB", database_name: "regalo-sandbox", database_id: DATABASE_ID, remote: true },
    ]);
    expect(config.kv_namespaces).toEqual([{ binding: "KV", id: NAMESPACE_ID, remote: true }]);
  });

  test("requests a remote preview, and prints the reason if there is none", async () => {
    addResources(0);
    const words = ["--env", "sandbox", "--json", "client", "list"];
    const { code, out, err } = await run(NODE, [OPS, ...words]);
    const account = cloudflare.accounts[0]?.id ?? "";
    expect(cloudflare.requests).toContain(
      `GET /accounts/${account}/workers/subdomain/edge-preview`,
    );
    expect(err).toContain("sandbox cannot be reached: Failed to start the remote proxy session");
    expect([code, out]).toEqual([3, ""]);
  });

  test("names missing resources and the command that deploys them", async () => {
    await expect(deployedConfig("production")).rejects.toThrow(
      /production cannot be reached: .*regalo-production.*npm run deploy:production/,
    );
  });

  test("prints wrangler's message about several accounts, and uses the account_id of wrangler.toml", async () => {
    await cloudflare.close();
    await start(2);
    addResources(1);
    await expect(deployedConfig("sandbox")).rejects.toThrow(
      /More than one account available .*`account_id`/,
    );

    const folder = mkdtempSync(path.join(tmpdir(), "regalo-account-"));
    const file = path.join(folder, "wrangler.toml");
    const account_id = cloudflare.accounts[1]?.id ?? "";
    const toml = readFileSync(path.join(PROJECT_ROOT, "wrangler.toml"), "utf8");
    writeFileSync(file, `account_id = "${account_id}"\n${toml}`);
    expect(await deployedConfig("sandbox", file)).toMatchObject({
      account_id,
      d1_databases: [{ database_id: DATABASE_ID }],
    });
    rmSync(folder, { recursive: true });
  });
});

describe("npm run deploy:sandbox", () => {
  test("refuses the placeholder of PUBLIC_URL before any request to Cloudflare", async () => {
    const { code, err } = await run("npm", ["run", "deploy:sandbox"]);
    expect(err).toContain("PUBLIC_URL is the placeholder https://sandbox.regalo.example");
    expect(err).toContain("set it in wrangler.toml, under [env.sandbox.vars]");
    expect(code).toBe(1);
    expect(cloudflare.requests).toEqual([]);
  });

  test("creates missing resources once, also after failed attempts", async () => {
    const deploy = () => run(NODE, ["src/cli/deploy.ts", "sandbox"]);
    const first = await deploy();
    expect(first.err).toContain(
      "required secrets have not been set: GIFT_LINK_SECRET, WEBHOOK_SECRET",
    );
    expect(first.code).toBe(1);

    for (const name of ["GIFT_LINK_SECRET", "WEBHOOK_SECRET"]) {
      const put = ["secret", "put", name, "--env", "sandbox"];
      expect((await run(WRANGLER, put, {}, `${"s".repeat(64)}\n`)).code).toBe(0);
    }
    const second = await deploy();
    expect(second.code, second.err).toBe(0);
    // A deployment of a Worker that exists.
    const third = await deploy();
    expect(third.code, third.err).toBe(0);
    expect(third.out).not.toContain("Created ");

    const [account] = cloudflare.accounts;
    expect(account?.databases.map(({ name }) => name)).toEqual(["regalo-sandbox"]);
    expect(account?.namespaces.map(({ title }) => title)).toEqual(["regalo-sandbox-kv"]);
    const worker = account?.workers.get("regalo-sandbox");
    expect(worker?.secrets.get("GIFT_LINK_SECRET")).toBe("s".repeat(64));
    expect(worker?.bindings).toEqual(
      expect.arrayContaining([
        { name: "DB", type: "d1", id: account?.databases[0]?.uuid },
        { name: "KV", type: "kv_namespace", namespace_id: account?.namespaces[0]?.id },
        { name: "WEBHOOK_QUEUE", type: "queue", queue_name: "regalo-sandbox-webhooks" },
      ]),
    );
    expect(worker?.crons).toEqual(["* * * * *"]);
    const [queue, deadLetters] = account?.queues ?? [];
    expect(queue).toMatchObject({
      name: "regalo-sandbox-webhooks",
      consumers: [
        {
          type: "worker",
          script: "regalo-sandbox",
          dead_letter_queue: "regalo-sandbox-webhooks-dead",
          settings: { batch_size: 1, max_retries: 3, max_wait_time_ms: 0 },
        },
      ],
    });
    expect(deadLetters).toMatchObject({ name: "regalo-sandbox-webhooks-dead", consumers: [] });
    expect(account?.queues).toHaveLength(2);
    const applied = account?.databases[0]?.sqlite.prepare("SELECT name FROM d1_migrations").all();
    expect(applied?.map(({ name }) => name)).toEqual(
      readdirSync(path.join(PROJECT_ROOT, "migrations")).sort(),
    );
    expect(existsSync(path.join(PROJECT_ROOT, "wrangler.deploy.json"))).toBe(false);
  });
});
