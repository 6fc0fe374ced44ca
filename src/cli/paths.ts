// Paths of the project's files, for commands that run in Node.
import path from "node:path";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");
export const CONFIG = path.join(PROJECT_ROOT, "wrangler.toml");
/** The configuration of the console's Worker. */
export const CONSOLE_CONFIG = path.join(PROJECT_ROOT, "console.toml");
/** The wrangler command. */
export const WRANGLER = path.join(PROJECT_ROOT, "node_modules/.bin/wrangler");
