// The settings of the local console, for the local Worker and for its Access in src/cli/local-access.ts. A group has the name of
// its role.
import type { AccessSettings } from "../console/access/identity.ts";

export const LOCAL_ACCESS: Omit<AccessSettings, "ACCESS_TEAM_DOMAIN"> = {
  ACCESS_AUDIENCE: "local-console",
  ACCESS_ROLES: {
    viewer: ["viewer"],
    support: ["support"],
    fulfilment: ["fulfilment"],
    finance: ["finance"],
    engineer: ["engineer"],
  },
};

/**
 * The path under which the local Worker serves the console. With the console's own paths, the redirects of the static files
 * in public/ would answer first.
 */
export const CONSOLE_PREFIX = "/local-console";
