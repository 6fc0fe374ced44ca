// A deployed environment: its section of wrangler.toml, and its database, KV namespace and queues in the Cloudflare
// account.
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { brokenRules, type SettingName } from "../platform/configuration.ts";
import { within } from "../core/deadline.ts";
import { UnreachableError } from "./errors.ts";
import { CONFIG, PROJECT_ROOT, WRANGLER } from "./paths.ts";

export const DEPLOYED_ENVIRONMENTS = ["sandbox", "production"] as const;
export type DeployedEnvironment = (typeof DEPLOYED_ENVIRONMENTS)[number];

/** The bindings and variables that the environment must have. Wrangler only warns of missing ones. */
export const bindingsOf = (environment: DeployedEnvironment) => [
  "DB",
  "KV",
  "RATE_LIMITER",
  "RATE_LIMIT_PER_MINUTE",
  "WEBHOOK_QUEUE",
  "ENVIRONMENT",
  "PUBLIC_URL",
  "SUPPORT_EMAIL",
  "EMAIL_FROM",
  "EMAIL_IMPRINT",
  "IMAGE_TRANSFORMATIONS",
  "ASSETS",
  "METRICS",
  // The sandbox sends no e-mails.
  ...(environment === "production" ? ["EMAIL"] : []),
];

/** The parts of wrangler.toml that are used here. Wrangler's own type does not resolve. */
interface EnvironmentConfig {
  /** The name of the Worker. */
  name: string;
  account_id?: string;
  compatibility_date: string;
  workers_dev?: boolean;
  routes?: (string | { pattern: string; custom_domain?: boolean })[];
  vars: { ENVIRONMENT: DeployedEnvironment } & Record<
    "PUBLIC_URL" | "SUPPORT_EMAIL" | "EMAIL_FROM",
    string
  >;
  d1_databases: { database_name: string; database_id?: string }[];
  kv_namespaces: { id?: string }[];
  queues: { consumers: { queue: string; dead_letter_queue: string }[] };
}

export async function readEnvironment(
  environment: DeployedEnvironment,
  file = CONFIG,
): Promise<EnvironmentConfig> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config: unknown = readConfig({ config: file, env: environment }, { hideWarnings: true });
  return config as EnvironmentConfig;
}

/** A message for each invalid variable. Secrets are not in wrangler.toml, so only the Worker checks them. */
export function brokenVariables(
  environment: DeployedEnvironment,
  { vars }: EnvironmentConfig,
): string[] {
  return [
    ...(vars.ENVIRONMENT === environment ? [] : [`ENVIRONMENT must be ${environment}`]),
    ...brokenRules(vars, Object.keys(vars) as SettingName[]),
  ];
}

/** A message if an address is still a placeholder. Placeholders end in `.example`, which RFC 2606 reserves. */
export function placeholderAddress({ vars }: EnvironmentConfig): string | undefined {
  const { ENVIRONMENT, ...addresses } = vars;
  const found = Object.entries(addresses).find(([, value]) => /\.example(:\d+)?$/.test(value));
  if (!found) return undefined;
  const [name, value] = found;
  return `${name} is the placeholder ${value}: set it in wrangler.toml, under [env.${ENVIRONMENT}.vars]`;
}

/**
 * A message if `PUBLIC_URL` is not at an address of the Worker: a route of all paths, a custom domain or its workers.dev
 * address.
 */
