// The D1 and KV bindings of an environment, for commands, which run in Node.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { withDeadlines } from "../platform/deadlines.ts";
import { openDatabase, whenUnlocked } from "../platform/db/locked.ts";
import { within } from "../core/deadline.ts";
import type { Bindings } from "../platform/env.ts";
import { type DeployedEnvironment, placeholders, readEnvironment } from "./deployed-environment.ts";
import { UnreachableError } from "./errors.ts";
import { changedMigrations, LOCAL_STATE } from "./migrations.ts";
import { CONFIG } from "./paths.ts";

export interface Target {
  environment: "local" | DeployedEnvironment;
  /** The folder of the local state, as in wrangler's --persist-to. */
  persistTo?: string | undefined;
}

/** Runs `work` with the environment's D1 and KV, and releases them afterwards. Errors: `UnreachableError`. */
export async function withBindings<T>(
  target: Target,
  work: (env: Bindings) => Promise<T>,
): Promise<T> {
  const { env, dispose } =
    target.environment === "local"
      ? await openLocal(target.persistTo ?? LOCAL_STATE)
      : await openDeployed(target.environment);
  try {
    return await work(env);
  } finally {
    await dispose();
  }
}

/** The runtime starts in half a second. */
const START_DEADLINE_MS = 30_000;

/** The deadline of each network step of a command. D1 itself ends a statement after 30 seconds. */
const NETWORK_DEADLINE_MS = 60_000;

const COMMAND_DEADLINES = { DB: NETWORK_DEADLINE_MS, KV: NETWORK_DEADLINE_MS };

/** Five seconds on average. Another process is in the way for less than one. */
const MAX_STARTS = 10;

interface Opened {
  env: Bindings;
  /** Releases the bindings. The caller must call it. */
  dispose: () => Promise<void>;
}

/** Opens the D1 and KV of a local state. Errors: `DeadlineError`, `UnreachableError`. */
export async function openLocal(persistTo: string): Promise<Opened> {
  const problem = changedMigrations(persistTo);
  if (problem !== null) throw new UnreachableError(problem);
  const { env, dispose } = await whenUnlocked(
    () => within(START_DEADLINE_MS, "the local runtime", startLocal(persistTo)),
    MAX_STARTS,
  );
  return { env: withDeadlines(env, COMMAND_DEADLINES), dispose };
}

/**
 * Starts the local runtime. While another process opens the same state, the runtime prints that its database is locked
 * and does not start. `endProcess` then ends what wrangler leaves open.
 */
async function startLocal(persistTo: string) {
  // Loading wrangler takes a second. Commands without bindings do not load it.
  const { getPlatformProxy } = await import("wrangler");
  const platform = await getPlatformProxy<Bindings>({
    configPath: CONFIG,
    // `wrangler dev` stores its state in this subfolder.
    persist: { path: path.join(path.resolve(persistTo), "v3") },
    remoteBindings: false,
  });
  try {
    await openDatabase(platform.env.DB);
    return platform;
  } catch (error) {
    await platform.dispose();
    throw error;
  }
}

/** Connects to remote bindings with wrangler's login, through a temporary configuration file. Errors: `UnreachableError`. */
async function openDeployed(environment: DeployedEnvironment): Promise<Opened> {
  const { getPlatformProxy } = await import("wrangler");
  // Wrangler watches the file until it is disposed.
  const folder = await mkdtemp(path.join(tmpdir(), "regalo-"));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const configPath = path.join(folder, "wrangler.json");
    const config = await deployedConfig(environment);
    await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
    // After the deadline, `endProcess` ends what wrangler has started.
    const { env, dispose } = await within(
      NETWORK_DEADLINE_MS,
      "Cloudflare",
      getPlatformProxy<Bindings>({ configPath, persist: false }),
    ).catch((error: unknown) => {
      throw unreachable(environment, error);
    });
    return {
      env: withDeadlines(env, COMMAND_DEADLINES),
      dispose: () => dispose().finally(removeFolder),
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/**
 * A configuration with `remote = true` on both bindings. In wrangler.toml, that would make `wrangler dev` use them too.
 * Errors: `UnreachableError`.
 */
async function deployedConfig(environment: DeployedEnvironment) {
  const config = await readEnvironment(environment);
  const [placeholder] = placeholders(config);
  if (placeholder !== undefined) throw new UnreachableError(placeholder);
  const { account_id, compatibility_date, vars } = config;
  const [{ database_name, database_id }] = config.d1_databases;
  const [{ id }] = config.kv_namespaces;
  return {
    name: `regalo-ops-${environment}`,
    account_id,
    compatibility_date,
    send_metrics: false,
    vars,
    d1_databases: [{ binding: "DB", database_name, database_id, remote: true }],
    kv_namespaces: [{ binding: "KV", id, remote: true }],
  };
}

function unreachable(environment: DeployedEnvironment, error: unknown): UnreachableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreachableError(
    `${environment} cannot be reached: ${reason.replaceAll(/\s+/g, " ").trim()} ` +
      '(Check your network connection. "npx wrangler whoami" shows your login.)',
  );
}
