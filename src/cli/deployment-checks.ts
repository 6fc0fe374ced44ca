// What wrangler does not check before a deployment. Each check returns a message for each fault.
import path from "node:path";
import type { AccessSettings } from "../console/access/identity.ts";
import { ROLES } from "../console/access/roles.ts";
import { brokenRules, type SettingName } from "../platform/configuration.ts";
import type { DeployedEnvironment, EnvironmentConfig } from "./deployed-environment.ts";

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

/** The bindings that the console must have. */
export const CONSOLE_BINDINGS = [
  ...["DB", "KV", "WEBHOOK_QUEUE", "ENVIRONMENT", "PUBLIC_URL", "EMAIL_FROM"],
];

/** Invalid variables. Secrets are not in wrangler.toml, so only the Worker checks them. */
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

const patternsOf = ({ routes = [] }: EnvironmentConfig) =>
  routes.map((route) => (typeof route === "string" ? { pattern: route } : route));

/**
 * A message if `PUBLIC_URL` is not at an address of the Worker: a route of all paths, a custom domain or its workers.dev
 * address.
 */
export function unservedAddress(config: EnvironmentConfig): string | undefined {
  const { hostname } = new URL(config.vars.PUBLIC_URL);
  const hosts = patternsOf(config)
    .map(({ pattern, custom_domain }) => (custom_domain ? `${pattern}/*` : pattern))
    .map((pattern) => pattern.replace(/^https?:\/\//, ""))
    // A route without a wildcard at its end serves one path.
    .flatMap((pattern) => /^([^/]+?)\/?\*$/.exec(pattern)?.[1] ?? []);
  if (config.workers_dev) hosts.push(`${config.name}.*.workers.dev`);
  if (hosts.some((host) => path.matchesGlob(hostname, host))) return undefined;
  const served = hosts.length > 0 ? hosts.join(", ") : "no address";
  return `PUBLIC_URL is at ${hostname}, but the Worker is served at ${served}. Add the host to routes in wrangler.toml, as a custom domain or with /* at its end`;
}

/** Faults of the console's settings, beside those of the API. */
export function consoleFaults(api: EnvironmentConfig, console: EnvironmentConfig): string[] {
  const { ACCESS_ROLES, ACCESS_TEAM_DOMAIN } = console.vars as typeof console.vars & AccessSettings;
  const shared = (config: EnvironmentConfig) => ({
    ENVIRONMENT: config.vars.ENVIRONMENT,
    PUBLIC_URL: config.vars.PUBLIC_URL,
    EMAIL_FROM: config.vars.EMAIL_FROM,
    database_id: config.d1_databases[0].database_id,
    "id of KV": config.kv_namespaces[0].id,
  });
  const own: Record<string, unknown> = shared(console);
  return [
    ...Object.entries(shared(api))
      .filter(([name, value]) => own[name] !== value)
      .map(([name]) => `${name} must be the same in console.toml as in wrangler.toml`),
    ...Object.keys(ACCESS_ROLES)
      .filter((role) => !(ROLES as readonly string[]).includes(role))
      .map((role) => `ACCESS_ROLES has an unknown role: ${role}`),
    ...(console.workers_dev
      ? ["workers_dev must be false, because Access protects only routes"]
      : []),
    ...(patternsOf(console).length === 0 ? ["routes must have the host name of the console"] : []),
    ...(/^https:\/\/[\w-]+\.cloudflareaccess\.com$/.test(ACCESS_TEAM_DOMAIN)
      ? []
      : ["ACCESS_TEAM_DOMAIN must be such as https://team.cloudflareaccess.com"]),
  ];
}

/** A message if a setting of the console is still a placeholder. */
export function consolePlaceholder(config: EnvironmentConfig): string | undefined {
  const { ACCESS_AUDIENCE } = config.vars as typeof config.vars & AccessSettings;
  const isPlaceholder =
    ACCESS_AUDIENCE === "" ||
    patternsOf(config).some(({ pattern }) => pattern.endsWith(".example"));
  return isPlaceholder
    ? "set ACCESS_AUDIENCE, ACCESS_TEAM_DOMAIN and the host name in console.toml"
    : undefined;
}
