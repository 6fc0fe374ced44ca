// A deployed environment, as wrangler.toml or console.toml configures it, and what is wrong with the configuration.
import { isDeepStrictEqual } from "node:util";
import { brokenConsoleRules } from "../console/configuration.ts";
import { brokenRules } from "../platform/configuration.ts";
import type { Bindings } from "../platform/env.ts";
import { CONFIG, regionNames } from "./paths.ts";

type Bound = Record<"binding", string>;

/** The parts of the configuration that are used here. Wrangler's own type does not resolve. */
export interface EnvironmentConfig {
  account_id?: string;
  compatibility_date: string;
  workers_dev?: boolean;
  routes?: unknown[];
  vars: Record<"ENVIRONMENT" | "PUBLIC_URL" | "SUPPORT_EMAIL" | "EMAIL_FROM", string> &
    Pick<Bindings, "REGION" | "REGIONS">;
  secrets?: { required?: string[] };
  d1_databases: [Bound & { database_name: string; database_id: string }];
  kv_namespaces: [Bound & { id: string }, ...(Bound & { id: string })[]];
  queues: { producers: Bound[] };
  assets?: Bound;
  /** The limits are requests a minute. */
  ratelimits: { name: string; simple: { limit: number } }[];
  send_email: { name: string }[];
}

export async function readEnvironment(
  environment: string,
  file = CONFIG,
): Promise<EnvironmentConfig> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config: unknown = readConfig({ config: file, env: environment }, { hideWarnings: true });
  return config as EnvironmentConfig;
}

/** What the Worker would get, with texts in place of the secrets, which are not in the configuration. */
function settingsOf(config: EnvironmentConfig): Partial<Bindings> {
  const { d1_databases, kv_namespaces, queues, assets, ratelimits, send_email, secrets } = config;
  const bound = [...d1_databases, ...kv_namespaces, ...queues.producers, assets ?? []].flat();
  const names = [
    ...bound.map(({ binding }) => binding),
    ...[...ratelimits, ...send_email].map(({ name }) => name),
    ...(secrets?.required ?? []),
  ];
  const settings = names.map((name) => [name, `in place of the binding or secret ${name}`]);
  return { ...Object.fromEntries(settings), ...config.vars } as Partial<Bindings>;
}

/** The configurations of all regions. */
export const readRegions = () => Promise.all(regionNames().map((name) => readEnvironment(name)));

/** A message for each fault of the API's configuration, by the rules of its Worker, and beside those of all regions. */
export function apiFaults(
  environment: string,
  config: EnvironmentConfig,
  regions: readonly EnvironmentConfig[],
): string[] {
  const broken = brokenRules(settingsOf(config));
  if (config.vars.ENVIRONMENT !== environment) broken.push(`ENVIRONMENT must be ${environment}`);
  const isListed = regions.length > 1 && environment !== "sandbox";
  const origins = regions.map(({ vars }) => [vars.ENVIRONMENT, vars.PUBLIC_URL] as const);
  const listed = new Map(Object.entries(config.vars.REGIONS ?? {}));
  if (!isDeepStrictEqual(listed, new Map(isListed ? origins : [])))
    broken.push("REGIONS must have the PUBLIC_URL of each region, if there are several");
  if (regions.filter(({ vars }) => vars.REGION === config.vars.REGION).length > 1)
    broken.push("REGION must differ from those of other regions");
  return broken;
}

/** The values that a deployment has to set. */
const valuesOf = ({ vars, routes, d1_databases, kv_namespaces }: EnvironmentConfig) =>
  new Map<string, unknown>([
    ["database_id", d1_databases.at(0)?.database_id],
    ...kv_namespaces.map(({ binding, id }) => [`id of ${binding}`, id] as const),
    ...Object.entries({ ...vars, routes }),
  ]);

const SHARED = ["database_id", "id of KV", "ENVIRONMENT", "REGION", "PUBLIC_URL", "EMAIL_FROM"];

/** A message for each fault of the console's configuration, by the rules of its Worker, and beside that of the API. */
export function consoleFaults(api: EnvironmentConfig, own: EnvironmentConfig): string[] {
  const [ofApi, ofConsole] = [valuesOf(api), valuesOf(own)];
  return [
    ...brokenConsoleRules(settingsOf(own)),
    ...SHARED.filter((name) => ofApi.get(name) !== ofConsole.get(name)).map(
      (name) => `${name} must be the same in console.toml as in wrangler.toml`,
    ),
    ...(own.workers_dev ? ["workers_dev must be false, because Access protects only routes"] : []),
    ...(own.routes?.length ? [] : ["routes must have the host name of the console"]),
  ];
}

/** A message for each id that Cloudflare has not given out, and each name in the reserved domain `.example`. */
export function placeholders(config: EnvironmentConfig): string[] {
  const isPlaceholder = (name: string, text = "") =>
    /^(database_id|id of \w+)$/.test(name)
      ? !/^"[\da-f-]{32,36}"$/.test(text)
      : /\.example\b/.test(text);
  return [...valuesOf(config)]
    .filter(([name, value]) => isPlaceholder(name, JSON.stringify(value)))
    .map(([name]) => `${name} is a placeholder: set it as docs/DEPLOYING.md describes`);
}
