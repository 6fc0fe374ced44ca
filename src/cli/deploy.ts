// `npm run deploy:sandbox`, `npm run deploy:production`: migrates the database and deploys the Worker. It creates
// the database and the KV namespace that are missing, so that it can be repeated after it failed at any step.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { type Deployed, DEPLOYED, findResources, runWrangler } from "./deployment.ts";
import { describe, Usage } from "./failures.ts";
import { CONFIG, PROJECT_ROOT, WRANGLER } from "./project.ts";

/** wrangler.toml with the ids of what was found; beside it, since its paths are relative. */
const DEPLOY_CONFIG = path.join(PROJECT_ROOT, "wrangler.deploy.json");

try {
  const environment = DEPLOYED.find((name) => name === process.argv[2]);
  if (!environment) throw new Usage(`name an environment: ${DEPLOYED.join(" or ")}`);
  await writeDeployConfig(environment);
  const words = ["--config", DEPLOY_CONFIG, "--env", environment];
  process.exitCode =
    run(["d1", "migrations", "apply", "DB", "--remote", ...words]) ||
    run(["deploy", "--minify", ...words]);
} catch (error) {
  const { exitCode, message } = describe(error);
  console.error(`error: ${message ?? ""}`);
  process.exitCode = exitCode;
} finally {
  rmSync(DEPLOY_CONFIG, { force: true });
}

/** wrangler.toml as it stands there; wrangler's own type of it does not resolve. */
type ReadRawConfig = (options: { config: string }) => {
  rawConfig: {
    env: Record<Deployed, { d1_databases: [object]; kv_namespaces: [object] }>;
  };
};

/** `wrangler deploy` creates a namespace that has no id, and fails where its name is taken. */
async function writeDeployConfig(environment: Deployed): Promise<void> {
  const { databaseId, namespaceId } = await createResources(environment);
  const readRawConfig = experimental_readRawConfig as unknown as ReadRawConfig;
  const { rawConfig } = readRawConfig({ config: CONFIG });
  const { d1_databases, kv_namespaces } = rawConfig.env[environment];
  Object.assign(d1_databases[0], { database_id: databaseId });
  Object.assign(kv_namespaces[0], { id: namespaceId });
  writeFileSync(DEPLOY_CONFIG, JSON.stringify(rawConfig));
}

async function createResources(environment: Deployed) {
  const found = await findResources(environment);
  if (found.databaseId && found.namespaceId) return found;
  if (!found.databaseId) await create(environment, ["d1", "create", found.databaseName]);
  if (!found.namespaceId) {
    await create(environment, ["kv", "namespace", "create", found.namespaceTitle]);
  }
  return findResources(environment);
}

async function create(environment: Deployed, words: string[]): Promise<void> {
  await runWrangler(environment, words);
  console.log(`Created ${words.at(-1) ?? ""} (wrangler ${words.slice(0, -1).join(" ")}).`);
}

function run(words: string[]): number {
  return spawnSync(WRANGLER, words, { cwd: PROJECT_ROOT, stdio: "inherit" }).status ?? 1;
}
