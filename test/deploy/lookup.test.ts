// How a command finds the resources of a deployed environment in the account.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { deployedConfig } from "../../src/cli/bindings.ts";
import { PROJECT_ROOT } from "../../src/cli/paths.ts";
import { type Cloudflare, startCloudflare } from "../cloudflare/cloudflare.ts";
import { addEnvironment } from "../cloudflare/environment.ts";
import { run } from "../support/command.ts";

let cloudflare: Cloudflare;

/** Starts an API with `accounts` accounts, which this process and its child processes use. */
async function start(accounts: number): Promise<void> {
  cloudflare = await startCloudflare(accounts);
  for (const [name, value] of Object.entries(cloudflare.env)) vi.stubEnv(name, value);
}

beforeEach(() => start(1));
afterEach(async () => {
  vi.unstubAllEnvs();
  await cloudflare.close();
});

test("the remote database and namespace are found by name, at any log level of wrangler", async () => {
  vi.stubEnv("WRANGLER_LOG", "error");
  await addEnvironment(cloudflare, "production");
  await addEnvironment(cloudflare, "sandbox");
  const config = await deployedConfig("sandbox");
  expect(config.vars.ENVIRONMENT).toBe("sandbox");
  const [account] = cloudflare.accounts;
  const database_id = account?.databases[1]?.uuid;
  expect(config.d1_databases).toEqual([
    { binding: "DB", database_name: "regalo-sandbox", database_id, remote: true },
  ]);
  const id = account?.namespaces[1]?.id;
  expect(config.kv_namespaces).toEqual([{ binding: "KV", id, remote: true }]);
});

test("an error names missing resources and the command that deploys them", async () => {
  await expect(deployedConfig("production")).rejects.toThrow(
    /production cannot be reached: .*regalo-production.*npm run deploy:production/,
  );
});

test("with several accounts, wrangler's message is printed, and account_id of wrangler.toml is used", async () => {
  await cloudflare.close();
  await start(2);
  const [, second] = cloudflare.accounts;
  await addEnvironment(cloudflare, "sandbox", second);
  await expect(deployedConfig("sandbox")).rejects.toThrow(
    /More than one account available .*`account_id`/,
  );

  const folder = mkdtempSync(path.join(tmpdir(), "regalo-account-"));
  const file = path.join(folder, "wrangler.toml");
  const account_id = second?.id ?? "";
  const toml = readFileSync(path.join(PROJECT_ROOT, "wrangler.toml"), "utf8");
  writeFileSync(file, `account_id = "${account_id}"\n${toml}`);
  expect(await deployedConfig("sandbox", file)).toMatchObject({
    account_id,
    d1_databases: [{ database_id: second?.databases[0]?.uuid }],
  });
  rmSync(folder, { recursive: true });
});

test("npm run deploy:sandbox refuses the placeholder of PUBLIC_URL before any request", async () => {
  const { code, err } = await run("npm", ["run", "deploy:sandbox"]);
  expect(err).toContain("PUBLIC_URL is the placeholder https://sandbox.regalo.example");
  expect(err).toContain("set it in wrangler.toml, under [env.sandbox.vars]");
  expect(code).toBe(1);
  expect(cloudflare.requests).toEqual([]);
});

test("both environments are deployed by the same commands", () => {
  const { scripts } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["deploy:production"]).toBe(
    scripts["deploy:sandbox"]?.replaceAll("sandbox", "production"),
  );
});
