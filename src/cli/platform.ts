// The bindings of an environment, for commands that run in Node beside the Worker.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { aroundCalls } from "../db/around.ts";
import { whenUnlocked } from "../db/locked.ts";
import type { Bindings } from "../env.ts";
import { type Deployed, findResources, readEnvironment, unreachable } from "./deployment.ts";
import { CONFIG, PROJECT_ROOT } from "./project.ts";

export { PROJECT_ROOT, WRANGLER } from "./project.ts";

export interface Target {
  environment: "local" | Deployed;
  /** Where the local state is, as wrangler's own --persist-to names it. */
  persistTo?: string | undefined;
}

/** Runs `work` on the environment's D1 and KV, and lets go of them. Errors: `Unreachable`. */
export async function withPlatform<T>(
  target: Target,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  return target.environment === "local"
    ? withLocal(target.persistTo ?? path.join(PROJECT_ROOT, ".wrangler/state"), work)
    : withDeployed(target.environment, work);
}

async function withLocal<T>(persistTo: string, work: (env: Bindings) => Promise<T>): Promise<T> {
  // Loading wrangler takes a second: commands that need no bindings do without.
  const { getPlatformProxy } = await import("wrangler");
  const platform = await getPlatformProxy<Bindings>({
    configPath: CONFIG,
    // `wrangler dev` keeps its state in this folder of the one it is given.
    persist: { path: path.join(path.resolve(persistTo), "v3") },
    remoteBindings: false,
  });
  try {
    return await work({ ...platform.env, DB: aroundCalls(platform.env.DB, whenUnlocked) });
  } finally {
    await platform.dispose();
  }
}

/** Deployed bindings are reached with wrangler's own login, by a configuration that exists meanwhile only. */
async function withDeployed<T>(
  environment: Deployed,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await import("wrangler");
  const folder = await mkdtemp(path.join(tmpdir(), "regalo-"));
  try {
    const configPath = path.join(folder, "wrangler.json");
    const config = await deployedConfig(environment);
    await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
    const platform = await getPlatformProxy<Bindings>({ configPath, persist: false }).catch(
      (error: unknown) => {
        throw unreachable(environment, error);
      },
    );
    try {
      return await work(platform.env);
    } finally {
      await platform.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What `remote = true` on both bindings would be in wrangler.toml, where it would make `wrangler dev` remote as
 * well. Errors: `Unreachable`.
 */
export async function deployedConfig(environment: Deployed, file = CONFIG) {
  const { account_id, compatibility_date, vars } = await readEnvironment(environment, file);
  const { databaseName, databaseId, namespaceTitle, namespaceId } = await findResources(
    environment,
    file,
  );
  if (!databaseId) throw unreachable(environment, `it has no database ${databaseName}.`);
  if (!namespaceId) throw unreachable(environment, `it has no KV namespace ${namespaceTitle}.`);
  return {
    name: `regalo-ops-${environment}`,
    account_id,
    compatibility_date,
    send_metrics: false,
    vars,
    d1_databases: [
      { binding: "DB", database_name: databaseName, database_id: databaseId, remote: true },
    ],
    kv_namespaces: [{ binding: "KV", id: namespaceId, remote: true }],
  };
}
