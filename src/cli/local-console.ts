// The settings of the local console, for the local Worker and for its Access in src/cli/local-access.ts.
import type { AccessSettings } from "../console/access/identity.ts";

/** The accepted hosts. A website can resolve any other name to this computer (DNS rebinding). */
export const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Each group is named after its role. */
export const LOCAL_ACCESS: Omit<AccessSettings, "ACCESS_TEAM_DOMAIN"> = {
  ACCESS_AUDIENCE: "local-console",
  ACCESS_ROLES: {
    viewer: ["viewer"],
    support: ["support"],
    fulfilment: ["fulfilment"],
    finance: ["finance"],
    engineer: ["engineer"],
    vendor: { "Wrenhollow Provisions": ["vendor"] },
  },
};

/**
 * The path under which the local Worker serves the console. With the console's own paths, the redirects of the static files
 * in public/ would answer first.
 */
export const CONSOLE_PREFIX = "/local-console";

/** The Worker with the page /mailbox and the console, in the place of `main` in wrangler.toml. */
export const LOCAL_WORKER = "src/local/index.ts";
