// The rules of the console's configuration in console.toml.
import { ROLES } from "../console/access/roles.ts";
import type { AccessSettings } from "../console/access/identity.ts";
import { type DeployedEnvironment, readEnvironment } from "./deployed-environment.ts";
import { CONFIG, CONSOLE_CONFIG } from "./paths.ts";

/** The variables that the console and the API must have in common. */
const SHARED = ["ENVIRONMENT", "PUBLIC_URL", "EMAIL_FROM"] as const;

/** A message for each fault of the console's settings in the environment. */
export async function checkConsole(
  environment: DeployedEnvironment,
  placeholders: "placeholders" | "no placeholders",
): Promise<string[]> {
  const [api, console] = await Promise.all([
    readEnvironment(environment, CONFIG),
    readEnvironment(environment, CONSOLE_CONFIG),
  ]);
  const vars = console.vars as typeof console.vars & AccessSettings;
  const { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE, ACCESS_ROLES } = vars;
  const hosts = (console.routes ?? []).map((route) =>
    typeof route === "string" ? route : route.pattern,
  );
  const faults = [
    ...SHARED.filter((name) => vars[name] !== api.vars[name]).map(
      (name) => `${name} must be the same in console.toml as in wrangler.toml`,
    ),
    ...Object.keys(ACCESS_ROLES)
      .filter((role) => !(ROLES as readonly string[]).includes(role))
      .map((role) => `ACCESS_ROLES has an unknown role: ${role}`),
    ...(console.workers_dev
      ? ["workers_dev must be false, because Access protects only routes"]
      : []),
    ...(hosts.length === 0 ? ["routes must have the host name of the console"] : []),
    ...(/^https:\/\/[\w-]+\.cloudflareaccess\.com$/.test(ACCESS_TEAM_DOMAIN)
      ? []
      : ["ACCESS_TEAM_DOMAIN must be such as https://team.cloudflareaccess.com"]),
  ];
  if (placeholders === "placeholders") return faults;
  const isPlaceholder =
    ACCESS_AUDIENCE === "" ||
    hosts.some((host) => host.endsWith(".example")) ||
    api.vars.PUBLIC_URL.endsWith(".example");
  return isPlaceholder
    ? [
        ...faults,
        "set ACCESS_AUDIENCE, ACCESS_TEAM_DOMAIN, PUBLIC_URL and the host name in console.toml",
      ]
    : faults;
}
