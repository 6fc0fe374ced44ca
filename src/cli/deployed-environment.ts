// A deployed environment, as wrangler.toml or console.toml configures it.
import { UnreachableError } from "./errors.ts";
import { CONFIG } from "./paths.ts";

export const DEPLOYED_ENVIRONMENTS = ["sandbox", "production"] as const;
export type DeployedEnvironment = (typeof DEPLOYED_ENVIRONMENTS)[number];

/** The parts of the configuration that are used here. Wrangler's own type does not resolve. */
export interface EnvironmentConfig {
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
  d1_databases: [{ database_name: string; database_id: string }];
  kv_namespaces: [{ id: string }];
}

export async function readEnvironment(
  environment: DeployedEnvironment,
  file = CONFIG,
): Promise<EnvironmentConfig> {
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config: unknown = readConfig({ config: file, env: environment }, { hideWarnings: true });
  return config as EnvironmentConfig;
}

/** A message if the id of the database or of the KV namespace is still a placeholder. */
export function placeholderId(
  environment: DeployedEnvironment,
  { d1_databases: [database], kv_namespaces: [namespace] }: EnvironmentConfig,
): string | undefined {
  const isId = (text: string) => /^[\da-f-]{32,36}$/.test(text);
  const name = !isId(database.database_id) ? "database_id" : !isId(namespace.id) ? "id of KV" : "";
  if (name === "") return undefined;
  return `the ${name} of ${environment} is a placeholder: set it as docs/DEPLOYING.md describes`;
}

/** The deadline of each network step of a command. D1 itself ends a statement after 30 seconds. */
export const NETWORK_DEADLINE_MS = 60_000;

export function unreachable(environment: DeployedEnvironment, error: unknown): UnreachableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnreachableError(
    `${environment} cannot be reached: ${reason.replaceAll(/\s+/g, " ").trim()} ` +
      '(Check your network connection. "npx wrangler whoami" shows your login.)',
  );
}
