// The rules of the console's configuration, for its Worker and for `npm run check:deploy`.
import { brokenRules, isOrigin, type SettingName } from "../platform/configuration.ts";
import { ROLES } from "./access/roles.ts";
import type { ConsoleBindings } from "./environment.ts";

/** The settings that have the same rules as in the API. */
const SHARED: readonly SettingName[] = [
  ...(["DB", "KV", "WEBHOOK_QUEUE", "ENVIRONMENT", "PUBLIC_URL", "EMAIL_FROM"] as const),
  "GIFT_LINK_SECRET",
];

/** A sentence for each rule that `settings` breaks. */
export function brokenConsoleRules(settings: Partial<ConsoleBindings>): string[] {
  const { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE, ACCESS_ROLES = {} } = settings;
  const unknown = Object.keys(ACCESS_ROLES).filter(
    (role) => !(ROLES as readonly string[]).includes(role),
  );
  const rules: [boolean, string][] = [
    [
      isOrigin(ACCESS_TEAM_DOMAIN),
      "ACCESS_TEAM_DOMAIN must be an origin such as https://team.cloudflareaccess.com",
    ],
    [Boolean(ACCESS_AUDIENCE), "ACCESS_AUDIENCE must be set"],
    [unknown.length === 0, `ACCESS_ROLES has unknown roles: ${unknown.join(", ")}`],
  ];
  const broken = rules.flatMap(([holds, text]) => (holds ? [] : [text]));
  return [...brokenRules(settings, SHARED), ...broken];
}
