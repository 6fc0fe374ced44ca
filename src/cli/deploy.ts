// `npm run deploy:sandbox`, `npm run deploy:production`: creates the database, the KV namespace and the queues if they are
// missing, applies the migrations and deploys the Worker. It can be run again after a failure at any step.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { experimental_readRawConfig } from "wrangler";
import {
  type DeployedEnvironment,
  DEPLOYED_ENVIRONMENTS,
  findMissingQueues,
  findResources,
  runWrangler,
} from "./deployed-environment.ts";
import { describeError, UsageError } from "./errors.ts";
import { CONFIG, PROJECT_ROOT, WRANGLER } from "./paths.ts";

/** A copy of wrangler.toml with resource ids. It is in the same folder, because the paths in it are relative. */
const DEPLOY_CONFIG = path.join(PROJECT_ROOT, "wrangler.deploy.json");

try {
  const environment = DEPLOYED_ENVIRONMENTS.find((name) => name === process.argv[2]);
  if (!environment)
    throw new UsageError(
      `the argument must be an environment: ${DEPLOYED_ENVIRONMENTS.join(" or ")}`,
    );
  await writeDeployConfig(environment);
  await createQueues(environment);
  const args = ["--config", DEPLOY_CONFIG, "--env", environment];
  process.exitCode =
    run(["d1", "migrations", "apply", "DB", "--remote", ...args]) ||
    run(["deploy", "--minify", ...args]);
} catch (error) {
  const { exitCode, message } = describeError(error);
  console.error(`error: ${message ?? ""}`);
  process.exitCode = exitCode;
} finally {
  rmSync(DEPLOY_CONFIG, { force: true });
}

/** Reads wrangler.toml unchanged. Wrangler's own type does not resolve. */
type ReadRawConfig = (options: { config: string }) => {
  rawConfig: {
    env: Record<DeployedEnvironment, { d1_databases: [object]; kv_namespaces: [object] }>;
  };
};

/** Adds the resource ids. Without them, `wrangler deploy` would create a namespace, and fail if its title exists. */
async function writeDeployConfig(environment: DeployedEnvironment): Promise<void> {
  const { databaseId, namespaceId } = await createResources(environment);
  const readRawConfig = experimental_readRawConfig as unknown as ReadRawConfig;
  const { rawConfig } = readRawConfig({ config: CONFIG });
  const { d1_databases, kv_namespaces } = rawConfig.env[environment];
  Object.assign(d1_databases[0], { database_id: databaseId });
  Object.assign(kv_namespaces[0], { id: namespaceId });
  writeFileSync(DEPLOY_CONFIG, JSON.stringify(rawConfig));
}

async function createResources(environment: DeployedEnvironment) {
  const found = await findResources(environment);
  if (found.databaseId && found.namespaceId) return found;
  if (!found.databaseId) await create(environment, ["d1", "create", found.databaseName]);
  if (!found.namespaceId) {
    await create(environment, ["kv", "namespace", "create", found.namespaceTitle]);
  }
  return findResources(environment);
}

/** `wrangler deploy` would create the queue of a binding, but no dead-letter queue. */
async function createQueues(environment: DeployedEnvironment): Promise<void> {
  for (const name of await findMissingQueues(environment)) {
    await create(environment, ["queues", "create", name]);
  }
}

async function create(environment: DeployedEnvironment, args: string[]): Promise<void> {
  await runWrangler(environment, args);
  console.log(`Created ${args.at(-1) ?? ""} (wrangler ${args.slice(0, -1).join(" ")}).`);
}

function run(args: string[]): number {
  return spawnSync(WRANGLER, args, { cwd: PROJECT_ROOT, stdio: "inherit" }).status ?? 1;
}
