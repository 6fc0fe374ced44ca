// The bindings of an environment, for commands that run in Node beside the Worker.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Bindings } from "../env.ts";
import { Unreachable } from "./failures.ts";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");
const CONFIG = path.join(PROJECT_ROOT, "wrangler.toml");
/** wrangler's own command. */
export const WRANGLER = path.join(PROJECT_ROOT, "node_modules/.bin/wrangler");

export interface Target {
  environment: "local" | "sandbox" | "production";
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
    return await work(platform.env);
  } finally {
    await platform.dispose();
  }
}

/** Deployed bindings are read through wrangler's own login, by a configuration that exists meanwhile only. */
async function withDeployed<T>(
  environment: "sandbox" | "production",
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  const { getPlatformProxy } = await import("wrangler");
  const folder = await mkdtemp(path.join(tmpdir(), "regalo-"));
  try {
    const configPath = path.join(folder, "wrangler.json");
    const config = await deployedConfig(environment, askWrangler);
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

/** What of wrangler.toml is used here; wrangler's own type of it does not resolve. */
interface DeployedConfig {
  compatibility_date: string;
  vars: Record<string, string>;
  d1_databases: { binding: string; database_name?: string; database_id?: string }[];
  kv_namespaces: { binding: string; id?: string }[];
}

/** Lists what the account has, as `wrangler <words>` prints it in JSON. */
export type Ask = (words: string[]) => Promise<unknown>;

/**
 * What `remote = true` on both bindings would be in wrangler.toml, where it would make `wrangler dev` remote
 * as well. Where that file has no ids yet, the resources are found by the names that the deploy gave them.
 */
export async function deployedConfig(environment: "sandbox" | "production", ask: Ask) {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config = readConfig(
    { config: CONFIG, env: environment },
    { hideWarnings: true },
  ) as unknown as DeployedConfig;
  const database = config.d1_databases.find(({ binding }) => binding === "DB");
  const namespace = config.kv_namespaces.find(({ binding }) => binding === "KV");
  try {
    const databaseId =
      database?.database_id ??
      ((await ask(["d1", "list", "--json"])) as { name: string; uuid: string }[]).find(
        ({ name }) => name === database?.database_name,
      )?.uuid;
    const namespaceId =
      namespace?.id ??
      ((await ask(["kv", "namespace", "list"])) as { title: string; id: string }[]).find(
        ({ title }) => title === `regalo-${environment}-kv`,
      )?.id;
    if (!databaseId || !namespaceId) throw new Error("it has no database or no KV namespace yet");
    return {
      name: `regalo-ops-${environment}`,
      compatibility_date: config.compatibility_date,
      send_metrics: false,
      vars: config.vars,
      d1_databases: [
        {
          binding: "DB",
          database_name: database?.database_name,
          database_id: databaseId,
          remote: true,
        },
      ],
      kv_namespaces: [{ binding: "KV", id: namespaceId, remote: true }],
    };
  } catch (error) {
    throw unreachable(environment, error);
  }
}

const askWrangler: Ask = async (words) => {
  const { stdout } = await promisify(execFile)(WRANGLER, words, {
    cwd: PROJECT_ROOT,
    // Without a terminal wrangler asks nothing, and opens no browser.
    env: { ...process.env, CI: "true" },
  });
  return JSON.parse(stdout) as unknown;
};

function unreachable(environment: string, error: unknown): Unreachable {
  const reason = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
  return new Unreachable(
    `${environment} cannot be reached (${reason}): log in with "npx wrangler login", ` +
      `and deploy it first with "npm run deploy:${environment}".`,
  );
}
