// A deployed environment: its part of wrangler.toml, and its database and namespace in the Cloudflare account.
import { execFile } from "node:child_process";
import { promisify, stripVTControlCharacters } from "node:util";
import { brokenRules, type SettingName } from "../configuration.ts";
import { Unreachable } from "./failures.ts";
import { CONFIG, PROJECT_ROOT, WRANGLER } from "./project.ts";

export const DEPLOYED = ["sandbox", "production"] as const;
export type Deployed = (typeof DEPLOYED)[number];

/** What of wrangler.toml is used here; wrangler's own type of it does not resolve. */
interface EnvironmentConfig {
  account_id?: string;
  compatibility_date: string;
  vars: { ENVIRONMENT: Deployed; PUBLIC_URL: string; SUPPORT_EMAIL: string };
  d1_databases: { database_name: string; database_id?: string }[];
  kv_namespaces: { id?: string }[];
}

export async function readEnvironment(
  environment: Deployed,
  file = CONFIG,
): Promise<EnvironmentConfig> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config: unknown = readConfig({ config: file, env: environment }, { hideWarnings: true });
  return config as EnvironmentConfig;
}

/** What is wrong with the variables. Secrets are not in wrangler.toml: the Worker checks them. */
export function brokenVariables(environment: Deployed, { vars }: EnvironmentConfig): string[] {
  return [
    ...(vars.ENVIRONMENT === environment ? [] : [`ENVIRONMENT must be ${environment}`]),
    ...brokenRules(vars, Object.keys(vars) as SettingName[]),
  ];
}

/** A sentence if an address is still the one that the repository has; RFC 2606 reserves `.example`. */
export function placeholderAddress({ vars }: EnvironmentConfig): string | undefined {
  const { ENVIRONMENT, ...addresses } = vars;
  const found = Object.entries(addresses).find(([, value]) => /\.example(:\d+)?$/.test(value));
  if (!found) return undefined;
  const [name, value] = found;
  return `${name} is the placeholder ${value}: set it in wrangler.toml, under [env.${ENVIRONMENT}.vars]`;
}

export interface Resources {
  databaseName: string;
  databaseId: string | undefined;
  namespaceTitle: string;
  namespaceId: string | undefined;
}

/**
 * The environment's database and namespace, by their ids in wrangler.toml, else by their names in the account.
 * Errors: `Unreachable`.
 */
export async function findResources(environment: Deployed, file = CONFIG): Promise<Resources> {
  const { d1_databases, kv_namespaces } = await readEnvironment(environment, file);
  const [database, namespace] = [d1_databases[0], kv_namespaces[0]];
  if (!database || !namespace) throw new Error(`${file} binds no DB or no KV for ${environment}`);
  // The name that `wrangler deploy` gives to a namespace without an id.
  const namespaceTitle = `regalo-${environment}-kv`;
  const list = async <T>(...words: string[]) =>
    JSON.parse(await runWrangler(environment, words, file)) as T[];
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

/** Runs wrangler on the environment, without questions, and returns what it prints. Errors: `Unreachable`. */
export async function runWrangler(
  environment: Deployed,
  words: readonly string[],
  file = CONFIG,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(WRANGLER, [...words, "--config", file], {
      cwd: PROJECT_ROOT,
      env: {
        ...process.env,
        CI: "true",
        // Not --env, which wrangler puts before the name of a new namespace.
        CLOUDFLARE_ENV: environment,
        // At a quieter level wrangler leaves out the JSON as well.
        WRANGLER_LOG: "log",
        WRANGLER_HIDE_BANNER: "true",
      },
    });
    return stdout;
  } catch (error) {
    throw unreachable(environment, error);
  }
}

export function unreachable(environment: Deployed, error: unknown): Unreachable {
  return new Unreachable(
    `${environment} cannot be reached: ${reasonOf(error)} ` +
      `(Log in with "npx wrangler login"; deploy with "npm run deploy:${environment}".)`,
  );
}

/** Why wrangler failed, on one line: its own message where it printed one, without its marks and hints. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const printed = "stderr" in error ? stripVTControlCharacters(String(error.stderr)) : "";
  const [, message] = /\[ERROR\]([^]*?)(?:🪵|If you think this is a bug|$)/u.exec(printed) ?? [];
  return (message ?? error.message).replaceAll(/\s+/g, " ").trim();
}
