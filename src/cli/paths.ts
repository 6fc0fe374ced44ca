// Paths of the project's files, for commands that run in Node.
import { readFileSync } from "node:fs";
import path from "node:path";

export const PROJECT_ROOT = path.resolve(import.meta.dirname, "../..");
export const CONFIG = path.join(PROJECT_ROOT, "wrangler.toml");
/** The configuration of the console's Worker. */
export const CONSOLE_CONFIG = path.join(PROJECT_ROOT, "console.toml");
/** The wrangler command. */
export const WRANGLER = path.join(PROJECT_ROOT, "node_modules/.bin/wrangler");

/** All environments apart from the local one. */
export const deployedEnvironments = (): string[] =>
  Array.from(
    readFileSync(CONFIG, "utf8").matchAll(/^\[env\.([\w-]+)\.vars\]$/gm),
    ([, name = ""]) => name,
  );

/** The environments of production, one for each region. */
export const regionNames = (): string[] =>
  deployedEnvironments().filter((name) => /^production(-|$)/.test(name));
