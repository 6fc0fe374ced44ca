// The rules of the console's configuration, for its Worker and for `npm run check:deploy`.
import { brokenRules, isOrigin, type SettingName } from "../platform/configuration.ts";
import { ROLES } from "../operator/roles.ts";
import type { ConsoleBindings } from "./environment.ts";

/** The settings that have the same rules as in the API. */
const SHARED: readonly SettingName[] = [
  "DB",
  "KV",
  "WEBHOOK_QUEUE",
  "GIFT_LINK_SECRET",
  "CODE_SECRET",
  "WEBHOOK_SECRET",
  "ENVIRONMENT",
  "REGION",
  "PUBLIC_URL",
  "EMAIL_FROM",
];

/** A sentence for each rule that `settings` breaks. */
export function brokenConsoleRules(settings: Partial<ConsoleBindings>): string[] {
  const { ENVIRONMENT, ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE } = settings;
  const { vendor = {}, ...roles } = settings.ACCESS_ROLES ?? {};
  const broken = brokenRules(settings, SHARED);
  const isInsecure = ENVIRONMENT !== "local" && ACCESS_TEAM_DOMAIN?.startsWith("http://");
  if (!isOrigin(ACCESS_TEAM_DOMAIN) || isInsecure)
    broken.push("ACCESS_TEAM_DOMAIN must be an origin such as https://team.cloudflareaccess.com");
  if (!ACCESS_AUDIENCE) broken.push("ACCESS_AUDIENCE must be set");
  if (Object.keys(roles).some((role) => !(ROLES as readonly string[]).includes(role)))
    broken.push(`ACCESS_ROLES must have only the roles ${ROLES.join(", ")}, and vendor`);
  const isNamed = typeof vendor === "object" && Object.values(vendor).every(Array.isArray);
  if (!isNamed) broken.push("ACCESS_ROLES.vendor must have a list for the name of each vendor");
  return broken;
}