export function unservedAddress(config: EnvironmentConfig): string | undefined {
  const { hostname } = new URL(config.vars.PUBLIC_URL);
  const hosts = (config.routes ?? [])
    .map((route) => (typeof route === "string" ? { pattern: route } : route))
    .map(({ pattern, custom_domain }) => (custom_domain ? `${pattern}/*` : pattern))
    .map((pattern) => pattern.replace(/^https?:\/\//, ""))
    // A route without a wildcard at its end serves one path.
    .flatMap((pattern) => /^([^/]+?)\/?\*$/.exec(pattern)?.[1] ?? []);
  if (config.workers_dev) hosts.push(`${config.name}.*.workers.dev`);
  if (hosts.some((host) => path.matchesGlob(hostname, host))) return undefined;
  const served = hosts.length > 0 ? hosts.join(", ") : "no address";
  return `PUBLIC_URL is at ${hostname}, but the Worker is served at ${served}. Add the host to routes in wrangler.toml, as a custom domain or with /* at its end`;
}

/**
 * Finds the environment's database and namespace by their ids in wrangler.toml, or else by their names in the account.
 * Errors: `UnreachableError`.
 */
export async function findResources(environment: DeployedEnvironment, file = CONFIG) {
  const { d1_databases, kv_namespaces } = await readEnvironment(environment, file);
  const [database, namespace] = [d1_databases[0], kv_namespaces[0]];
  if (!database || !namespace)
    throw new Error(`${file} has no DB or no KV binding for ${environment}`);
  // `wrangler deploy` gives this title to a namespace that has no id.
  const namespaceTitle = `regalo-${environment}-kv`;
  const list = async <T>(...args: string[]) =>
    JSON.parse(await runWrangler(environment, args, file)) as T[];
  const [databases, namespaces] = await Promise.all([
    database.database_id ? [] : list<{ name: string; uuid: string }>("d1", "list", "--json"),
    namespace.id ? [] : list<{ title: string; id: string }>("kv", "namespace", "list"),
  ]);
  return {
    databaseName: database.database_name,
    databaseId:
      database.database_id ?? databases.find(({ name }) => name === database.database_name)?.uuid,
    namespaceTitle,
    namespaceId: namespace.id ?? namespaces.find(({ title }) => title === namespaceTitle)?.id,
  };
}

/** The names of the environment's queues and dead-letter queues that the account lacks. Errors: `UnreachableError`. */
export async function findMissingQueues(environment: DeployedEnvironment): Promise<string[]> {
  const { queues } = await readEnvironment(environment);
  const names = queues.consumers.flatMap((each) => [each.queue, each.dead_letter_queue]);
  const missing: string[] = [];
  // One after the other: each starts a wrangler, and all of them at once are slow on a busy machine.
  for (const name of names) if (!(await queueExists(environment, name))) missing.push(name);
  return missing;
}

/** `wrangler queues list` prints a table in pages, so each queue is looked up by its name. */
async function queueExists(environment: DeployedEnvironment, name: string): Promise<boolean> {
  try {
    await runWrangler(environment, ["queues", "info", name]);
    return true;
  } catch (error) {
    if (error instanceof Error && error.message.includes(`Queue "${name}" does not exist`)) {
      return false;
    }
    throw error;
  }
}

/** The deadline of each network step of a command. D1 itself ends a statement after 30 seconds. */
export const NETWORK_DEADLINE_MS = 60_000;

/**
 * Runs wrangler non-interactively on the environment and returns its output. Wrangler ends with this process. Errors:
 * `UnreachableError`.
 */
export async function runWrangler(
  environment: DeployedEnvironment,
  args: readonly string[],
  file = CONFIG,
): Promise<string> {
  const running = promisify(execFile)(WRANGLER, [...args, "--config", file], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      CI: "true",
      // With --env, wrangler would prefix the title of a new namespace.
      CLOUDFLARE_ENV: environment,
      // At a quieter level, wrangler does not print the JSON.
      WRANGLER_LOG: "log",
      WRANGLER_HIDE_BANNER: "true",
    },
  });
  const stop = () => running.child.kill();
  process.once("exit", stop);
  try {
    return (await within(NETWORK_DEADLINE_MS, "Cloudflare", running)).stdout;
  } catch (error) {
    throw unreachable(environment, error);
  } finally {
    stop();
    process.off("exit", stop);
  }
}

export function unreachable(environment: DeployedEnvironment, error: unknown): UnreachableError {
  return new UnreachableError(
    `${environment} cannot be reached: ${reasonOf(error)} ` +
      '(Check your network connection. "npx wrangler whoami" shows your login.)',
  );
}

/** The account lacks what a deployment creates. */
export function notDeployed(environment: DeployedEnvironment, missing: string): UnreachableError {
  return new UnreachableError(
    `${environment} cannot be reached: the account has no ${missing}. ` +
      `("npx wrangler whoami" shows the account. "npm run deploy:${environment}" creates what is missing.)`,
  );
}

/** The reason why wrangler failed, on one line: its error message without symbols and hints, if it printed one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = "stderr" in error ? stripVTControlCharacters(String(error.stderr)) : "";
  const [, message] = /\[ERROR\]([^]*?)(?:🪵|If you think this is a bug|$)/u.exec(printed) ?? [];
  return (message ?? error.message).replaceAll(/\s+/g, " ").trim();
}
