// The configuration of a deployment: a copy of wrangler.toml or console.toml with the ids of the account's resources.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { experimental_readRawConfig } from "wrangler";
import { Refusal } from "../operator/refusal.ts";
import type { DeployedEnvironment } from "./deployed-environment.ts";
import { PROJECT_ROOT, WRANGLER } from "./paths.ts";

/** It is in the folder of the original, because the paths in it are relative. */
const DEPLOY_CONFIG = path.join(PROJECT_ROOT, "wrangler.deploy.json");

type Resource = Record<string, string | undefined>;

/** Reads the file unchanged. Wrangler's own type does not resolve. */
type ReadRawConfig = (options: { config: string }) => {
  rawConfig: {
    env: Record<DeployedEnvironment, { d1_databases: [Resource]; kv_namespaces: [Resource] }>;
  };
};

/**
 * Adds the resource ids. Without them, `wrangler deploy` would create a namespace, and fail if its title exists.
 * Removes the preview ids, because with them wrangler prints that it applies the migrations to a preview database.
 */
export function writeDeployConfig(
  file: string,
  environment: DeployedEnvironment,
  { databaseId, namespaceId }: { databaseId: string | undefined; namespaceId: string | undefined },
): void {
  const readRawConfig = experimental_readRawConfig as unknown as ReadRawConfig;
  const { rawConfig } = readRawConfig({ config: file });
  const { d1_databases, kv_namespaces } = rawConfig.env[environment];
  Object.assign(d1_databases[0], { database_id: databaseId, preview_database_id: undefined });
  Object.assign(kv_namespaces[0], { id: namespaceId, preview_id: undefined });
  writeFileSync(DEPLOY_CONFIG, JSON.stringify(rawConfig));
}

export const removeDeployConfig = () => {
  rmSync(DEPLOY_CONFIG, { force: true });
};

/** Returns a function that runs wrangler with the written configuration. Errors: `Refusal` if it fails and has printed why. */
export function wranglerFor(environment: DeployedEnvironment, script: string) {
  return (args: string[], env?: NodeJS.ProcessEnv): void => {
    const all = [...args, "--config", DEPLOY_CONFIG, "--env", environment];
    const options = {
      cwd: PROJECT_ROOT,
      stdio: "inherit",
      env: { ...process.env, ...env },
    } as const;
    if (spawnSync(WRANGLER, all, options).status === 0) return;
    throw new Refusal(
      `the deployment of ${environment} is not complete. Correct the cause that wrangler has printed above, ` +
        `then run "npm run ${script}" again.`,
    );
  };
}
