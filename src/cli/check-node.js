// Runs before each command, in any version of Node. `npm ci` installs the version that runs the TypeScript sources.
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";

const WRANGLER = path.resolve("node_modules/.bin/wrangler");

/** Why the commands cannot run. */
function obstacle() {
  if (process.platform === "win32")
    return "The commands need Linux or macOS: on Windows, run them in WSL.";
  if (existsSync(WRANGLER) && process.features.typescript) return null;
  return `Node.js 24 or another dependency is missing (this is Node.js ${process.version}): run \`npm ci\` without --ignore-scripts.`;
}

const found = obstacle();
if (found !== null) {
  process.stderr.write(`error: ${found}\n`);
  process.exit(1);
}
